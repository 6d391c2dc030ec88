//! Rows in the order of columns.

use super::chosen::Chosen;
use super::columns;
use crate::args::table::RowChoice;
use crate::error::{CommandError, read_error};
use crate::rows::{CONDITION_AT_ONCE, Rows};
use b2nd::table::{Sorter, Table};
use b2nd::{Limits, ReadAt};
use std::io;
use std::path::Path;

/// The chosen rows in the order that is wanted, if one is.
pub(super) fn rows<S: ReadAt<Error = io::Error>>(
    path: &Path,
    table: &Table<'_, S>,
    rows: &Rows,
    choice: &RowChoice,
    limits: &Limits,
) -> Result<Option<Rows>, CommandError> {
    if choice.sort.is_empty() {
        return Ok(None);
    }
    let keys = choice.sort.iter().map(|key| key.strip_prefix('-').map_or((&**key, false), |key| (key, true)));
    let (names, descending): (Vec<String>, Vec<bool>) =
        keys.map(|(key, down)| (key.to_owned(), down)).unzip();
    let columns = columns(path, table, &names)?;
    // All of them have a place before the first are known.
    let all = RowChoice { condition: choice.condition.clone(), ..RowChoice::default() };
    let mut chosen = Chosen::new(path, table, &all)?;
    let mut sorter = Sorter::new(&descending, choice.limit, limits);
    for (window, picked) in chosen.windows(rows.clone(), CONDITION_AT_ONCE) {
        let picked = chosen.pick(&window, picked)?;
        let rows: Vec<u64> = picked.iter().map(|at| window.start + *at as u64).collect();
        let cells = columns.iter().map(|column| column.take(&rows)).collect::<Result<Vec<_>, _>>();
        let cells = cells.map_err(|error| read_error(path, error))?;
        sorter.push(rows, &cells).map_err(|error| CommandError::Blosc(path.into(), error))?;
    }
    Ok(Some(Rows::listed(sorter.finish())))
}
