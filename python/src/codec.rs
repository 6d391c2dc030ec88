//! Single chunks of Blosc1 and Blosc2.

use crate::failure::of_core;
use b2nd::Scratch;
use b2nd::chunk::{CParams, Chunk, ChunkEncoder, ChunkFormat};
use b2nd::codec::Codec;
use b2nd::filter::{BITSHUFFLE, Filter, NOFILTER, Pipeline, SHUFFLE};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::cell::RefCell;

thread_local! {
    /// The memory of the codecs, which chunks would otherwise clear anew.
    static ENCODER: RefCell<ChunkEncoder> = RefCell::default();
}

/// Encodes bytes as one chunk of Blosc2.
#[pyfunction]
pub(crate) fn encode_chunk<'py>(
    py: Python<'py>,
    data: &[u8],
    cname: &str,
    clevel: u8,
    shuffle: &str,
    typesize: u32,
    blocksize: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let codec: Codec =
        cname.parse().map_err(|error: b2nd::UnknownName| PyValueError::new_err(error.to_string()))?;
    let filter = match shuffle {
        "noshuffle" => NOFILTER,
        "shuffle" => SHUFFLE,
        "bitshuffle" => BITSHUFFLE,
        _ => return Err(PyValueError::new_err(format!("shuffle: no '{shuffle}'"))),
    };
    let mut filters = Pipeline::default();
    filters.slots[0] = Filter { id: filter, meta: 0 };
    let format = ChunkFormat::Blosc2;
    let cparams = CParams { codec, clevel, typesize, filters, blocksize, format, ..CParams::default() };
    let encode = || {
        ENCODER.with_borrow_mut(|encoder| {
            encoder.set_cparams(cparams);
            encoder.encode(data)
        })
    };
    let chunk = py.detach(encode).map_err(of_core)?;
    Ok(PyBytes::new(py, &chunk))
}

/// Decodes a chunk of Blosc1 or Blosc2, which has `nbytes` bytes. A chunk of another size is refused before memory is allocated.
#[pyfunction]
pub(crate) fn decode_chunk<'py>(
    py: Python<'py>,
    chunk: &[u8],
    nbytes: usize,
) -> PyResult<Bound<'py, PyByteArray>> {
    let chunk = Chunk::new(chunk).map_err(of_core)?;
    let actual = chunk.header().nbytes as usize;
    if actual != nbytes {
        return Err(PyValueError::new_err(format!("the chunk has {actual} bytes, not {nbytes}")));
    }
    PyByteArray::new_with(py, nbytes, |out| {
        py.detach(|| chunk.decode_into(out, &mut Scratch::default())).map_err(of_core)
    })
}
