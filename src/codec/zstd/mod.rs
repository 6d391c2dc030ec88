//! zstd frames (RFC 8878), decoded in one call to a known length.
//!
//! The output therefore serves as the window, and holds the literals until their sequences are executed (`output`).
//! The only other memory is [`Tables`], 18.3 KiB: 8 for Huffman codes, 10 for the states of sequences. They need no
//! clearing between streams. [`frame::decode`] does not allocate; only [`Decoder`] keeps its tables on the heap.
//!
//! On streams of Blosc chunks of 24 kinds this runs at 0.89 of libzstd's speed on x86-64 (geometric mean;
//! structured-zstd, which it replaced: 0.87): 0.78 where literals are raw and are copied twice, 0.82 with Huffman
//! codes of 5 bits, 1.2 with long runs. `streams`, `sequences` and `output` tell what helped. It takes 9 kB of gzipped
//! WebAssembly; structured-zstd took 41.

mod bits;
mod codes;
mod dictionary;
#[cfg(all(feature = "encoders", not(feature = "zstd-safe")))]
mod encode;
mod frame;
mod fse;
mod huffman;
mod literals;
mod output;
mod sequences;
mod streams;
mod tables;
#[cfg(test)]
mod tests;
mod weights;
mod xxh64;

#[cfg(all(feature = "encoders", not(feature = "zstd-safe")))]
pub(super) use encode::Encoder;

use super::Corrupt;
use super::tables::Decode;
#[cfg(all(feature = "alloc", not(feature = "zstd-safe")))]
use alloc::boxed::Box;
use dictionary::{Dictionary, Prepared};
use tables::Tables;

/// Tables of zstd, without those of a trained dictionary: streams with one are refused.
pub struct Zstd(Tables);

impl Zstd {
    /// Empty tables.
    ///
    /// ```
    /// use b2nd::{chunk::Area, codec::Zstd};
    /// let area: Area<4096, Zstd> = Area::new(Zstd::new());
    /// ```
    #[must_use]
    #[expect(clippy::new_without_default, reason = "not to be made without thinking of where")]
    pub const fn new() -> Self {
        Self(Tables::EMPTY)
    }
}

impl Decode for Zstd {
    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        if dictionary::has_tables(dict) {
            return None;
        }
        Some(frame::decode(&mut self.0, &Dictionary::raw(dict), src, dst))
    }
}

/// Tables of zstd, and those of a trained dictionary.
pub struct ZstdDict(Tables, Prepared);

impl ZstdDict {
    /// Empty tables.
    ///
    /// ```
    /// use b2nd::{chunk::Area, codec::ZstdDict};
    /// let area: Area<4096, ZstdDict> = Area::new(ZstdDict::new());
    /// ```
    #[must_use]
    #[expect(clippy::new_without_default, reason = "not to be made without thinking of where")]
    pub const fn new() -> Self {
        Self(Tables::EMPTY, Prepared::EMPTY)
    }
}

impl Decode for ZstdDict {
    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        Some(decode(&mut self.0, || &mut self.1, src, dict, dst))
    }
}

/// Tables on the heap, allocated on first use.
#[cfg(all(feature = "alloc", not(feature = "zstd-safe")))]
#[derive(Default)]
pub(crate) struct Decoder {
    tables: Option<Box<Tables>>,
    prepared: Option<Box<Prepared>>,
}

#[cfg(all(feature = "alloc", not(feature = "zstd-safe")))]
impl Decode for Decoder {
    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        let tables = self.tables.get_or_insert_with(|| Box::new(Tables::EMPTY));
        let prepared = &mut self.prepared;
        Some(decode(tables, || prepared.get_or_insert_with(|| Box::new(Prepared::EMPTY)), src, dict, dst))
    }
}

/// Decodes one or more frames into exactly `dst.len()` bytes. `dict` may be empty; `prepared` has room for its tables.
fn decode<'p>(
    tables: &mut Tables,
    prepared: impl FnOnce() -> &'p mut Prepared,
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
) -> Result<(), Corrupt> {
    let dictionary =
        if dictionary::has_tables(dict) { prepared().prepare(dict)? } else { Dictionary::raw(dict) };
    frame::decode(tables, &dictionary, src, dst)
}
