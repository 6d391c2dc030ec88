//! The state of an export.

use alloc::vec::Vec;
use b2nd::export::Exporter;

/// The maker of the file, and a buffer for its parts.
#[derive(Default)]
pub(crate) struct State {
    pub(super) exporter: Option<Exporter<'static>>,
    pub(super) part: Vec<u8>,
}
