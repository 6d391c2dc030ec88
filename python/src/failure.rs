//! The exceptions.

use b2nd::{Error, ErrorKind, ReadError};
use pyo3::exceptions::{PyException, PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyErr, create_exception};
use std::io;

create_exception!(b2nd, B2ndError, PyException, "What b2nd cannot read or write.");
create_exception!(b2nd, FormatError, B2ndError, "The bytes are damaged, or of another format.");
create_exception!(
    b2nd,
    UnsupportedError,
    B2ndError,
    "The bytes may be valid, but this package cannot read them."
);
create_exception!(b2nd, LimitError, B2ndError, "Reading needs more memory than is allowed.");
create_exception!(b2nd, ChangedError, B2ndError, "The file is no longer the one that was opened.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("B2ndError", py.get_type::<B2ndError>())?;
    module.add("FormatError", py.get_type::<FormatError>())?;
    module.add("UnsupportedError", py.get_type::<UnsupportedError>())?;
    module.add("LimitError", py.get_type::<LimitError>())?;
    module.add("ChangedError", py.get_type::<ChangedError>())
}

pub(crate) fn of_core(error: Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Format(_) => FormatError::new_err(text),
        ErrorKind::Unsupported(_) => UnsupportedError::new_err(text),
        ErrorKind::Limit(_) => LimitError::new_err(text),
        ErrorKind::Changed(_) => ChangedError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The error of a selection.
pub(crate) fn of_selection(error: Error) -> PyErr {
    match error.kind() {
        ErrorKind::Argument(_) => PyIndexError::new_err(error.to_string()),
        _ => of_core(error),
    }
}

pub(crate) fn of_file(error: ReadError<io::Error>, path: &str) -> PyErr {
    match error {
        ReadError::Blosc(error) => of_core(error),
        // Python makes FileNotFoundError and the like of the number.
        ReadError::Source(error) => match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, reason(&error), path.to_owned())),
            None => PyOSError::new_err(format!("{path}: {error}")),
        },
    }
}

/// The text of an error of the operating system, to which Python adds the number itself.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

pub(crate) fn of_remote(error: ReadError<PyErr>) -> PyErr {
    match error {
        ReadError::Blosc(error) => of_core(error),
        ReadError::Source(error) => error,
    }
}
