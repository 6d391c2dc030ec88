//! The cells of a column.

use super::cells;
use super::subject::opened;
use crate::call_error::CallError;
use crate::columns::{Window, sized, wrong};
use crate::engine::Engine;
use crate::value::Writer;
use b2nd::Result;
use b2nd::table::{Cells, ColumnSpec, Data, TextPlaces};

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
    opened(&engine.subject)?.cells_of_items(&window, sections.section(), len)
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
