//! Images of `float32`: the plugins `j2k` and `htj2k` can make 8 or 16 bits of each value, and say in a header what these mean.
//!
//! | bytes | |
//! |---|---|
//! | 0 to 7 | `B2JPF32\0` |
//! | 8 to 9 | version: 1 |
//! | 10 to 11 | length of the header: 64 |
//! | 12 to 13 | bits per sample |
//! | 14 to 15 | bit 0: the writer chose the lowest value, bit 1: the highest |
//! | 16 to 23 | length of the image that follows |
//! | 24 to 39 | `float64`: the values of the lowest and the highest sample |
//! | 40 to 55 | `float64`: the lowest and the highest value of the data |
//!
//! Numbers are little-endian.

use b2nd::codec::Corrupt;

const MAGIC: &[u8] = b"B2JPF32\0";
const HEADER_LEN: usize = 64;

/// An image whose samples stand for values between two others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quantized<'a> {
    /// The image.
    pub(crate) image: &'a [u8],
    /// Bits per sample.
    pub(crate) precision: u8,
    low: f64,
    high: f64,
}

impl<'a> Quantized<'a> {
    /// Reads the header of `stream`, if it has one.
    pub(crate) fn read(stream: &'a [u8]) -> Result<Option<Self>, Corrupt> {
        if !stream.starts_with(MAGIC) {
            return Ok(None);
        }
        let (header, rest) = stream.split_first_chunk::<HEADER_LEN>().ok_or(Corrupt)?;
        let u16_at = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let u64_at = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| header[at + byte]));
        let precision = u16_at(12);
        let (low, high) = (f64::from_bits(u64_at(24)), f64::from_bits(u64_at(32)));
        let known =
            u16_at(8) == 1 && usize::from(u16_at(10)) == HEADER_LEN && (precision == 8 || precision == 16);
        if !known || !low.is_finite() || !high.is_finite() {
            return Err(Corrupt);
        }
        let len = usize::try_from(u64_at(16)).map_err(|_| Corrupt)?;
        let image = rest.get(..len).ok_or(Corrupt)?;
        Ok(Some(Self { image, precision: precision as u8, low, high }))
    }

    /// The value that a sample stands for.
    pub(crate) fn value(&self, sample: u16) -> f32 {
        let most = f64::from((1_u32 << self.precision) - 1);
        (self.low + f64::from(sample) / most * (self.high - self.low)) as f32
    }
}
