//! Members as sources of frames.

use crate::base::Error;
use crate::frame::{Part, Request};
use crate::plan::Selection;
use crate::reading::Merge;
use crate::source::{Once, ReadAt, ReadError, Reader};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// The source of a member's frame.
#[derive(Debug)]
pub enum Member<S> {
    /// A range of bytes of the store's own source.
    Window(Window<S>),
    /// The bytes themselves: the frame was in a compressed chunk.
    Bytes(Vec<u8>),
    /// Items of the frame of small members, decoded when they are read.
    Embedded(Embedded<S>),
    /// A source of its own, in the store's directory.
    Own(S),
}

/// A range of bytes of a source, as a frame that begins there.
#[derive(Debug, Clone)]
pub struct Window<S> {
    pub(super) source: Arc<S>,
    pub(super) range: Range<u64>,
}

/// A range of the items of a frame, as a frame that begins there.
pub struct Embedded<S> {
    embed: Arc<Reader<Member<S>>>,
    range: Range<u64>,
    /// The first error of decoding. What could not be decoded is missing.
    failed: Once<Error>,
}

impl<S> fmt::Debug for Embedded<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded").field("range", &self.range).finish_non_exhaustive()
    }
}

impl<S> Embedded<S> {
    pub(super) fn new(embed: Arc<Reader<Member<S>>>, range: Range<u64>) -> Self {
        Self { embed, range, failed: Once::new() }
    }
}

impl<S: ReadAt> ReadAt for Embedded<S> {
    type Error = S::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], S::Error> {
        if request.part != Part::Frame {
            return Ok(&[]);
        }
        let within = |at: u64| self.range.start.saturating_add(at).min(self.range.end);
        let range = within(request.range.start)..within(request.range.end);
        match self.embed.get(Selection::of_ranges(&[range])) {
            Ok(bytes) => *buffer = bytes,
            Err(ReadError::Source(error)) => return Err(error),
            Err(ReadError::Blosc(error)) => {
                self.failed.get_or_init(|| error);
                buffer.clear();
            }
        }
        Ok(buffer)
    }

    fn error(&self) -> Option<Error> {
        self.failed.get().cloned()
    }
}

impl<S> Window<S> {
    /// Where the frame is in the store's source.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/stores/tree.b2z").unwrap();
    /// let member = store.get("/group/image")?.into_source();
    /// let b2nd::store::Member::Window(window) = member else { panic!("it is stored") };
    /// let archive = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// let range = window.range();
    /// let frame = &archive[range.start as usize..range.end as usize];
    /// assert_eq!(b2nd::Reader::open(frame, b2nd::DParams::default())?.into_array()?.shape(), [20, 30]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The request of the source for one of the frame.
    fn within(&self, request: &Request) -> Request {
        let at = |at: u64| self.range.start.saturating_add(at).min(self.range.end);
        Request { part: Part::Frame, range: at(request.range.start)..at(request.range.end) }
    }
}

impl<S: ReadAt> ReadAt for Window<S> {
    type Error = S::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], S::Error> {
        match request.part {
            Part::Frame => self.source.read_at(&self.within(request), buffer),
            Part::Chunk(_) => Ok(&[]),
        }
    }

    fn current<'b>(
        &'b self,
        request: &Request,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, S::Error> {
        self.source.current(&self.within(request), buffer)
    }

    fn prefetch(&self, requests: &[Request]) -> Result<(), S::Error> {
        let requests: Vec<_> = requests.iter().map(|request| self.within(request)).collect();
        self.source.prefetch(&requests)
    }

    fn merge(&self) -> Merge {
        self.source.merge()
    }
}

impl<S: ReadAt> ReadAt for Member<S> {
    type Error = S::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], S::Error> {
        match self {
            Self::Window(window) => window.read_at(request, buffer),
            Self::Bytes(bytes) => bytes.read_at(request, buffer).map_err(|never| match never {}),
            Self::Embedded(embedded) => embedded.read_at(request, buffer),
            Self::Own(source) => source.read_at(request, buffer),
        }
    }

    fn current<'b>(
        &'b self,
        request: &Request,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, S::Error> {
        match self {
            Self::Window(window) => window.current(request, buffer),
            // Each read of these compares the frame that they are in.
            Self::Bytes(_) | Self::Embedded(_) => Ok(None),
            Self::Own(source) => source.current(request, buffer),
        }
    }

    fn reopen(&mut self) -> Result<(), S::Error> {
        match self {
            Self::Own(source) => source.reopen(),
            _ => Ok(()),
        }
    }

    fn error(&self) -> Option<Error> {
        match self {
            Self::Window(window) => window.source.error(),
            Self::Bytes(_) => None,
            Self::Embedded(embedded) => embedded.error(),
            Self::Own(source) => source.error(),
        }
    }

    fn prefetch(&self, requests: &[Request]) -> Result<(), S::Error> {
        match self {
            Self::Window(window) => window.prefetch(requests),
            Self::Bytes(_) | Self::Embedded(_) => Ok(()),
            Self::Own(source) => source.prefetch(requests),
        }
    }

    fn merge(&self) -> Merge {
        match self {
            Self::Window(window) => window.merge(),
            Self::Bytes(bytes) => bytes.merge(),
            Self::Embedded(_) => Merge::LOCAL,
            Self::Own(source) => source.merge(),
        }
    }
}
