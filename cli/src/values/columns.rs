//! The columns of a table of items: `a`, `a.b` for nested fields, `a[0][1]` for sub-arrays.

use super::Refused;
use super::nest::Nest;
use b2nd::array::{Dtype, Kind};

/// The limit of common spreadsheets.
const MAX_COLUMNS: usize = 16384;

/// A scalar component of each item.
#[derive(Debug)]
pub(crate) struct Column<'a> {
    pub(crate) name: String,
    pub(crate) offset: usize,
    pub(crate) dtype: &'a Dtype,
}

/// The columns for items of this dtype; one without a name for single values.
pub(crate) fn columns(dtype: &Dtype) -> Result<Vec<Column<'_>>, Refused> {
    let mut columns = Vec::new();
    add_columns(&mut columns, &Column { name: String::new(), offset: 0, dtype })?;
    Ok(columns)
}

/// Adds the columns of a component of each item.
fn add_columns<'a>(columns: &mut Vec<Column<'a>>, part: &Column<'a>) -> Result<(), Refused> {
    match part.dtype.kind() {
        Kind::Struct { fields, .. } => fields.iter().try_for_each(|field| {
            let dot = if part.name.is_empty() { "" } else { "." };
            let name = format!("{}{dot}{}", part.name, field.name);
            add_columns(columns, &Column { name, offset: part.offset + field.offset, dtype: &field.dtype })
        }),
        Kind::Subarray { item, shape } => {
            let shape: Vec<u64> = shape.iter().map(|&dim| dim as u64).collect();
            let nest = Nest::new(&shape).ok_or(Refused::Columns)?;
            (0..nest.len()).try_for_each(|index| {
                let indices: String =
                    (0..nest.ndim()).map(|axis| format!("[{}]", nest.index(index, axis))).collect();
                let name = format!("{}{indices}", part.name);
                let offset = part.offset + index as usize * item.itemsize();
                // A sub-array of structures without fields has no columns, whatever its shape.
                if index as usize >= MAX_COLUMNS {
                    return Err(Refused::Columns);
                }
                add_columns(columns, &Column { name, offset, dtype: item })
            })
        }
        _ if columns.len() >= MAX_COLUMNS => Err(Refused::Columns),
        _ => {
            columns.push(Column { name: part.name.clone(), ..*part });
            Ok(())
        }
    }
}
