//! zstd frames (RFC 8878), read as Blosc writes them: at once, and to a length that is known.
//!
//! So the output is the window, and also the place where literals wait for their sequences (`output`). Nothing is
//! needed besides but [`Tables`], of 18.3 KiB: 8 of Huffman codes, 10 of the states of sequences. They need not be
//! cleared from one stream to the next. [`frame::decode`] allocates nothing; only the [`Decoder`] here keeps its
//! tables on the heap.
//!
//! On the streams of Blosc chunks of 24 kinds this runs at 0.89 of libzstd's speed on x86-64 (geometric mean;
//! structured-zstd, which came before it: 0.87), from 0.78 where literals are raw and their second copy counts, and
//! 0.82 where they are Huffman codes of 5 bits, to 1.2 with long runs. `streams`, `sequences` and `output` tell what
//! made it so. For WebAssembly it takes 9 kB, gzipped; structured-zstd took 41.

mod bits;
mod codes;
mod dictionary;
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

use super::Corrupt;
use super::tables::Decode;
#[cfg(all(feature = "alloc", not(feature = "zstd-safe")))]
use alloc::boxed::Box;
use dictionary::{Dictionary, Prepared};
use tables::Tables;

/// Tables of zstd, without those that a trained dictionary brings: its streams are refused.
pub struct Zstd(Tables);

impl Zstd {
    /// Tables without content.
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

/// Tables of zstd, and those that a trained dictionary brings.
pub struct ZstdDict(Tables, Prepared);

impl ZstdDict {
    /// Tables without content.
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

/// The same on the heap, made when they are first needed.
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

/// Decodes one or more frames into exactly `dst.len()` bytes. An empty `dict` is none; `prepared` has room for the tables
/// that one may bring.
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
