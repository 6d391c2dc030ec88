//! The fast encoder.
//!
//! Beside C-Blosc2's LZ4 this takes the same size. Speed beside its LZ4 1.10, without filters and copies, on the streams of 28
//! kinds of chunks (geometric means): 1.00 at level 1, 1.05 at level 5; noise 1.0 to 1.2, short matches of images 0.9. What
//! helped:
//! - A search loop that keeps little in registers and has one bounds check per read: noise 1.5 times as fast.
//! - Long sequences in a function of their own, which leaves more registers to short ones.
//! - The end of a long match found without a branch in 32 bytes: masks 1.2.
//!
//! No help: going on with half of the last step after a match; 16-bit positions for streams of 64 KiB, which C has
//! (0.2 % larger, no faster); a table that is not cleared between streams, because old positions cost mispredicted branches.

use super::writer::Writer;
use crate::codec::matcher::fast::{self, Table};
use crate::simd::{Instructions, Work, widest};

/// The acceleration of a compression level, as C-Blosc2 has it.
pub(in crate::codec) const fn acceleration(clevel: u8) -> usize {
    if clevel < 9 { 10 - clevel as usize } else { 1 }
}

/// Encodes `src[start..]` as one block into `dst` and returns its length; `None` if it does not fit. What lies before `start`
/// is the dictionary. A table of `u16` is for a `src` of less than 64 KiB, `acceleration` at least 1.
pub(in crate::codec) fn encode(
    src: &[u8],
    start: usize,
    dst: &mut [u8],
    table: &mut impl Table,
    acceleration: usize,
) -> Option<usize> {
    table.clear();
    widest(Fast { src, start, dst, table, acceleration })
}

struct Fast<'a, T> {
    src: &'a [u8],
    start: usize,
    dst: &'a mut [u8],
    table: &'a mut T,
    acceleration: usize,
}

impl<T: Table> Work for Fast<'_, T> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Self::Output {
        let Self { src, start, dst, table, acceleration } = self;
        let mut out = Writer::new(src, dst);
        let anchor = fast::sequences(src, start, table, acceleration, &mut out)?;
        out.last(anchor)
    }
}
