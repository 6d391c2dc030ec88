//! Chunks in Zarr's codec `b2nd`.

use crate::failure::of_core;
use b2nd::array::{ArrayEncoder, Dtype};
use b2nd::chunk::{Body, Header};
use b2nd::plan::{Index, Plan};
use b2nd::reading::ChunkReading;
use b2nd::zarr::Configuration;
use b2nd::{Layout, Scratch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::ops::Range;

/// What a read of a chunk comes to.
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
        let encode = || {
            self.0.check_encoding()?;
            self.encoder(&shape, itemsize)?.encode(0, items)
        };
        Ok(PyBytes::new(py, &py.detach(encode).map_err(of_core)?))
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
        let layout = self.encoder(&shape, itemsize).map_err(of_core)?.layout().clone();
        let index =
            |&(start, stop): &(i64, i64)| Index::Range { start: Some(start), stop: Some(stop), step: 1 };
        let plan = layout.plan_of(&window.iter().map(index).collect::<Vec<_>>()).map_err(of_core)?;
        let missing = self.missing(&layout, &plan, &pieces).map_err(of_core)?;
        if !missing.is_empty() {
            return Ok(Step::Missing(missing));
        }
        let items = PyByteArray::new_with(py, plan.nbytes(), |out| {
            py.detach(|| {
                let mut get = |range: Range<u32>| Ok(piece(&pieces, &range).unwrap_or_default());
                with_reading(&layout, &plan, &pieces, |reading| {
                    reading.decode(&mut get, &mut Vec::new(), &mut Scratch::default(), out)
                })
            })
            .map_err(of_core)
        })?;
        Ok(Step::Items(items))
    }
}

impl NativeCodec {
    fn encoder(&self, shape: &[u32], itemsize: usize) -> b2nd::Result<ArrayEncoder> {
        let lens: Vec<u64> = shape.iter().map(|&len| len.into()).collect();
        ArrayEncoder::new(&self.0.params(&lens, shape, &Dtype::void(itemsize).to_string()))
    }

    /// The ranges that a plan takes and no piece has. The first piece starts with the header.
    fn missing(
        &self,
        layout: &Layout,
        plan: &Plan,
        pieces: &[(u64, &[u8])],
    ) -> b2nd::Result<Vec<(u64, u64)>> {
        let head = pieces.first().map_or(&[][..], |(_, bytes)| bytes);
        let header = Header::parse(head)?;
        self.0.check(layout, &header)?;
        let (cbytes, table) = (u64::from(header.cbytes), header.table_end());
        let Some(task) = plan.chunks().next() else { return Ok(Vec::new()) };
        let whole = matches!(header.body, Body::Special(_)) || {
            let blocks = task.nbytes().div_ceil(header.blocksize.max(1).into());
            let wanted = plan.count_blocks(&task, header.blocksize.max(1));
            ChunkReading::is_read_whole(Some(cbytes), table, wanted, blocks)
        };
        let mut ranges = Vec::new();
        if whole || (head.len() as u64) < table {
            ranges.push(0..if whole { header.cbytes } else { table as u32 });
        } else {
            with_reading(layout, plan, pieces, |reading| {
                ranges.extend(reading.ranges(&mut Vec::new())?);
                Ok(())
            })?;
        }
        let missing = ranges.into_iter().filter(|range| piece(pieces, range).is_none());
        Ok(joined(missing.map(|range| (range.start.into(), range.end.into())).collect()))
    }
}

fn with_reading(
    layout: &Layout,
    plan: &Plan,
    pieces: &[(u64, &[u8])],
    then: impl FnOnce(&ChunkReading<'_>) -> b2nd::Result<()>,
) -> b2nd::Result<()> {
    let Some(task) = plan.chunks().next() else { return Ok(()) };
    // The piece that is longest from the start has the table.
    let heads = pieces.iter().filter(|(start, _)| *start == 0).map(|(_, bytes)| *bytes);
    let head = heads.max_by_key(|bytes| bytes.len()).unwrap_or_default();
    match ChunkReading::open(plan, &task, layout.context(), head)? {
        Ok(reading) => then(&reading),
        // Fails with what is missing of it.
        Err(_) => Header::parse(&[]).map(drop),
    }
}

/// The bytes of a range, if a piece has all of them.
fn piece<'a>(pieces: &[(u64, &'a [u8])], range: &Range<u32>) -> Option<&'a [u8]> {
    let range = u64::from(range.start)..u64::from(range.end);
    pieces.iter().find_map(|(start, bytes)| {
        let from = range.start.checked_sub(*start)?;
        bytes.get(from as usize..(range.end - start) as usize)
    })
}

/// The ranges in order, those that overlap or touch as one.
fn joined(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let touches = next.0 <= last.1;
        if touches {
            last.1 = last.1.max(next.1);
        }
        touches
    });
    ranges
}

fn value_error(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
