//! Record batches, read.

use super::ipc::Stream;
#[cfg(feature = "parquet")]
use super::zones;
use crate::error::CommandError;
use crate::input::{InvalidInput, seekable, stream};
use crate::progress::Progress;
use crate::values::{BatchFormat, ValueError};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use b2nd::table::{Cells, ColumnSpec, FieldError};
use core::panic::AssertUnwindSafe;
use std::fs::{self, File};
use std::io::BufReader;
use std::panic;
use std::path::{Path, PathBuf};

/// Rows that are converted at once: a block of the columns of a large table.
const ROWS: usize = 1 << 14;
/// Bytes that are read at once.
const BUFFER: usize = 256 << 10;

type Next = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// The record batches of a file.
pub(crate) struct Batches {
    path: PathBuf,
    schema: SchemaRef,
    /// The number of rows, if the file tells it, and its bytes.
    rows: Option<u64>,
    bytes: u64,
    next: Next,
}

impl Batches {
    /// Opens the file at a path; `-` is standard input. What cannot be read twice is first copied to a temporary file in the folder.
    /// A record batch may take so much memory.
    pub(crate) fn open(
        path: &Path,
        format: BatchFormat,
        folder: &Path,
        memory: u64,
    ) -> Result<Self, CommandError> {
        if format == BatchFormat::Parquet && !cfg!(feature = "parquet") {
            return Err(ValueError::NotBuilt(format).into());
        }
        let at_input = |error| CommandError::Input(path.into(), error);
        let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
        let opened = match format {
            BatchFormat::Parquet => {
                let file = seekable(path, folder).map_err(at_input)?;
                guarded(|| parquet(file))
            }
            BatchFormat::Arrow => {
                let input = BufReader::with_capacity(BUFFER, stream(path).map_err(at_input)?);
                guarded(|| Stream::open(input, memory))
                    .map(|(schema, next)| (schema, None, Box::new(next) as Next))
            }
        };
        let (schema, rows, next) =
            opened.map_err(|what| invalid(path, format!("no {format} file: {what}")))?;
        Ok(Self { path: path.into(), schema, rows, bytes, next })
    }

    /// The columns of a table for the fields.
    pub(crate) fn columns(&self) -> Result<Vec<ColumnSpec>, CommandError> {
        let fields = self.schema.fields().iter();
        let columns = fields.map(|field| ColumnSpec::of_field(field)).collect::<Result<Vec<_>, _>>();
        columns.map_err(|error| self.refused(error))
    }

    /// The number of rows, if the file tells it.
    pub(crate) const fn rows(&self) -> Option<u64> {
        self.rows
    }

    /// Whether there is a field of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.schema.column_with_name(name).is_some()
    }

    /// Fails if there is a field that none of the columns is for.
    pub(crate) fn must_have_only(&self, columns: &[ColumnSpec]) -> Result<(), CommandError> {
        let is_other = |name: &&String| columns.iter().all(|spec| spec.name != **name);
        match self.schema.fields().iter().map(|field| field.name()).find(is_other) {
            Some(name) => {
                Err(invalid(&self.path, format!("column {name:?}: the table has no column of this name")))
            }
            None => Ok(()),
        }
    }

    /// Passes on the cells of the columns, some rows at a time.
    pub(crate) fn copy(
        mut self,
        columns: &[ColumnSpec],
        append: &mut dyn FnMut(&[Cells]) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let mut progress = Progress::new("reading", self.bytes);
        let (mut done, mut first) = (0, 0);
        while let Some(batch) =
            guarded(|| self.next.next().transpose()).map_err(|what| invalid(&self.path, what))?
        {
            for start in (0..batch.num_rows()).step_by(ROWS) {
                let part = batch.slice(start, ROWS.min(batch.num_rows() - start));
                let cells = Cells::of_batch(&part, columns);
                append(&cells.map_err(|error| self.refused(counted(error, first)))?)?;
                first += part.num_rows();
            }
            let passed = self.bytes * first as u64 / self.rows.unwrap_or(u64::MAX).max(1);
            progress.advance(passed - done);
            done = passed;
        }
        Ok(())
    }

    fn refused(&self, error: FieldError) -> CommandError {
        match error {
            FieldError::Type { .. } => CommandError::Unmatched(self.path.clone(), error.to_string()),
            error => invalid(&self.path, error.to_string()),
        }
    }
}

fn invalid(path: &Path, what: String) -> CommandError {
    CommandError::InvalidInput(path.into(), InvalidInput::Data(what))
}

/// An error whose value is counted from the first row of the file.
fn counted(mut error: FieldError, first: usize) -> FieldError {
    if let FieldError::Value { at, .. } | FieldError::Null { at, .. } = &mut error {
        *at += first;
    }
    error
}

#[cfg(feature = "parquet")]
fn parquet(file: File) -> Result<(SchemaRef, Option<u64>, Next), ArrowError> {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).ok();
    let schema = zones::named(builder.schema().clone(), builder.metadata().file_metadata());
    let reader = builder.with_batch_size(ROWS).build()?;
    Ok((schema, rows, Box::new(reader)))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: File) -> Result<(SchemaRef, Option<u64>, Next), ArrowError> {
    Err(ArrowError::NotYetImplemented(String::new()))
}

/// Reads with crates that may panic if a file is damaged.
fn guarded<T>(read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, String> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    panic::set_hook(hook);
    match read {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err("damaged".into()),
    }
}
