//! ZFP: floats in blocks of one to four dimensions, divided into cells of 4 values along each axis (FORMAT §6.3).
//!
//! The values of a cell are integers with a common exponent, transformed along each axis like an image, and stored by bit
//! planes from the highest on. The three codecs differ in where they stop: at an absolute error, after so many planes, or after
//! so many bits.

#[cfg(all(feature = "encoders", feature = "write"))]
mod bit_writer;
mod bits;
mod cell;
#[cfg(all(feature = "encoders", feature = "write"))]
mod encode;
#[cfg(all(feature = "encoders", feature = "write"))]
mod encode_cell;
mod order;
#[cfg(test)]
mod tests;
mod word;

use super::{Codec, Corrupt, Stream};
use crate::simd::{Instructions, Work, widest};
use bits::Bits;
use core::marker::PhantomData;
#[cfg(all(feature = "encoders", feature = "write"))]
pub(super) use encode::encode;
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

    /// Bit planes of a cell whose values have this exponent.
    #[inline(always)]
    fn planes_of<W: Word>(&self, exponent: i32, ndim: u32) -> u32 {
        let tolerated = exponent - self.least_exponent + 2 * ndim as i32 + 2;
        self.planes.min(tolerated.max(0) as u32).min(W::BITS)
    }
}

/// The largest integer that is at most log₂(10ⁿ).
const fn log2_of_power_of_10(n: i8) -> i32 {
    (n as i32 * 108_853) >> 15
}

/// The shape of a block of `nbytes` bytes, with leading axes of length 1; `None` if this is not its length, or for other dimensions.
fn padded(blockshape: &[u32], typesize: usize, nbytes: usize) -> Option<[usize; MAX_NDIM]> {
    let product = blockshape.iter().try_fold(typesize, |product, &len| product.checked_mul(len as usize));
    if product != Some(nbytes) || !(1..=MAX_NDIM).contains(&blockshape.len()) {
        return None;
    }
    let mut shape = [1; MAX_NDIM];
    for (len, &given) in shape.iter_mut().rev().zip(blockshape.iter().rev()) {
        *len = given as usize;
    }
    Some(shape)
}

/// Work on all cells of a block.
trait EachCell {
    /// Does it with cells of `SIZE` values.
    fn run<W: Word, const SIZE: usize>(self);
}

/// The work for one type and size.
struct Sized<T, W, const SIZE: usize>(T, PhantomData<W>);

impl<T: EachCell, W: Word, const SIZE: usize> Work for Sized<T, W, SIZE> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Instructions) {
        self.0.run::<W, SIZE>();
    }
}

/// Selects the type and size by bytes per item and number of axes. `None` for items that are no floats.
fn by_size<T: EachCell>(cells: T, typesize: usize, ndim: usize) -> Option<()> {
    match (typesize, ndim) {
        (4, 1) => widest(Sized::<_, u32, 4>(cells, PhantomData)),
        (4, 2) => widest(Sized::<_, u32, 16>(cells, PhantomData)),
        (4, 3) => widest(Sized::<_, u32, 64>(cells, PhantomData)),
        (4, _) => widest(Sized::<_, u32, 256>(cells, PhantomData)),
        (8, 1) => widest(Sized::<_, u64, 4>(cells, PhantomData)),
        (8, 2) => widest(Sized::<_, u64, 16>(cells, PhantomData)),
        (8, 3) => widest(Sized::<_, u64, 64>(cells, PhantomData)),
        (8, _) => widest(Sized::<_, u64, 256>(cells, PhantomData)),
        _ => return None,
    }
    Some(())
}

/// Calls `each` with the positions of all cells, until it returns false.
#[inline(always)]
fn each_cell([d, c, b, a]: [usize; MAX_NDIM], mut each: impl FnMut([usize; MAX_NDIM]) -> bool) {
    for w in (0..d).step_by(4) {
        for z in (0..c).step_by(4) {
            for y in (0..b).step_by(4) {
                for x in (0..a).step_by(4) {
                    if !each([w, z, y, x]) {
                        return;
                    }
                }
            }
        }
    }
}

/// Decodes a block into exactly `dst.len()` bytes.
pub(super) fn decode(codec: Codec, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
    let Stream { src, meta, typesize, blockshape, .. } = *stream;
    let shape = padded(blockshape, typesize, dst.len()).ok_or(Corrupt)?;
    let mode = Mode::of(codec, meta, blockshape.len(), typesize);
    let mut bits = Bits::new(src);
    let cells = Cells { bits: &mut bits, mode: &mode, shape, dst };
    by_size(cells, typesize, blockshape.len()).ok_or(Corrupt)?;
    if bits.is_within() { Ok(()) } else { Err(Corrupt) }
}

/// The cells of a block.
struct Cells<'a, 'b> {
    bits: &'a mut Bits<'b>,
    mode: &'a Mode,
    shape: [usize; MAX_NDIM],
    dst: &'a mut [u8],
}

impl EachCell for Cells<'_, '_> {
    #[inline(always)]
    fn run<W: Word, const SIZE: usize>(mut self) {
        let mut cell = [W::ZERO; SIZE];
        each_cell(self.shape, |at| {
            if !self.bits.is_within() {
                return false;
            }
            let exponent = cell::decode(self.bits, self.mode, &mut cell);
            self.scatter(&cell, exponent, at);
            true
        });
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
