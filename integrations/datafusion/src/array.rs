//! Arrays.

use crate::array_scan::ArrayScan;
use crate::axes::{Cells, bounds, common};
use crate::coordinates::{AxisColumns, VALUE, columns};
use crate::error::At;
use crate::location::Location;
use crate::opened::Opened;
use crate::source::Counts;
use crate::table::{is_of_rows, projected};
use crate::transfer;
use async_trait::async_trait;
use core::ops::Range;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{self, Session};
use datafusion::common::Statistics;
use datafusion::common::stats::Precision;
use datafusion::datasource::TableType;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use std::sync::Arc;

/// An array as a table: a row for each item, with its position along each axis (`Int64`), the coordinate there, and its `value`.
///
/// Axes have the names and the coordinates that [`Axis::all`](b2nd::array::Axis::all) finds in the attributes; in a store, an array of one axis beside this one
/// that has the name of an axis gives its coordinates, too. An axis with coordinates has two columns: `dim0`, `dim1`, … with its number,
/// and one of its name, which are times if the unit is like `hours since 2000-01-01`. Other axes have one column, for positions, of their
/// name or number. Filters on axes, such as `dim0 >= 100 AND dim0 < 200` or `lat > 45`, select: only the blocks that they touch are read.
/// Rows come in no order that can be relied on.
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
    axes: Vec<AxisColumns>,
    schema: SchemaRef,
}

impl ArrayProvider {
    /// Opens an array: a file `.b2nd`, or a member of a store behind its path. Reads its attributes.
    ///
    /// # Errors
    /// `External` with an [`Error`](crate::Error) for files that are damaged or no arrays, and for items that Arrow has no type for;
    /// errors of the object store.
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
        let axes = columns(&array, &location).await?;
        let value = transfer::field(VALUE, array.dtype().arrow_type().at(&location)?)?;
        let schema =
            Schema::new(axes.iter().flat_map(AxisColumns::fields).chain([value]).collect::<Vec<_>>());
        Ok(Self { location, chunk: chunk.collect(), shape, axes, schema: Arc::new(schema) })
    }

    /// The positions that these filters leave.
    fn selected(&self, filters: &[Expr]) -> Vec<Range<u64>> {
        let mut ranges: Vec<_> = self.shape.iter().map(|len| 0..*len).collect();
        for (axis, range, _) in filters.iter().filter_map(|filter| self.selection(filter)) {
            ranges[axis] = common(&ranges[axis], &range);
        }
        ranges
    }

    /// The axis that a filter is on, the positions that it leaves, and whether it holds for all of these.
    fn selection(&self, filter: &Expr) -> Option<(usize, Range<u64>, bool)> {
        if let Some((axis, range)) = bounds(filter, &self.names()) {
            return Some((axis, range, true));
        }
        let found = |(axis, columns): (usize, &AxisColumns)| {
            columns.selected(filter).map(|(range, is_exact)| (axis, range, is_exact))
        };
        self.axes.iter().enumerate().filter(|_| is_of_rows(filter)).find_map(found)
    }

    /// The names of the columns with positions.
    fn names(&self) -> Vec<String> {
        self.axes.iter().map(|axis| axis.position.clone()).collect()
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
        let location = self.location.clone();
        Ok(Arc::new(ArrayScan::new(location, self.names(), ranges, partitions, schema, limit)))
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match self.selection(filter) {
            Some((_, _, true)) => TableProviderFilterPushDown::Exact,
            Some(_) => TableProviderFilterPushDown::Inexact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(support).collect())
    }

    fn statistics(&self) -> Option<Statistics> {
        let rows = self.shape.iter().map(|len| *len as usize).try_fold(1_usize, usize::checked_mul)?;
        Some(Statistics::new_unknown(&self.schema).with_num_rows(Precision::Exact(rows)))
    }
}
