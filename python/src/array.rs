//! Arrays in files, behind URLs and in stores.

use crate::attrs::to_python;
use crate::failure::{of_core, of_file, of_remote, of_selection};
use crate::opened::{Opened, Opening, member};
use crate::selection::selection;
use crate::source::Remote;
use b2nd::store::{self, Store};
use b2nd::{Array, DParams, Selection};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};

/// An array: what the class `Array` of the package is made of.
#[pyclass(frozen, module = "b2nd._native")]
pub(crate) struct NativeArray(Box<dyn Opened>);

impl NativeArray {
    pub(crate) fn opened(&self) -> &dyn Opened {
        &*self.0
    }
}

#[pymethods]
impl NativeArray {
    /// Opens the array in a file, or that of a member of the store in it.
    #[staticmethod]
    fn open(py: Python<'_>, path: String, key: Option<&str>) -> PyResult<Self> {
        let name = path.clone();
        let fail = move |error| of_file(error, &name);
        py.detach(|| {
            Ok(Self(match key {
                None => {
                    let array = Array::open(&path).map_err(&fail)?;
                    Box::new(Opening { array, start: Some(0), parallel: true, fail })
                }
                Some(key) => {
                    let found = store::open(&path).and_then(|store| member(&store, key));
                    let (array, start) = found.map_err(&fail)?;
                    Box::new(Opening { array, start, parallel: true, fail })
                }
            }))
        })
    }

    /// Opens the array in what a function reads, see [`Remote`], or that of a member of the store there, which has `len` bytes.
    #[staticmethod]
    fn remote(py: Python<'_>, read: Py<PyAny>, len: u64, key: Option<&str>) -> PyResult<Self> {
        let (source, fail) = (Remote::new(read), of_remote);
        py.detach(|| {
            Ok(Self(match key {
                None => {
                    let array = Array::from_source(source).map_err(fail)?;
                    Box::new(Opening { array, start: Some(0), parallel: false, fail })
                }
                Some(key) => {
                    let found =
                        Store::open(source, len, DParams::default()).and_then(|store| member(&store, key));
                    let (array, start) = found.map_err(fail)?;
                    Box::new(Opening { array, start, parallel: false, fail })
                }
            }))
        })
    }

    #[getter]
    fn shape(&self) -> Vec<u64> {
        self.0.layout().shape().as_slice().to_vec()
    }

    #[getter]
    fn chunks(&self) -> Vec<u32> {
        self.0.layout().chunkshape().to_vec()
    }

    #[getter]
    fn blocks(&self) -> Option<Vec<u32>> {
        self.0.layout().blockshape().map(<[u32]>::to_vec)
    }

    /// The dtype as NumPy writes it: a name, or a Python literal of fields.
    #[getter]
    fn dtype(&self) -> String {
        self.0.dtype().to_string()
    }

    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attrs = py.detach(|| self.0.attrs())?;
        let dict = PyDict::new(py);
        for (name, value) in &attrs {
            dict.set_item(name, to_python(py, value, self.0.limits())?)?;
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
        let plan = self.0.layout().plan(&selection).map_err(of_selection)?;
        self.0.limits().allow_memory(plan.nbytes() as u64).map_err(of_core)?;
        let bytes = PyByteArray::new_with(py, plan.nbytes(), |out| py.detach(|| self.0.read(&plan, out)))?;
        Ok((plan.shape().to_vec(), bytes))
    }
}
