//! The table function, as DuckDB calls it: what columns there are, which of them are wanted, and then for rows.

use crate::file::{Failure, Location};
use crate::morsels::{Morsels, Scan};
use arrow::datatypes::{Field, Schema};
use duckdb::core::{DataChunkHandle, LogicalTypeHandle, LogicalTypeId};
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
    to_duckdb_logical_type_for_field,
};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows of a vector of DuckDB.
const VECTOR: usize = 2048;

pub(crate) struct ReadB2z;

/// The table that a query names.
pub(crate) struct Bound {
    path: String,
    fields: Vec<Field>,
}

impl VTab for ReadB2z {
    type BindData = Bound;
    type InitData = Mutex<Morsels>;

    fn parameters() -> Option<Vec<LogicalTypeHandle>> {
        Some(vec![LogicalTypeId::Varchar.into()])
    }

    fn supports_pushdown() -> bool {
        true
    }

    fn bind(bind: &BindInfo) -> Result<Bound, Failure> {
        let path = bind.get_parameter(0).to_string();
        let location = Location::new(&path);
        let store = location.open()?;
        let table = location.table(&store)?;
        let fields = location.fields(&table)?;
        for field in &fields {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        bind.set_cardinality(table.len(), true);
        Ok(Bound { path, fields })
    }

    fn init(init: &InitInfo) -> Result<Self::InitData, Failure> {
        // SAFETY: `bind` has returned this for the query, and DuckDB keeps it until the query ends.
        let bound = unsafe { &*init.get_bind_data::<Bound>() };
        let location = Location::new(&bound.path);
        let store = Arc::new(location.open()?);
        let rows = location.table(&store)?.len();
        let wanted = init.get_column_indices().into_iter();
        let fields: Vec<_> = wanted.filter_map(|at| bound.fields.get(at as usize).cloned()).collect();
        let schema = Arc::new(Schema::new(fields));
        Ok(Mutex::new(Morsels::start(Scan { location, store, schema, rows })))
    }

    fn func(info: &TableFunctionInfo<Self>, output: &mut DataChunkHandle) -> Result<(), Failure> {
        let mut morsels = info.get_init_data().lock().unwrap_or_else(PoisonError::into_inner);
        match morsels.next(VECTOR)? {
            Some(rows) => record_batch_to_duckdb_data_chunk(&rows, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
}
