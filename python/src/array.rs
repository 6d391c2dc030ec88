//! Arrays in files and behind URLs.

use crate::attrs::to_python;
use crate::failure::{of_core, of_file, of_remote, of_selection};
use crate::selection::selection;
use crate::source::Remote;
use b2nd::source::File;
use b2nd::{Array, Selection};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};

enum Opened {
    /// Its path is for messages.
    File(Array<File>, String),
    Remote(Array<Remote>),
}

/// An array: what the class `Array` of the package is made of.
#[pyclass(frozen, module = "b2nd._native")]
pub(crate) struct NativeArray(Opened);

impl NativeArray {
    fn layout(&self) -> &b2nd::Layout {
        match &self.0 {
            Opened::File(array, _) => array.layout(),
            Opened::Remote(array) => array.layout(),
        }
    }
}

#[pymethods]
impl NativeArray {
    #[staticmethod]
    fn open(py: Python<'_>, path: String) -> PyResult<Self> {
        match py.detach(|| Array::open(&path)) {
            Ok(array) => Ok(Self(Opened::File(array, path))),
            Err(error) => Err(of_file(error, &path)),
        }
    }

    /// Opens an array whose bytes a function gives, see [`Remote`].
    #[staticmethod]
    fn remote(py: Python<'_>, read: Py<PyAny>) -> PyResult<Self> {
        let array = py.detach(|| Array::from_source(Remote::new(read))).map_err(of_remote)?;
        Ok(Self(Opened::Remote(array)))
    }

    #[getter]
    fn shape(&self) -> Vec<u64> {
        self.layout().shape().as_slice().to_vec()
    }

    #[getter]
    fn chunks(&self) -> Vec<u32> {
        self.layout().chunkshape().to_vec()
    }

    #[getter]
    fn blocks(&self) -> Option<Vec<u32>> {
        self.layout().blockshape().map(<[u32]>::to_vec)
    }

    /// The dtype as NumPy writes it: a name, or a Python literal of fields.
    #[getter]
    fn dtype(&self) -> String {
        match &self.0 {
            Opened::File(array, _) => array.dtype().to_string(),
            Opened::Remote(array) => array.dtype().to_string(),
        }
    }

    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (attrs, limits) = match &self.0 {
            Opened::File(array, path) => {
                (py.detach(|| array.attrs()).map_err(|error| of_file(error, path))?, array.reader().limits())
            }
            Opened::Remote(array) => {
                (py.detach(|| array.attrs()).map_err(of_remote)?, array.reader().limits())
            }
        };
        let dict = PyDict::new(py);
        for (name, value) in &attrs {
            dict.set_item(name, to_python(py, value, limits)?)?;
        }
        Ok(dict)
    }

    /// The shape of a selection and its items in C order, as they are stored. Other threads of Python run meanwhile.
    fn read<'py>(
        &self,
        py: Python<'py>,
        items: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<(Vec<u64>, Bound<'py, PyByteArray>)> {
        let selection: Selection = selection(items)?;
        let plan = self.layout().plan(&selection).map_err(of_selection)?;
        let limits = match &self.0 {
            Opened::File(array, _) => array.reader().limits(),
            Opened::Remote(array) => array.reader().limits(),
        };
        limits.allow_memory(plan.nbytes() as u64).map_err(of_core)?;
        let bytes = PyByteArray::new_with(py, plan.nbytes(), |out| {
            py.detach(|| match &self.0 {
                Opened::File(array, path) => {
                    array.reader().get_parallel_into(&plan, out).map_err(|error| of_file(error, path))
                }
                // Its ranges are read together.
                Opened::Remote(array) => array.reader().get_into(&plan, out).map_err(of_remote),
            })
        })?;
        Ok((plan.shape().to_vec(), bytes))
    }
}
