//! Tables.

use crate::condition::condition;
use crate::error::At;
use crate::location::Location;
use crate::ranges::{Part, divide, joined};
use crate::scan::{Predicate, TableScan};
use crate::source::{Counts, Source};
use crate::{statistics, transfer};
use async_trait::async_trait;
use b2nd::store::AsyncStore;
use b2nd::table::{AsyncTable, ColumnSpec};
use b2nd::{ErrorKind, ReadError};
use core::ops::Range;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{self, Session};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DFSchema, Statistics, plan_datafusion_err, plan_err};
use datafusion::datasource::TableType;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::expr_rewriter::unnormalize_col;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_plan::ExecutionPlan;
use futures::stream::{StreamExt, TryStreamExt, iter};
use std::sync::{Arc, Mutex, PoisonError};

/// Files that are opened at a time.
const FILES: usize = 16;

/// Rows whose blocks are skipped together, and the number of such pieces of a file at most.
const PIECE: u64 = 1 << 11;
const PIECES: u64 = 1 << 14;

/// A table of python-blosc2 (CTable) in a store, or in several stores with equal columns.
///
/// The columns have the types that the library gives them in Arrow. Columns that are computed from others, those that are stale, and
/// those of kinds that the library does not know, are left out.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::error::Result<()> {
/// use b2nd_datafusion::TableProvider;
/// use datafusion::prelude::SessionContext;
/// use std::sync::{Arc, Mutex, PoisonError};
///
/// let context = SessionContext::new();
/// let table = TableProvider::open(&context.runtime_env(), "../../tests/golden/tables/001.b2z").await?;
/// context.register_table("t", Arc::new(table))?;
/// let count = context.sql("SELECT f0 FROM t").await?.count().await?;
/// assert_eq!(count, 10);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct TableProvider {
    files: Vec<File>,
    schema: SchemaRef,
}

#[derive(Debug)]
struct File {
    location: Location,
    rows: u64,
    columns: Vec<ColumnSpec>,
    /// The directory of the store is read once, unless the file changes.
    opened: Mutex<Arc<AsyncStore<Source>>>,
}

impl TableProvider {
    /// Opens the table that a path or a URL names, as [`Location::find`] finds it; several files are one table. Reads the schema of each
    /// file, and which rows there are.
    ///
    /// # Errors
    /// `Plan` if the path names no file, or the columns of files differ; `External` with an [`Error`](crate::Error) for
    /// files that are damaged or no tables; errors of the object store.
    pub async fn open(runtime: &RuntimeEnv, text: &str) -> Result<Self> {
        Self::of(runtime, Location::find(runtime, text).await?).await
    }

    /// Opens the table that is in these files.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// # use b2nd_datafusion::{Location, TableProvider};
    /// # let runtime = datafusion::prelude::SessionContext::new().runtime_env();
    /// let files = Location::find(&runtime, "../../tests/golden/tables/001.b2z").await?;
    /// assert!(TableProvider::of(&runtime, files).await.is_ok());
    /// assert!(TableProvider::of(&runtime, Vec::new()).await.is_err());
    /// # Ok(()) }
    /// ```
    pub async fn of(runtime: &RuntimeEnv, files: Vec<Location>) -> Result<Self> {
        let (mut opened, mut schema) = (Vec::new(), None::<SchemaRef>);
        let files: Vec<_> = files.into_iter().map(|location| File::open(runtime, location)).collect();
        let mut files = iter(files).buffered(FILES);
        while let Some((file, fields)) = files.try_next().await? {
            if schema.as_ref().is_some_and(|schema| schema.fields() != fields.fields()) {
                return plan_err!(
                    "{}: the columns are not those of {}",
                    file.location,
                    opened_first(&opened)
                );
            }
            schema = schema.or(Some(fields));
            opened.push(file);
        }
        let schema = schema.ok_or_else(|| plan_datafusion_err!("a table has no files"))?;
        Ok(Self { files: opened, schema })
    }

    /// The stores as they are now.
    async fn stores(&self, runtime: &RuntimeEnv) -> Result<Vec<Arc<AsyncStore<Source>>>> {
        let stores: Vec<_> = self.files.iter().map(|file| file.store(runtime)).collect();
        iter(stores).buffered(FILES).try_collect().await
    }

    /// The parts of the files whose rows may match these filters, by the summaries of their columns.
    async fn parts(&self, stores: &[Arc<AsyncStore<Source>>], filters: &[Expr]) -> Result<Vec<Part>> {
        if filters.is_empty() {
            let whole = |(file, of): (usize, &File)| Part { file, rows: 0..of.rows };
            return Ok(self.files.iter().enumerate().map(whole).collect());
        }
        let files = self.files.iter().zip(stores);
        let candidates: Vec<_> = files.map(|(file, store)| file.candidates(store, filters)).collect();
        let ranges: Vec<_> = iter(candidates).buffered(FILES).try_collect().await?;
        let parts = ranges.into_iter().enumerate();
        Ok(parts.flat_map(|(file, ranges)| ranges.into_iter().map(move |rows| Part { file, rows })).collect())
    }

    /// Statistics of all rows of these columns, by the summaries.
    async fn known(&self, stores: &[Arc<AsyncStore<Source>>], schema: &SchemaRef) -> Result<Statistics> {
        let files = self.files.iter().zip(stores);
        let known: Vec<_> = files.map(|(file, store)| file.known(store, schema)).collect();
        let known: Vec<_> = iter(known).buffered(FILES).try_collect().await?;
        Statistics::try_merge_iter(&known, schema)
    }

    /// The condition that rows must match, with its columns alone.
    fn predicate(&self, state: &dyn Session, filters: &[Expr]) -> Result<Option<Predicate>> {
        let Some(filter) = conjunction(filters.iter().cloned()) else { return Ok(None) };
        let schema = DFSchema::try_from(Arc::clone(&self.schema))?;
        let expr = state.create_physical_expr(unnormalize_col(filter), &schema)?;
        let mut columns: Vec<usize> = collect_columns(&expr).iter().map(|column| column.index()).collect();
        columns.sort_unstable();
        let schema = Arc::new(self.schema.project(&columns)?);
        Ok(Some(Predicate { expr: reassign_expr_columns(expr, &schema)?, schema }))
    }

    fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }
}

fn opened_first(files: &[File]) -> String {
    files.first().map(|file| file.location.to_string()).unwrap_or_default()
}

impl File {
    /// Opens a file, and tells the fields of its columns.
    async fn open(runtime: &RuntimeEnv, location: Location) -> Result<(Self, SchemaRef)> {
        let store = Arc::new(location.open(runtime, &Counts::unseen()).await?);
        let table = AsyncTable::open(&store, &location.key()).await.at(&location)?;
        let mut fields = Vec::new();
        for spec in table.columns() {
            fields.extend(field(&table, &spec.name).await.at(&location)?);
        }
        let (rows, columns) = (table.len(), table.columns().to_vec());
        let opened = Mutex::new(Arc::clone(&store));
        Ok((Self { location, rows, columns, opened }, transfer::schema(fields)?))
    }

    /// The store as it is now.
    async fn store(&self, runtime: &RuntimeEnv) -> Result<Arc<AsyncStore<Source>>> {
        let known = Arc::clone(&self.opened.lock().unwrap_or_else(PoisonError::into_inner));
        if known.source().is_current().await {
            return Ok(known);
        }
        let opened = Arc::new(self.location.open(runtime, &Counts::unseen()).await?);
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&opened);
        Ok(opened)
    }

    /// The rows that may match.
    async fn candidates(&self, store: &AsyncStore<Source>, filters: &[Expr]) -> Result<Vec<Range<u64>>> {
        let Some(condition) = condition(filters, &self.columns) else { return Ok(vec![0..self.rows]) };
        let table = AsyncTable::open(store, &self.location.key()).await.at(&self.location)?;
        let rows = self.rows.min(table.len());
        let piece = PIECE.max(rows.div_ceil(PIECES)).next_multiple_of(PIECE);
        let pieces = || (0..rows).step_by(piece as usize).map(|start| start..(start + piece).min(rows));
        let found = table.run(|table| {
            let candidates = table.candidates(&condition)?;
            let maybe = pieces().map(|rows| Ok(candidates.may_be_in(rows.clone())?.then_some(rows)));
            maybe.collect::<core::result::Result<Vec<_>, _>>()
        });
        Ok(joined(found.await.at(&self.location)?.into_iter().flatten()))
    }

    /// Statistics of all rows of these columns.
    async fn known(&self, store: &AsyncStore<Source>, schema: &SchemaRef) -> Result<Statistics> {
        let table = AsyncTable::open(store, &self.location.key()).await.at(&self.location)?;
        let mut known = statistics::of_rows(schema, Precision::Exact(self.rows as usize));
        for (field, column) in schema.fields().iter().zip(&mut known.column_statistics) {
            if let Some(bounds) = table.run(|table| table.bounds(field.name())).await.at(&self.location)? {
                statistics::bound(column, &bounds, field.data_type());
            }
        }
        Ok(known)
    }
}

/// The field of a column; `None` if the column cannot be read.
async fn field(
    table: &AsyncTable<'_, Source>,
    name: &str,
) -> core::result::Result<Option<arrow_schema_60::Field>, ReadError<object_store::Error>> {
    match table.run(|table| Ok(table.column(name)?.field()?)).await {
        Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Unsupported(_)) => Ok(None),
        field => field.map(Some),
    }
}

#[async_trait]
impl catalog::TableProvider for TableProvider {
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
        let predicate = self.predicate(state, filters)?;
        // The first rows of many files are read without a look at all.
        let stores = match limit.filter(|_| filters.is_empty()) {
            Some(_) => Vec::new(),
            None => self.stores(state.runtime_env()).await?,
        };
        let mut parts = self.parts(&stores, filters).await?;
        if let (None, Some(limit)) = (&predicate, limit) {
            parts = limited(parts, limit as u64);
        }
        let rows = parts.iter().map(|part| (part.rows.end - part.rows.start) as usize).sum();
        let statistics = match (&predicate, limit) {
            (None, None) if !schema.fields().is_empty() => self.known(&stores, &schema).await?,
            (None, _) => statistics::of_rows(&schema, Precision::Exact(rows)),
            (Some(_), _) => statistics::of_rows(&schema, Precision::Inexact(rows)),
        };
        let partitions = divide(parts, state.config().target_partitions());
        let files = self.files.iter().map(|file| file.location.clone()).collect();
        let scan = TableScan::new(files, partitions, schema, predicate, limit);
        Ok(Arc::new(scan.with_statistics(statistics).with_stores(stores)))
    }

    /// All filters of rows are applied here, as the columns that they need are read first.
    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match is_of_rows(filter) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(support).collect())
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(statistics::of_rows(&self.schema, Precision::Exact(self.rows() as usize)))
    }
}

/// Whether a filter has an outcome for each row that depends on nothing else.
pub(crate) fn is_of_rows(filter: &Expr) -> bool {
    let has_query = filter.exists(|expr| {
        Ok(matches!(
            expr,
            Expr::ScalarSubquery(_) | Expr::InSubquery(_) | Expr::Exists(_) | Expr::SetComparison(_)
        ))
    });
    !filter.is_volatile() && !filter.contains_outer() && !has_query.unwrap_or(true)
}

pub(crate) fn projected(schema: &SchemaRef, projection: Option<&Vec<usize>>) -> Result<Arc<Schema>> {
    Ok(match projection {
        Some(columns) => Arc::new(schema.project(columns)?),
        None => Arc::clone(schema),
    })
}

/// The first rows of parts.
fn limited(parts: Vec<Part>, mut limit: u64) -> Vec<Part> {
    let cut = |Part { file, rows }: Part| {
        let end = rows.end.min(rows.start.saturating_add(limit));
        limit -= end - rows.start;
        (rows.start < end).then_some(Part { file, rows: rows.start..end })
    };
    parts.into_iter().filter_map(cut).collect()
}
