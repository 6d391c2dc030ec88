//! Members as sources of frames.

use crate::fetch::Merge;
use crate::frame::{Part, Request};
use crate::source::ReadAt;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// The source of a member's frame.
#[derive(Debug)]
pub enum Member<S> {
    /// A range of bytes of the store's own source.
    Window(Window<S>),
    /// The bytes themselves: the frame was in a compressed chunk.
    Bytes(Vec<u8>),
    /// A source of its own, in the store's directory.
    Own(S),
}

/// A range of bytes of a source, as a frame that begins there.
#[derive(Debug, Clone)]
pub struct Window<S> {
    pub(super) source: Arc<S>,
    pub(super) range: Range<u64>,
}

impl<S: ReadAt> ReadAt for Window<S> {
    type Error = S::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], S::Error> {
        let within = |at: u64| self.range.start.saturating_add(at).min(self.range.end);
        match request.part {
            Part::Frame => {
                let range = within(request.range.start)..within(request.range.end);
                self.source.read_at(&Request { part: Part::Frame, range }, buffer)
            }
            Part::Chunk(_) => Ok(&[]),
        }
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
            Self::Own(source) => source.read_at(request, buffer),
        }
    }

    fn merge(&self) -> Merge {
        match self {
            Self::Window(window) => window.merge(),
            Self::Bytes(bytes) => bytes.merge(),
            Self::Own(source) => source.merge(),
        }
    }
}
