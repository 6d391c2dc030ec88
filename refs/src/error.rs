//! Errors.

use b2nd::ReadError;
use core::fmt;

/// Why an array has no metadata or references.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error<E> {
    /// The array cannot be read.
    Read(ReadError<E>),
    /// The array has no counterpart in Zarr, or in a frame.
    Unsupported(String),
    /// The array cannot be joined to those before.
    Join(String),
}

impl<E> From<ReadError<E>> for Error<E> {
    fn from(error: ReadError<E>) -> Self {
        Self::Read(error)
    }
}

impl<E> From<b2nd::Error> for Error<E> {
    fn from(error: b2nd::Error) -> Self {
        Self::Read(ReadError::Blosc(error))
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Unsupported(what) | Self::Join(what) => f.write_str(what),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            _ => None,
        }
    }
}

/// Why a text is no metadata of an array that becomes a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "it is valid or it is not")]
pub enum MetadataError {
    /// It is no valid metadata.
    Invalid(String),
    /// It is, but no frame has such an array.
    Unsupported(String),
}

impl MetadataError {
    pub(crate) fn invalid(error: impl fmt::Display) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Invalid(what) | Self::Unsupported(what)) = self;
        f.write_str(what)
    }
}

impl core::error::Error for MetadataError {}
