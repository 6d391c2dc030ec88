//! Tables in the format that `b2nd get` writes: a value per cell, or a line per item with a column for each field. Beyond two
//! dimensions each line has one value, preceded by its indices.
//!
//! The number of lines is known only at the end, so items are collected in a temporary file.

use super::items::Items;
use super::{Input, InputError, InputParams, InvalidInput, finish, parse_item};
use b2nd::array::{Dtype, Element, Kind};
use b2nd::export::{Column, columns};
use csv::{ReaderBuilder, StringRecord};
use std::io::{self, BufReader, BufWriter, Read, Write};

/// The mapping of the cells of a line to items.
struct Table<'a> {
    dtype: &'a Dtype,
    columns: Vec<Column<'a>>,
    /// Whether each cell is an item.
    is_plain: bool,
    /// Columns at the start that hold indices.
    indices: usize,
}

pub(super) fn open(reader: BufReader<impl Read>, params: &InputParams<'_>) -> Result<Input, InputError> {
    let dtype = params.dtype.cloned().unwrap_or_else(f64::dtype);
    let columns = columns(&dtype).map_err(|_| InvalidInput::NoCells(dtype.to_string()))?;
    let is_plain = !matches!(dtype.kind(), Kind::Struct { .. } | Kind::Subarray { .. });
    let mut table = Table { dtype: &dtype, columns, is_plain, indices: 0 };
    let mut out = BufWriter::with_capacity(super::BUFFER, crate::files::unlinked(params.folder)?);
    let shape = table.read(reader, &mut out)?;
    let shape = match params.shape {
        None => shape,
        Some(wanted) => {
            let count = |shape: &[u64]| shape.iter().fold(1_u64, |count, len| count.saturating_mul(*len));
            let (expected, found) = (count(wanted), count(&shape));
            if expected != found {
                return Err(InvalidInput::Count { expected, found }.into());
            }
            wanted.to_vec()
        }
    };
    out.flush()?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let items = Items::of_file(file, 0)?;
    finish(shape, dtype, false, items)
}

impl Table<'_> {
    /// Reads the table and writes its items. Returns its shape.
    fn read(&mut self, reader: impl Read, out: &mut impl Write) -> Result<Vec<u64>, InputError> {
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(reader);
        let mut record = StringRecord::new();
        let (mut lines, mut cells) = (0, None);
        let (mut last, mut most): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let mut item = vec![0; self.dtype.itemsize()];
        let mut is_first = true;
        while reader.read_record(&mut record).map_err(|error| InputError::Io(error.into()))? {
            let line = record.position().map_or(0, csv::Position::line);
            if core::mem::take(&mut is_first) && self.is_header(&record) {
                cells = (self.indices > 0).then(|| record.len());
                continue;
            }
            let expected =
                *cells.get_or_insert(if self.is_plain { record.len() } else { self.columns.len() });
            if record.len() != expected {
                return Err(InvalidInput::Cells { line, expected, found: record.len() }.into());
            }
            let position = self.position(&record, line)?;
            if self.indices > 0 {
                if lines > 0 && position <= last {
                    return Err(InvalidInput::Line { line, what: "the indices are not in C order" }.into());
                }
                most.resize(self.indices, 0);
                most.iter_mut()
                    .zip(&position)
                    .for_each(|(most, at)| *most = (*most).max(at.saturating_add(1)));
                last = position;
            }
            self.write_items(&record, line, &mut item, out)?;
            lines += 1;
        }
        Ok(match cells {
            _ if self.indices > 0 => self.indexed(most, lines)?,
            Some(cells @ 2..) if self.is_plain => vec![lines, cells as u64],
            _ => vec![lines],
        })
    }

    /// The shape of a table with indices, which must include each item once.
    fn indexed(&self, most: Vec<u64>, found: u64) -> Result<Vec<u64>, InvalidInput> {
        let shape = if most.is_empty() { vec![0; self.indices] } else { most };
        let expected = shape.iter().fold(1_u64, |count, len| count.saturating_mul(*len));
        if expected == found { Ok(shape) } else { Err(InvalidInput::Count { expected, found }) }
    }

    fn position(&self, record: &StringRecord, line: u64) -> Result<Vec<u64>, InvalidInput> {
        let cells = record.iter().take(self.indices).enumerate();
        let index = |(column, cell): (usize, &str)| {
            let wrong = || InvalidInput::Cell {
                line,
                column: column + 1,
                text: cell.into(),
                dtype: "an index".into(),
            };
            cell.trim().parse().map_err(|_| wrong())
        };
        cells.map(index).collect()
    }

    fn write_items(
        &self,
        record: &StringRecord,
        line: u64,
        item: &mut [u8],
        out: &mut impl Write,
    ) -> Result<(), InputError> {
        for (column, cell) in record.iter().enumerate().skip(self.indices) {
            let part = if self.is_plain { &self.columns[0] } else { &self.columns[column - self.indices] };
            let place = &mut item[part.offset..][..part.dtype.itemsize()];
            if !parse_item(cell, part.dtype, place) {
                let (text, dtype) = (cell.to_owned(), part.dtype.to_string());
                return Err(InvalidInput::Cell { line, column: column + 1, text, dtype }.into());
            }
            if self.is_plain {
                out.write_all(item)?;
            }
        }
        if self.is_plain { Ok(()) } else { Ok(out.write_all(item)?) }
    }

    /// Whether the first line has names instead of values and, if so, whether indices come first.
    fn is_header(&mut self, record: &StringRecord) -> bool {
        let indices =
            record.iter().enumerate().take_while(|(axis, cell)| *cell == format!("i{axis}")).count();
        let names: Vec<&str> = record.iter().skip(indices).collect();
        let has_names = if self.is_plain {
            indices > 0 && names == ["value"]
        } else {
            names.iter().copied().eq(self.columns.iter().map(|column| column.name.as_str()))
        };
        if has_names {
            self.indices = indices;
            return true;
        }
        let first = &self.columns[0].dtype;
        let is_text = matches!(first.kind(), Kind::Str | Kind::Bytes);
        let mut place = vec![0; first.itemsize()];
        self.is_plain && !is_text && record.iter().all(|cell| !parse_item(cell, first, &mut place))
    }
}
