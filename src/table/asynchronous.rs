//! Tables that are read asynchronously.

use super::{Cells, Column, ColumnSpec, ComputedColumn, Table};
use crate::array::Dtype;
use crate::frame::Metalayer;
use crate::msgpack::Value;
use crate::source::{AsyncReadAt, Fetched, Missing, ReadError};
use crate::store::AsyncStore;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A table in an asynchronous store: the counterpart of [`Table`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::{DParams, store::AsyncStore, table::AsyncTable};
/// let source = std::fs::read("tests/golden/tables/001.b2z")?;
/// let store = AsyncStore::open(source, DParams::default()).await?;
/// let table = AsyncTable::open(&store, "").await?;
/// let cells = table.column("f0").await?.cells(8..table.len()).await?;
/// assert_eq!(cells.len(), 2);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct AsyncTable<'s, S> {
    store: &'s AsyncStore<S>,
    table: Table<'s, Fetched>,
}

impl<'s, S: AsyncReadAt> AsyncTable<'s, S> {
    /// Opens the table that a group of a store is; the empty key is the whole store.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.len(), 10);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Table::open`].
    pub async fn open(store: &'s AsyncStore<S>, group: &str) -> Result<Self, ReadError<S::Error>> {
        let table = store.run(|store| Table::open(store, group)).await?;
        Ok(Self { store, table })
    }

    /// Runs an operation of the synchronous [`Table`], as [`AsyncReader::run`](crate::source::AsyncReader::run) does.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// let stale = table.run(|table| Ok(table.is_stale("f0"))).await?;
    /// assert!(!stale);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of the source and of the operation.
    pub async fn run<'t, T>(
        &'t self,
        mut operation: impl FnMut(&'t Table<'s, Fetched>) -> Result<T, ReadError<Missing>>,
    ) -> Result<T, ReadError<S::Error>> {
        self.store.run(|_| operation(&self.table)).await
    }

    /// The number of rows.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.len(), 10);
    /// # Ok(()) }
    /// ```
    pub fn len(&self) -> u64 {
        self.table.len()
    }

    /// Whether there are no rows.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert!(!table.is_empty());
    /// # Ok(()) }
    /// ```
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The whole schema: a map.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.schema().get("n_rows"), Some(&10.into()));
    /// # Ok(()) }
    /// ```
    pub const fn schema(&self) -> &Value {
        self.table.schema()
    }

    /// The stored columns by the schema, in their order.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.columns()[0].name, "f0");
    /// # Ok(()) }
    /// ```
    pub fn columns(&self) -> &[ColumnSpec] {
        self.table.columns()
    }

    /// The columns that are not stored, but computed from others.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert!(table.computed().is_empty());
    /// # Ok(()) }
    /// ```
    pub fn computed(&self) -> &[ComputedColumn] {
        self.table.computed()
    }

    /// Whether a column was generated from others that have changed since then.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert!(!table.is_stale("f0"));
    /// # Ok(()) }
    /// ```
    pub fn is_stale(&self, name: &str) -> bool {
        self.table.is_stale(name)
    }

    /// Opens a column.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.column("f3").await?.cells(0..2).await?.len(), 2);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Table::column`].
    pub async fn column(&self, name: &str) -> Result<AsyncColumn<'_, S>, ReadError<S::Error>> {
        let column = self.run(|table| table.column(name)).await?;
        Ok(AsyncColumn { store: self.store, column })
    }

    /// The indexes of columns: the name of each column, python-blosc2's kind of index, and whether it is stale.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// for (column, kind, stale) in table.indexes().await? {
    ///     println!("{column}: {kind}, {stale}");
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Table::indexes`].
    pub async fn indexes(&self) -> Result<Vec<(String, String, bool)>, ReadError<S::Error>> {
        self.run(Table::indexes).await
    }

    /// The user's attributes of the table.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert!(table.attributes().await?.is_empty());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Table::attributes`].
    pub async fn attributes(&self) -> Result<Vec<Metalayer>, ReadError<S::Error>> {
        self.run(Table::attributes).await
    }
}

/// A column of an asynchronous table, opened: the counterpart of [`Column`].
#[derive(Debug)]
pub struct AsyncColumn<'t, S> {
    store: &'t AsyncStore<S>,
    column: Column<'t, Fetched>,
}

impl<'t, S: AsyncReadAt> AsyncColumn<'t, S> {
    /// The column by the schema.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.column("f0").await?.spec().kind, "timestamp");
    /// # Ok(()) }
    /// ```
    pub const fn spec(&self) -> &'t ColumnSpec {
        self.column.spec()
    }

    /// The dtype of a cell, if all have one size.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.column("f0").await?.dtype().map(|dtype| dtype.itemsize()), Some(8));
    /// # Ok(()) }
    /// ```
    pub fn dtype(&self) -> Option<Dtype> {
        self.column.dtype()
    }

    /// The values of a range of rows. Deleted rows do not count. What is fetched stays in memory until all of it is there, and more
    /// than 32 MiB of it are decoded several times: read a large table some rows at a time.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/tables/001.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// # let table = b2nd::table::AsyncTable::open(&store, "").await?;
    /// assert_eq!(table.column("f0").await?.cells(8..10).await?.len(), 2);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Column::cells`].
    pub async fn cells(&self, rows: Range<u64>) -> Result<Cells, ReadError<S::Error>> {
        self.store.run(|_| self.column.cells(rows.clone())).await
    }
}
