//! What a module holds.

use crate::input::Input;
use crate::output::Output;
use alloc::boxed::Box;
#[cfg(feature = "reader")]
use alloc::vec::Vec;
use b2nd::frame::Request;
#[cfg(feature = "reader")]
use b2nd::{Array, SChunk, frame::Frame};
use b2nd::{DParams, Limits, Scratch};

/// How a call ended that did not fail.
pub(crate) enum Answer {
    /// The output holds the answer.
    Done,
    /// Bytes are needed.
    #[cfg_attr(not(feature = "reader"), expect(dead_code, reason = "chunks are given whole"))]
    Need(Box<Request>),
}

/// Buffers, the decoder's memory, and the frame that was loaded last.
#[derive(Default)]
pub(crate) struct Engine {
    pub(crate) dparams: DParams,
    pub(crate) scratch: Scratch,
    pub(crate) input: Input,
    pub(crate) output: Output,
    #[cfg(feature = "reader")]
    pub(crate) opened: Option<Opened>,
    /// Starts of blocks in order; memory to reuse.
    #[cfg(feature = "reader")]
    pub(crate) starts: Vec<u32>,
}

/// A frame and what it can be read as.
#[cfg(feature = "reader")]
pub(crate) struct Opened {
    pub(crate) frame: Frame,
    /// `None` for plain super-chunks.
    pub(crate) array: b2nd::Result<Option<Array>>,
    /// `None` where chunks differ in size.
    pub(crate) schunk: b2nd::Result<Option<SChunk>>,
}

impl Engine {
    pub(crate) fn limit(&mut self, memory: u64, metadata: u64) {
        self.dparams.limits = Limits { memory, metadata, ..Limits::default() };
        self.scratch = Scratch::new(&self.dparams);
    }
}

#[cfg(feature = "reader")]
impl Opened {
    pub(crate) fn new(frame: Frame, limits: &Limits) -> Self {
        let array = Array::of_frame(&frame, limits);
        let schunk = SChunk::of_header(&frame.header);
        Self { frame, array, schunk }
    }
}
