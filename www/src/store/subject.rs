//! The subject of the following calls. Its description, the recipe, loads it again.

use crate::columns::Column;
use crate::layers;
use crate::sections::{Sections, f64s};
use b2nd::objects::Batches;
use b2nd::table::LiveRows;
use b2nd::{ArgumentError, Error, Limits, Result};

/// The loaded subject.
pub(crate) enum Subject {
    Objects(Option<Batches>),
    Rows(LiveRows),
    Column(Column),
}

impl Subject {
    /// The layout of objects, the rows of a table, or a column, by a recipe.
    pub(super) fn read(mut recipe: Sections<'_>, limits: &Limits) -> Result<Self> {
        let kind = recipe.section();
        let parts = [recipe.section(), recipe.section(), recipe.section()];
        Ok(match kind {
            b"objects" => {
                let [metalayers, variable, nchunks] = parts;
                let nchunks = f64s(nchunks).next().unwrap_or(0.0) as u64;
                let (metalayers, variable) = (layers::read(metalayers), layers::read(variable));
                Self::Objects(Batches::read(&metalayers, &variable, nchunks, limits)?)
            }
            b"rows" => Self::Rows(rows(parts, limits)?),
            _ => Self::Column(Column::read(parts, limits)?),
        })
    }
}

/// The stored rows and the rows in a chunk; runs of chunks; the numbers of rows in their pieces.
fn rows([lens, runs, counts]: [&[u8]; 3], limits: &Limits) -> Result<LiveRows> {
    let mut counts = f64s(counts);
    mask(lens, runs, limits, |_| counts.next().unwrap_or(0.0) as u64)
}

/// The rows of a mask. `count` counts those of a piece.
pub(super) fn mask(
    lens: &[u8],
    runs: &[u8],
    limits: &Limits,
    mut count: impl FnMut(core::ops::Range<u64>) -> u64,
) -> Result<LiveRows> {
    let mut lens = f64s(lens).map(|len| len as u64);
    let (stored, chunk) = (lens.next().unwrap_or(0), lens.next().unwrap_or(0));
    let runs = runs.as_chunks().0.iter().map(|run: &[u8; 24]| {
        let mut run = f64s(run);
        let mut number = || run.next().unwrap_or(0.0) as u64;
        let (first, count, none) = (number(), number(), number());
        (first..first + count, none != 0)
    });
    LiveRows::new(stored, chunk, runs, limits, |piece| Ok::<_, Error>(count(piece)))
}

/// The loaded layout of objects.
pub(super) fn batches(subject: &Option<Subject>) -> Result<&Batches> {
    match subject {
        Some(Subject::Objects(Some(batches))) => Ok(batches),
        _ => Err(ArgumentError::NotOpened.into()),
    }
}

/// The loaded rows of a table.
pub(super) fn live(subject: &Option<Subject>) -> Result<&LiveRows> {
    match subject {
        Some(Subject::Rows(rows)) => Ok(rows),
        _ => Err(ArgumentError::NotOpened.into()),
    }
}

/// The loaded column.
pub(super) fn opened(subject: &Option<Subject>) -> Result<&Column> {
    match subject {
        Some(Subject::Column(column)) => Ok(column),
        _ => Err(ArgumentError::NotOpened.into()),
    }
}
