//! The encoder: zlib-rs, or miniz_oxide without `std`.
//!
//! Beside C-Blosc2, which uses zlib-ng, the bench's means at levels 1, 5 and 9: zlib-rs has 1.00 of the size and 0.98, 0.91
//! and 1.02 of the speed. Without its feature `std` it finds no AVX2, and has 0.75, 0.78 and 0.91. miniz_oxide, on similar
//! streams, has 0.87 and 1.02 of the size at levels 1 and 5, and 0.65 and 0.57 of the speed.

#[cfg(not(feature = "zlib-rs"))]
use alloc::boxed::Box;
#[cfg(not(feature = "zlib-rs"))]
use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, TDEFLStatus, compress};
#[cfg(feature = "zlib-rs")]
use zlib_rs::{Deflate, DeflateFlush, Status};

/// State that streams reuse.
#[derive(Default)]
pub(crate) struct Encoder {
    #[cfg(feature = "zlib-rs")]
    deflate: Option<(u8, Deflate)>,
    #[cfg(not(feature = "zlib-rs"))]
    deflate: Option<Box<CompressorOxide>>,
}

impl Encoder {
    /// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
    #[cfg(feature = "zlib-rs")]
    pub(crate) fn encode(&mut self, src: &[u8], dst: &mut [u8], level: u8) -> Option<usize> {
        /// 32 KiB, as a power of two.
        const WINDOW: u8 = 15;
        if self.deflate.as_ref().is_none_or(|(other, _)| *other != level) {
            self.deflate = Some((level, Deflate::new(level.into(), true, WINDOW)));
        }
        let (_, deflate) = self.deflate.as_mut()?;
        deflate.reset();
        match deflate.compress(src, dst, DeflateFlush::Finish) {
            Ok(Status::StreamEnd) => Some(deflate.total_out() as usize),
            _ => None,
        }
    }

    /// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
    #[cfg(not(feature = "zlib-rs"))]
    pub(crate) fn encode(&mut self, src: &[u8], dst: &mut [u8], level: u8) -> Option<usize> {
        let compressor = self.deflate.get_or_insert_default();
        compressor.reset();
        compressor.set_format_and_level(miniz_oxide::DataFormat::Zlib, level);
        match compress(compressor, src, dst, TDEFLFlush::Finish) {
            (TDEFLStatus::Done, _, written) => Some(written),
            _ => None,
        }
    }
}
