//! What a module holds.

use crate::input::Input;
use crate::output::Output;
use alloc::vec::Vec;
use b2nd::frame::{Frame, Request};
use b2nd::{Array, DParams, Limits, SChunk, Scratch};

/// How a call ended that did not fail.
pub(crate) enum Answer {
    /// The output holds the answer.
    Done,
    /// Bytes are needed.
    Need(Request),
}

/// Buffers, the decoder's memory, and the frame that was loaded last.
#[derive(Default)]
pub(crate) struct Engine {
    pub(crate) dparams: DParams,
    pub(crate) scratch: Scratch,
    pub(crate) input: Input,
    pub(crate) output: Output,
    pub(crate) opened: Option<Opened>,
    /// Starts of blocks in order; memory to reuse.
    pub(crate) starts: Vec<u32>,
}

/// A frame and what it can be read as.
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

impl Opened {
    pub(crate) fn new(frame: Frame, limits: &Limits) -> Self {
        let array = Array::of_frame(&frame, limits);
        let schunk = SChunk::of_header(&frame.header);
        Self { frame, array, schunk }
    }
}
