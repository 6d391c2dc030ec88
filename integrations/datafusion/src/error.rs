//! Errors of files, with the place.

use crate::location::Location;
use b2nd::ReadError;
use core::fmt;
use datafusion::error::DataFusionError;

/// A file, a table or an array that cannot be read: the source of a [`DataFusionError::External`].
#[derive(Debug)]
pub struct Error {
    /// The file, and what was read of it.
    pub location: Location,
    /// The cause: an error of the object store, or of the file.
    pub error: ReadError<object_store::Error>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.error)
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Tells where an error is.
pub(crate) trait At<T> {
    fn at(self, location: &Location) -> datafusion::error::Result<T>;
}

impl<T, E: Into<ReadError<object_store::Error>>> At<T> for Result<T, E> {
    fn at(self, location: &Location) -> datafusion::error::Result<T> {
        self.map_err(|error| {
            let error = Error { location: location.clone(), error: error.into() };
            DataFusionError::External(Box::new(error))
        })
    }
}
