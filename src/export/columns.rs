//! The columns of a table of items: `a`, `a.b` for nested fields, `a[0][1]` for sub-arrays.

use super::ExportError;
use super::nest::Nest;
use crate::array::{Dtype, Kind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The limit of common spreadsheets.
const MAX_COLUMNS: usize = 16384;

/// A scalar component of each item.
#[derive(Debug)]
pub struct Column<'a> {
    /// The name; empty for single values.
    pub name: String,
    /// Where it begins in an item.
    pub offset: usize,
    /// Its dtype.
    pub dtype: &'a Dtype,
}

/// The columns of a table of items: a field each, with names such as `a.b` and `a[0][1]`; one without a name for single values.
///
/// # Errors
/// [`ExportError::Columns`] if there are more than spreadsheets have.
///
/// ```
/// let dtype = b2nd::array::Dtype::parse("[('a', '<i4'), ('b', '<f4', (2,))]", &Default::default())?;
/// let columns = b2nd::export::columns(&dtype)?;
/// assert_eq!(columns.iter().map(|column| &column.name).collect::<Vec<_>>(), ["a", "b[0]", "b[1]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn columns(dtype: &Dtype) -> Result<Vec<Column<'_>>, ExportError> {
    let mut columns = Vec::new();
    add_columns(&mut columns, &Column { name: String::new(), offset: 0, dtype })?;
    Ok(columns)
}

/// Adds the columns of a component of each item.
fn add_columns<'a>(columns: &mut Vec<Column<'a>>, part: &Column<'a>) -> Result<(), ExportError> {
    match part.dtype.kind() {
        Kind::Struct { fields, .. } => fields.iter().try_for_each(|field| {
            let dot = if part.name.is_empty() { "" } else { "." };
            let name = format!("{}{dot}{}", part.name, field.name);
            add_columns(columns, &Column { name, offset: part.offset + field.offset, dtype: &field.dtype })
        }),
        Kind::Subarray { item, shape } => {
            let shape: Vec<u64> = shape.iter().map(|&dim| dim as u64).collect();
            let nest = Nest::new(&shape).ok_or(ExportError::Columns)?;
            (0..nest.len()).try_for_each(|index| {
                let indices: String =
                    (0..nest.ndim()).map(|axis| format!("[{}]", nest.index(index, axis))).collect();
                let name = format!("{}{indices}", part.name);
                let offset = part.offset + index as usize * item.itemsize();
                // A sub-array of structures without fields has no columns, whatever its shape.
                if index as usize >= MAX_COLUMNS {
                    return Err(ExportError::Columns);
                }
                add_columns(columns, &Column { name, offset, dtype: item })
            })
        }
        _ if columns.len() >= MAX_COLUMNS => Err(ExportError::Columns),
        _ => {
            columns.push(Column { name: part.name.clone(), ..*part });
            Ok(())
        }
    }
}
