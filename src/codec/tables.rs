//! What decoders keep from one stream to the next, beside the codecs that keep it: on the heap once a codec needs it, or in
//! memory of the caller's.

use super::Corrupt;

/// The tables of the codecs that need some; `()` has none, and a pair has those of both. A codec that finds no tables is
/// as good as not built in. Nothing outside of this crate can implement it.
#[expect(private_bounds, reason = "what seals it")]
pub trait Tables: Decode {}

impl<T: Decode> Tables for T {}

/// Decodes streams of the codecs that need tables.
#[allow(dead_code, reason = "some builds have no such codec")]
pub(crate) trait Decode: Send {
    /// Decodes a zlib stream; `None` without its tables.
    fn zlib(&mut self, _src: &[u8], _dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        None
    }

    /// Decodes two zlib streams at once; false where that cannot be, or where something is wrong with one.
    #[cfg(feature = "alloc")]
    fn two_of_zlib(&mut self, _src: [&[u8]; 2], _dst: [&mut [u8]; 2]) -> bool {
        false
    }

    /// Decodes a zstd stream; `None` without its tables.
    fn zstd(&mut self, _src: &[u8], _dict: &[u8], _dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        None
    }

    /// Must come before streams with another dictionary than those before. Comparing 32 KiB for every block took a
    /// tenth of the time of blocks of 16 KiB.
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

    #[cfg(feature = "alloc")]
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
