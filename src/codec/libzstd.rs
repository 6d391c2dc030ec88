//! zstd frames, through libzstd: the same face as `zstd`.
//!
//! It decodes straight into the output and allocates its context and the dictionary's tables, no window.

use super::Corrupt;
use alloc::vec::Vec;
use zstd_safe::{DCtx, DDict};

/// A context that the next stream reuses, and the dictionary that the last one used.
#[derive(Default)]
pub(super) struct Decoder {
    context: Option<DCtx<'static>>,
    digested: Option<(Vec<u8>, DDict<'static>)>,
}

impl Decoder {
    /// Decodes one or more frames into exactly `dst.len()` bytes. An empty `dict` is none.
    pub(super) fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
        let context = self.context.get_or_insert_with(DCtx::create);
        let written = if dict.is_empty() {
            context.decompress(dst, src)
        } else {
            context.decompress_using_ddict(dst, src, digest(&mut self.digested, dict)?)
        };
        if written.is_ok_and(|written| written == dst.len()) { Ok(()) } else { Err(Corrupt) }
    }
}

/// All blocks of a chunk share a dictionary, so the last one is kept, known by its content.
fn digest<'a>(
    digested: &'a mut Option<(Vec<u8>, DDict<'static>)>,
    dict: &[u8],
) -> Result<&'a DDict<'static>, Corrupt> {
    if digested.as_ref().is_none_or(|(bytes, _)| bytes != dict) {
        *digested = None;
        let tables = DDict::try_create(dict).ok_or(Corrupt)?;
        *digested = Some((dict.to_vec(), tables));
    }
    digested.as_ref().map(|(_, tables)| tables).ok_or(Corrupt)
}
