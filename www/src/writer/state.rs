//! The state of writing between calls.

use super::journal::Journal;
use alloc::vec::Vec;
use b2nd::array::ArrayEncoder;
use b2nd::sink::Editor;

/// The state of writing between calls.
#[derive(Default)]
pub(crate) struct State {
    /// The encoder of the last call, which keeps its tables, with its parameters as they were given.
    pub(crate) encoder: Option<(Vec<u8>, ArrayEncoder)>,
    pub(crate) opened: Option<Writer>,
}

/// The editor, and the journal that is its sink.
pub(crate) struct Writer {
    pub(crate) editor: Editor<Journal>,
    pub(crate) journal: Journal,
}
