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
    dictionary: Dictionary,
}

impl Decoder {
    /// The next stream's dictionary is not known to be that of the last one.
    pub(super) const fn other_dictionary(&mut self) {
        self.dictionary.known = false;
    }

    /// Decodes one or more frames into exactly `dst.len()` bytes. An empty `dict` is none.
    pub(super) fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
        let frames = self.frames.get_or_insert_default();
        let written = if dict.is_empty() {
            frames.decode_all(src, dst)
        } else {
            frames.decode_all_with_dict_handle(src, dst, self.dictionary.digest(dict)?)
        };
        if written.is_ok_and(|written| written == dst.len()) { Ok(()) } else { Err(Corrupt) }
    }
}

/// The last dictionary, which all blocks of a chunk share and mostly those of the next chunk too.
#[derive(Default)]
struct Dictionary {
    digested: Option<(Vec<u8>, DictionaryHandle)>,
    /// Whether it is that of the chunk in hand for certain, so that nothing has to be compared.
    known: bool,
}

impl Dictionary {
    fn digest(&mut self, dict: &[u8]) -> Result<&DictionaryHandle, Corrupt> {
        if !self.known && self.digested.as_ref().is_none_or(|(bytes, _)| bytes != dict) {
            self.digested = None;
            let handle = DictionaryHandle::from_serialized_or_raw_content(dict).map_err(|_| Corrupt)?;
            self.digested = Some((dict.to_vec(), handle));
        }
        self.known = true;
        self.digested.as_ref().map(|(_, handle)| handle).ok_or(Corrupt)
    }
}
