//! The encoder, miniz_oxide's.

use alloc::boxed::Box;
use miniz_oxide::DataFormat;
use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, TDEFLStatus, compress};

/// State that streams reuse.
#[derive(Default)]
pub(crate) struct Encoder(Option<Box<CompressorOxide>>);

impl Encoder {
    /// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
    pub(crate) fn encode(&mut self, src: &[u8], dst: &mut [u8], level: u8) -> Option<usize> {
        let compressor = self.0.get_or_insert_default();
        compressor.reset();
        compressor.set_format_and_level(DataFormat::Zlib, level);
        match compress(compressor, src, dst, TDEFLFlush::Finish) {
            (TDEFLStatus::Done, _, written) => Some(written),
            _ => None,
        }
    }
}
