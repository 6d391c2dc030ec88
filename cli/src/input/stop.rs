//! Errors of reading an input.

use super::unusable::Unusable;
use crate::failure::Failure;
use std::io;
use std::path::Path;

/// An error of reading: of the input's content, or of I/O.
#[derive(Debug)]
pub(crate) enum Stop {
    Io(io::Error),
    Unusable(Unusable),
    Blosc(b2nd::Error),
}

impl Stop {
    /// Adds the path of the input.
    pub(crate) fn at(self, path: &Path) -> Failure {
        match self {
            Self::Io(error) => Failure::Input(path.into(), error),
            Self::Unusable(what) => Failure::Unusable(path.into(), what),
            Self::Blosc(error) => Failure::Blosc(path.into(), error),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Unusable> for Stop {
    fn from(what: Unusable) -> Self {
        Self::Unusable(what)
    }
}
