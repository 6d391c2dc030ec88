//! SQL on Blosc2 tables and arrays with [DataFusion](datafusion).
//!
//! [`TableProvider`] is a table of a store, in one file or several. [`ArrayProvider`] is an array of any number of axes: a row for each
//! item, with its position. [`UrlTables`] finds both where a query names a path or a URL.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! use b2nd_datafusion::UrlTables;
//! use datafusion::prelude::SessionContext;
//!
//! let context = UrlTables::enable(SessionContext::new());
//! let rows = context.sql("SELECT * FROM '../../tests/golden/tables/001.b2z' LIMIT 3").await?.collect().await?;
//! assert_eq!(rows.iter().map(|batch| batch.num_rows()).sum::<usize>(), 3);
//! # Ok(()) }
//! ```
//!
//! Files are read through the object stores that are registered with the session's `RuntimeEnv`. What is pushed down, and what
//! is not, is in [docs/sql.md](https://github.com/b2nd/b2nd/blob/main/docs/sql.md).

mod array;
mod array_scan;
mod axes;
mod columns;
mod condition;
mod coordinates;
mod error;
mod location;
mod opened;
mod ranges;
mod scan;
mod source;
mod statistics;
mod table;
mod transfer;
mod urls;

#[cfg(feature = "proto")]
mod codec;

pub use array::ArrayProvider;
pub use array_scan::ArrayScan;
#[cfg(feature = "proto")]
pub use codec::Codec;
pub use error::Error;
pub use location::Location;
pub use scan::TableScan;
pub use table::TableProvider;
pub use urls::UrlTables;
