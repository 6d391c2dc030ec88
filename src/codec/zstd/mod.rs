//! zstd frames (RFC 8878).
//!
//! A stream of Blosc is decoded at once and its plain length is known, so that the output is the window, and also
//! the place where literals wait for their sequences (`output`). Nothing is allocated but the tables, once.

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
mod xxh64;

use super::Corrupt;
use alloc::boxed::Box;
use dictionary::{Dictionary, Prepared};
use tables::Tables;

/// Tables that the next stream reuses, and those of the dictionary that the last one used.
#[derive(Default)]
pub(super) struct Decoder {
    tables: Option<Box<Tables>>,
    prepared: Option<Box<Prepared>>,
}

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
