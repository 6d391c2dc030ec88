//! The one kind of error that only readers have.

use crate::base::ErrorKind;
use crate::base::{ArgumentError, Changed, Error, FormatError, LimitError, Unsupported};
use core::convert::Infallible;
use core::fmt;
#[cfg(feature = "std")]
use std::io;

/// Reading failed: the source, or what it brought.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReadError<E> {
    /// The source could not read.
    Source(E),
    /// The bytes or the call are at fault, see [`ErrorKind`](crate::ErrorKind).
    Blosc(Error),
}

impl<E> ReadError<E> {
    /// The error, with something added to what the core says.
    pub(super) fn map_blosc(self, map: impl FnOnce(Error) -> Error) -> Self {
        match self {
            Self::Source(error) => Self::Source(error),
            Self::Blosc(error) => Self::Blosc(map(error)),
        }
    }
}

/// Each type that is an [`Error`] by itself. For all at once it would not be possible to convert back.
macro_rules! from {
    ($($error:ty)*) => {$(
        impl<E> From<$error> for ReadError<E> {
            fn from(error: $error) -> Self {
                Self::Blosc(error.into())
            }
        }
    )*};
}

from! { Error ArgumentError FormatError LimitError Unsupported }
#[cfg(feature = "alloc")]
from! { Changed }

/// The error of a source that cannot fail, such as bytes in memory.
///
/// ```
/// use b2nd::{DParams, Reader, Result};
/// fn count(frame: &[u8]) -> Result<u64> {
///     Ok(Reader::open(frame, DParams::default())?.nchunks()?)
/// }
/// assert!(count(b"no frame").is_err());
/// ```
impl From<ReadError<Infallible>> for Error {
    fn from(error: ReadError<Infallible>) -> Self {
        match error {
            ReadError::Source(never) => match never {},
            ReadError::Blosc(error) => error,
        }
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

impl<E: core::error::Error> core::error::Error for ReadError<E> {
    /// The cause of the error of the source or of the library: their own text is the text of this error.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Source(error) => error.source(),
            Self::Blosc(error) => error.source(),
        }
    }
}

/// For functions that return [`std::io::Result`]: the source's own error, or one with the library's [`Error`] inside.
///
/// ```
/// fn first(path: &str) -> std::io::Result<f32> {
///     let reader = b2nd::open(path)?;
///     Ok(reader.read("0, 0, 0")?.as_slice()[0])
/// }
/// use std::io::ErrorKind;
/// assert_eq!(first("nowhere.b2nd").unwrap_err().kind(), ErrorKind::NotFound);
/// assert_eq!(first("Cargo.toml").unwrap_err().kind(), ErrorKind::InvalidData);
/// ```
#[cfg(feature = "std")]
impl From<ReadError<Self>> for io::Error {
    fn from(error: ReadError<Self>) -> Self {
        let error = match error {
            ReadError::Source(error) => return error,
            ReadError::Blosc(error) => error,
        };
        let kind = match error.kind() {
            ErrorKind::Format(_) => io::ErrorKind::InvalidData,
            ErrorKind::Unsupported(_) => io::ErrorKind::Unsupported,
            ErrorKind::Argument(_) => io::ErrorKind::InvalidInput,
            ErrorKind::Limit(_) | ErrorKind::Changed(_) => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}
