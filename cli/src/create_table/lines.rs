//! The lines of a table: CSV with a line of names, or a JSON object a line.

use super::watched::{Notes, TOO_LONG, Watched};
use crate::input::{InputError, InvalidInput};
use core::cell::RefCell;
use csv::{Reader, ReaderBuilder, StringRecord};
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::rc::Rc;

/// Lines by which types are inferred.
const SAMPLE: usize = 20_480;
/// Bytes of these at most.
const SAMPLE_BYTES: u64 = 16 << 20;

/// A line, and its number.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) number: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The cells, and in ascending order the places of those that are empty texts in quotes.
    Csv(StringRecord, Vec<usize>),
    Json(Map<String, Json>),
}

/// A cell of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell<'l> {
    Null,
    /// An empty text in quotes, which is null unless the column holds texts.
    Empty,
    Text(&'l str),
    Json(&'l Json),
}

impl Line {
    /// The cell of a column, by its place in a line of CSV or by its name.
    pub(crate) fn cell(&self, place: usize, name: &str) -> Cell<'_> {
        match &self.content {
            Content::Csv(record, quotes) => match record.get(place) {
                Some("") if quotes.binary_search(&place).is_ok() => Cell::Empty,
                None | Some("") => Cell::Null,
                Some(text) => Cell::Text(text),
            },
            Content::Json(object) => match object.get(name) {
                None | Some(Json::Null) => Cell::Null,
                Some(Json::String(text)) => Cell::Text(text),
                Some(value) => Cell::Json(value),
            },
        }
    }

    /// Whether there is a value under another name.
    pub(crate) fn has_others(&self, names: &BTreeSet<&str>) -> bool {
        matches!(&self.content, Content::Json(object) if object.keys().any(|name| !names.contains(&name[..])))
    }
}

/// A format of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineFormat {
    Csv,
    Ndjson,
}

/// All lines of an input, one at a time.
pub(crate) struct Lines {
    source: Source,
    notes: Rc<RefCell<Notes>>,
    /// Cells of CSV that were read.
    cells: u64,
    has_ended: bool,
}

type Input = Watched<Box<dyn Read>>;

enum Source {
    Csv { reader: Box<Reader<Input>>, names: Vec<String> },
    Json { reader: BufReader<Input>, line: u64, bytes: u64 },
}

impl Lines {
    pub(crate) fn open(input: Box<dyn Read>, format: LineFormat) -> Result<Self, InputError> {
        let (input, notes) = Watched::new(input, matches!(format, LineFormat::Csv));
        let mut cells = 0;
        let source = match format {
            LineFormat::Csv => {
                let mut reader = Box::new(ReaderBuilder::new().from_reader(input));
                let names =
                    reader.headers().map_err(|error| too_long(&notes, 1).unwrap_or_else(|| wrong(error)))?;
                cells = names.len() as u64;
                notes.borrow_mut().quotes(0..cells);
                let names = names.iter().map(|name| name.trim_start_matches('\u{feff}').into()).collect();
                Source::Csv { reader, names }
            }
            LineFormat::Ndjson => Source::Json { reader: BufReader::new(input), line: 0, bytes: 0 },
        };
        notes.borrow_mut().end_line();
        Ok(Self { source, notes, cells, has_ended: false })
    }

    /// The first lines.
    pub(crate) fn sample(&mut self) -> Result<Vec<Line>, InputError> {
        let mut lines = Vec::new();
        while lines.len() < SAMPLE && self.bytes() < SAMPLE_BYTES {
            match self.next()? {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        Ok(lines)
    }

    /// Whether there are no more lines.
    pub(crate) const fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The names of the columns: those of the first line, or of the objects of a sample, in the order in which they appear.
    pub(crate) fn names(&self, sample: &[Line]) -> Vec<String> {
        if let Source::Csv { names, .. } = &self.source {
            return names.clone();
        }
        let (mut names, mut known) = (Vec::new(), BTreeSet::new());
        for line in sample {
            if let Content::Json(object) = &line.content {
                names.extend(object.keys().filter(|name| known.insert(&name[..])).cloned());
            }
        }
        names
    }

    /// The names of the first line, if it has names.
    pub(crate) fn header(&self) -> Option<&[String]> {
        match &self.source {
            Source::Csv { names, .. } => Some(names),
            Source::Json { .. } => None,
        }
    }

    /// Bytes that were read.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.source {
            Source::Csv { reader, .. } => reader.position().byte(),
            Source::Json { bytes, .. } => *bytes,
        }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line>, InputError> {
        let (notes, cells) = (&self.notes, &mut self.cells);
        let line = match &mut self.source {
            Source::Csv { reader, .. } => {
                let before = reader.position().line();
                let line = next_record(reader, notes, cells);
                line.map_err(|error| too_long(notes, before).unwrap_or(error))?
            }
            Source::Json { reader, line, bytes } => {
                let object = next_object(reader, line, bytes);
                object.map_err(|error| too_long(notes, *line + 1).unwrap_or(error))?
            }
        };
        notes.borrow_mut().end_line();
        self.has_ended = line.is_none();
        Ok(line)
    }
}

/// The error of a line that is too long, if that is why reading failed.
fn too_long(notes: &RefCell<Notes>, line: u64) -> Option<InputError> {
    let is_too_long = notes.borrow().is_too_long;
    is_too_long.then(|| InvalidInput::Line { line, what: TOO_LONG }.into())
}

/// The next line of CSV, and which of its cells are empty texts in quotes.
fn next_record(
    reader: &mut Reader<Input>,
    notes: &RefCell<Notes>,
    cells: &mut u64,
) -> Result<Option<Line>, InputError> {
    let mut record = StringRecord::new();
    if !reader.read_record(&mut record).map_err(wrong)? {
        return Ok(None);
    }
    let number = record.position().map_or(0, csv::Position::line);
    let end = *cells + record.len() as u64;
    let quotes = notes.borrow_mut().quotes(*cells..end);
    *cells = end;
    Ok(Some(Line { number, content: Content::Csv(record, quotes) }))
}

/// The object of the next line that is not empty.
fn next_object(
    reader: &mut impl BufRead,
    line: &mut u64,
    bytes: &mut u64,
) -> Result<Option<Line>, InputError> {
    let mut text = String::new();
    while text.trim().is_empty() {
        text.clear();
        let len = reader.read_line(&mut text)?;
        if len == 0 {
            return Ok(None);
        }
        *bytes += len as u64;
        *line += 1;
    }
    match serde_json::from_str(&text) {
        Ok(Json::Object(object)) => Ok(Some(Line { number: *line, content: Content::Json(object) })),
        Ok(_) => Err(InvalidInput::Line { line: *line, what: "not a JSON object" }.into()),
        Err(error) => {
            Err(InvalidInput::Json(format!("line {line}, column {}: {error}", error.column())).into())
        }
    }
}

/// An error of CSV, whose number of cells must be that of the first line.
fn wrong(error: csv::Error) -> InputError {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let (expected, found) = (*expected_len as usize, *len as usize);
            let line = pos.as_ref().map_or(0, csv::Position::line);
            InvalidInput::Cells { line, expected, found }.into()
        }
        csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            InvalidInput::Line { line, what: "not UTF-8" }.into()
        }
        _ => InputError::Io(error.into()),
    }
}
