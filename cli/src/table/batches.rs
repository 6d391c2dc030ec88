//! Rows of a table as record batches, in bounded memory.

use super::{chosen::Chosen, narrowed};
use crate::batches::BatchWriter;
use crate::error::{CommandError, read_error};
use crate::output::Output;
use crate::progress::Progress;
use crate::rows::Rows;
use crate::values::BatchFormat;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt64Array};
use arrow_schema::{ArrowError, Schema};
use arrow_select::concat::concat;
use arrow_select::take::take;
use b2nd::table::Column;
use b2nd::{ReadAt, ReadError};
use core::ops::Range;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows and bytes that are read at once: some blocks of the columns of a large table.
const AT_ONCE: u64 = 16 << 20;
const MAX_ROWS: u64 = 1 << 16;
/// Rows between two that are wanted which are read, too.
const GAP: u64 = 1 << 12;
/// Bytes that a text or an object counts for.
const WIDTH: u64 = 128;

/// Writes the chosen rows of columns.
pub(super) fn get<S: ReadAt<Error = io::Error>>(
    path: &Path,
    columns: &[Column<'_, S>],
    (rows, mut chosen): (Rows, Chosen<'_, S>),
    (format, output): (BatchFormat, Option<&Path>),
) -> Result<(), CommandError> {
    let fields = columns.iter().map(Column::field).collect::<Result<Vec<_>, _>>();
    let schema = Arc::new(Schema::new(fields.map_err(|error| CommandError::Blosc(path.into(), error))?));
    let out = Output::create(output).map_err(CommandError::Output)?;
    let mut writer = BatchWriter::create(out, format, &schema)?;
    let widths = columns.iter().map(|column| column.dtype().map_or(WIDTH, |dtype| dtype.itemsize() as u64));
    let width = widths.sum::<u64>().max(1);
    let mut progress = Progress::new("reading", width * rows.count);
    for (window, picked) in chosen.windows(rows, (AT_ONCE / width).clamp(1, MAX_ROWS)) {
        let passed = picked.len() as u64 * width;
        let picked = chosen.pick(&window, picked)?;
        if picked.is_empty() && chosen.is_done() {
            break;
        }
        if let Some((rows, places)) = narrowed(&window, &picked) {
            let options = RecordBatchOptions::new().with_row_count(Some(picked.len()));
            let arrays = if rows.end - rows.start <= MAX_ROWS {
                let arrays = arrays(columns, &rows).map_err(|error| read_error(path, error))?;
                taken(arrays, &rows, places)
            } else {
                let rows: Vec<u64> = picked.iter().map(|at| window.start + *at as u64).collect();
                listed(columns, &rows).map_err(|error| read_error(path, error))?
            };
            let batch =
                arrays.and_then(|arrays| RecordBatch::try_new_with_options(schema.clone(), arrays, &options));
            writer.write(&batch.map_err(|error| CommandError::Output(io::Error::other(error)))?)?;
        }
        progress.advance(passed);
    }
    writer.finish()
}

/// The arrays of all columns.
fn arrays<S: ReadAt<Error = io::Error>>(
    columns: &[Column<'_, S>],
    rows: &Range<u64>,
) -> Result<Vec<ArrayRef>, ReadError<io::Error>> {
    columns.iter().map(|column| column.array(rows.clone())).collect()
}

/// The arrays of all columns at rows that may lie far apart.
fn listed<S: ReadAt<Error = io::Error>>(
    columns: &[Column<'_, S>],
    rows: &[u64],
) -> Result<Result<Vec<ArrayRef>, ArrowError>, ReadError<io::Error>> {
    let mut distinct = rows.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let order: Vec<usize> = rows.iter().map(|row| distinct.partition_point(|other| other < row)).collect();
    let mut parts = vec![Vec::new(); columns.len()];
    for near in distinct.chunk_by(|a, b| b - a < GAP && a / MAX_ROWS == b / MAX_ROWS) {
        let (Some(first), Some(last)) = (near.first(), near.last()) else { continue };
        let window = *first..*last + 1;
        let places = near.iter().map(|row| (row - first) as usize).collect();
        match taken(arrays(columns, &window)?, &window, places) {
            Ok(arrays) => parts.iter_mut().zip(arrays).for_each(|(parts, array)| parts.push(array)),
            Err(error) => return Ok(Err(error)),
        }
    }
    let joined = parts.iter().map(|parts| concat(&parts.iter().map(AsRef::as_ref).collect::<Vec<_>>()));
    Ok(joined
        .collect::<Result<Vec<_>, _>>()
        .and_then(|arrays| taken(arrays, &(0..distinct.len() as u64), order)))
}

/// The picked rows of arrays.
fn taken(arrays: Vec<ArrayRef>, rows: &Range<u64>, picked: Vec<usize>) -> Result<Vec<ArrayRef>, ArrowError> {
    if picked.iter().copied().eq(0..(rows.end - rows.start) as usize) {
        return Ok(arrays);
    }
    let places: UInt64Array = picked.into_iter().map(|at| at as u64).collect();
    arrays.iter().map(|array| take(array, &places, None)).collect()
}
