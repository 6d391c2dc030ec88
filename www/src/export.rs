//! Values as CSV, JSON and `.npy`, piece by piece, and single values as text. JavaScript has an instance of the module for each file.

mod state;

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::f64s;
use crate::status;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use b2nd::ArgumentError;
use b2nd::array::Dtype;
use b2nd::export::{BytesAs, Exporter, Format, NanAs, Style, csv_cell};
pub(crate) use state::State;
use wasm_bindgen::prelude::wasm_bindgen;

/// Begins a file: 0 CSV, 1 JSON, 2 `.npy`, 3 NDJSON. Bytes are 0 escaped, 1 UTF-8, 2 base64, 3 hexadecimal; NaN and infinities in JSON 0
/// texts, 1 null, 2 literals. The answer is why it cannot be, if so.
#[wasm_bindgen]
pub fn begin(format: u32, bytes: u32, nan: u32) -> u32 {
    let format = [Format::Csv, Format::Json, Format::Npy, Format::Ndjson][format.min(3) as usize];
    let bytes = [BytesAs::Escapes, BytesAs::Utf8, BytesAs::Base64, BytesAs::Hex][bytes.min(3) as usize];
    let nan = [NanAs::String, NanAs::Null, NanAs::Literal][nan.min(2) as usize];
    status(|engine| open(engine, format, Style { bytes, nan, ..Style::default() }))
}

/// The next items in the file; its end, if there are none.
#[wasm_bindgen]
pub fn part() -> u32 {
    status(append)
}

/// The text of an item, of the dtype and the bytes that the sections hold: that of a cell in CSV, without quotes. Empty for structures
/// and sub-arrays, which have several.
#[wasm_bindgen]
pub fn cell() -> u32 {
    status(print)
}

fn print(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let mut sections = engine.input.sections();
    let dtype = Dtype::parse(&String::from_utf8_lossy(sections.section()), &engine.dparams.limits)?;
    let item = sections.section();
    let (expected, actual) = (dtype.itemsize() as u64, item.len() as u64);
    if actual != expected {
        return Err(b2nd::Error::from(ArgumentError::BufferLen { expected, actual }).into());
    }
    let text = csv_cell(&dtype, item, &Style::default()).unwrap_or_default();
    engine.output.push(text.as_bytes());
    Ok(())
}

fn open(engine: &mut Engine, format: Format, style: Style) -> Result<(), CallError> {
    engine.output.clear();
    let mut sections = engine.input.sections();
    let dtype = Dtype::parse(&String::from_utf8_lossy(sections.section()), &engine.dparams.limits)?;
    let shape: Vec<u64> = f64s(sections.section()).map(|len| len as u64).collect();
    // The instance ends with the file.
    let (dtype, style) = Box::leak(Box::new((dtype, style)));
    match Exporter::with_style(format, style, dtype, &shape) {
        Ok(exporter) => engine.export.exporter = Some(exporter),
        Err(wrong) => engine.output.push(wrong.to_string().as_bytes()),
    }
    Ok(())
}

fn append(engine: &mut Engine) -> Result<(), CallError> {
    let State { exporter, part } = &mut engine.export;
    let exporter = exporter.as_mut().ok_or(b2nd::Error::from(ArgumentError::NotOpened))?;
    part.clear();
    match engine.input.bytes() {
        [] => exporter.finish(part),
        items => exporter.write(items, part),
    }
    engine.output.clear();
    engine.output.push(part);
    Ok(())
}
