//! What decoders keep from one stream to the next: on the heap once a codec needs it, or in memory of the caller's.

use super::Corrupt;
#[cfg(all(feature = "zlib", feature = "alloc"))]
use super::PAIRS;
#[cfg(feature = "zstd-safe")]
use super::libzstd;
#[cfg(feature = "zlib")]
use super::zlib;
#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
use super::zstd;

/// The tables of the codecs that need some; `()` has none. A codec that finds no tables is as good as not built in.
pub trait Tables: Send {
    /// Decodes a zlib stream.
    #[doc(hidden)]
    fn zlib(&mut self, _src: &[u8], _dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        None
    }

    /// Decodes two zlib streams at once; false where that cannot be, or where something is wrong with one.
    #[doc(hidden)]
    fn two_of_zlib(&mut self, _src: [&[u8]; 2], _dst: [&mut [u8]; 2]) -> bool {
        false
    }

    /// Decodes a zstd stream.
    #[doc(hidden)]
    fn zstd(&mut self, _src: &[u8], _dict: &[u8], _dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        None
    }

    /// Must come before streams with another dictionary than those before. Comparing 32 KiB for every block took a
    /// tenth of the time of blocks of 16 KiB.
    #[doc(hidden)]
    fn other_dictionary(&mut self) {}
}

impl Tables for () {}

/// Two of them.
impl<A: Tables, B: Tables> Tables for (A, B) {
    fn zlib(&mut self, src: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        match self.0.zlib(src, dst) {
            None => self.1.zlib(src, dst),
            decoded => decoded,
        }
    }

    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        match self.0.zstd(src, dict, dst) {
            None => self.1.zstd(src, dict, dst),
            decoded => decoded,
        }
    }
}

/// Tables of zlib.
#[cfg(feature = "zlib")]
pub struct Zlib(zlib::Codes);

#[cfg(feature = "zlib")]
impl Zlib {
    /// Tables without content.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "not to be made without thinking of where")]
    pub const fn new() -> Self {
        Self(zlib::Codes::EMPTY)
    }
}

#[cfg(feature = "zlib")]
impl Tables for Zlib {
    fn zlib(&mut self, src: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        Some(zlib::decode(&mut self.0, src, dst))
    }
}

/// Tables of zstd, without those that a trained dictionary brings: its streams are refused.
#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
pub struct Zstd(zstd::Fixed);

#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
impl Zstd {
    /// Tables without content.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "not to be made without thinking of where")]
    pub const fn new() -> Self {
        Self(zstd::Fixed::EMPTY)
    }
}

#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
impl Tables for Zstd {
    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        self.0.decode(src, dict, dst)
    }
}

/// Tables of zstd, and those that a trained dictionary brings.
#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
pub struct ZstdDict(zstd::FixedPrepared);

#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
impl ZstdDict {
    /// Tables without content.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "not to be made without thinking of where")]
    pub const fn new() -> Self {
        Self(zstd::FixedPrepared::EMPTY)
    }
}

#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
impl Tables for ZstdDict {
    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        Some(self.0.decode(src, dict, dst))
    }
}

/// Tables that are made when a codec first needs them.
#[cfg(feature = "alloc")]
#[derive(Default)]
pub(crate) struct State {
    #[cfg(feature = "zlib")]
    zlib: [Option<alloc::boxed::Box<zlib::Codes>>; 2],
    #[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
    zstd: zstd::Decoder,
    #[cfg(feature = "zstd-safe")]
    zstd: libzstd::Decoder,
}

#[cfg(feature = "alloc")]
impl Tables for State {
    #[cfg(feature = "zlib")]
    fn zlib(&mut self, src: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        Some(zlib::decode(
            self.zlib[0].get_or_insert_with(|| alloc::boxed::Box::new(zlib::Codes::EMPTY)),
            src,
            dst,
        ))
    }

    #[cfg(feature = "zlib")]
    fn two_of_zlib(&mut self, src: [&[u8]; 2], dst: [&mut [u8]; 2]) -> bool {
        let codes = self
            .zlib
            .each_mut()
            .map(|codes| &mut **codes.get_or_insert_with(|| alloc::boxed::Box::new(zlib::Codes::EMPTY)));
        PAIRS && zlib::decode_two(codes, src, dst).is_ok()
    }

    #[cfg(any(feature = "zstd", feature = "zstd-safe"))]
    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        Some(self.zstd.decode(src, dict, dst))
    }

    #[cfg(feature = "zstd-safe")]
    fn other_dictionary(&mut self) {
        self.zstd.other_dictionary();
    }
}

#[cfg(feature = "alloc")]
impl core::fmt::Debug for State {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}
