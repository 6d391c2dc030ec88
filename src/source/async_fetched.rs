//! Bytes that were fetched, as a source.

use super::ReadAt;
use crate::frame::Request;
use crate::reading::Merge;
use alloc::collections::BTreeMap;
use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;
use core::fmt;
use std::sync::{Mutex, PoisonError};

/// The bytes that operations under way have fetched of an asynchronous source.
///
/// Each operation keeps what it has fetched until it ends or is dropped; then the memory is free.
#[derive(Debug, Clone)]
pub struct Fetched {
    pieces: Arc<Mutex<Pieces>>,
    merge: Merge,
}

/// Pieces by what they answer. Those of several operations may overlap.
type Pieces = BTreeMap<Request, Weak<Piece>>;

/// Bytes that an operation needs and that were not fetched yet: what synchronous code over [`Fetched`] fails with, until an
/// asynchronous reader has brought them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing(pub(super) Vec<Request>);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes that were not fetched yet")
    }
}

impl core::error::Error for Missing {}

/// The answer to a request, which has fewer bytes if the part ends earlier.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) request: Request,
    pub(super) bytes: Vec<u8>,
}

impl Piece {
    fn covers(&self, request: &Request) -> bool {
        let (own, other) = (&self.request.range, &request.range);
        self.request.part == request.part && own.start <= other.start && other.end <= own.end
    }

    fn get(&self, request: &Request) -> &[u8] {
        let offset = |at: u64| usize::try_from(at - self.request.range.start).unwrap_or(usize::MAX);
        let within = |at: u64| self.bytes.len().min(offset(at));
        &self.bytes[within(request.range.start)..within(request.range.end)]
    }
}

impl Fetched {
    pub(super) fn new(merge: Merge) -> Self {
        Self { pieces: Arc::default(), merge }
    }

    /// Takes pieces, each as long as it has an owner: the caller, and others who have fetched the same.
    pub(super) fn share(&self, fetched: impl Iterator<Item = Piece>) -> Vec<Arc<Piece>> {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.retain(|_, piece| piece.strong_count() > 0);
        let shared = fetched.map(|piece| {
            let known = pieces.get(&piece.request).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let piece = Arc::new(piece);
                pieces.insert(piece.request.clone(), Arc::downgrade(&piece));
                piece
            })
        });
        shared.collect()
    }

    fn find(&self, request: &Request) -> Option<Arc<Piece>> {
        let pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |range| Request { part: request.part, range };
        let before = pieces.range(at(0..0)..=at(request.range.start..u64::MAX)).rev();
        before.filter_map(|(_, piece)| piece.upgrade()).find(|piece| piece.covers(request))
    }
}

impl ReadAt for Fetched {
    type Error = Missing;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Missing> {
        buffer.clear();
        if !request.range.is_empty() {
            let piece = self.find(request).ok_or_else(|| Missing([request.clone()].into()))?;
            buffer.extend_from_slice(piece.get(request));
        }
        Ok(buffer)
    }

    /// Fails with all that is missing, so that it is fetched at once.
    fn prefetch(&self, requests: &[Request]) -> Result<(), Missing> {
        let is_missing = |request: &&Request| !request.range.is_empty() && self.find(request).is_none();
        let missing: Vec<_> = requests.iter().filter(is_missing).cloned().collect();
        if missing.is_empty() { Ok(()) } else { Err(Missing(missing)) }
    }

    fn merge(&self) -> Merge {
        self.merge
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Part;

    #[test]
    fn pieces_are_there_while_someone_has_them() {
        let fetched = Fetched::new(Merge::NETWORK);
        let request = |range| Request { part: Part::Frame, range };
        let piece = |range, bytes: &[u8]| Piece { request: request(range), bytes: bytes.into() };
        let share = |range, bytes| fetched.share([piece(range, bytes)].into_iter());
        let read = |range| fetched.read_at(&request(range), &mut Vec::new()).map(<[u8]>::to_vec);
        let (long, short) = (share(10..20, b"abcdef"), share(12..14, b"cd"));
        // Someone else has fetched the same.
        drop(share(10..20, b"abcdef"));
        assert_eq!(read(12..15).as_deref(), Ok(&b"cde"[..]));
        // The part ends at 16.
        assert_eq!(read(14..20).as_deref(), Ok(&b"ef"[..]));
        assert_eq!(read(18..20).as_deref(), Ok(&b""[..]));
        assert_eq!(read(14..21), Err(Missing([request(14..21)].into())));
        drop(long);
        assert_eq!(read(12..14).as_deref(), Ok(&b"cd"[..]));
        assert!(read(12..15).is_err() && read(30..30).is_ok());
        let all = [request(5..6), request(12..13), request(40..50)];
        let missing = Missing([request(5..6), request(40..50)].into());
        assert_eq!(fetched.prefetch(&all), Err(missing));
        drop(short);
        assert!(read(12..14).is_err());
    }
}
