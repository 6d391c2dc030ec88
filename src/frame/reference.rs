//! References: frames without values of their own, recognized by their metalayers, and the chunks that they cache
//! (FORMAT §10.1).

#[cfg(feature = "alloc")]
use super::trailer::Trailer;
use crate::base::Reference;
#[cfg(feature = "alloc")]
use crate::{base::times, msgpack::marker};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

impl Reference {
    /// The metalayers that mark a reference, and its kind unless the content says more.
    pub(crate) const METALAYERS: [(&str, Self); 3] =
        [("proxy-source", Self::Proxy), ("b2o", Self::Other), ("LazyArray", Self::LazyExpr)];

    /// The kind that the metalayer's content tells. Builds without an allocator do not need it.
    #[cfg_attr(not(feature = "alloc"), allow(clippy::missing_const_for_fn))]
    pub(crate) fn told_by(self, content: &[u8]) -> Self {
        #[cfg(feature = "alloc")]
        match self {
            Self::LazyExpr if content == [1] => return Self::LazyUdf,
            Self::Other => {
                let kinds = [Self::LazyExpr, Self::LazyUdf, Self::RemoteArray, Self::C2Array];
                let named = |kind: &Self| {
                    let name = kind.name().as_bytes();
                    content.windows(name.len()).any(|text| text == name)
                };
                return kinds.into_iter().find(named).unwrap_or(self);
            }
            _ => {}
        }
        self
    }
}

/// The chunks of a cache that were fetched. The index does not tell for special chunks, so writers keep a bitmap in
/// the trailer.
#[cfg(feature = "alloc")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fetched {
    /// `per_chunk` bits for each chunk, one per block; a chunk is complete if all of them are set.
    Bits { bitmap: Vec<u8>, per_chunk: u64 },
    /// There is no bitmap: the stored chunks were fetched.
    Stored,
    /// Writing was interrupted, so nothing about the chunks can be trusted.
    Unknown,
}

#[cfg(feature = "alloc")]
impl Fetched {
    /// Reads it from the trailer of a frame.
    pub(super) fn of(trailer: &Trailer, nchunks: u64) -> Self {
        let find = |name: &str| trailer.attributes.iter().find(|metalayer| metalayer.name == name.as_bytes());
        let bits = |name: &str, per_chunk: u64| {
            let bitmap = bin(&find(name)?.content)?;
            let len = times(nchunks, per_chunk)?.div_ceil(8);
            (bitmap.len() as u64 == len).then(|| Self::Bits { bitmap: bitmap.to_vec(), per_chunk })
        };
        let per_chunk = find("proxy-fetched-bpc").map_or(0, |metalayer| uint(&metalayer.content));
        if find("proxy-dirty").is_some() {
            Self::Unknown
        } else if per_chunk > 0 && find("proxy-fetched-blocks").is_some() {
            bits("proxy-fetched-blocks", per_chunk).unwrap_or(Self::Unknown)
        } else {
            bits("proxy-fetched", 1).unwrap_or(Self::Stored)
        }
    }

    /// Whether chunk `nchunk` was fetched; `special` if it is only an index entry.
    pub(super) fn has(&self, nchunk: u64, special: bool) -> bool {
        match self {
            Self::Bits { bitmap, per_chunk } => (nchunk * per_chunk..(nchunk + 1) * per_chunk)
                .all(|bit| bitmap.get((bit / 8) as usize).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)),
            Self::Stored => !special,
            Self::Unknown => false,
        }
    }
}

/// The content of a MessagePack binary value at the end of the bytes.
#[cfg(feature = "alloc")]
fn bin(bytes: &[u8]) -> Option<&[u8]> {
    let len = match *bytes.first()? {
        marker::BIN8 => 1,
        marker::BIN16 => 2,
        marker::BIN32 => 4,
        _ => return None,
    };
    bytes.get(1 + len..)
}

/// A MessagePack integer; 0 for anything else.
#[cfg(feature = "alloc")]
fn uint(bytes: &[u8]) -> u64 {
    match bytes {
        [small @ 0..0x80] => u64::from(*small),
        [marker::U8..=marker::U64, rest @ ..] if rest.len() <= 8 => {
            rest.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
        }
        _ => 0,
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::frame::Metalayer;

    fn trailer(entries: &[(&str, &[u8])]) -> Trailer {
        let attributes = entries
            .iter()
            .map(|(name, content)| Metalayer { name: (*name).into(), content: content.to_vec() })
            .collect();
        Trailer { version: 1, attributes }
    }

    fn fetched(entries: &[(&str, &[u8])], nchunks: u64) -> Vec<u64> {
        let fetched = Fetched::of(&trailer(entries), nchunks);
        (0..nchunks).filter(|&nchunk| fetched.has(nchunk, nchunk > 2)).collect()
    }

    #[test]
    fn chunks_are_there_if_all_of_their_blocks_are() {
        assert_eq!(fetched(&[("proxy-fetched", &[0xc4, 1, 0b10_0011])], 6), [0, 1, 5]);
        let blocks: [(&str, &[u8]); 3] = [
            ("proxy-fetched-bpc", &[4]),
            ("proxy-fetched-blocks", &[0xc4, 2, 0b1111_0111, 0b1111]),
            ("proxy-fetched", &[0xc4, 1, 0xff]),
        ];
        assert_eq!(fetched(&blocks, 4), [1, 2]);
        let wide: [(&str, &[u8]); 2] =
            [("proxy-fetched-bpc", &[0xcd, 0, 8]), ("proxy-fetched-blocks", &[0xc5, 0, 2, 0xff, 0xfe])];
        assert_eq!(fetched(&wide, 2), [0]);
    }

    /// `{"kind": …, "version": 1}`, the metalayer as python-blosc2 writes it.
    #[test]
    fn the_kind_is_in_the_metalayer() {
        let kinds = [Reference::LazyExpr, Reference::LazyUdf, Reference::RemoteArray, Reference::C2Array];
        for kind in kinds {
            let name = kind.name().as_bytes();
            let string = [&[0xa0 | name.len() as u8], name].concat();
            let content = [b"\x82\xa4kind", &string[..], b"\xa7version\x01"].concat();
            assert_eq!(Reference::Other.told_by(&content), kind);
        }
        assert_eq!(Reference::Other.told_by(b"\x82\xa4kind\xa5later\xa7version\x01"), Reference::Other);
    }

    #[test]
    fn what_no_bitmap_tells() {
        assert_eq!(fetched(&[], 6), [0, 1, 2]);
        assert_eq!(fetched(&[("proxy-fetched", &[0xc4, 2, 0xff, 0xff])], 6), [0, 1, 2], "of another length");
        assert_eq!(fetched(&[("proxy-dirty", &[1]), ("proxy-fetched", &[0xc4, 1, 0xff])], 6), [0_u64; 0]);
        let odd: [(&str, &[u8]); 2] = [
            ("proxy-fetched-bpc", &[0xcf, 255, 255, 255, 255, 255, 255, 255, 255]),
            ("proxy-fetched-blocks", &[]),
        ];
        assert_eq!(fetched(&odd, 6), [0_u64; 0]);
    }
}
