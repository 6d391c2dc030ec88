//! How long an axis can be.

use super::{Limit, LimitError, Result};

#[cfg(feature = "alloc")]
mod width {
    pub(super) type Unsigned = u64;
    pub(super) type Signed = i64;
}
#[cfg(not(feature = "alloc"))]
mod width {
    pub(super) type Unsigned = u32;
    pub(super) type Signed = i32;
}

/// What counts items along an axis: 64 bits, and without the feature `alloc` 32, as frames are for the memory of a small
/// processor then, which is slow and wordy with longer numbers.
pub(crate) type Extent = width::Unsigned;

/// The same with a sign.
pub(crate) type Signed = width::Signed;

/// The longest that an axis can be.
#[allow(clippy::unnecessary_cast, reason = "for some of the builds it is none")]
pub(crate) const LONGEST: i64 = Signed::MAX as i64;

/// A length as that of an axis, or of bytes that are counted in one.
pub(crate) fn extent(len: u64) -> Result<Extent> {
    if len <= LONGEST as u64 {
        return Ok(len as Extent);
    }
    Err(LimitError { limit: Limit::Memory, wanted: len, allowed: LONGEST as u64 }.into())
}

/// A product of lengths, unless no axis can be as long.
///
/// Rust's checked multiplication of 64 bits takes one of 128, which is a call where no instruction does it. Where the
/// leading zeros of both together are fewer than a number has bits, their product is above [`LONGEST`].
pub(crate) fn times(a: Extent, b: Extent) -> Option<Extent> {
    let fits = a.leading_zeros() + b.leading_zeros() >= Extent::BITS;
    if fits { Some(a * b).filter(|product| *product <= LONGEST as Extent) } else { None }
}

/// It in 64 bits, whatever it has.
#[allow(clippy::unnecessary_cast, reason = "for some of the builds it is none")]
pub(crate) const fn wide(len: Extent) -> u64 {
    len as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_checked_as_wider_ones_would_be() {
        let near = |bit: u32| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1];
        let lens: alloc::vec::Vec<Extent> = (0..Extent::BITS).flat_map(near).chain([Extent::MAX]).collect();
        for (&a, &b) in lens.iter().flat_map(|a| lens.iter().map(move |b| (a, b))) {
            let product = u128::from(a) * u128::from(b);
            let expected = (product <= LONGEST as u128).then_some(product as Extent);
            assert_eq!(times(a, b), expected, "{a} * {b}");
        }
    }
}
