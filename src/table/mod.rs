//! Tables: python-blosc2's CTable, whose columns are members of a store (FORMAT §10.4).
//!
//! Rows that were deleted are skipped. A range of rows of a column takes only the blocks in which they are.

mod arrays;
#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "std")]
mod asynchronous;
mod cells;
mod column;
mod computed;
mod condition;
#[cfg(all(feature = "std", feature = "write"))]
mod cparams;
mod filter;
#[cfg_attr(not(feature = "expression"), path = "formula/none.rs")]
mod formula;
mod full;
mod indexes;
mod json;
#[cfg(all(feature = "std", feature = "write"))]
mod json_text;
#[cfg(all(feature = "std", feature = "write"))]
mod kinds;
#[cfg(feature = "write")]
mod known;
mod live;
mod null;
#[cfg(all(feature = "std", feature = "write"))]
mod rows;
mod schema;
mod sort;
mod summary;
mod values;

pub use arrays::{Arrays, IndexArray};
#[cfg(feature = "arrow")]
pub use arrow::FieldError;
#[cfg(feature = "std")]
pub use asynchronous::{AsyncColumn, AsyncTable};
pub use cells::{Cells, Data};
pub use column::Column;
#[cfg(all(feature = "std", feature = "write"))]
pub(crate) use column::compute;
pub use computed::ComputedColumn;
pub use condition::{Condition, Operand, col};
pub use filter::{Extremes, Filter, FilterError, RunContents};
#[cfg(feature = "expression")]
pub use formula::Formula;
pub use indexes::{Bounds, Candidates, Indexes};
#[cfg(all(feature = "std", feature = "write"))]
pub(crate) use json::parse as json;
#[cfg(all(feature = "std", feature = "write"))]
pub(crate) use json_text::emit as json_text;
#[cfg(all(feature = "std", feature = "write"))]
pub(crate) use kinds::BATCH_ROWS;
#[cfg(all(feature = "std", feature = "write"))]
pub use kinds::{ColumnKind, Nulls};
#[cfg(feature = "write")]
pub(crate) use known::is_known;
pub use live::{LiveRows, Spot};
pub use schema::{ColumnSpec, ColumnStorage, Schema};
pub use sort::{SortKey, Sorter};
pub use values::TextPlaces;

use crate::base::{ArgumentError, Error, Malformed, Unsupported};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use crate::source::{ReadAt, ReadError, Reader};
use crate::store::{Member, Store};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use live::Live;

type Read<T, S> = Result<T, ReadError<<S as ReadAt>::Error>>;

/// The last part of the key of the frame that describes a table.
pub(crate) const META: &str = "/_meta";
/// The key below which its columns are.
pub(crate) const COLUMNS: &str = "/_cols/";

/// A table in a store.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::table::{Data, Table};
/// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
/// let table = Table::open(&store, "")?;
/// for spec in table.columns() {
///     let cells = table.column(&spec.name)?.cells(0..table.len().min(10))?;
///     println!("{}: {:?}", spec.name, cells.data);
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Table<'s, S: ReadAt> {
    store: &'s Store<S>,
    group: String,
    schema: Schema,
    /// The columns by the schema, those that are computed behind those that are stored.
    specs: Vec<ColumnSpec>,
    live: Live<S>,
}

impl<'s, S: ReadAt> Table<'s, S> {
    /// Opens the table that a group of a store is; the empty key is the whole store. Reads the schema, and which rows there are.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` if the group is no table; `Format` if its schema is damaged; errors of reading.
    pub fn open(store: &'s Store<S>, group: &str) -> Read<Self, S> {
        let group = group.trim_end_matches('/');
        let meta = store.get(&key_of_meta(store, group).ok_or(Unsupported::NoTable)?)?;
        let schema = Schema::read(&meta.trailer()?.attributes, meta.limits())?;
        let schema = schema.ok_or(Unsupported::NoTable)?;
        let live = Live::new(promised(store, &format!("{group}/_valid_rows"))?)?;
        let computed = schema.computed.iter().map(ColumnSpec::of_computed);
        let specs = schema.columns.iter().cloned().chain(computed).collect();
        Ok(Self { store, group: group.into(), schema, specs, live })
    }

    /// The keys of all groups of a store that are tables, if their frames are what they are named.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z").unwrap();
    /// assert!(b2nd::table::Table::groups(&store).eq([""]));
    /// ```
    pub fn groups(store: &Store<S>) -> impl Iterator<Item = &str> {
        store.keys().filter_map(|key| key.strip_suffix(META))
    }

    /// The number of rows.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z").unwrap();
    /// # let table = b2nd::table::Table::open(&store, "").unwrap();
    /// assert_eq!(table.len(), 10);
    /// ```
    pub fn len(&self) -> u64 {
        self.live.len()
    }

    /// Whether there are no rows.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z").unwrap();
    /// # let table = b2nd::table::Table::open(&store, "").unwrap();
    /// assert!(!table.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole schema: a map.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z").unwrap();
    /// # let table = b2nd::table::Table::open(&store, "").unwrap();
    /// assert_eq!(table.schema().get("n_rows"), Some(&10.into()));
    /// ```
    pub const fn schema(&self) -> &Value {
        &self.schema.value
    }

    /// The stored columns by the schema, in their order. Generated columns are among them, also
    /// [stale](Self::is_stale) ones.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z").unwrap();
    /// # let table = b2nd::table::Table::open(&store, "").unwrap();
    /// assert!(table.columns().iter().map(|column| &column.name[..]).eq(["f0", "é", "f2", "f3"]));
    /// ```
    pub fn columns(&self) -> &[ColumnSpec] {
        &self.schema.columns
    }

    /// All columns: behind those that are [stored](Self::columns) those that are [computed](Self::computed), with the names of their dtypes
    /// as kinds. [`Filter::parse`] takes them.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/members.b2e")?;
    /// # let member = store.get("/group/table")?;
    /// # let len = member.frame().header.frame_len;
    /// # let store = b2nd::store::Store::open(member.into_source(), len, b2nd::DParams::default())?;
    /// let table = b2nd::table::Table::open(&store, "")?;
    /// let names: Vec<_> = table.all_columns().iter().map(|column| &column.name[..]).collect();
    /// assert_eq!(names, ["a", "b", "double", "sum"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_columns(&self) -> &[ColumnSpec] {
        &self.specs
    }

    /// The columns that are not stored, but computed from others.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z").unwrap();
    /// # let table = b2nd::table::Table::open(&store, "").unwrap();
    /// assert!(table.computed().is_empty());
    /// ```
    pub fn computed(&self) -> &[ComputedColumn] {
        &self.schema.computed
    }

    /// Whether a column was generated from others that have changed since then, so that its values are old.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z").unwrap();
    /// # let table = b2nd::table::Table::open(&store, "").unwrap();
    /// assert!(!table.is_stale("f0"));
    /// ```
    pub fn is_stale(&self, name: &str) -> bool {
        self.schema.stale.iter().any(|stale| stale == name)
    }

    /// Opens a column. The cells of a [computed](Self::computed) one are null where one of those that it is computed from is.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f3")?.cells(0..2)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no column of this name; `Unsupported` if it is computed by a kernel or a reduction, or
    /// without the feature `expression`; if it is [stale](Self::is_stale) and [`DParams::as_stored`](crate::DParams::as_stored) is not set;
    /// if its kind is unknown, or its values are stored elsewhere; what is wrong with the data.
    pub fn column(&self, name: &str) -> Read<Column<'_, S>, S> {
        let number = self.specs.iter().position(|spec| spec.name == name).ok_or(ArgumentError::NoColumn)?;
        match number.checked_sub(self.columns().len()) {
            Some(computed) => Column::computed(self, &self.schema.computed[computed], &self.specs[number]),
            None if self.is_stale(name) && !self.store.dparams().as_stored => {
                Err(Unsupported::StaleColumn.into())
            }
            None => Column::open(self, &self.specs[number]),
        }
    }

    /// The user's attributes of the table.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert!(table.attributes()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading.
    pub fn attributes(&self) -> Read<Vec<Metalayer>, S> {
        match self.has("/_vlmeta") {
            true => Ok(self.member("/_vlmeta")?.trailer()?.attributes.clone()),
            false => Ok(Vec::new()),
        }
    }

    /// Entries of the schema in a list of this name.
    #[cfg(all(feature = "std", feature = "write"))]
    pub(crate) fn entries(&self, list: &str) -> Vec<Value> {
        self.schema().get(list).and_then(Value::as_array).unwrap_or_default().to_vec()
    }

    /// The cells that some rows of a computed column have, whether the table has it or not.
    #[cfg(all(feature = "std", feature = "write"))]
    pub(crate) fn compute(&self, column: &ComputedColumn, rows: core::ops::Range<u64>) -> Read<Cells, S> {
        Column::computed(self, column, &ColumnSpec::of_computed(column))?.cells(rows)
    }

    fn has(&self, key: &str) -> bool {
        self.store.storage(&format!("{}{key}", self.group)).is_some()
    }

    fn member(&self, key: &str) -> Read<Reader<Member<S>>, S> {
        promised(self.store, &format!("{}{key}", self.group))
    }

    const fn live(&self) -> &Live<S> {
        &self.live
    }
}

/// A member that the schema has, and so should the store.
fn promised<S: ReadAt>(store: &Store<S>, key: &str) -> Read<Reader<Member<S>>, S> {
    match store.storage(key) {
        Some(_) => store.get(key),
        None => {
            Err(Error::format(Malformed::Field { name: "number of frames of a column", value: 0 }).into())
        }
    }
}

fn key_of_meta<S: ReadAt>(store: &Store<S>, group: &str) -> Option<String> {
    let key = format!("{group}{META}");
    store.storage(&key).map(|_| key)
}
