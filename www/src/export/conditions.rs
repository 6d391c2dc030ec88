//! Conditions on the cells of a column.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::{Sections, texts};
use crate::status;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use b2nd::array::Dtype;
use b2nd::msgpack::Value;
use b2nd::table::{Cells, ColumnSpec, Data, Filter, FilterError};
use b2nd::{ArgumentError, Limits, Result};
use wasm_bindgen::prelude::wasm_bindgen;

/// The name of the column in conditions.
const NAME: &str = "x";

/// Which cells of a column `x` meet a condition. The sections hold its text; the kind of the column; the dtype of the cells, empty for
/// texts; the items, or the texts one after the other; the lengths of the texts; and for each cell 0 if it is null. The answer is a 1, and
/// 1 for each cell that meets it, or a 0 and what is wrong with the condition.
#[wasm_bindgen]
pub fn matches() -> u32 {
    status(answer)
}

fn answer(engine: &mut Engine) -> Result<(), CallError> {
    let mut sections = engine.input.sections();
    let condition = text(sections.section());
    let spec = ColumnSpec { name: NAME.into(), kind: text(sections.section()), entry: Value::Nil };
    let cells = cells(&mut sections, &engine.dparams.limits)?;
    let met = met(&condition, spec, cells);
    engine.output.clear();
    match met {
        Ok(met) => {
            engine.output.push(&[1]);
            let places = engine.output.extend(met.len());
            places.iter_mut().zip(met).for_each(|(place, met)| *place = met.into());
        }
        Err(wrong) => {
            engine.output.push(&[0]);
            engine.output.push(wrong.to_string().as_bytes());
        }
    }
    Ok(())
}

fn met(condition: &str, spec: ColumnSpec, cells: Cells) -> Result<Vec<bool>, FilterError> {
    Filter::parse(condition, &[spec])?.matches(&[cells])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn cells(sections: &mut Sections<'_>, limits: &Limits) -> Result<Cells> {
    let dtype = text(sections.section());
    let (content, lens) = (sections.section(), sections.section());
    let data = match dtype.is_empty() {
        true => Data::Texts(texts(content, lens)),
        false => Data::Items { dtype: Dtype::parse(&dtype, limits)?, items: content.to_vec() },
    };
    let mut cells = Cells { data, valid: None };
    let mask = sections.section();
    let (expected, actual) = (cells.len() as u64, mask.len() as u64);
    if expected != actual {
        return Err(ArgumentError::BufferLen { expected, actual }.into());
    }
    cells.mask(mask);
    Ok(cells)
}
