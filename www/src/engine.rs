//! The state of a module.

use crate::input::Input;
use crate::output::Output;
use b2nd::{DParams, Limits, Scratch};

/// The buffers, the decoder's memory, and what each part of the module keeps.
#[derive(Default)]
pub(crate) struct Engine {
    pub(crate) dparams: DParams,
    pub(crate) scratch: Scratch,
    pub(crate) input: Input,
    pub(crate) output: Output,
    #[cfg(feature = "archive")]
    pub(crate) archive: Option<b2nd::sink::ArchiveEditor>,
    #[cfg(feature = "archive")]
    pub(crate) objects: Option<crate::objects::Sequence>,
    #[cfg(feature = "reader")]
    pub(crate) reader: crate::reader::State,
    #[cfg(feature = "store")]
    pub(crate) subject: Option<crate::store::Subject>,
    #[cfg(feature = "encode")]
    pub(crate) encoder: b2nd::chunk::ChunkEncoder,
    #[cfg(feature = "export")]
    pub(crate) export: crate::export::State,
    #[cfg(feature = "expression")]
    pub(crate) expression: crate::expression::State,
    #[cfg(feature = "writer")]
    pub(crate) writer: crate::writer::State,
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
