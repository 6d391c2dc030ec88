//! The state of a module.

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

/// Why a call ends without a result.
pub(crate) enum Stop {
    /// The call needs these bytes of the frame, or of its chunk.
    #[cfg_attr(
        not(any(feature = "reader", feature = "writer")),
        expect(dead_code, reason = "chunks are given whole")
    )]
    Need(Box<Range<u64>>),
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(any(feature = "reader", feature = "writer"))]
pub(crate) fn need(range: Range<u64>) -> Stop {
    Stop::Need(Box::new(range))
}

/// The buffers, the decoder's memory, and the loaded frame.
#[derive(Default)]
pub(crate) struct Engine {
    pub(crate) dparams: DParams,
    pub(crate) scratch: Scratch,
    pub(crate) input: Input,
    pub(crate) output: Output,
    #[cfg(feature = "reader")]
    pub(crate) opened: Option<Opened>,
    /// Memory for sorted starts of blocks, to reuse.
    #[cfg(feature = "reader")]
    pub(crate) starts: Vec<u32>,
    #[cfg(feature = "encode")]
    pub(crate) encoders: crate::write::Encoders,
    /// Of a frame that is being opened to change it.
    #[cfg(feature = "writer")]
    pub(crate) journal: crate::write::Journal,
    #[cfg(feature = "writer")]
    pub(crate) writer: Option<crate::write::Writer>,
}

/// A frame with the array and the super-chunk in it.
#[cfg(feature = "reader")]
pub(crate) struct Opened {
    pub(crate) frame: Frame,
    /// `None` for plain super-chunks.
    pub(crate) array: b2nd::Result<Option<Array>>,
    /// `None` where chunks differ in size.
    pub(crate) schunk: b2nd::Result<Option<SChunk>>,
}

impl Engine {
    pub(crate) fn limit(&mut self, memory: u64, metadata: u64, expansion: u64) {
        let limits = Limits { memory, metadata, expansion, ..Limits::default() };
        // What was decoded last may be wanted again.
        if limits != self.dparams.limits {
            self.dparams.limits = limits;
            self.scratch = Scratch::new(&self.dparams);
        }
    }
}

#[cfg(feature = "reader")]
impl Opened {
    pub(crate) fn new(frame: Frame, limits: &Limits) -> Self {
        let array = Array::of_frame(&frame, limits);
        let schunk = SChunk::of_header(&frame.header);
        Self { frame, array, schunk }
    }

    /// The parameters of the frame that its chunks need for decoding.
    pub(crate) fn context(&self) -> Context<'_> {
        contents::context(&self.frame, &self.array)
    }

    /// The array if `items` is 0, otherwise the items of the super-chunk in one dimension.
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
