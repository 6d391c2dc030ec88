//! Decoder state that outlives a stream: on the heap, allocated on first use, or in the caller's memory.

use super::Corrupt;

/// Tables for the codecs that need some. `()` has none; a pair has those of both. A codec without its tables counts as
/// not built in. This trait is sealed.
#[expect(private_bounds, reason = "what seals it")]
pub trait Tables: Decode {}

impl<T: Decode> Tables for T {}

/// Decodes streams of codecs that need tables.
#[allow(dead_code, reason = "some builds have no such codec")]
pub(crate) trait Decode: Send {
    /// Decodes a zlib stream; `None` without its tables.
    fn zlib(&mut self, _src: &[u8], _dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        None
    }

    /// Decodes two zlib streams at once. Returns false if it cannot, or if one of them is invalid.
    fn two_of_zlib(&mut self, _src: [&[u8]; 2], _dst: [&mut [u8]; 2]) -> bool {
        false
    }

    /// Decodes a zstd stream; `None` without its tables.
    fn zstd(&mut self, _src: &[u8], _dict: &[u8], _dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        None
    }

    /// Must be called before streams with a different dictionary. Comparing 32 KiB for every block took a tenth of the
    /// time for blocks of 16 KiB.
    fn other_dictionary(&mut self) {}
}

impl Decode for () {}

impl<A: Decode, B: Decode> Decode for (A, B) {
    fn zlib(&mut self, src: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        match self.0.zlib(src, dst) {
            None => self.1.zlib(src, dst),
            decoded => decoded,
        }
    }

    fn two_of_zlib(&mut self, src: [&[u8]; 2], [one, other]: [&mut [u8]; 2]) -> bool {
        self.0.two_of_zlib(src, [&mut *one, &mut *other]) || self.1.two_of_zlib(src, [one, other])
    }

    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        match self.0.zstd(src, dict, dst) {
            None => self.1.zstd(src, dict, dst),
            decoded => decoded,
        }
    }

    fn other_dictionary(&mut self) {
        self.0.other_dictionary();
        self.1.other_dictionary();
    }
}
