//! zstd through libzstd, with the interface of `zstd`.
//!
//! Some rows run at 0.91 to 0.95 of the speed of C-Blosc2's libzstd, even on bare frames (shuffled floats: 0.92 to
//! 0.96). Both are 1.5.7 with BMI2 and assembly for Huffman codes. Most time goes to `ZSTD_decompressSequences_bmi2`,
//! compiled by GCC 12.2 here and 14.2 there: a likely cause, but not a proven one.
//!
//! Decodes directly into the output. Allocates its context and the dictionary's tables, but no window.

use super::Corrupt;
use super::tables::Decode;
use alloc::vec::Vec;
use zstd_safe::{CCtx, CDict};
use zstd_safe::{DCtx, DDict};

/// A context that streams reuse, and the last dictionary.
#[derive(Default)]
pub(crate) struct Decoder {
    context: Option<DCtx<'static>>,
    dictionary: Dictionary,
}

impl Decode for Decoder {
    /// Decodes one or more frames into exactly `dst.len()` bytes. `dict` may be empty.
    fn zstd(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<Result<(), Corrupt>> {
        Some(self.decode(src, dict, dst))
    }

    fn other_dictionary(&mut self) {
        self.dictionary.known = false;
    }
}

impl Decoder {
    fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
        let context = self.context.get_or_insert_with(DCtx::create);
        let written = if dict.is_empty() {
            context.decompress(dst, src)
        } else {
            context.decompress_using_ddict(dst, src, self.dictionary.digest(dict)?)
        };
        if written.is_ok_and(|written| written == dst.len()) { Ok(()) } else { Err(Corrupt) }
    }
}

/// A context that streams reuse, and the last dictionary, prepared for a level.
#[derive(Default)]
pub(crate) struct Encoder {
    context: Option<CCtx<'static>>,
    dictionary: Option<(Vec<u8>, i32, CDict<'static>)>,
}

impl Encoder {
    /// Encodes `src` into `dst` and returns the length; `None` if it does not fit. `dict` may be empty.
    pub(crate) fn encode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8], level: i32) -> Option<usize> {
        let context = self.context.get_or_insert_with(CCtx::create);
        if dict.is_empty() {
            return context.compress(dst, src, level).ok();
        }
        let is_known = |(bytes, of, _): &(Vec<u8>, i32, _)| *of == level && bytes == dict;
        if !self.dictionary.as_ref().is_some_and(is_known) {
            self.dictionary = Some((dict.to_vec(), level, CDict::try_create(dict, level)?));
        }
        let (_, _, prepared) = self.dictionary.as_ref()?;
        context.compress_using_cdict(dst, src, prepared).ok()
    }
}

/// The last dictionary: all blocks of a chunk share it, and usually those of the next chunk.
#[derive(Default)]
struct Dictionary {
    digested: Option<(Vec<u8>, DDict<'static>)>,
    /// Whether it is known to belong to the current chunk, so that no comparison is needed.
    known: bool,
}

impl Dictionary {
    fn digest(&mut self, dict: &[u8]) -> Result<&DDict<'static>, Corrupt> {
        if !self.known && self.digested.as_ref().is_none_or(|(bytes, _)| bytes != dict) {
            self.digested = None;
            let tables = DDict::try_create(dict).ok_or(Corrupt)?;
            self.digested = Some((dict.to_vec(), tables));
        }
        self.known = true;
        self.digested.as_ref().map(|(_, tables)| tables).ok_or(Corrupt)
    }
}
