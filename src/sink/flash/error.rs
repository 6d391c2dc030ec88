//! Why a log fails.

use crate::base::Error;
use core::fmt;

/// Why a log cannot be opened or continued.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LogError<E> {
    /// There is no log to open.
    NoLog,
    /// There is no room for more rows. All before can still be committed.
    Full,
    /// The memory failed. The log must be opened again.
    Flash(E),
    /// The memory failed before.
    Failed,
    /// Parameters are wrong or not supported, or the area is too small.
    Blosc(Error),
}

impl<E> From<Error> for LogError<E> {
    fn from(error: Error) -> Self {
        Self::Blosc(error)
    }
}

impl<E: fmt::Display> fmt::Display for LogError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLog => f.write_str("there is no log"),
            Self::Full => f.write_str("the log is full"),
            Self::Flash(error) => error.fmt(f),
            Self::Failed => f.write_str("the memory failed before"),
            Self::Blosc(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for LogError<E> {
    /// The cause of the error of the memory or of the library: their own text is the text of this error.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Flash(error) => error.source(),
            Self::Blosc(error) => error.source(),
            _ => None,
        }
    }
}
