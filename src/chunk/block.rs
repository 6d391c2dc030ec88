//! Decoding one block: its streams, then the filters (FORMAT §4.2).

use super::head::{Head, most_compressed};
use super::header::{Body, Header, SpecialValue};
use super::memory::{Codecs, Work};
use crate::base::{Error, Malformed, Result, SMALL, array_at, copy, i32_le, slice_at};
use crate::codec;
#[cfg(feature = "alloc")]
use crate::codec::PAIRS;
use crate::filter;
use crate::simd;
use core::num::NonZero;

/// Facts about a super-chunk that decoding its chunks needs. The default is a chunk on its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// Bytes of an item; 0 for what the chunk's header says. Differs only where that is more than 255.
    pub itemsize: u32,
    /// Items along each axis of a block, empty if the super-chunk is no array.
    pub blockshape: &'a [u32],
    /// Whether chunks of format version 4 were written before bitshuffle learned to transpose all but the last
    /// few items (FORMAT §13.1).
    pub early_bitshuffle: bool,
}

impl Context<'_> {
    /// Bytes of an item of a chunk with this header.
    pub(super) fn itemsize(&self, header: &Header) -> u32 {
        if self.itemsize == 0 { header.typesize.into() } else { self.itemsize }
    }
}

/// Whether to join planes where they lie. In WebAssembly that is too much code, for a microcontroller too much stack.
pub(super) const JOINS: bool = !SMALL && cfg!(target_pointer_width = "64");

/// A block to decode and what is needed besides its destination.
pub(super) struct EncodedBlock<'a> {
    pub(super) head: &'a Head<'a>,
    pub(super) context: &'a Context<'a>,
    pub(super) dict: &'a [u8],
    pub(super) nblock: u32,
    /// From the block's start on; may go on after its end. Plain bytes in a copied chunk.
    pub(super) bytes: &'a [u8],
    /// The plain first block, where DELTA is among the filters and this is another one.
    pub(super) first: Option<&'a [u8]>,
}

/// A stream of a block, as it is stored.
pub(super) enum StoredStream<'a> {
    /// One byte throughout.
    Fill(u8),
    Plain(&'a [u8]),
    /// Compressed, from byte `at` of the block on.
    Packed {
        src: &'a [u8],
        at: usize,
    },
}

impl<'a> EncodedBlock<'a> {
    /// Decodes into `dst`, which has the block's plain length.
    pub(super) fn decode(&self, dst: &mut [u8], work: Work<'_>) -> Result<()> {
        self.located(|| self.decode_body(dst, work))
    }

    /// Makes offsets in errors count from the chunk's start.
    pub(super) fn located<T>(&self, decode: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = self.head.start(self.nblock)?;
        decode().map_err(|error| error.shifted(start.into()).in_block(self.nblock))
    }

    fn decode_body(&self, dst: &mut [u8], work: Work<'_>) -> Result<()> {
        let header = self.head.header();
        match header.body {
            Body::Memcpyed => copy(slice_at(self.bytes, 0, dst.len())?, dst)?,
            Body::Special(value) => self.fill(value, dst),
            Body::Blocks | Body::VlBlocks => self.decompress(dst, work)?,
        }
        Ok(())
    }

    fn fill(&self, value: SpecialValue, dst: &mut [u8]) {
        // Blocks may begin within an item.
        let phase = self.head.plain_range(self.nblock).start;
        let value: &[u8] = match value {
            SpecialValue::Zeros | SpecialValue::Uninit => &[0],
            SpecialValue::Nan if self.head.header().typesize == 4 => &f32::NAN.to_le_bytes(),
            SpecialValue::Nan => &f64::NAN.to_le_bytes(),
            SpecialValue::Repeat { .. } => self.head.value(),
        };
        repeat(value, phase, dst);
    }

    fn decompress(&self, dst: &mut [u8], mut work: Work<'_>) -> Result<()> {
        if self.has_planes(dst.len()) {
            let (planes, count) = self.planes(dst.len(), &mut work)?;
            simd::join(&planes[..count], dst);
            return Ok(());
        }
        let header = self.head.header();
        let block = filter::BlockInfo {
            typesize: header.typesize.into(),
            itemsize: self.context.itemsize(header) as usize,
            first: self.first,
            blockshape: self.context.blockshape,
            early_bitshuffle: header.version <= 2 || (self.context.early_bitshuffle && header.version <= 4),
            host: work.codecs.registry.filters(),
        };
        #[cfg(feature = "alloc")]
        if PAIRS && let Some(stream) = work.ready {
            // They go on from the block's stream.
            if header.filters.moving().is_multiple_of(2) {
                dst.copy_from_slice(stream);
            }
            return header.filters.backward(&block, stream, dst, |_| Ok(()));
        }
        let Work { buffer, mut codecs, .. } = work;
        header.filters.backward(&block, buffer, dst, |filtered| match header.body {
            Body::VlBlocks => self.vl_stream(filtered, &mut codecs),
            _ => self.streams(filtered, &mut codecs),
        })
    }

    /// The compressed stream of a block of `len` bytes that has no other.
    #[cfg(feature = "alloc")]
    pub(super) fn lone_stream(&self, len: usize) -> Option<&'a [u8]> {
        let lone = self.head.header().body == Body::Blocks && self.nstreams(len).is_ok_and(|n| n.get() == 1);
        match self.stored(0, len) {
            Ok((StoredStream::Packed { src, .. }, _)) if lone && src.len() <= most_compressed(len) => {
                Some(src)
            }
            _ => None,
        }
    }

    /// All streams of a block, one after the other.
    fn streams(&self, dst: &mut [u8], codecs: &mut Codecs<'_>) -> Result<()> {
        let len = dst.len() / self.nstreams(dst.len())?;
        let mut at = 0;
        // A block without bytes has no streams.
        for stream in dst.chunks_exact_mut(len.max(1)) {
            let (stored, next) = self.stored(at, len)?;
            self.unpack_stored(stored, stream, codecs)?;
            at = next;
        }
        Ok(())
    }

    /// The plain bytes of a stream.
    pub(super) fn unpack_stored(
        &self,
        stored: StoredStream<'_>,
        stream: &mut [u8],
        codecs: &mut Codecs<'_>,
    ) -> Result<()> {
        match stored {
            StoredStream::Fill(byte) => stream.fill(byte),
            StoredStream::Plain(src) => copy(src, stream)?,
            StoredStream::Packed { src, at } => {
                self.unpack(src, stream, codecs).map_err(|error| error.shifted(at as u64))?;
            }
        }
        Ok(())
    }

    /// Whether the block is planes of elements of 2, 4 or 8 bytes, and nothing else is to be undone.
    pub(super) fn has_planes(&self, len: usize) -> bool {
        let header = self.head.header();
        let typesize = header.typesize.into();
        JOINS
            && header.body == Body::Blocks
            && matches!(typesize, 2 | 4 | 8)
            && len.is_multiple_of(typesize)
            && header.filters.only_shuffles(typesize)
    }

    /// The planes of a block that [has them](Self::has_planes), and their number: each is a stream, or they lie in the only
    /// one. Streams that are stored as they are, as noise is, are read where they lie. On a Zen 4, relative to C: fields with
    /// LZ4 0.93 to 1.03, measurements 1.05 to 1.21, with BloscLZ 1.3 to 1.55.
    pub(super) fn planes<'p>(&self, len: usize, work: &'p mut Work<'_>) -> Result<([&'p [u8]; 8], usize)>
    where
        'a: 'p,
    {
        let count = usize::from(self.head.header().typesize);
        let mut planes: [&[u8]; 8] = [&[]; 8];
        let mut places = planes[..count].iter_mut();
        let mut cut = |stream: &'p [u8]| {
            for (plane, place) in stream.chunks_exact(len / count).zip(places.by_ref()) {
                *place = plane;
            }
        };
        #[cfg(feature = "alloc")]
        if PAIRS && let Some(stream) = &work.ready {
            cut(stream);
            return Ok((planes, count));
        }
        let mut at = 0;
        // A block without bytes has no streams.
        for room in work.buffer.chunks_exact_mut((len / self.nstreams(len)?).max(1)) {
            let (stored, next) = self.stored(at, room.len())?;
            cut(match stored {
                StoredStream::Plain(src) => src,
                stored => {
                    self.unpack_stored(stored, room, &mut work.codecs)?;
                    room
                }
            });
            at = next;
        }
        Ok((planes, count))
    }

    /// Streams of this block, whose plain length is `len`. They are equally long.
    pub(super) fn nstreams(&self, len: usize) -> Result<NonZero<usize>> {
        let header = self.head.header();
        let whole = len == header.blocksize as usize;
        let nstreams = if header.split && whole { usize::from(header.typesize) } else { 1 };
        let nstreams = NonZero::new(nstreams).filter(|nstreams| len.is_multiple_of(nstreams.get()));
        nstreams.ok_or_else(|| {
            Error::format(Malformed::Field { name: "blocksize", value: header.blocksize.into() })
        })
    }

    /// The stream of `len` plain bytes at byte `at` of the block, and where the next one starts. A stream that is
    /// stored as it is is known by its length.
    pub(super) fn stored(&self, at: usize, len: usize) -> Result<(StoredStream<'a>, usize)> {
        let version = self.head.header().version;
        let csize = i32_le(self.bytes, at)?;
        let payload = at + 4;
        match csize {
            ..=0 if version <= 2 => Err(Error::field("csize", csize.into(), at as u64)),
            0 => Ok((StoredStream::Fill(0), payload)),
            -255..0 => {
                let [token] = array_at(self.bytes, payload)?;
                if token & 1 == 0 {
                    return Err(Error::field("token", token.into(), payload as u64));
                }
                Ok((StoredStream::Fill(csize.unsigned_abs() as u8), payload + 1))
            }
            ..-255 => Err(Error::field("csize", csize.into(), at as u64)),
            1.. => {
                let src = slice_at(self.bytes, payload, csize as usize)?;
                let next = payload + src.len();
                let plain = src.len() == len;
                Ok((
                    if plain { StoredStream::Plain(src) } else { StoredStream::Packed { src, at: payload } },
                    next,
                ))
            }
        }
    }

    /// The one stream of a variable-length block, after the block's plain length.
    fn vl_stream(&self, dst: &mut [u8], codecs: &mut Codecs<'_>) -> Result<()> {
        let src = slice_at(self.bytes, 4, self.bytes.len().saturating_sub(4))?;
        if src.len() == dst.len() {
            return copy(src, dst);
        }
        self.unpack(src, dst, codecs).map_err(|error| error.shifted(4))
    }

    /// Decodes a compressed stream.
    fn unpack(&self, src: &[u8], dst: &mut [u8], codecs: &mut Codecs<'_>) -> Result<()> {
        let stream = self.stream(src, dst)?;
        let Codecs { tables, registry } = codecs;
        // Codecs do not say where in a stream it goes wrong.
        codec::decode(self.head.header().codec, &stream, dst, *tables, registry).map_err(|error| error.at(0))
    }

    /// Decodes the first `needed` bytes where the codec can stop, else all.
    pub(super) fn unpack_start(
        &self,
        src: &[u8],
        dst: &mut [u8],
        needed: usize,
        codecs: &mut Codecs<'_>,
    ) -> Result<()> {
        let (codec, stream) = (self.head.header().codec, self.stream(src, dst)?);
        if needed < dst.len()
            && let Some(decoded) = codec::decode_start(codec, &stream, &mut dst[..needed], codecs.registry)
        {
            return decoded.map_err(|error| error.at(0));
        }
        self.unpack(src, dst, codecs)
    }

    /// The stream that is to fill `dst`, for a codec.
    fn stream<'s>(&'s self, src: &'s [u8], dst: &[u8]) -> Result<codec::Stream<'s>> {
        if src.len() > most_compressed(dst.len()) {
            // Otherwise a small file could make many blocks share one long stream.
            return Err(Error::mismatch("csize", src.len() as u64, dst.len() as u64));
        }
        let header = self.head.header();
        Ok(codec::Stream {
            src,
            dict: self.dict,
            meta: header.codec_meta,
            typesize: header.typesize.into(),
            blockshape: self.context.blockshape,
            // Small code has one loop for all streams.
            shuffled: !SMALL
                && (header.filters.contains(filter::BITSHUFFLE)
                    || header.filters.contains(filter::SHUFFLE) && header.typesize > 1),
        })
    }
}

/// Bytes that are copied at a time, few enough for the L1 cache.
const NEAR: usize = 16 << 10;

/// Fills `dst` with repetitions of `value`, beginning `phase` bytes after the start of one.
fn repeat(value: &[u8], phase: usize, dst: &mut [u8]) {
    match value {
        [] => return,
        [byte] => return dst.fill(*byte),
        _ => {}
    }
    for (byte, at) in dst.iter_mut().zip(phase % value.len()..).take(value.len()) {
        *byte = value[at % value.len()];
    }
    // Copies whole values from what is in the L1 cache.
    let most = (NEAR / value.len()).max(1) * value.len();
    let mut filled = value.len();
    while filled < dst.len() {
        let (done, rest) = dst.split_at_mut(filled);
        let len = done.len().min(most).min(rest.len());
        rest[..len].copy_from_slice(&done[..len]);
        filled += len;
    }
}

#[cfg(test)]
mod tests {
    use super::repeat;

    #[test]
    fn values_repeat_from_any_phase() {
        for phase in (0..7).step_by(if cfg!(miri) { 5 } else { 1 }) {
            let mut dst = [0; 2 * super::NEAR + 20];
            repeat(b"abc", phase, &mut dst);
            for (at, &byte) in dst.iter().enumerate() {
                assert_eq!(byte, b"abc"[(phase + at) % 3]);
            }
        }
        let mut short = [0; 2];
        repeat(b"abc", 2, &mut short);
        assert_eq!(&short, b"ca");
    }
}
