//! Writing the streams of blocks.

use super::params::{CParams, ChunkFormat};
use crate::base::Result;
use crate::codec::Encode;

/// Writes streams one after the other.
pub(super) struct Streams<'a> {
    pub(super) cparams: &'a CParams,
    pub(super) encoder: &'a mut dyn Encode,
    /// The dictionary, or empty.
    pub(super) dict: &'a [u8],
    /// Destination, no longer than the blocks may become.
    pub(super) dst: &'a mut [u8],
    /// Bytes written so far.
    pub(super) at: usize,
}

impl Streams<'_> {
    /// Writes the streams of a filtered block; false if they do not fit.
    pub(super) fn write(&mut self, filtered: &[u8], nstreams: usize) -> Result<bool> {
        for stream in filtered.chunks_exact((filtered.len() / nstreams.max(1)).max(1)) {
            let Some((csize, len)) = self.stream(stream)? else { return Ok(false) };
            let head = self.dst.get_mut(self.at..).and_then(|dst| dst.first_chunk_mut());
            let Some(head) = head else { return Ok(false) };
            *head = csize.to_le_bytes();
            self.at += 4 + len;
        }
        Ok(true)
    }

    /// Writes a stream behind the place of its `csize`. Returns this and the length; `None` if it does not fit.
    fn stream(&mut self, stream: &[u8]) -> Result<Option<(i32, usize)>> {
        let Some(dst) = self.dst.get_mut(self.at + 4..) else { return Ok(None) };
        if self.cparams.format == ChunkFormat::Blosc2
            && let Some(byte) = run(stream)
        {
            if byte == 0 {
                return Ok(Some((0, 0)));
            }
            return Ok(dst.first_mut().map(|token| {
                *token = 1;
                (-i32::from(byte), 1)
            }));
        }
        Ok(self.encode(stream)?.map(|len| (len as i32, len)))
    }

    /// Writes a stream behind the place of its length, as it is if it does not shrink; `None` if it does not fit.
    pub(super) fn encode(&mut self, stream: &[u8]) -> Result<Option<usize>> {
        let Self { cparams, encoder, dict, at, dst } = self;
        let Some(dst) = dst.get_mut(*at + 4..) else { return Ok(None) };
        // A stream of the plain length would count as stored.
        let room = dst.len().min(stream.len() - 1);
        let encoded = match cparams.registry.get(cparams.codec) {
            _ if cparams.clevel == 0 => None,
            Some(plugin) => plugin.encode(&cparams.plain_stream(stream), &mut dst[..room]),
            None => {
                encoder.encode_stream(cparams.codec, &cparams.plain_stream(stream), dict, &mut dst[..room])?
            }
        };
        if let Some(len @ 1..) = encoded.filter(|len| *len <= room) {
            return Ok(Some(len));
        }
        Ok(dst.get_mut(..stream.len()).map(|copy| {
            copy.copy_from_slice(stream);
            stream.len()
        }))
    }
}

/// The byte that the whole stream repeats.
fn run(stream: &[u8]) -> Option<u8> {
    let (first, rest) = stream.split_first()?;
    (stream[..rest.len()] == *rest).then_some(*first)
}
