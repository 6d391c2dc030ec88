//! The encoder.

use super::bit_writer::BitWriter;
use super::word::Word;
use super::{EachCell, MAX_NDIM, Mode, by_size, each_cell, encode_cell, padded};
use crate::codec::{Codec, PlainStream};

/// Encodes a whole block and returns the length; `None` if it does not fit, or if the stream is no such block.
pub(in crate::codec) fn encode(codec: Codec, stream: &PlainStream<'_>, dst: &mut [u8]) -> Option<usize> {
    let PlainStream { src, meta, typesize, blockshape, .. } = *stream;
    let shape = padded(blockshape, typesize, src.len())?;
    let mode = Mode::of(codec, meta, blockshape.len(), typesize);
    let mut bits = BitWriter::new(dst);
    by_size(Cells { bits: &mut bits, mode: &mode, shape, src }, typesize, blockshape.len())?;
    bits.finish()
}

/// The cells of a block.
struct Cells<'a, 'b> {
    bits: &'a mut BitWriter<'b>,
    mode: &'a Mode,
    shape: [usize; MAX_NDIM],
    src: &'a [u8],
}

impl EachCell for Cells<'_, '_> {
    #[inline(always)]
    fn run<W: Word, const SIZE: usize>(self) {
        let Cells { bits, mode, shape, src } = self;
        let mut cell = [W::ZERO; SIZE];
        each_cell(shape, |at| {
            gather(&mut cell, src, shape, at);
            encode_cell::encode(bits, mode, &mut cell);
            bits.fits()
        });
    }
}

/// Reads the values of the cell at this position. Values of the block stand for those beyond it.
#[inline(always)]
fn gather<W: Word, const SIZE: usize>(
    cell: &mut [W; SIZE],
    src: &[u8],
    [d, c, b, a]: [usize; MAX_NDIM],
    [w, z, y, x]: [usize; MAX_NDIM],
) {
    let size = W::BITS as usize / 8;
    let columns = (a - x).min(4);
    for (row, to) in cell.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (k, j, i) =
            (w + within(row / 16, d - w), z + within(row / 4 % 4, c - z), y + within(row % 4, b - y));
        let at = (((k * c + j) * b + i) * a + x) * size;
        let from = &src[at..][..columns * size];
        for (n, word) in to.iter_mut().enumerate() {
            *word = W::read(&from[within(n, columns) * size..]);
        }
    }
}

/// The position, of `len` that there are, of the value that stands at `at`: the last one, but the first at the cell's end.
#[inline(always)]
const fn within(at: usize, len: usize) -> usize {
    match at {
        _ if at < len => at,
        3 => 0,
        _ => len - 1,
    }
}
