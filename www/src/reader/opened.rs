//! The loaded frame.

use alloc::vec::Vec;
use b2nd::chunk::Context;
use b2nd::contents::{self, Contents};
use b2nd::frame::Frame;
use b2nd::{ArgumentError, Layout, Limits, Result, SChunk, Unsupported};

/// The state of reading between calls.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) opened: Option<Opened>,
    /// Memory for sorted starts of blocks, to reuse.
    pub(crate) starts: Vec<u32>,
}

/// A frame with the array and the super-chunk in it.
pub(crate) struct Opened {
    pub(crate) frame: Frame,
    /// `None` for plain super-chunks.
    pub(crate) array: Result<Option<Layout>>,
    /// `None` where chunks differ in size.
    pub(crate) schunk: Result<Option<SChunk>>,
}

impl Opened {
    pub(crate) fn new(frame: Frame, limits: &Limits) -> Self {
        let array = Layout::of_frame(&frame, limits);
        let schunk = SChunk::of_header(&frame.header);
        Self { frame, array, schunk }
    }

    /// The parameters of the frame that its chunks need for decoding.
    pub(crate) fn context(&self) -> Context<'_> {
        contents::context(&self.frame, &self.array)
    }

    /// The array if `items` is 0, otherwise the items of the super-chunk in one dimension.
    pub(crate) fn contents(&self, items: u32) -> Result<Contents<&Layout, &SChunk>> {
        Ok(if items == 0 {
            let array = self.array.as_ref().map_err(Clone::clone)?.as_ref();
            Contents::Array(array.ok_or(ArgumentError::NotAnArray)?)
        } else {
            let schunk = self.schunk.as_ref().map_err(Clone::clone)?.as_ref();
            Contents::Items(schunk.ok_or(Unsupported::VariableChunks)?)
        })
    }
}

/// The loaded frame.
pub(crate) fn opened(opened: &Option<Opened>) -> Result<&Opened> {
    opened.as_ref().ok_or(ArgumentError::NotOpened.into())
}
