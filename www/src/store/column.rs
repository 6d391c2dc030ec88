//! The cells of a column.

use super::cells;
use super::subject::{Column, opened};
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::{Sections, f64s};
use crate::value::Writer;
use alloc::vec::Vec;
use b2nd::table::{Cells, ColumnSpec, Data, TextPlaces};
use b2nd::{Error, FormatError, Malformed, Result, Unsupported};

/// Rows as they are stored: which of them are picked, all if none is, and the bits of the mask of the column, if it has one.
struct Window<'a> {
    picked: Vec<usize>,
    mask: &'a [u8],
}

impl<'a> Window<'a> {
    /// Of `len` rows.
    fn of(sections: &mut Sections<'a>, len: usize) -> Result<Self> {
        let picked = f64s(sections.section()).map(|row| row as usize).collect();
        let mask = sections.section();
        Ok(Self { picked, mask: if mask.is_empty() { mask } else { sized(mask, len, 1)? } })
    }

    /// The picked rows of `size` bytes.
    fn rows(&self, bytes: &[u8], size: usize) -> Vec<u8> {
        if self.picked.is_empty() {
            return bytes.to_vec();
        }
        self.picked
            .iter()
            .filter_map(|row| bytes.get(row * size..(row + 1) * size))
            .flatten()
            .copied()
            .collect()
    }

    /// The cells, of which the mask may make some null.
    fn masked(&self, mut cells: Cells) -> Cells {
        if !self.mask.is_empty() {
            cells.mask(&self.rows(self.mask, 1));
        }
        cells
    }
}

/// The cells of `len` stored rows of items.
pub(crate) fn items(engine: &mut Engine, len: usize) -> Result<(), CallError> {
    let cells = cells_of_items(engine, len)?;
    engine.output.clear();
    Ok(cells::write(&cells, &mut Writer(&mut engine.output))?)
}

/// The items of the cells of `len` stored rows, then 1 for each row that is null, if one is.
pub(crate) fn typed(engine: &mut Engine, len: usize) -> Result<(), CallError> {
    let cells = cells_of_items(engine, len)?;
    engine.output.clear();
    if let Data::Items { items, .. } = &cells.data {
        engine.output.push(items);
    }
    let nulls = cells.valid.unwrap_or_default();
    let places = engine.output.extend(nulls.len());
    places.iter_mut().zip(nulls).for_each(|(place, valid)| *place = u8::from(!valid));
    Ok(())
}

fn cells_of_items(engine: &Engine, len: usize) -> Result<Cells> {
    let mut sections = engine.input.sections();
    let window = Window::of(&mut sections, len)?;
    let Column { spec, dtype } = opened(&engine.subject)?;
    let dtype = dtype.as_ref().ok_or_else(|| Error::from(Unsupported::ColumnKind))?;
    let rows = window.rows(sized(sections.section(), len, dtype.itemsize())?, dtype.itemsize());
    Ok(window.masked(spec.cells_of_items(dtype, rows)))
}

/// The start and end of `len` texts, whose offsets and the end of the last are the input. All texts have `nbytes` bytes, of which the
/// file has `stored`.
pub(crate) fn place(engine: &mut Engine, len: usize, stored: u64, nbytes: u64) -> Result<(), CallError> {
    let places = TextPlaces::parse(sized(engine.input.bytes(), len + 1, 8)?)?;
    places.allow(stored, &engine.dparams.limits, &mut 0)?;
    let range = places.range();
    if range.end > nbytes {
        return Err(wrong("offsets of texts").into());
    }
    engine.output.clear();
    engine.output.numbers(&[range.start as f64, range.end as f64]);
    Ok(())
}

/// The cells of `len` stored rows of texts, of which the input has the offsets and the bytes.
pub(crate) fn texts(engine: &mut Engine, len: usize) -> Result<(), CallError> {
    let mut sections = engine.input.sections();
    let window = Window::of(&mut sections, len)?;
    let places = TextPlaces::parse(sized(sections.section(), len + 1, 8)?)?;
    let picked = Some(&*window.picked).filter(|picked| !picked.is_empty());
    let range = places.range();
    let content = sized(sections.section(), (range.end - range.start) as usize, 1)?;
    let cells = opened(&engine.subject)?.spec.cells_of_texts(places.texts(content, picked));
    engine.output.clear();
    Ok(cells::write(&window.masked(cells), &mut Writer(&mut engine.output))?)
}

/// The numbers of the texts, of which there are `ntexts`, in `len` stored rows of a dictionary column.
pub(crate) fn codes(engine: &mut Engine, len: usize, ntexts: usize) -> Result<(), CallError> {
    let mut sections = engine.input.sections();
    let window = Window::of(&mut sections, len)?;
    let spec: &ColumnSpec = &opened(&engine.subject)?.spec;
    let rows = window.rows(sized(sections.section(), len, 4)?, 4);
    let mut codes = spec.codes(&rows, ntexts)?;
    if !window.mask.is_empty() {
        let mask = window.rows(window.mask, 1);
        codes.iter_mut().zip(mask).filter(|(_, bit)| *bit == 0).for_each(|(code, _)| *code = None);
    }
    engine.output.clear();
    Writer(&mut engine.output).each(codes, |out, code| match code {
        Some(code) => out.int(code as i128),
        None => out.nil(),
    });
    Ok(())
}

/// The bytes of rows, if they have this size.
fn sized(bytes: &[u8], rows: usize, size: usize) -> Result<&[u8]> {
    match rows.checked_mul(size) {
        Some(nbytes) if nbytes == bytes.len() => Ok(bytes),
        _ => Err(wrong("item size of a column")),
    }
}

fn wrong(name: &'static str) -> Error {
    FormatError { what: Malformed::Field { name, value: 0 }, offset: None, chunk: None, block: None }.into()
}
