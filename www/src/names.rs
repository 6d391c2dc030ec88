//! Names of codecs and filters.

use crate::engine::Engine;
use crate::status;
use b2nd::codec::Codec;
use b2nd::filter::Filter;
use core::str::from_utf8;
use wasm_bindgen::prelude::wasm_bindgen;

/// The ids of a codec and of filters, by their names.
#[wasm_bindgen]
pub fn ids() -> u32 {
    status(|engine| {
        write_ids(engine);
        Ok(())
    })
}

/// The id of a codec, then the id and the parameter of each filter. They are NaN for what has none.
fn write_ids(engine: &mut Engine) {
    let Engine { input, output, .. } = engine;
    output.clear();
    let mut names = input.sections().map(|name| from_utf8(name).unwrap_or_default());
    let codec = names.next().and_then(Codec::from_name);
    output.numbers(&[codec.map_or(f64::NAN, |codec| codec.0.into())]);
    for name in names {
        let filter = name.parse().ok().filter(|filter: &Filter| filter.id > 0);
        output.numbers(&filter.map_or([f64::NAN; 2], |Filter { id, meta }| [id, meta].map(f64::from)));
    }
}
