//! zstd frames, through structured-zstd: pure Rust.
//!
//! It decodes straight into the output. Neither the window nor the content size that a frame claims makes
//! it allocate: a frame that claims more than `dst` holds is refused, one without a size stops at the end.

use super::Corrupt;
use alloc::boxed::Box;
use alloc::vec::Vec;
use structured_zstd::decoding::{DictionaryHandle, FrameDecoder};

/// Tables that the next stream reuses, and the dictionary that the last one used.
#[derive(Default)]
pub(super) struct Decoder {
    frames: Option<Box<FrameDecoder>>,
    digested: Option<(Vec<u8>, DictionaryHandle)>,
}

impl Decoder {
    /// Decodes one or more frames into exactly `dst.len()` bytes. An empty `dict` is none.
    pub(super) fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
        let frames = self.frames.get_or_insert_default();
        let written = if dict.is_empty() {
            frames.decode_all(src, dst)
        } else {
            frames.decode_all_with_dict_handle(src, dst, digest(&mut self.digested, dict)?)
        };
        if written.is_ok_and(|written| written == dst.len()) { Ok(()) } else { Err(Corrupt) }
    }
}

/// All blocks of a chunk share a dictionary, so the last one is kept, known by its content.
fn digest<'a>(
    digested: &'a mut Option<(Vec<u8>, DictionaryHandle)>,
    dict: &[u8],
) -> Result<&'a DictionaryHandle, Corrupt> {
    if digested.as_ref().is_none_or(|(bytes, _)| bytes != dict) {
        *digested = None;
        let handle = DictionaryHandle::from_serialized_or_raw_content(dict).map_err(|_| Corrupt)?;
        *digested = Some((dict.to_vec(), handle));
    }
    digested.as_ref().map(|(_, handle)| handle).ok_or(Corrupt)
}
