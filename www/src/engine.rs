//! What a module holds.

use crate::input::Input;
use crate::output::Output;
use alloc::boxed::Box;
#[cfg(feature = "reader")]
use alloc::vec::Vec;
#[cfg(feature = "reader")]
use b2nd::{
    ArgumentError, Array, SChunk, Unsupported,
    chunk::Context,
    contents::{self, Contents},
    frame::Frame,
};
use b2nd::{DParams, Error, Limits, Scratch};
use core::ops::Range;

/// Why a call stops.
pub(crate) enum Stop {
    /// These bytes are needed, of the frame or of the chunk that the call is about.
    #[cfg_attr(not(feature = "reader"), expect(dead_code, reason = "chunks are given whole"))]
    Need(Box<Range<u64>>),
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(feature = "reader")]
pub(crate) fn need(range: Range<u64>) -> Stop {
    Stop::Need(Box::new(range))
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

    /// What decoding the frame's chunks needs to know.
    pub(crate) fn context(&self) -> Context<'_> {
        contents::context(&self.frame, &self.array)
    }

    /// The array, or the items of the super-chunk, whatever array there is.
    pub(crate) fn contents(&self, items: u32) -> b2nd::Result<Contents<&Array, &SChunk>> {
        Ok(if items == 0 {
            let array = self.array.as_ref().map_err(Clone::clone)?.as_ref();
            Contents::Array(array.ok_or(ArgumentError::NotAnArray)?)
        } else {
            let schunk = self.schunk.as_ref().map_err(Clone::clone)?.as_ref();
            Contents::Items(schunk.ok_or(Unsupported::VariableChunks)?)
        })
    }
}
