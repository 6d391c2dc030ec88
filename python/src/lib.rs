//! The native module of the Python package: `b2nd._native`. The package gives its classes NumPy's types and indexing.

mod array;
mod attrs;
mod codec;
mod failure;
mod opened;
mod references;
mod selection;
mod source;
mod zarr;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<array::NativeArray>()?;
    module.add_class::<references::NativeReferences>()?;
    module.add_class::<zarr::NativeCodec>()?;
    module.add_function(wrap_pyfunction!(codec::encode_chunk, module)?)?;
    module.add_function(wrap_pyfunction!(codec::decode_chunk, module)?)?;
    failure::add(module)
}
