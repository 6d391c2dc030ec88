//! zstd frames, through libzstd: the same face as `zstd`.
//!
//! Beside the libzstd in C-Blosc2's library some rows are at 0.91 to 0.95, and stay there with nothing but the two on bare
//! frames (shuffled floats: 0.92 to 0.96). Both are 1.5.7; ours has BMI2 and the assembly for Huffman codes. Most of the time
//! goes to `ZSTD_decompressSequences_bmi2`, which GCC 12.2 compiled here and 14.2 there: a likely cause, not a proven one.
//!
//! It decodes straight into the output and allocates its context and the dictionary's tables, no window.

use super::Corrupt;
use super::tables::Decode;
use alloc::vec::Vec;
use zstd_safe::{DCtx, DDict};

/// A context that the next stream reuses, and the dictionary that the last one used.
#[derive(Default)]
pub(crate) struct Decoder {
    context: Option<DCtx<'static>>,
    dictionary: Dictionary,
}

impl Decode for Decoder {
    /// Decodes one or more frames into exactly `dst.len()` bytes. An empty `dict` is none.
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

/// The last dictionary, which all blocks of a chunk share and mostly those of the next chunk too.
#[derive(Default)]
struct Dictionary {
    digested: Option<(Vec<u8>, DDict<'static>)>,
    /// Whether it is that of the chunk in hand for certain, so that nothing has to be compared.
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
