//! The rows of an input: lines, or record batches.

use super::cells::Batch;
use super::infer;
use super::lines::{Line, LineFormat, Lines};
use super::schema;
use crate::args::Args;
use crate::args::table::RowFormat;
use crate::batches::Batches;
use crate::error::CommandError;
use crate::input::{InputError, InvalidInput, stream};
use crate::progress::Progress;
use crate::values::{BatchFormat, ValueError};
use b2nd::table::{Cells, ColumnSpec};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Passes on the cells of some rows.
type Append<'a> = &'a mut dyn FnMut(&[Cells]) -> Result<(), CommandError>;

/// The rows of an input.
pub(crate) enum Rows {
    /// Lines, of which the first ones were read.
    Lines {
        from: PathBuf,
        lines: Box<Lines>,
        sample: Vec<Line>,
    },
    Batches(Batches),
}

impl Rows {
    /// Opens an input. A temporary copy, if one is needed, is made in the folder.
    pub(crate) fn open(
        args: &Args,
        from: &Path,
        format: Option<RowFormat>,
        folder: &Path,
    ) -> Result<Self, CommandError> {
        let format = format.or_else(|| RowFormat::of(from)).ok_or(ValueError::LineFormat)?;
        let batches = |format| Ok(Self::Batches(Batches::open(from, format, folder, args.limits().memory)?));
        let format = match format {
            RowFormat::Csv => LineFormat::Csv,
            RowFormat::Ndjson => LineFormat::Ndjson,
            RowFormat::Parquet => return batches(BatchFormat::Parquet),
            RowFormat::Arrow => return batches(BatchFormat::Arrow),
        };
        let input = stream(from).map_err(|error| CommandError::Input(from.into(), error))?;
        let mut lines = Lines::open(input, format).map_err(|error| error.at(from))?;
        let sample = lines.sample().map_err(|error| error.at(from))?;
        Ok(Self::Lines { from: from.into(), lines: Box::new(lines), sample })
    }

    /// The columns of this schema, or else those that the rows show or that their types tell.
    pub(crate) fn columns(&self, schema: Option<&str>) -> Result<Vec<ColumnSpec>, CommandError> {
        if let Some(text) = schema {
            return schema::parse(text).map_err(|what| ValueError::Schema(what).into());
        }
        let (from, lines, sample) = match self {
            Self::Lines { from, lines, sample } => (from, lines, sample),
            Self::Batches(batches) => return batches.columns(),
        };
        let names = lines.names(sample);
        check(&names).map_err(|wrong| InputError::from(wrong).at(from))?;
        infer::columns(&names, sample).map_err(CommandError::Parameters)
    }

    /// Whether the rows have a column of this name, as far as the first ones show it.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Self::Lines { lines, sample, .. } => lines.names(sample).iter().any(|other| other == name),
            Self::Batches(batches) => batches.has(name),
        }
    }

    /// The number of rows, if it is known.
    pub(crate) fn count(&self) -> Option<u64> {
        match self {
            Self::Lines { lines, sample, .. } => lines.has_ended().then_some(sample.len() as u64),
            Self::Batches(batches) => batches.rows(),
        }
    }

    /// Fails if record batches have other columns than these. Lines fail when they are read.
    pub(crate) fn must_have_only(&self, columns: &[ColumnSpec]) -> Result<(), CommandError> {
        match self {
            Self::Lines { .. } => Ok(()),
            Self::Batches(batches) => batches.must_have_only(columns),
        }
    }

    /// Passes on the cells of all rows, some rows at a time.
    pub(crate) fn copy(
        self,
        columns: &[ColumnSpec],
        args: &Args,
        append: Append<'_>,
    ) -> Result<(), CommandError> {
        match self {
            Self::Batches(batches) => batches.copy(columns, append),
            Self::Lines { from, mut lines, sample } => {
                let batch = Batch::new(columns, &args.limits()).map_err(CommandError::Parameters)?;
                copy(batch, (&mut lines, &from), sample, append)
            }
        }
    }
}

/// Fails unless there are names, and each once.
fn check(names: &[String]) -> Result<(), InvalidInput> {
    let mut known = BTreeSet::new();
    match names.iter().all(|name| known.insert(name)) {
        _ if names.is_empty() => Err(InvalidInput::Line { line: 1, what: "no columns" }),
        false => Err(InvalidInput::Line { line: 1, what: "several columns with the same name" }),
        true => Ok(()),
    }
}

/// Passes on all lines, those of the sample first.
fn copy(
    mut batch: Batch<'_>,
    (lines, from): (&mut Lines, &Path),
    sample: Vec<Line>,
    append: Append<'_>,
) -> Result<(), CommandError> {
    let at_input = |error: InputError| error.at(from);
    let total = fs::metadata(from).map_or(0, |metadata| metadata.len());
    let (mut progress, mut done) = (Progress::new("reading", total), 0);
    let names = batch.names(lines).map_err(at_input)?;
    let mut sample = sample.into_iter();
    while let Some(line) =
        sample.next().map_or_else(|| lines.next(), |line| Ok(Some(line))).map_err(at_input)?
    {
        batch.push(&line, &names).map_err(at_input)?;
        if batch.is_full() {
            append(&batch.take())?;
            progress.advance(lines.bytes() - done);
            done = lines.bytes();
        }
    }
    append(&batch.take())
}
