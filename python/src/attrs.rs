//! Attributes as values of Python.

use crate::failure::of_core;
use b2nd::Limits;
use b2nd::msgpack::Value;
use b2nd::objects::Extension;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyComplex, PyDict, PyList, PySet};

/// A value of MessagePack. Arrays of NumPy are tuples `("ndarray", dtype, shape, bytes)`, other extensions `("ext", code, bytes)`: the
/// package makes NumPy's arrays and its own class of them.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value, limits: &Limits) -> PyResult<Bound<'py, PyAny>> {
    let all = |values: &[Value]| {
        values.iter().map(|value| to_python(py, value, limits)).collect::<PyResult<Vec<_>>>()
    };
    Ok(match value {
        Value::Nil => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Int(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::Str(text) => text.into_pyobject(py)?.into_any(),
        Value::Bin(bytes) => PyBytes::new(py, bytes).into_any(),
        Value::Array(values) => PyList::new(py, all(values)?)?.into_any(),
        Value::Map(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(to_python(py, key, limits)?, to_python(py, value, limits)?)?;
            }
            dict.into_any()
        }
        Value::Ext(code, bytes) => match Extension::parse(*code, bytes, limits).map_err(of_core)? {
            Some(Extension::Complex(re, im)) => PyComplex::from_doubles(py, re, im).into_any(),
            Some(Extension::Set(values)) => PySet::new(py, all(&values)?)?.into_any(),
            Some(Extension::Tensor(tensor)) => {
                let data = PyBytes::new(py, &tensor.data);
                ("ndarray", tensor.dtype.to_string(), tensor.shape, data).into_pyobject(py)?.into_any()
            }
            _ => ("ext", *code, PyBytes::new(py, bytes)).into_pyobject(py)?.into_any(),
        },
        _ => py.None().into_bound(py),
    })
}
