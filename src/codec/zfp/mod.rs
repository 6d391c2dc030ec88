//! ZFP, decoding: floats in blocks of one to four dimensions, divided into cells of 4 values along each axis (FORMAT §6.3).
//!
//! The values of a cell are integers with a common exponent, transformed along each axis like an image, and stored by bit
//! planes from the highest on. The three codecs differ in where they stop: at an absolute error, after so many planes, or after
//! so many bits.

mod bits;
mod cell;
mod order;
#[cfg(test)]
mod tests;
mod word;

use super::{Codec, Corrupt, Stream};
use crate::simd::{Repeat, Work, widest};
use bits::Bits;
use core::marker::PhantomData;
use word::Word;

/// The most axes of a block.
const MAX_NDIM: usize = 4;

/// Where cells end.
struct Mode {
    /// Cells are padded to so many bits.
    least_bits: u32,
    most_bits: u32,
    /// Bit planes.
    planes: u32,
    /// Bits of less than 2 to this power are not needed.
    least_exponent: i32,
}

impl Mode {
    /// Every bit of every value.
    const ALL: Self = Self { least_bits: 1, most_bits: 16_658, planes: 64, least_exponent: -1074 };

    /// The mode of a codec with its parameter.
    fn of(codec: Codec, meta: u8, ndim: usize, typesize: usize) -> Self {
        match codec {
            Codec::ZFP_ACC => Self { least_exponent: log2_of_power_of_10(meta as i8), ..Self::ALL },
            Codec::ZFP_PREC => {
                let planes = (u32::from(meta) + 3 + 2 * ndim as u32).min(Self::ALL.planes);
                Self { planes, ..Self::ALL }
            }
            _ => {
                let rate = f64::from(meta) / 100.0 * typesize as f64 * 8.0;
                let bits = (f64::from(1 << (2 * ndim)) * rate + 0.5) as u32;
                let bits = bits.max(if typesize == 4 { 1 + u32::EXPONENT } else { 1 + u64::EXPONENT });
                Self { least_bits: bits, most_bits: bits, ..Self::ALL }
            }
        }
    }
}

/// The largest integer that is at most log₂(10ⁿ).
const fn log2_of_power_of_10(n: i8) -> i32 {
    (n as i32 * 108_853) >> 15
}

/// Decodes a block into exactly `dst.len()` bytes.
pub(super) fn decode(codec: Codec, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
    let Stream { src, meta, typesize, blockshape, .. } = *stream;
    let nbytes = blockshape.iter().try_fold(typesize, |product, &len| product.checked_mul(len as usize));
    if nbytes != Some(dst.len()) || !(1..=MAX_NDIM).contains(&blockshape.len()) {
        return Err(Corrupt);
    }
    let mut shape = [1; MAX_NDIM];
    for (len, &given) in shape.iter_mut().rev().zip(blockshape.iter().rev()) {
        *len = given as usize;
    }
    let mode = Mode::of(codec, meta, blockshape.len(), typesize);
    let mut bits = Bits::new(src);
    let cells = Cells { bits: &mut bits, mode: &mode, shape, dst };
    match (typesize, blockshape.len()) {
        (4, 1) => widest(cells.of::<u32, 4>()),
        (4, 2) => widest(cells.of::<u32, 16>()),
        (4, 3) => widest(cells.of::<u32, 64>()),
        (4, _) => widest(cells.of::<u32, 256>()),
        (8, 1) => widest(cells.of::<u64, 4>()),
        (8, 2) => widest(cells.of::<u64, 16>()),
        (8, 3) => widest(cells.of::<u64, 64>()),
        (8, _) => widest(cells.of::<u64, 256>()),
        _ => return Err(Corrupt),
    }
    if bits.is_within() { Ok(()) } else { Err(Corrupt) }
}

/// The cells of a block.
struct Cells<'a, 'b> {
    bits: &'a mut Bits<'b>,
    mode: &'a Mode,
    /// The shape of the block, with leading axes of length 1.
    shape: [usize; MAX_NDIM],
    dst: &'a mut [u8],
}

/// Cells of this size.
struct Sized<'a, 'b, W, const SIZE: usize>(Cells<'a, 'b>, PhantomData<W>);

impl<'a, 'b> Cells<'a, 'b> {
    const fn of<W, const SIZE: usize>(self) -> Sized<'a, 'b, W, SIZE> {
        Sized(self, PhantomData)
    }
}

impl<W: Word, const SIZE: usize> Work for Sized<'_, '_, W, SIZE> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, _: impl Repeat) {
        let [d, c, b, a] = self.0.shape;
        let mut cell = [W::ZERO; SIZE];
        for w in (0..d).step_by(4) {
            for z in (0..c).step_by(4) {
                for y in (0..b).step_by(4) {
                    for x in (0..a).step_by(4) {
                        if !self.0.bits.is_within() {
                            return;
                        }
                        let exponent = cell::decode(self.0.bits, self.0.mode, &mut cell);
                        self.0.scatter(&cell, exponent, [w, z, y, x]);
                    }
                }
            }
        }
    }
}

impl Cells<'_, '_> {
    /// Writes the values of the cell at this position, without those beyond the block.
    #[inline(always)]
    fn scatter<W: Word>(&mut self, cell: &[W], exponent: Option<i32>, [w, z, y, x]: [usize; MAX_NDIM]) {
        let [d, c, b, a] = self.shape;
        let size = W::BITS as usize / 8;
        let columns = (a - x).min(4);
        for k in w..d.min(w + 4) {
            for j in z..c.min(z + 4) {
                for i in y..b.min(y + 4) {
                    let at = (((k * c + j) * b + i) * a + x) * size;
                    let from = ((k - w) * 16 + (j - z) * 4 + (i - y)) * 4;
                    let row = &mut self.dst[at..][..columns * size];
                    match exponent {
                        Some(exponent) => W::write(&cell[from..][..columns], exponent, row),
                        None => row.fill(0),
                    }
                }
            }
        }
    }
}
