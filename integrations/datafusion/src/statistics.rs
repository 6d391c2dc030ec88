//! Statistics of tables, known without reading their rows.

use crate::transfer;
use b2nd::table::{Bounds, Data};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, ScalarValue, Statistics};

/// Columns that cannot be null have no nulls; of others nothing is known.
pub(crate) fn of_rows(schema: &SchemaRef, rows: Precision<usize>) -> Statistics {
    let mut statistics = Statistics::new_unknown(schema).with_num_rows(rows);
    for (field, column) in schema.fields().iter().zip(&mut statistics.column_statistics) {
        if !field.is_nullable() {
            column.null_count = Precision::Exact(0);
        }
    }
    statistics
}

/// Adds the smallest and the largest value of a column, if DataFusion has its type.
pub(crate) fn bound(column: &mut ColumnStatistics, bounds: &Bounds, data_type: &DataType) {
    let Data::Items { dtype, items } = &bounds.ends.data else { return };
    // They are of the same type, but for the zone of times.
    let ends = dtype.arrow_array(items).ok().and_then(|ends| transfer::array(&ends, data_type).ok());
    let Some(ends) = ends else { return };
    let end = |index| match ScalarValue::try_from_array(&ends, index) {
        Ok(value) if value.is_null() => Precision::Absent,
        Ok(value) if bounds.exact => Precision::Exact(value),
        Ok(value) => Precision::Inexact(value),
        Err(_) => Precision::Absent,
    };
    (column.min_value, column.max_value) = (end(0), end(1));
}
