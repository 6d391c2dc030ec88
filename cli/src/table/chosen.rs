//! Rows that are chosen by a condition, and by their number.

use super::{cells, columns};
use crate::args::table::RowChoice;
use crate::failure::Failure;
use crate::rows::Rows;
use crate::values::ValueError;
use b2nd::ReadAt;
use b2nd::table::{Column, Filter, Table};
use core::ops::Range;
use std::io;
use std::path::Path;

/// Chooses rows in order.
pub(super) struct Chosen<'t, S: ReadAt<Error = io::Error>> {
    path: &'t Path,
    /// The condition, and its columns.
    filter: Option<(Filter, Vec<Column<'t, S>>)>,
    /// How many more are wanted.
    left: u64,
}

impl<'t, S: ReadAt<Error = io::Error>> Chosen<'t, S> {
    pub(super) fn new(path: &'t Path, table: &'t Table<'_, S>, choice: &RowChoice) -> Result<Self, Failure> {
        let filter = choice.condition.as_ref().map(|condition| {
            let filter = Filter::parse(condition, table.columns()).map_err(ValueError::Filter)?;
            let columns = columns(path, table, filter.columns())?;
            Ok::<_, Failure>((filter, columns))
        });
        Ok(Self { path, filter: filter.transpose()?, left: choice.limit.unwrap_or(u64::MAX) })
    }

    /// Whether no more rows are wanted.
    pub(super) const fn is_done(&self) -> bool {
        self.left == 0
    }

    /// The chosen ones of the rows that are picked of a window. Only the columns of the condition are read.
    pub(super) fn pick(
        &mut self,
        window: &Range<u64>,
        mut picked: Vec<usize>,
    ) -> Result<Vec<usize>, Failure> {
        if self.is_done() {
            return Ok(Vec::new());
        }
        if let Some((filter, columns)) = &self.filter {
            let matches = filter.matches(&cells(self.path, columns, window)?).map_err(ValueError::Filter)?;
            picked.retain(|at| matches.get(*at) == Some(&true));
        }
        picked.truncate(self.left.min(picked.len() as u64) as usize);
        self.left -= picked.len() as u64;
        Ok(picked)
    }

    /// The number of rows that are chosen.
    pub(super) fn count(mut self, rows: Rows) -> Result<u64, Failure> {
        if self.filter.is_none() {
            return Ok(rows.count.min(self.left));
        }
        let mut count = 0;
        for (window, picked) in rows.windows() {
            count += self.pick(&window, picked)?.len() as u64;
            if self.is_done() {
                break;
            }
        }
        Ok(count)
    }
}
