//! The integer type for lengths of axes.

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

/// The length of an axis: 64 bits. 32 bits without `alloc`: 64-bit arithmetic is slow and large on small processors,
/// and their frames fit in memory.
pub(crate) type Extent = width::Unsigned;

/// Its signed counterpart.
pub(crate) type Signed = width::Signed;

/// The longest axis.
#[allow(clippy::unnecessary_cast, reason = "for some of the builds it is none")]
pub(crate) const LONGEST: i64 = Signed::MAX as i64;

/// Converts a length, or a number of bytes, to an `Extent`.
pub(crate) fn extent(len: u64) -> Result<Extent> {
    if len <= LONGEST as u64 {
        return Ok(len as Extent);
    }
    Err(LimitError { limit: Limit::Memory, wanted: len, allowed: LONGEST as u64 }.into())
}

/// The product of two lengths, unless it exceeds [`LONGEST`].
///
/// Rust's `checked_mul` of 64-bit numbers needs a 128-bit product, a library call on most small processors. This
/// compares leading zeros instead: if both together have fewer than `Extent::BITS`, the product is above [`LONGEST`].
pub(crate) fn times(a: Extent, b: Extent) -> Option<Extent> {
    let fits = a.leading_zeros() + b.leading_zeros() >= Extent::BITS;
    if fits { Some(a * b).filter(|product| *product <= LONGEST as Extent) } else { None }
}

/// The product of two lengths, at most [`LONGEST`].
pub(crate) fn saturating_times(a: Extent, b: Extent) -> Extent {
    times(a, b).unwrap_or(LONGEST as Extent)
}

/// Widens to 64 bits.
#[allow(clippy::unnecessary_cast, reason = "for some of the builds it is none")]
pub(crate) const fn wide(len: Extent) -> u64 {
    len as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "arithmetic")]
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
