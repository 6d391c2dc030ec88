//! Selections as Python writes them.

use b2nd::{Index, Selection};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyInt, PySlice};

/// A selection of integers, slices and an ellipsis.
pub(crate) fn selection(items: Vec<Bound<'_, PyAny>>) -> PyResult<Selection> {
    items.iter().map(index).collect::<PyResult<_>>().map(Selection)
}

fn index(item: &Bound<'_, PyAny>) -> PyResult<Index> {
    if item.cast::<PyEllipsis>().is_ok() {
        return Ok(Index::Ellipsis);
    }
    if let Ok(slice) = item.cast::<PySlice>() {
        let part = |name: &str| bound(&slice.getattr(name)?);
        return Ok(Index::Range {
            start: part("start")?,
            stop: part("stop")?,
            step: part("step")?.unwrap_or(1),
        });
    }
    item.extract().map(Index::At).map_err(|_| PyIndexError::new_err(format!("{item} is no position")))
}

/// Bounds outside of 64 bits are as far away as the array can tell.
fn bound(value: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if value.is_none() {
        return Ok(None);
    }
    let number = value.call_method0("__index__")?;
    let number = number.cast::<PyInt>()?;
    Ok(Some(number.extract().or_else(|_| Ok::<_, PyErr>(if number.lt(0)? { -i64::MAX } else { i64::MAX }))?))
}
