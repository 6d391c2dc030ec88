//! Arrays.

use crate::array_scan::ArrayScan;
use crate::axes::{Cells, bounds, common};
use crate::error::At;
use crate::location::Location;
use crate::source::{Counts, Source};
use crate::table::projected;
use async_trait::async_trait;
use b2nd::array::{Dtype, Kind, Layout, TimeStep, TimeUnit as Unit};
use b2nd::msgpack::Value;
use b2nd::source::{AsyncArray, AsyncReader, Fetched};
use b2nd::store::Member;
use b2nd::{DParams, ReadError, Unsupported};
use core::ops::Range;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::catalog::{self, Session};
use datafusion::common::Statistics;
use datafusion::common::stats::Precision;
use datafusion::datasource::TableType;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use std::sync::Arc;

/// The column with the items.
pub(crate) const VALUE: &str = "value";
/// The attribute with the names of the axes, as xarray writes it.
const NAMES: &str = "_ARRAY_DIMENSIONS";

/// An array as a table: a row for each item, with its position along each axis (`Int64`) and its `value`.
///
/// The names of the axes are those in the attribute `_ARRAY_DIMENSIONS` (as xarray has it), or else `dim0`, `dim1`, …. Filters on axes,
/// such as `dim0 >= 100 AND dim0 < 200`, select: only the blocks that they touch are read. Rows come in no order that can be relied on.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::error::Result<()> {
/// use b2nd_datafusion::ArrayProvider;
/// use datafusion::prelude::SessionContext;
/// use std::sync::Arc;
///
/// let context = SessionContext::new();
/// let array = ArrayProvider::open(&context.runtime_env(), "../../tests/golden/blosc2-4.14.1/sample.b2nd").await?;
/// context.register_table("a", Arc::new(array))?;
/// let count = context.sql("SELECT value FROM a WHERE dim0 = 11 AND dim1 < 4").await?.count().await?;
/// assert_eq!(count, 4 * 40);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct ArrayProvider {
    location: Location,
    shape: Vec<u64>,
    chunk: Vec<u64>,
    names: Vec<String>,
    schema: SchemaRef,
}

impl ArrayProvider {
    /// Opens an array: a file `.b2nd`, or a member of a store behind its path.
    ///
    /// # Errors
    /// `External` with an [`Error`](crate::Error) for files that are damaged or no arrays, and for items that are no numbers,
    /// booleans or times; errors of the object store.
    pub async fn open(runtime: &RuntimeEnv, text: &str) -> Result<Self> {
        let mut found = Location::find(runtime, text).await?;
        Self::of(runtime, found.swap_remove(0)).await
    }

    /// Opens an array in a file.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// # use b2nd_datafusion::{ArrayProvider, Location};
    /// # let runtime = datafusion::prelude::SessionContext::new().runtime_env();
    /// let files = Location::find(&runtime, "../../tests/golden/blosc2-4.14.1/sample.b2nd").await?;
    /// assert!(ArrayProvider::of(&runtime, files[0].clone()).await.is_ok());
    /// # Ok(()) }
    /// ```
    pub async fn of(runtime: &RuntimeEnv, location: Location) -> Result<Self> {
        let array = Opened::open(runtime, &location, &Counts::unseen()).await?;
        let layout = array.layout();
        let (shape, chunk) = (layout.shape().to_vec(), layout.chunkshape().iter().copied().map(u64::from));
        let names = array.names(shape.len()).await.at(&location)?;
        let axis = |name: &String| Field::new(name, DataType::Int64, false);
        let value = value_field(array.dtype()).ok_or(b2nd::Error::from(Unsupported::Dtype)).at(&location)?;
        let schema = Schema::new(names.iter().map(axis).chain([value]).collect::<Vec<_>>());
        Ok(Self { location, chunk: chunk.collect(), shape, names, schema: Arc::new(schema) })
    }

    /// The positions that these filters leave.
    fn selected(&self, filters: &[Expr]) -> Vec<Range<u64>> {
        let mut ranges: Vec<_> = self.shape.iter().map(|len| 0..*len).collect();
        for (axis, range) in filters.iter().filter_map(|filter| bounds(filter, &self.names)) {
            ranges[axis] = common(&ranges[axis], &range);
        }
        ranges
    }
}

#[async_trait]
impl catalog::TableProvider for ArrayProvider {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = projected(&self.schema, projection)?;
        let ranges = self.selected(filters);
        let chunks = Cells::aligned(&ranges, &self.chunk).count();
        let share = chunks.div_ceil(state.config().target_partitions().max(1) as u64).max(1);
        let partitions = (0..chunks).step_by(share as usize).map(|start| start..(start + share).min(chunks));
        let partitions = if chunks == 0 { vec![0..0] } else { partitions.collect() };
        let (location, names) = (self.location.clone(), self.names.clone());
        Ok(Arc::new(ArrayScan::new(location, names, ranges, partitions, schema, limit)))
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match bounds(filter, &self.names) {
            Some(_) => TableProviderFilterPushDown::Exact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(support).collect())
    }

    fn statistics(&self) -> Option<Statistics> {
        let rows = self.shape.iter().map(|len| *len as usize).try_fold(1_usize, usize::checked_mul)?;
        Some(Statistics::new_unknown(&self.schema).with_num_rows(Precision::Exact(rows)))
    }
}

/// An array in a file of its own, or in a store.
pub(crate) enum Opened {
    Frame(AsyncArray<Source>),
    Member(AsyncArray<Source, Member<Fetched>>),
}

impl Opened {
    pub(crate) async fn open(runtime: &RuntimeEnv, location: &Location, counts: &Counts) -> Result<Self> {
        if location.is_store() {
            let store = location.open(runtime, counts).await?;
            let reader = store.get(&location.key()).await.at(location)?;
            return Ok(Self::Member(reader.into_array().await.at(location)?));
        }
        let source = location.source(runtime, counts).await?;
        let reader = AsyncReader::open(source, DParams::default()).await.at(location)?;
        Ok(Self::Frame(reader.into_array().await.at(location)?))
    }

    pub(crate) fn layout(&self) -> &Layout {
        match self {
            Self::Frame(array) => array.layout(),
            Self::Member(array) => array.layout(),
        }
    }

    pub(crate) fn dtype(&self) -> &Dtype {
        match self {
            Self::Frame(array) => array.dtype(),
            Self::Member(array) => array.dtype(),
        }
    }

    /// The items in a box.
    pub(crate) async fn items(
        &self,
        ranges: &[Range<u64>],
    ) -> core::result::Result<Vec<u8>, ReadError<object_store::Error>> {
        let selection = b2nd::Selection::of_ranges(ranges);
        match self {
            Self::Frame(array) => array.get(selection).await,
            Self::Member(array) => array.get(selection).await,
        }
    }

    /// The names of the axes.
    async fn names(&self, ndim: usize) -> core::result::Result<Vec<String>, ReadError<object_store::Error>> {
        let attributes = match self {
            Self::Frame(array) => array.attrs().await?,
            Self::Member(array) => array.attrs().await?,
        };
        let names = attributes.get(NAMES).and_then(Value::as_array).unwrap_or_default();
        let names: Vec<String> = names.iter().filter_map(Value::as_str).map(String::from).collect();
        let differ = names.iter().enumerate().all(|(n, name)| name != VALUE && !names[..n].contains(name));
        Ok(if names.len() == ndim && differ {
            names
        } else {
            (0..ndim).map(|axis| format!("dim{axis}")).collect()
        })
    }
}

/// The field of items; `None` if they are no numbers, booleans or times.
fn value_field(dtype: &Dtype) -> Option<Field> {
    let data_type = match (dtype.kind(), dtype.itemsize()) {
        (Kind::Bool, _) => DataType::Boolean,
        (Kind::Int, 1) => DataType::Int8,
        (Kind::Int, 2) => DataType::Int16,
        (Kind::Int, 4) => DataType::Int32,
        (Kind::Int, 8) => DataType::Int64,
        (Kind::Uint, 1) => DataType::UInt8,
        (Kind::Uint, 2) => DataType::UInt16,
        (Kind::Uint, 4) => DataType::UInt32,
        (Kind::Uint, 8) => DataType::UInt64,
        (Kind::Float, 2) => DataType::Float16,
        (Kind::Float, 4) => DataType::Float32,
        (Kind::Float, 8) => DataType::Float64,
        (Kind::Datetime(step), _) => DataType::Timestamp(unit(step)?, None),
        (Kind::Timedelta(step), _) => DataType::Duration(unit(step)?),
        _ => return None,
    };
    let is_time = matches!(dtype.kind(), Kind::Datetime(_) | Kind::Timedelta(_));
    Some(Field::new(VALUE, data_type, is_time))
}

fn unit(step: &TimeStep) -> Option<TimeUnit> {
    match (step.unit, step.count) {
        (Unit::Second, 1) => Some(TimeUnit::Second),
        (Unit::Millisecond, 1) => Some(TimeUnit::Millisecond),
        (Unit::Microsecond, 1) => Some(TimeUnit::Microsecond),
        (Unit::Nanosecond, 1) => Some(TimeUnit::Nanosecond),
        _ => None,
    }
}
