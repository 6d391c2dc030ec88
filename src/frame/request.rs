//! Requests for bytes, which the caller fulfils.

use crate::base::{ArgumentError, Result};
use core::cmp::Ordering;
use core::ops::Range;

/// The files that a frame consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Part {
    /// The frame; of a sparse frame, the file `chunks.b2frame`.
    Frame,
    /// A chunk's file in a sparse frame, by its number.
    Chunk(u32),
}

/// A range of bytes to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The file to read from.
    pub part: Part,
    /// The bytes to read. If the file ends earlier, the bytes that it has.
    pub range: Range<u64>,
}

/// Ordered by file, then by start.
impl Ord for Request {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |request: &Self| (request.part, request.range.start, request.range.end);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Request {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The one request of an exchange, and the answer to it.
///
/// # Errors
/// `Argument` if nothing was asked for, or if there is not one answer.
pub(super) fn answered<'r, 'b>(
    request: &'r Option<Request>,
    answers: &[&'b [u8]],
) -> Result<(&'r Request, &'b [u8])> {
    match (request, answers) {
        (Some(request), [bytes]) => Ok((request, *bytes)),
        _ => Err(ArgumentError::NotAsked.into()),
    }
}

/// A read operation without I/O. Its caller brings bytes however it likes: one request after the other, all at once, from a
/// cache, or asynchronously.
///
/// [`ask`](Self::ask), then [`give`](Self::give) the answers, until nothing is asked for; then [`finish`](Self::finish).
/// [`source::drive`](crate::source::drive) does so for any [`ReadAt`](crate::ReadAt):
///
/// ```
/// use b2nd::{DParams, wire::{Exchange, Opening}};
/// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// let dparams = DParams::default();
/// let mut opening = Opening::new(&dparams);
/// loop {
///     let mut answers = Vec::new();
///     for request in opening.ask()? {
///         let end = request.range.end.min(file.len() as u64);
///         answers.push(&file[request.range.start as usize..end as usize]);
///     }
///     if answers.is_empty() {
///         break;
///     }
///     opening.give(&answers)?;
/// }
/// let frame = opening.finish()?;
/// assert!(frame.header.metalayer("b2nd").is_some());
/// # Ok::<(), b2nd::Error>(())
/// ```
pub trait Exchange {
    /// The result.
    type Outcome;

    /// The bytes that are needed now, sorted by part and start; none if the operation is complete. All of them may be on their
    /// way at the same time.
    ///
    /// # Errors
    /// `Format`, `Unsupported` and `Limit` for what is known already.
    fn ask(&mut self) -> Result<&[Request]>;

    /// Takes the answers to the requests of [`ask`](Self::ask), in their order. A part that ends earlier gives the bytes that it
    /// has, and one that is missing gives none.
    ///
    /// # Errors
    /// `Argument` if there are more or fewer answers than requests; `Format`, `Unsupported` and `Limit` for what is read. Then the
    /// operation has failed, and what it decoded is of no use.
    fn give(&mut self, answers: &[&[u8]]) -> Result<()>;

    /// The result, once nothing is asked for.
    ///
    /// # Errors
    /// `Argument` if something still is.
    fn finish(self) -> Result<Self::Outcome>;
}
