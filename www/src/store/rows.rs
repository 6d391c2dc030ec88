//! Which of the stored rows of a table are there.

use super::subject::{live, mask};
use crate::call_error::CallError;
use crate::engine::Engine;
use b2nd::table::{LiveRows, Spot};
use core::ops::Range;

/// The pieces of a mask that are to be counted: start and end of each.
pub(crate) fn pieces(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, dparams, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let (lens, runs) = (sections.section(), sections.section());
    mask(lens, runs, &dparams.limits, |piece| {
        output.numbers(&[piece.start as f64, piece.end as f64]);
        0
    })?;
    Ok(())
}

/// The number of rows in each piece of so many bytes of the input, which are the bits of a mask.
pub(crate) fn count(engine: &mut Engine, piece: usize) -> Result<(), CallError> {
    let Engine { input, output, .. } = engine;
    output.clear();
    for piece in input.bytes().chunks(piece.max(1)) {
        output.numbers(&[LiveRows::count(piece) as f64]);
    }
    Ok(())
}

/// The number of rows.
pub(crate) fn rows(engine: &mut Engine) -> Result<(), CallError> {
    let len = live(&engine.subject)?.len() as f64;
    engine.output.clear();
    engine.output.numbers(&[len]);
    Ok(())
}

/// Where rows are: start and end of the stored rows, then, if only some of them are meant, which of those that are there.
pub(crate) fn spots(engine: &mut Engine, rows: Range<u64>) -> Result<(), CallError> {
    engine.output.clear();
    for spot in live(&engine.subject)?.spots(rows)? {
        let number = |number: u64| number as f64;
        engine.output.numbers(&match spot {
            Spot::Rows(stored) => [number(stored.start), number(stored.end), f64::NAN, f64::NAN],
            Spot::Piece { stored, wanted } => {
                [stored.start, stored.end, wanted.start, wanted.end].map(number)
            }
        });
    }
    Ok(())
}

/// Which rows are meant of a piece, whose bits are the input: start and end in it, then those that are there, if not all are.
pub(crate) fn pick(engine: &mut Engine, wanted: Range<u64>) -> Result<(), CallError> {
    let (range, picked) = LiveRows::pick(engine.input.bytes(), wanted);
    engine.output.clear();
    engine.output.numbers(&[range.start as f64, range.end as f64]);
    for row in picked.unwrap_or_default() {
        engine.output.numbers(&[row as f64]);
    }
    Ok(())
}
