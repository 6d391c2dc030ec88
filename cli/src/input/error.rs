//! Errors of reading an input.

use super::invalid::InvalidInput;
use crate::error::CommandError;
use std::io;
use std::path::Path;

/// An error of reading: of the input's content, or of I/O.
#[derive(Debug)]
pub(crate) enum InputError {
    Io(io::Error),
    InvalidInput(InvalidInput),
    Blosc(b2nd::Error),
}

impl InputError {
    /// Adds the path of the input.
    pub(crate) fn at(self, path: &Path) -> CommandError {
        match self {
            Self::Io(error) => CommandError::Input(path.into(), error),
            Self::InvalidInput(what) => CommandError::InvalidInput(path.into(), what),
            Self::Blosc(error) => CommandError::Blosc(path.into(), error),
        }
    }
}

impl From<io::Error> for InputError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<InvalidInput> for InputError {
    fn from(what: InvalidInput) -> Self {
        Self::InvalidInput(what)
    }
}
