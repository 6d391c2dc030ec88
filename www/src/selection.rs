//! Selections in the input.

use crate::sections::Sections;
use b2nd::{Index, Selection};

impl Sections<'_> {
    /// Parses the next section as a selection.
    pub(crate) fn selection(&mut self) -> Selection {
        let (indices, _) = self.section().as_chunks::<32>();
        Selection(indices.iter().map(index).collect())
    }
}

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
