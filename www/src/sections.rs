//! Input as a list of sections.

use crate::input::Input;
#[cfg(any(feature = "reader", feature = "writer"))]
use b2nd::{Index, Selection};

impl Input {
    /// The sections of the input; fewer than it says if it is truncated.
    pub(crate) fn sections(&self) -> Sections<'_> {
        let (count, rest) = split_u32(self.bytes());
        let (lens, rest) = rest.split_at_checked(count as usize * 4).unwrap_or((&[], &[]));
        Sections { lens: lens.as_chunks().0, rest }
    }
}

/// An iterator over the remaining sections.
#[derive(Clone, Copy)]
pub(crate) struct Sections<'a> {
    lens: &'a [[u8; 4]],
    rest: &'a [u8],
}

impl<'a> Sections<'a> {
    /// The next section; empty after the last.
    pub(crate) fn section(&mut self) -> &'a [u8] {
        self.next().unwrap_or_default()
    }

    /// Parses the next section as a selection.
    #[cfg(any(feature = "reader", feature = "writer"))]
    pub(crate) fn selection(&mut self) -> Selection {
        let (indices, _) = self.section().as_chunks::<32>();
        Selection(indices.iter().map(index).collect())
    }
}

impl<'a> Iterator for Sections<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (len, lens) = self.lens.split_first()?;
        let len = u32::from_le_bytes(*len) as usize;
        let (section, rest) = self.rest.split_at_checked(len)?;
        (self.lens, self.rest) = (lens, rest);
        Some(section)
    }
}

#[cfg(any(feature = "reader", feature = "writer"))]
fn index(numbers: &[u8; 32]) -> Index {
    let (numbers, _) = numbers.as_chunks();
    let number = |k: usize| f64::from_le_bytes(numbers[k]);
    let bound = |k: usize| Some(number(k)).filter(|bound| !bound.is_nan()).map(|bound| bound as i64);
    match number(0) {
        0.0 => Index::At(number(1) as i64),
        1.0 => Index::Range { start: bound(1), stop: bound(2), step: number(3) as i64 },
        _ => Index::Ellipsis,
    }
}

/// The numbers of a section.
pub(crate) fn f64s(bytes: &[u8]) -> impl ExactSizeIterator<Item = f64> + '_ {
    bytes.as_chunks().0.iter().map(|number| f64::from_le_bytes(*number))
}

fn split_u32(bytes: &[u8]) -> (u32, &[u8]) {
    match bytes.split_first_chunk() {
        Some((number, rest)) => (u32::from_le_bytes(*number), rest),
        None => (0, &[]),
    }
}
