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
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use dictionary::{Dictionary, Prepared};
use tables::Tables;

/// Tables that the next stream reuses, and those of the dictionary that the last one used.
#[cfg(feature = "alloc")]
#[derive(Default)]
pub(super) struct Decoder {
    tables: Option<Box<Tables>>,
    prepared: Option<Box<Prepared>>,
}

#[cfg(feature = "alloc")]
impl Decoder {
    /// Decodes one or more frames into exactly `dst.len()` bytes. An empty `dict` is none.
    pub(super) fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
        let tables = self.tables.get_or_insert_with(|| Box::new(Tables::EMPTY));
        let dictionary = if dictionary::has_tables(dict) {
            self.prepared.get_or_insert_with(|| Box::new(Prepared::EMPTY)).prepare(dict)?
        } else {
            Dictionary::raw(dict)
        };
        frame::decode(tables, &dictionary, src, dst)
    }
}

/// The same in memory of the caller's, without room for the tables that a dictionary may bring.
pub(super) struct Fixed(Tables);

impl Fixed {
    pub(super) const EMPTY: Self = Self(Tables::EMPTY);

    /// Decodes as `Decoder::decode` does; `None` for streams with such a dictionary.
    pub(super) fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        if dictionary::has_tables(dict) {
            return None;
        }
        Some(frame::decode(&mut self.0, &Dictionary::raw(dict), src, dst))
    }
}

/// With that room.
pub(super) struct FixedPrepared(Fixed, Prepared);

impl FixedPrepared {
    pub(super) const EMPTY: Self = Self(Fixed::EMPTY, Prepared::EMPTY);

    /// Decodes as `Decoder::decode` does.
    pub(super) fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
        match self.0.decode(src, dict, dst) {
            Some(decoded) => decoded,
            None => frame::decode(&mut self.0.0, &self.1.prepare(dict)?, src, dst),
        }
    }
}
