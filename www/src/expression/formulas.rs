//! Values of computed columns of tables.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::Sections;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::array::Dtype;
use b2nd::table::{Cells, Data, Formula};
use b2nd::{Limits, Result};

/// Computes so many rows. The input has the formula, the dtype of the values, and for each input its dtype, empty if it is no array of
/// numbers, its items, and 1 for each row that is null, if one is. The output has items and nulls likewise.
pub(super) fn compute(engine: &mut Engine, rows: usize) -> Result<(), CallError> {
    engine.output.clear();
    let limits = engine.dparams.limits;
    let mut sections = engine.input.sections();
    let (formula, dtype) = (text(sections.section()), text(sections.section()));
    let (mut dtypes, mut cells) = (Vec::new(), Vec::new());
    while let Some(dtype) = sections.next() {
        let dtype = dtype_of(dtype, &limits)?;
        cells.push(cells_of(dtype.clone(), &mut sections));
        dtypes.push(dtype);
    }
    let Cells { data, valid } = Formula::new(&formula, &dtype, &dtypes)?.cells(cells, rows)?;
    if let Data::Items { items, .. } = data {
        engine.output.push(&items);
    }
    let nulls: Vec<u8> = valid.unwrap_or_default().iter().map(|valid| u8::from(!valid)).collect();
    engine.output.push(&nulls);
    Ok(())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn dtype_of(bytes: &[u8], limits: &Limits) -> Result<Option<Dtype>> {
    if bytes.is_empty() { Ok(None) } else { Dtype::parse(&text(bytes), limits).map(Some) }
}

fn cells_of(dtype: Option<Dtype>, sections: &mut Sections<'_>) -> Cells {
    let (items, nulls) = (sections.section().to_vec(), sections.section());
    let data = dtype.map_or(Data::Objects(Vec::new()), |dtype| Data::Items { dtype, items });
    Cells { data, valid: (!nulls.is_empty()).then(|| nulls.iter().map(|null| *null == 0).collect()) }
}
