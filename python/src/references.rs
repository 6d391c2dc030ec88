//! References to the chunks of arrays.

use crate::array::NativeArray;
use crate::failure::UnsupportedError;
use b2nd::ReadError;
use b2nd_refs::{Error, Join, References};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// References to one array, or to several that become one.
#[pyclass(frozen, module = "b2nd._native")]
pub(crate) struct NativeReferences(Mutex<Option<References>>);

#[pymethods]
impl NativeReferences {
    #[new]
    fn new(concat: Option<String>, stack: Option<String>, name: Option<&str>) -> Self {
        let join = match (concat, stack) {
            (Some(axis), _) => Join::Concat(axis),
            (None, Some(axis)) => Join::Stack(axis),
            (None, None) => Join::Alone,
        };
        Self(Mutex::new(Some(References::new(join, name))))
    }

    /// Adds an array, whose file readers find at this path or URL.
    fn add(&self, py: Python<'_>, array: &NativeArray, url: String) -> PyResult<()> {
        py.detach(|| match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(references) => array.opened().refer(references, url),
            None => Err(PyValueError::new_err("the references are finished")),
        })
    }

    /// The references as JSON.
    fn finish(&self) -> PyResult<String> {
        let references = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let references = references.ok_or_else(|| PyValueError::new_err("the references are finished"))?;
        Ok(references.finish().to_string())
    }
}

/// The exception of an array without references.
pub(crate) fn refused<E: core::fmt::Display>(error: Error<E>, fail: impl Fn(ReadError<E>) -> PyErr) -> PyErr {
    match error {
        Error::Read(error) => fail(error),
        Error::Join(what) => PyValueError::new_err(what),
        error => UnsupportedError::new_err(error.to_string()),
    }
}
