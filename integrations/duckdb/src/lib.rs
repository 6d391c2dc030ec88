//! The table function `read_b2z` of DuckDB: the rows of a table of python-blosc2 (`CTable`) in a store.
//!
//! ```sql
//! SELECT name, avg(x) FROM read_b2z('run.b2z/people') WHERE id < 500 GROUP BY name;
//! ```

mod file;
mod function;
mod morsels;

use duckdb::{Connection, duckdb_entrypoint_c_api};
use std::error::Error;

/// DuckDB calls it when it loads the extension.
///
/// # Errors
/// Those of DuckDB.
#[duckdb_entrypoint_c_api(ext_name = "b2nd", min_duckdb_version = "v1.2.0")]
pub fn load(connection: Connection) -> Result<(), Box<dyn Error>> {
    connection.register_table_function::<function::ReadB2z>("read_b2z")?;
    Ok(())
}
