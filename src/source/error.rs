//! The one kind of error that only readers have.

use crate::base::Error;
use core::fmt;

/// Reading failed: the source, or what it brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError<E> {
    /// The source could not read.
    Source(E),
    /// What was read, or what was asked for, is not right.
    Blosc(Error),
}

impl<E> ReadError<E> {
    /// The same error, with something added to what the core says.
    pub(super) fn map_blosc(self, map: impl FnOnce(Error) -> Error) -> Self {
        match self {
            Self::Source(error) => Self::Source(error),
            Self::Blosc(error) => Self::Blosc(map(error)),
        }
    }
}

impl<E, T: Into<Error>> From<T> for ReadError<E> {
    fn from(error: T) -> Self {
        Self::Blosc(error.into())
    }
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Blosc(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for ReadError<E> {}
