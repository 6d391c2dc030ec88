//! The plan that reads an array.

use crate::axes::{Cells, lens_of};
use crate::coordinates::{AxisColumns, VALUE, columns};
use crate::location::Location;
use crate::opened::Opened;
use crate::scan::{properties, with_rows};
use crate::source::Counts;
use core::fmt;
use core::ops::Range;
use datafusion::arrow::array::{Array, Int64Array, RecordBatch};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Statistics, assert_or_internal_err, internal_datafusion_err};
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::execution_plan::ReplaceChildrenOptions;
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use std::sync::Arc;
use tokio::sync::mpsc::Sender;

/// Items that are read at a time, about.
const AT_ONCE: u64 = 1 << 18;
/// Batches that wait for who reads them.
const WAITING: usize = 2;

/// Reads a box of an array, chunk by chunk. If no query asks for the values, nothing is read but the header and coordinates.
///
/// Its metrics are `bytes_scanned`, `requests` and `output_rows`.
#[derive(Debug, Clone)]
pub struct ArrayScan {
    pub(crate) location: Location,
    /// The names of the columns with positions.
    pub(crate) names: Vec<String>,
    /// The box.
    pub(crate) ranges: Vec<Range<u64>>,
    /// The chunks of each partition: numbers of those with items of the box.
    pub(crate) partitions: Vec<Range<u64>>,
    pub(crate) schema: SchemaRef,
    pub(crate) limit: Option<usize>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl ArrayScan {
    pub(crate) fn new(
        location: Location,
        names: Vec<String>,
        ranges: Vec<Range<u64>>,
        partitions: Vec<Range<u64>>,
        schema: SchemaRef,
        limit: Option<usize>,
    ) -> Self {
        let properties = properties(&schema, partitions.len());
        let metrics = ExecutionPlanMetricsSet::new();
        Self { location, names, ranges, partitions, schema, limit, properties, metrics }
    }
}

impl DisplayAs for ArrayScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.names.iter().zip(&self.ranges);
        let axes: Vec<_> =
            axes.map(|(name, range)| format!("{name}={}:{}", range.start, range.end)).collect();
        let columns: Vec<_> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
        write!(f, "ArrayScan: file={}, columns=[{}]", self.location, columns.join(", "))?;
        write!(f, ", selection=[{}]", axes.join(", "))?;
        self.limit.map_or(Ok(()), |limit| write!(f, ", limit={limit}"))
    }
}

impl ExecutionPlan for ArrayScan {
    fn name(&self) -> &'static str {
        "ArrayScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        assert_or_internal_err!(partition < self.partitions.len(), "there is no partition {partition}");
        let mut stream = RecordBatchReceiverStream::builder(Arc::clone(&self.schema), WAITING);
        let sender = stream.tx();
        let reading = Reading {
            scan: self.clone(),
            counts: Counts::of(&self.metrics, partition),
            output: MetricBuilder::new(&self.metrics).output_rows(partition),
            left: self.limit.unwrap_or(usize::MAX),
            context,
        };
        stream.spawn(reading.run(partition, sender));
        Ok(stream.build())
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn partition_statistics(&self, partition: Option<usize>) -> Result<Arc<Statistics>> {
        let mut lens = self.ranges.iter().map(|range| (range.end - range.start) as usize);
        let rows = lens.try_fold(1_usize, usize::checked_mul).filter(|_| partition.is_none());
        let rows = rows.map_or(Precision::Absent, Precision::Exact);
        Ok(Arc::new(Statistics::new_unknown(&self.schema).with_num_rows(rows)))
    }
}

/// A partition that is read.
struct Reading {
    scan: ArrayScan,
    counts: Counts,
    output: Count,
    /// How many more rows are wanted.
    left: usize,
    context: Arc<TaskContext>,
}

impl Reading {
    async fn run(mut self, partition: usize, sender: Sender<Result<RecordBatch>>) -> Result<()> {
        let chunks = self.scan.partitions[partition].clone();
        if chunks.is_empty() {
            return Ok(());
        }
        let array = Opened::open(&self.context.runtime_env(), &self.scan.location, &self.counts).await?;
        let wide = |lens: &[u32]| lens.iter().copied().map(u64::from).collect::<Vec<_>>();
        let chunk = wide(array.layout().chunkshape());
        let block = array.layout().blockshape().map_or_else(|| chunk.clone(), wide);
        assert_or_internal_err!(chunk.len() == self.scan.ranges.len(), "the array has other axes now");
        let lens = lens_of(&chunk, &block, AT_ONCE);
        let coordinates = self.coordinates(&array).await?;
        let ranges = self.scan.ranges.clone();
        let grid = Cells::aligned(&ranges, &chunk);
        for number in chunks {
            let area = grid.nth(number);
            let cells = Cells::of(&area, &lens);
            for n in 0..cells.count() {
                if !self.cell(&array, &coordinates, &cells.nth(n), &sender).await? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The columns for the axes, if the query asks for coordinates.
    async fn coordinates(&self, array: &Opened) -> Result<Vec<AxisColumns>> {
        let is_position = |name: &String| name == VALUE || self.scan.names.contains(name);
        match self.scan.schema.fields().iter().all(|field| is_position(field.name())) {
            true => Ok(Vec::new()),
            false => columns(array, &self.scan.location).await,
        }
    }

    /// Reads a cell and sends its rows in pieces. Returns whether more is wanted.
    async fn cell(
        &mut self,
        array: &Opened,
        coordinates: &[AxisColumns],
        cell: &[Range<u64>],
        sender: &Sender<Result<RecordBatch>>,
    ) -> Result<bool> {
        let rows = cell.iter().map(|range| (range.end - range.start) as usize).product::<usize>();
        let mut arrays: Vec<Arc<dyn Array>> = Vec::new();
        for field in self.scan.schema.fields() {
            let name = field.name();
            let known = coordinates.iter().enumerate().find_map(|(axis, columns)| {
                let (_, values) = columns.coordinates.as_ref().filter(|(known, _)| known == name)?;
                (values.data_type() == field.data_type()).then_some((axis, values))
            });
            arrays.push(match (self.scan.names.iter().position(|position| position == name), known) {
                (Some(axis), _) => Arc::new(positions(cell, axis, rows)),
                (None, Some((axis, values))) => take(values, &positions(cell, axis, rows), None)?,
                (None, None) if name == VALUE => {
                    array.items(cell, field.data_type(), &self.scan.location).await?
                }
                _ => return Err(internal_datafusion_err!("the array has no such column {name} now")),
            });
        }
        let batch = with_rows(Arc::clone(&self.scan.schema), arrays, rows)?;
        let wanted = rows.min(self.left);
        let piece = self.context.session_config().batch_size().max(1);
        for start in (0..wanted).step_by(piece) {
            let batch = batch.slice(start, piece.min(wanted - start));
            self.output.add(batch.num_rows());
            if sender.send(Ok(batch)).await.is_err() {
                return Ok(false);
            }
        }
        self.left -= wanted;
        Ok(self.left > 0)
    }
}

/// The positions along an axis of all items of a cell.
fn positions(cell: &[Range<u64>], axis: usize, rows: usize) -> Int64Array {
    let repeat: u64 = cell[axis + 1..].iter().map(|range| range.end - range.start).product();
    let len = (cell[axis].end - cell[axis].start).max(1);
    let repeat = repeat.max(1);
    (0..rows as u64).map(|row| (cell[axis].start + row / repeat % len) as i64).collect::<Vec<_>>().into()
}
