//! The columns of a table, read as DataFusion's arrays.

use crate::error::At;
use crate::location::Location;
use crate::source::Source;
use crate::transfer;
use b2nd::source::Fetched;
use b2nd::table::{AsyncTable, Column, Table};
use core::ops::Range;
use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::error::Result;
use futures::future::try_join_all;

/// Bytes of the columns that are read at a time, about.
const AT_ONCE: u64 = 16 << 20;
/// Rows that are read at a time.
const MIN_ROWS: u64 = 1 << 10;
const MAX_ROWS: u64 = 1 << 17;
/// The guess for a text or an object.
const TEXT: u64 = 64;

/// Some columns of a table, opened.
pub(crate) struct Columns<'t> {
    location: &'t Location,
    table: &'t AsyncTable<'t, Source>,
    columns: Vec<(Column<'t, Fetched>, DataType)>,
    /// The rows of a block of the columns, of the largest if they differ.
    block: u64,
}

impl<'t> Columns<'t> {
    /// Opens the columns of a schema.
    pub(crate) async fn open(
        location: &'t Location,
        table: &'t AsyncTable<'t, Source>,
        schema: &Schema,
    ) -> Result<Self> {
        let open = async |name: &str| {
            let open = |table: &'t Table<'t, Fetched>| {
                let column = table.column(name)?;
                Ok((column.block_rows()?.unwrap_or(1), column))
            };
            table.run(open).await
        };
        let (mut columns, mut block) = (Vec::new(), 1);
        for field in schema.fields() {
            let (rows, column) = open(field.name()).await.at(location)?;
            block = block.max(rows);
            columns.push((column, field.data_type().clone()));
        }
        Ok(Self { location, table, columns, block })
    }

    /// The arrays of these rows. The columns are fetched at the same time.
    pub(crate) async fn read(&self, rows: &Range<u64>) -> Result<Vec<ArrayRef>> {
        try_join_all(self.columns.iter().map(|(column, data_type)| self.array(column, data_type, rows))).await
    }

    async fn array(
        &self,
        column: &Column<'t, Fetched>,
        data_type: &DataType,
        rows: &Range<u64>,
    ) -> Result<ArrayRef> {
        let array = self.table.run(|_| column.array(rows.clone())).await.at(self.location)?;
        transfer::array(&array, data_type)
    }

    /// How many rows are read at a time, so that memory is bounded: whole blocks, unless these are large.
    pub(crate) fn rows_at_once(&self) -> u64 {
        let size = |(column, _): &(Column<'_, Fetched>, DataType)| {
            column.dtype().map_or(TEXT, |dtype| dtype.itemsize() as u64)
        };
        let row: u64 = self.columns.iter().map(size).sum();
        let most = (AT_ONCE / row.max(1)).clamp(MIN_ROWS, MAX_ROWS);
        if self.block > most { most } else { most / self.block * self.block }
    }
}
