//! Rows that are chosen by a condition, and by their number.

use super::{cells, columns};
use crate::args::table::RowChoice;
use crate::error::{CommandError, read_error};
use crate::rows::{CONDITION_AT_ONCE, Rows};
use crate::values::ValueError;
use b2nd::ReadAt;
use b2nd::table::{Candidates, Column, Filter, Table};
use core::ops::Range;
use std::io;
use std::path::Path;

/// A condition, its columns, and the rows that may match by the indexes of these.
struct Condition<'t, S: ReadAt<Error = io::Error>> {
    filter: Filter,
    columns: Vec<Column<'t, S>>,
    candidates: Candidates<'t, S>,
}

/// Chooses rows in order.
pub(super) struct Chosen<'t, S: ReadAt<Error = io::Error>> {
    path: &'t Path,
    condition: Option<Condition<'t, S>>,
    /// How many more are wanted.
    left: u64,
}

impl<'t, S: ReadAt<Error = io::Error>> Chosen<'t, S> {
    pub(super) fn new(
        path: &'t Path,
        table: &'t Table<'_, S>,
        choice: &RowChoice,
    ) -> Result<Self, CommandError> {
        let condition = choice.condition.as_ref().map(|condition| {
            let filter = Filter::parse(condition, table.all_columns()).map_err(ValueError::Filter)?;
            let columns = columns(path, table, filter.columns())?;
            let candidates = table.candidates(&filter).map_err(|error| read_error(path, error))?;
            Ok::<_, CommandError>(Condition { filter, columns, candidates })
        });
        Ok(Self { path, condition: condition.transpose()?, left: choice.limit.unwrap_or(u64::MAX) })
    }

    /// Whether no more rows are wanted.
    pub(super) const fn is_done(&self) -> bool {
        self.left == 0
    }

    /// The chosen ones of the rows that are picked of a window. Only the columns of the condition are read, and nothing if no row can match.
    pub(super) fn pick(
        &mut self,
        window: &Range<u64>,
        mut picked: Vec<usize>,
    ) -> Result<Vec<usize>, CommandError> {
        if self.is_done() {
            return Ok(Vec::new());
        }
        if let Some(Condition { filter, columns, candidates }) = &self.condition {
            if !candidates.may_be_in(window.clone()).map_err(|error| read_error(self.path, error))? {
                return Ok(Vec::new());
            }
            let matches = filter.matches(&cells(self.path, columns, window)?).map_err(ValueError::Filter)?;
            picked.retain(|at| matches.get(*at) == Some(&true));
        }
        picked.truncate(self.left.min(picked.len() as u64) as usize);
        self.left -= picked.len() as u64;
        Ok(picked)
    }

    /// Ranges of rows to pick from, of so many rows at most if there is no condition.
    pub(super) fn windows(
        &self,
        rows: Rows,
        most: u64,
    ) -> impl Iterator<Item = (Range<u64>, Vec<usize>)> + use<S> {
        rows.windows_of(if self.condition.is_none() { most } else { CONDITION_AT_ONCE })
    }

    /// The number of rows that are chosen.
    pub(super) fn count(mut self, rows: Rows) -> Result<u64, CommandError> {
        if self.condition.is_none() {
            return Ok(rows.count.min(self.left));
        }
        let mut count = 0;
        for (window, picked) in rows.windows_of(CONDITION_AT_ONCE) {
            count += self.pick(&window, picked)?.len() as u64;
            if self.is_done() {
                break;
            }
        }
        Ok(count)
    }
}
