//! Conditions on the rows of tables. The caller reads the columns, and the arrays of their indexes.

use super::arrays::{Answers, Stop};
use super::condition::{Condition, text};
use crate::call_error::CallError;
use crate::columns::{Column, Window};
use crate::engine::Engine;
use crate::layers;
use crate::sections::{Sections, texts};
use crate::value::Writer;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::table::{Cells, ColumnSpec, Data, Filter, Indexes, Schema};
use b2nd::{ArgumentError, Error, Limits, Unsupported};

/// Parses a condition on the table that the frame with these attributes describes: the first section, and those of the condition. The
/// answer has the names of its columns.
pub(super) fn parse(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let mut sections = engine.input.sections();
    let attributes = layers::read(sections.section());
    let text = text(sections)?;
    let schema = Schema::read(&attributes, &engine.dparams.limits)?;
    let schema = schema.ok_or_else(|| Error::from(Unsupported::NoTable))?;
    let computed = schema.computed.iter().map(ColumnSpec::of_computed);
    let columns: Vec<_> = schema.columns.iter().cloned().chain(computed).collect();
    let filter = Filter::parse(&text, &columns)?;
    Writer(&mut engine.output).each(filter.columns(), |out, name| out.text(name));
    engine.expression.condition = Some(Condition { filter, schema, attributes });
    Ok(())
}

/// The stored rows that may match: a record of `rows`, starts and ends, null for all, if the answers suffice; otherwise the `key` of
/// the array that is needed, and the `ranges` of its items, null if the array is to be described. The input has the key of the table and
/// the answers.
pub(super) fn candidates(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let limits = engine.dparams.limits;
    let Condition { filter, schema, attributes } = condition(&engine.expression.condition)?;
    let mut sections = engine.input.sections();
    let group = String::from_utf8_lossy(sections.section());
    let indexes = Indexes::new(schema, &group, attributes, &limits)?;
    let (rows, key, ranges) = match indexes.candidates(filter, &Answers::new(sections, limits)) {
        Ok(rows) => (rows, None, None),
        Err(Stop::Needs { key, ranges }) => (None, Some(key), ranges),
        Err(Stop::Failed(error)) => return Err(error.into()),
    };
    let mut out = Writer(&mut engine.output);
    out.record();
    out.name("key").optional(key.as_deref());
    for (name, ranges) in [("rows", rows), ("ranges", ranges)] {
        let out = out.name(name);
        match ranges {
            Some(ranges) => out.each(ranges.iter().flat_map(|range| [range.start, range.end]), Writer::count),
            None => out.nil(),
        }
    }
    out.end();
    Ok(())
}

/// Which rows match, 1 for each that does. The input has six sections for each column of the condition: the entry of the schema; the
/// dtype of its items, empty for texts; the shape of its array, or the lengths of the texts; rows that are picked, all if none is; the
/// mask, if there is one; the items, or the texts.
pub(super) fn matches(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let limits = engine.dparams.limits;
    let Condition { filter, .. } = condition(&engine.expression.condition)?;
    let mut sections = engine.input.sections();
    let cells = filter.columns().iter().map(|_| cells(&mut sections, &limits));
    let matches = filter.matches(&cells.collect::<b2nd::Result<Vec<_>>>()?)?;
    let places = engine.output.extend(matches.len());
    places.iter_mut().zip(matches).for_each(|(place, matches)| *place = matches.into());
    Ok(())
}

fn cells(sections: &mut Sections<'_>, limits: &Limits) -> b2nd::Result<Cells> {
    let [entry, dtype, lens] = [sections.section(), sections.section(), sections.section()];
    if dtype.is_empty() {
        let [_, mask, content] = [sections.section(), sections.section(), sections.section()];
        let mut cells = Cells { data: Data::Texts(texts(content, lens)), valid: None };
        let (expected, actual) = (cells.len() as u64, mask.len() as u64);
        if expected != actual {
            return Err(ArgumentError::BufferLen { expected, actual }.into());
        }
        cells.mask(mask);
        return Ok(cells);
    }
    let column = Column::read([entry, dtype, lens], limits)?;
    // The sections before the items tell of as many rows.
    let mut window = *sections;
    let items = [sections.section(), sections.section(), sections.section()][2];
    let len = column.dtype.as_ref().map_or(0, |dtype| items.len() / dtype.itemsize().max(1));
    column.cells_of_items(&Window::of(&mut window, len)?, items, len)
}

fn condition(known: &Option<Condition>) -> Result<&Condition, Error> {
    Ok(known.as_ref().ok_or(ArgumentError::NotOpened)?)
}
