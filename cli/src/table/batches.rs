//! Rows of a table as record batches, in bounded memory.

use super::chosen::Chosen;
use crate::batches::BatchWriter;
use crate::error::{CommandError, read_error};
use crate::output::Output;
use crate::progress::Progress;
use crate::rows::Rows;
use crate::values::BatchFormat;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::Schema;
use b2nd::table::Column;
use b2nd::{ReadAt, ReadError};
use core::ops::Range;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows and bytes that are read at once: some blocks of the columns of a large table.
const AT_ONCE: u64 = 16 << 20;
const MAX_ROWS: u64 = 1 << 16;
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
        if !picked.is_empty() {
            let options = RecordBatchOptions::new().with_row_count(Some(picked.len()));
            let arrays = arrays(columns, &window, &picked).map_err(|error| read_error(path, error))?;
            let batch = RecordBatch::try_new_with_options(schema.clone(), arrays, &options);
            writer.write(&batch.map_err(|error| CommandError::Output(io::Error::other(error)))?)?;
        }
        progress.advance(passed);
    }
    writer.finish()
}

/// The arrays of all columns at the picked rows of a window.
fn arrays<S: ReadAt<Error = io::Error>>(
    columns: &[Column<'_, S>],
    window: &Range<u64>,
    picked: &[usize],
) -> Result<Vec<ArrayRef>, ReadError<io::Error>> {
    let rows: Vec<u64> = picked.iter().map(|at| window.start + *at as u64).collect();
    let is_range = rows.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let array = |column: &Column<'_, S>| match *rows {
        [first, .., last] if is_range => column.array(first..last + 1),
        _ => column.take_array(&rows),
    };
    columns.iter().map(array).collect()
}
