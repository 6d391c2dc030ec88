//! Chunks in Zarr's codec `b2nd`.

use crate::failure::of_core;
use b2nd::Scratch;
use b2nd::array::{ArrayEncoder, ArrayParams, Dtype};
use b2nd::plan::Index;
use b2nd::reading::Merge;
use b2nd::zarr::{Chunks, Configuration};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

/// The result of reading a chunk.
#[derive(IntoPyObject)]
pub(crate) enum Step<'py> {
    /// Ranges of bytes of the chunk that it takes besides.
    Missing(Vec<(u64, u64)>),
    Items(Bound<'py, PyByteArray>),
}

/// The codec with one configuration. Items are in the byte order in which they are stored.
#[pyclass(frozen, module = "b2nd._native")]
pub(crate) struct NativeCodec(Configuration);

#[pymethods]
impl NativeCodec {
    /// The configuration is JSON.
    #[new]
    fn new(configuration: &str) -> PyResult<Self> {
        let configuration: Configuration = serde_json::from_str(configuration).map_err(value_error)?;
        if configuration.block_shape.contains(&0) {
            return Err(PyValueError::new_err("block_shape: a block has at least one item along each axis"));
        }
        Ok(Self(configuration))
    }

    #[getter]
    fn configuration(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(value_error)
    }

    /// How long the header and the table of blocks are together.
    fn head_len(&self, shape: Vec<u32>) -> u64 {
        const HEADER: u64 = 32;
        HEADER
            + 4 * shape
                .iter()
                .zip(&self.0.block_shape)
                .map(|(len, block)| u64::from(len.div_ceil(*block)))
                .product::<u64>()
    }

    fn encode<'py>(
        &self,
        py: Python<'py>,
        items: &[u8],
        shape: Vec<u32>,
        itemsize: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let lens: Vec<u64> = shape.iter().map(|&len| len.into()).collect();
        let params = self.0.params(&lens, &shape, &Dtype::void(itemsize).to_string());
        let encoded = self.0.check_encoding().and_then(|()| py.detach(|| encode(&params, items)));
        Ok(PyBytes::new(py, &encoded.map_err(of_core)?))
    }

    /// The items within a box of a chunk, in C order, if the pieces of the chunk suffice: each the place of its first byte and bytes.
    fn decode<'py>(
        &self,
        py: Python<'py>,
        pieces: Vec<(u64, Bound<'py, PyBytes>)>,
        shape: Vec<u32>,
        itemsize: usize,
        window: Vec<(i64, i64)>,
    ) -> PyResult<Step<'py>> {
        let pieces: Vec<_> = pieces.iter().map(|(start, bytes)| (*start, bytes.as_bytes())).collect();
        let chunks = self.chunks(&shape, itemsize).map_err(of_core)?;
        let index =
            |&(start, stop): &(i64, i64)| Index::Range { start: Some(start), stop: Some(stop), step: 1 };
        let plan = chunks.plan_of(&window.iter().map(index).collect::<Vec<_>>()).map_err(of_core)?;
        let head = head(&pieces);
        let known = |range: &Range<u64>| part(&head, 0, range).or_else(|| piece(&pieces, range));
        let Some(task) = plan.chunks().next() else { return Ok(Step::Items(PyByteArray::new(py, &[]))) };
        let missing = match chunks.requests(&plan, &task, &head, &Merge::LOCAL).map_err(of_core)? {
            Err(needed) => vec![(head.len() as u64, needed)],
            Ok(mut ranges) => {
                ranges.retain(|range| known(range).is_none());
                ranges.into_iter().map(|range| (range.start, range.end)).collect()
            }
        };
        if !missing.is_empty() {
            return Ok(Step::Missing(missing));
        }
        let items = PyByteArray::new_with(py, plan.nbytes(), |out| {
            py.detach(|| {
                let mut get = |range: Range<u32>| {
                    Ok(known(&(range.start.into()..range.end.into())).unwrap_or_default())
                };
                match chunks.open(&plan, &task, &head)? {
                    Ok(reading) => reading.decode(&mut get, &mut Vec::new(), &mut Scratch::default(), out),
                    // There was enough of it before.
                    Err(_) => Ok(()),
                }
            })
            .map_err(of_core)
        })?;
        Ok(Step::Items(items))
    }
}

impl NativeCodec {
    fn chunks(&self, shape: &[u32], itemsize: usize) -> b2nd::Result<Chunks> {
        let lens: Vec<u64> = shape.iter().map(|&len| len.into()).collect();
        Chunks::in_blocks(&lens, shape, &self.0.block_shape, u32::try_from(itemsize).unwrap_or(u32::MAX))
    }
}

thread_local! {
    /// The encoder of the last chunk, whose memory the next one uses.
    static ENCODER: Cell<Option<ArrayEncoder>> = const { Cell::new(None) };
}

/// Encodes the only chunk of an array.
fn encode(params: &ArrayParams, items: &[u8]) -> b2nd::Result<Vec<u8>> {
    let mut encoder = ArrayEncoder::reusing(ENCODER.take(), params)?;
    let chunk = encoder.encode(0, items);
    ENCODER.set(Some(encoder));
    chunk
}

/// The start of the chunk, as far as pieces continue each other.
fn head<'a>(pieces: &[(u64, &'a [u8])]) -> Cow<'a, [u8]> {
    let mut head = Cow::Borrowed(&[][..]);
    for (start, bytes) in pieces {
        match head.len() as u64 {
            0 if *start == 0 => head = Cow::Borrowed(*bytes),
            len if *start == len => head.to_mut().extend_from_slice(bytes),
            _ => {}
        }
    }
    head
}

/// The bytes of a range, if a piece has all of them.
fn piece<'a>(pieces: &[(u64, &'a [u8])], range: &Range<u64>) -> Option<&'a [u8]> {
    pieces.iter().find_map(|(start, bytes)| part(bytes, *start, range))
}

/// The bytes of a range, if those from `start` on have all of them.
fn part<'a>(bytes: &'a [u8], start: u64, range: &Range<u64>) -> Option<&'a [u8]> {
    let from = range.start.checked_sub(start)?;
    bytes.get(from as usize..(range.end - start) as usize)
}

fn value_error(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
