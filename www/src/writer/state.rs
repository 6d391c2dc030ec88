//! The state of writing between calls.

use super::params;
use crate::journal::Journal;
use crate::sections::Sections;
use alloc::vec::Vec;
use b2nd::Result;
use b2nd::array::{ArrayEncoder, ArrayParams};
use b2nd::sink::Editor;
use b2nd::wire::Recovery;

/// The state of writing between calls.
#[derive(Default)]
pub(crate) struct State {
    /// The encoder of the last call, which keeps its tables, with its parameters as they were given.
    encoder: Option<(Vec<u8>, ArrayEncoder, ArrayParams)>,
    pub(crate) opened: Option<Writer>,
    pub(crate) recovery: Option<Recovery>,
}

impl State {
    /// The encoder of the array that the next sections describe.
    pub(crate) fn encoder(
        &mut self,
        sections: &mut Sections<'_>,
    ) -> Result<(&mut ArrayEncoder, &ArrayParams)> {
        let given = params::ARRAY.map(|_| sections.section());
        let key = given.concat();
        if self.encoder.as_ref().is_none_or(|(same, ..)| *same != key) {
            self.encoder = None;
        }
        let (_, encoder, params) = match &mut self.encoder {
            Some(kept) => kept,
            none => {
                let params = params::array(given);
                none.insert((key, ArrayEncoder::new(&params)?, params))
            }
        };
        Ok((encoder, params))
    }
}

/// The editor, and the journal that is its sink.
pub(crate) struct Writer {
    pub(crate) editor: Editor<Journal>,
    pub(crate) journal: Journal,
}
