//! Arrays of any source.

use crate::references::refused;
use b2nd::array::Dtype;
use b2nd::msgpack::Value;
use b2nd::plan::Plan;
use b2nd::store::{Member, Store};
use b2nd::{Array, Layout, Limits, ReadAt, ReadError};
use b2nd_refs::{Place, References};
use pyo3::PyErr;
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// An array, whatever its bytes come from.
pub(crate) trait Opened: Send + Sync {
    fn layout(&self) -> &Layout;
    fn dtype(&self) -> &Dtype;
    fn limits(&self) -> &Limits;
    fn attrs(&self) -> PyResult<BTreeMap<String, Value>>;
    fn read(&self, plan: &Plan, out: &mut [u8]) -> PyResult<()>;
    /// Adds the array, whose file is at this URL, to references.
    fn refer(&self, references: &mut References, url: String) -> PyResult<()>;
}

/// An array of a source whose errors become exceptions by `fail`.
pub(crate) struct Opening<S: ReadAt, F> {
    pub(crate) array: Array<S>,
    /// Where the frame begins in its file, if it has the chunks as they are.
    pub(crate) start: Option<u64>,
    /// Whether several threads read. Those of URLs read their ranges together instead.
    pub(crate) parallel: bool,
    pub(crate) fail: F,
}

/// An array, and where its frame begins in its file.
type Placed<S> = (Array<S>, Option<u64>);

/// The array of a member of a store.
pub(crate) fn member<S: ReadAt>(
    store: &Store<S>,
    key: &str,
) -> Result<Placed<Member<S>>, ReadError<S::Error>> {
    let mut start = None;
    let reader = store.get(key)?.map_source(|member| {
        if let Member::Window(window) = &member {
            start = Some(window.range().start);
        }
        member
    });
    Ok((reader.into_array()?, start))
}

impl<S, F> Opened for Opening<S, F>
where
    S: ReadAt<Error: Send + core::fmt::Display> + Send + Sync,
    F: Fn(ReadError<S::Error>) -> PyErr + Send + Sync,
{
    fn layout(&self) -> &Layout {
        self.array.layout()
    }

    fn dtype(&self) -> &Dtype {
        self.array.dtype()
    }

    fn limits(&self) -> &Limits {
        self.array.reader().limits()
    }

    fn attrs(&self) -> PyResult<BTreeMap<String, Value>> {
        self.array.attrs().map_err(&self.fail)
    }

    fn read(&self, plan: &Plan, out: &mut [u8]) -> PyResult<()> {
        let reader = self.array.reader();
        let read =
            if self.parallel { reader.get_parallel_into(plan, out) } else { reader.get_into(plan, out) };
        read.map_err(&self.fail)
    }

    fn refer(&self, references: &mut References, url: String) -> PyResult<()> {
        let place = Place::at(url).with_start(self.start);
        references.add(self.array.reader(), &place).map_err(|error| refused(error, &self.fail))
    }
}
