//! Input as a list of sections.

use crate::input::Input;
#[cfg(feature = "expression")]
use alloc::{string::String, vec::Vec};

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

/// The numbers of a section.
#[cfg(any(
    feature = "archive",
    feature = "encode",
    feature = "export",
    feature = "expression",
    feature = "frames",
    feature = "store",
    feature = "zarr"
))]
pub(crate) fn f64s(bytes: &[u8]) -> impl ExactSizeIterator<Item = f64> + '_ {
    bytes.as_chunks().0.iter().map(|number| f64::from_le_bytes(*number))
}

/// Texts one behind the other, by the lengths of each.
#[cfg(feature = "expression")]
pub(crate) fn texts(mut content: &[u8], lens: &[u8]) -> Vec<String> {
    let mut next = |len: f64| {
        let (one, rest) = content.split_at((len as usize).min(content.len()));
        content = rest;
        String::from_utf8_lossy(one).into_owned()
    };
    f64s(lens).map(&mut next).collect()
}

fn split_u32(bytes: &[u8]) -> (u32, &[u8]) {
    match bytes.split_first_chunk() {
        Some((number, rest)) => (u32::from_le_bytes(*number), rest),
        None => (0, &[]),
    }
}
