//! The plan that reads a table.

use crate::columns::Columns;
use crate::error::At;
use crate::location::Location;
use crate::ranges::Part;
use crate::source::{Counts, Source};
use b2nd::store::AsyncStore;
use b2nd::table::AsyncTable;
use core::fmt;
use core::ops::Range;
use datafusion::arrow::array::{Array, BooleanArray, RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::{filter_record_batch, prep_null_mask_filter};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::cast::as_boolean_array;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Statistics, assert_or_internal_err, internal_datafusion_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::utils::{collect_columns, conjunction_opt, reassign_expr_columns};
use datafusion::physical_expr::{DynamicFilterTracking, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, ReplaceChildrenOptions};
use datafusion::physical_plan::filter_pushdown::{
    ChildPushdownResult, FilterPushdownPhase, FilterPushdownPropagation, PushedDown,
};
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use std::sync::Arc;
use tokio::sync::mpsc::Sender;

/// Batches that wait for who reads them.
const WAITING: usize = 2;

/// Reads rows of a table: those that match a predicate, and of these some columns.
///
/// The columns of the predicate are read first, some rows at a time, and others only between the first and the last of these rows that
/// matches. Its metrics are `bytes_scanned`, `requests`, `rows_skipped` (rows for which only the predicate was read) and
/// `output_rows`.
#[derive(Debug, Clone)]
pub struct TableScan {
    pub(crate) files: Vec<Location>,
    /// The files, opened, if the plan was made in this process.
    stores: Vec<Arc<AsyncStore<Source>>>,
    pub(crate) partitions: Vec<Vec<Part>>,
    pub(crate) schema: SchemaRef,
    pub(crate) predicate: Option<Predicate>,
    /// Filters that become stricter while the plan runs, as a sort finds the rows that it wants. Rows need not match them.
    dynamic: Vec<Arc<dyn PhysicalExpr>>,
    /// The rows that are wanted, of each partition at most.
    pub(crate) limit: Option<usize>,
    statistics: Arc<Statistics>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

/// The condition that rows must match.
#[derive(Debug, Clone)]
pub(crate) struct Predicate {
    /// Its columns are those of the schema.
    pub(crate) expr: Arc<dyn PhysicalExpr>,
    pub(crate) schema: SchemaRef,
}

impl TableScan {
    pub(crate) fn new(
        files: Vec<Location>,
        partitions: Vec<Vec<Part>>,
        schema: SchemaRef,
        predicate: Option<Predicate>,
        limit: Option<usize>,
    ) -> Self {
        let statistics = Arc::new(Statistics::new_unknown(&schema));
        let properties = properties(&schema, partitions.len());
        let metrics = ExecutionPlanMetricsSet::new();
        let (stores, dynamic) = (Vec::new(), Vec::new());
        Self { files, stores, partitions, schema, predicate, dynamic, limit, statistics, properties, metrics }
    }

    pub(crate) fn with_stores(self, stores: Vec<Arc<AsyncStore<Source>>>) -> Self {
        Self { stores, ..self }
    }

    pub(crate) fn with_statistics(self, statistics: Statistics) -> Self {
        Self { statistics: Arc::new(statistics), ..self }
    }

    /// Scans that share the rows of this one: one for each of so many tasks, with the same number of partitions.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// # use b2nd_datafusion::{TableProvider, TableScan};
    /// # use datafusion::catalog::TableProvider as _;
    /// # use datafusion::physical_plan::ExecutionPlan;
    /// # let context = datafusion::prelude::SessionContext::new();
    /// let table = TableProvider::open(&context.runtime_env(), "../../tests/golden/tables/001.b2z").await?;
    /// let plan = table.scan(&context.state(), None, &[], None).await?;
    /// let shares = plan.downcast_ref::<TableScan>().unwrap().shares(3);
    /// assert_eq!(shares.len(), 3);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn shares(&self, tasks: usize) -> Vec<Self> {
        let each = self.partitions.len().div_ceil(tasks.max(1));
        let share = |task: usize| {
            let partition = |n: usize| self.partitions.get(task * each + n).cloned().unwrap_or_default();
            let partitions = (0..each).map(partition).collect();
            let (files, schema) = (self.files.clone(), Arc::clone(&self.schema));
            Self::new(files, partitions, schema, self.predicate.clone(), self.limit)
                .with_stores(self.stores.clone())
        };
        (0..tasks.max(1)).map(share).collect()
    }

    /// The conditions by which rows are left out.
    fn tested(&self) -> Result<Option<Predicate>> {
        let exprs = self.predicate.iter().map(|predicate| &predicate.expr).chain(&self.dynamic);
        let Some(expr) = conjunction_opt(exprs.cloned()) else { return Ok(None) };
        let mut fields =
            self.predicate.as_ref().map_or_else(Vec::new, |known| known.schema.fields().to_vec());
        for column in self.dynamic.iter().flat_map(collect_columns) {
            if fields.iter().all(|field| field.name() != column.name()) {
                fields.push(Arc::clone(&self.schema.fields()[self.schema.index_of(column.name())?]));
            }
        }
        let schema = Arc::new(Schema::new(fields));
        Ok(Some(Predicate { expr: reassign_expr_columns(expr, &schema)?, schema }))
    }

    fn rows(&self) -> u64 {
        self.partitions.iter().flatten().map(|part| part.rows.end - part.rows.start).sum()
    }
}

/// The properties of plans that read files.
pub(crate) fn properties(schema: &SchemaRef, partitions: usize) -> Arc<PlanProperties> {
    Arc::new(PlanProperties::new(
        EquivalenceProperties::new(Arc::clone(schema)),
        Partitioning::UnknownPartitioning(partitions),
        EmissionType::Incremental,
        Boundedness::Bounded,
    ))
}

impl DisplayAs for TableScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<_> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
        let files: Vec<_> = self.files.iter().take(3).map(Location::to_string).collect();
        let more = if self.files.len() > 3 { ", …" } else { "" };
        write!(f, "TableScan: files=[{}{more}], columns=[{}]", files.join(", "), columns.join(", "))?;
        write!(f, ", rows={}", self.rows())?;
        if let Some(predicate) = &self.predicate {
            write!(f, ", predicate={}", predicate.expr)?;
        }
        for filter in &self.dynamic {
            write!(f, ", dynamic={filter}")?;
        }
        self.limit.map_or(Ok(()), |limit| write!(f, ", limit={limit}"))
    }
}

impl ExecutionPlan for TableScan {
    fn name(&self) -> &'static str {
        "TableScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        for expr in self.predicate.iter().map(|predicate| &predicate.expr).chain(&self.dynamic) {
            if f(expr)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
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
        let counter = |name| MetricBuilder::new(&self.metrics).counter(name, partition);
        let reading = Reading {
            scan: Self { predicate: self.tested()?, ..self.clone() },
            counts: Counts::of(&self.metrics, partition),
            skipped: counter("rows_skipped"),
            output: MetricBuilder::new(&self.metrics).output_rows(partition),
            left: self.limit.unwrap_or(usize::MAX),
            context,
        };
        stream.spawn(reading.run(partition, sender));
        Ok(stream.build())
    }

    /// Takes filters that change while the plan runs. The others have been applied since the scan was planned.
    fn handle_child_pushdown_result(
        &self,
        phase: FilterPushdownPhase,
        result: ChildPushdownResult,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        let filters = result.parent_filters.iter().map(|result| &result.filter);
        let dynamic: Vec<_> = filters
            .filter(|filter| DynamicFilterTracking::classify(filter).contains_dynamic_filter())
            .cloned()
            .collect();
        let all = vec![PushedDown::No; result.parent_filters.len()];
        let answer = FilterPushdownPropagation::with_parent_pushdown_result(all);
        // The first rows are others where some are left out.
        if phase != FilterPushdownPhase::Post || dynamic.is_empty() || self.limit.is_some() {
            return Ok(answer);
        }
        let dynamic = self.dynamic.iter().cloned().chain(dynamic).collect();
        Ok(answer.with_updated_node(Arc::new(Self { dynamic, ..self.clone() })))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn partition_statistics(&self, partition: Option<usize>) -> Result<Arc<Statistics>> {
        Ok(match partition {
            None => Arc::clone(&self.statistics),
            Some(_) => Arc::new(Statistics::new_unknown(&self.schema)),
        })
    }
}

/// A partition that is read.
struct Reading {
    scan: TableScan,
    counts: Counts,
    skipped: Count,
    output: Count,
    /// How many more rows are wanted.
    left: usize,
    context: Arc<TaskContext>,
}

impl Reading {
    async fn run(mut self, partition: usize, sender: Sender<Result<RecordBatch>>) -> Result<()> {
        let parts = self.scan.partitions[partition].clone();
        for parts in parts.chunk_by(|one, next| one.file == next.file) {
            if !self.file(parts, &sender).await? {
                break;
            }
        }
        Ok(())
    }

    /// Reads parts of a file. Returns whether more is wanted.
    async fn file(&mut self, parts: &[Part], sender: &Sender<Result<RecordBatch>>) -> Result<bool> {
        let file = parts.first().map_or(usize::MAX, |part| part.file);
        let location = self.scan.files.get(file);
        let location = location.ok_or_else(|| internal_datafusion_err!("a part is of no file"))?.clone();
        let store = match self.scan.stores.get(file) {
            Some(store) => store.with_source(store.source().counted(&self.counts)),
            None => location.open(&self.context.runtime_env(), &self.counts).await?,
        };
        let table = AsyncTable::open(&store, &location.key()).await.at(&location)?;
        let tested = match &self.scan.predicate {
            Some(predicate) => Some(Columns::open(&location, &table, &predicate.schema).await?),
            None => None,
        };
        let others = Columns::open(&location, &table, &self.untested()).await?;
        let all = others.rows_at_once().min(tested.as_ref().map_or(u64::MAX, Columns::rows_at_once));
        for part in parts {
            let mut rows = part.rows.start..part.rows.start;
            while rows.end < part.rows.end {
                rows = rows.end..((rows.end / all + 1) * all).min(part.rows.end);
                if let Some(batch) = self.read(tested.as_ref(), &others, &rows).await?
                    && !self.send(batch, sender).await
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The columns that the predicate does not need.
    fn untested(&self) -> Schema {
        let is_tested = |name: &str| {
            self.scan
                .predicate
                .as_ref()
                .is_some_and(|predicate| predicate.schema.field_with_name(name).is_ok())
        };
        let fields = self.scan.schema.fields().iter().filter(|field| !is_tested(field.name()));
        Schema::new(fields.cloned().collect::<Vec<_>>())
    }

    /// The rows of these that match; `None` if there are none.
    async fn read(
        &self,
        tested: Option<&Columns<'_>>,
        others: &Columns<'_>,
        rows: &Range<u64>,
    ) -> Result<Option<RecordBatch>> {
        let (Some(predicate), Some(tested)) = (&self.scan.predicate, tested) else {
            let len = (rows.end - rows.start) as usize;
            return self.batch(&self.untested(), others.read(rows).await?, len).map(Some);
        };
        let len = (rows.end - rows.start) as usize;
        let known = with_rows(Arc::clone(&predicate.schema), tested.read(rows).await?, len)?;
        let mask = truth(predicate, &known)?;
        let Some((first, end)) = hull(&mask) else {
            self.skipped.add(len);
            return Ok(None);
        };
        let (known, mask) = (known.slice(first, end - first), mask.slice(first, end - first));
        let near = rows.start + first as u64..rows.start + end as u64;
        let mut fields = predicate.schema.fields().to_vec();
        fields.extend(self.untested().fields().iter().cloned());
        let arrays = known.columns().iter().cloned().chain(others.read(&near).await?).collect();
        let batch = self.batch(&Schema::new(fields), arrays, end - first)?;
        Ok(Some(filter_record_batch(&batch, &mask)?))
    }

    /// The columns of the plan, in its order.
    fn batch(&self, schema: &Schema, arrays: Vec<Arc<dyn Array>>, rows: usize) -> Result<RecordBatch> {
        let fields = self.scan.schema.fields().iter();
        let picked = fields.map(|field| Ok(Arc::clone(&arrays[schema.index_of(field.name())?])));
        with_rows(Arc::clone(&self.scan.schema), picked.collect::<Result<_>>()?, rows)
    }

    /// Sends a batch in pieces. Returns whether more is wanted.
    async fn send(&mut self, batch: RecordBatch, sender: &Sender<Result<RecordBatch>>) -> bool {
        let wanted = batch.num_rows().min(self.left);
        let piece = self.context.session_config().batch_size().max(1);
        for start in (0..wanted).step_by(piece) {
            let batch = batch.slice(start, piece.min(wanted - start));
            self.output.add(batch.num_rows());
            if sender.send(Ok(batch)).await.is_err() {
                return false;
            }
        }
        self.left -= wanted;
        self.left > 0
    }
}

/// Which rows match. Null is no match.
pub(crate) fn truth(predicate: &Predicate, batch: &RecordBatch) -> Result<BooleanArray> {
    let outcome = predicate.expr.evaluate(batch)?.into_array(batch.num_rows())?;
    let outcome = as_boolean_array(&outcome)?;
    Ok(if outcome.null_count() == 0 { outcome.clone() } else { prep_null_mask_filter(outcome) })
}

/// The first row that matches, and the one behind the last.
pub(crate) fn hull(mask: &BooleanArray) -> Option<(usize, usize)> {
    let mut matches = mask.values().set_indices();
    let first = matches.next()?;
    Some((first, matches.last().unwrap_or(first) + 1))
}

pub(crate) fn with_rows(schema: SchemaRef, arrays: Vec<Arc<dyn Array>>, rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, arrays, &options).map_err(DataFusionError::from)
}
