//! Conditions that may be true in runs of rows, by the extremes of their values.

use super::values::{Values, compare};
use super::{Filter, FilterError, Node, Test};
use crate::table::cells::Cells;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The extremes of a column's values in runs of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Extremes {
    /// The smallest value of each run, of those that are neither null nor a number that is none; null if it is unknown.
    pub least: Cells,
    /// The largest.
    pub most: Cells,
    /// The kinds of values in each run.
    pub runs: Vec<RunContents>,
}

/// The kinds of values that a run of rows may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunContents {
    /// Whether some may be between the extremes.
    pub ordered: bool,
    /// Whether some may be numbers that are none.
    pub nan: bool,
    /// Whether some may be null.
    pub null: bool,
}

/// The outcomes that a condition may have for some row: a set of these.
type Outcomes = u8;

const TRUE: Outcomes = 1;
const FALSE: Outcomes = 2;
const UNKNOWN: Outcomes = 4;
const ANY: Outcomes = TRUE | FALSE | UNKNOWN;

impl Filter {
    /// Which of `runs` runs of rows may have rows that match, by the extremes of the [columns](Self::columns); `None` where nothing is
    /// known. A run is left out only if no row of it matches.
    ///
    /// ```
    /// use b2nd::{array::Dtype, table::{Cells, ColumnKind, ColumnSpec, Data, Extremes, Filter, Nulls, RunContents}};
    /// let columns = [ColumnSpec::new("x", &ColumnKind::Number(Dtype::of::<u8>()), &Nulls::None)?];
    /// let filter = Filter::parse("x > 5 and not x == 9", &columns)?;
    /// let cells = |items: [u8; 3]| {
    ///     Cells { data: Data::Items { dtype: Dtype::of::<u8>(), items: items.into() }, valid: None }
    /// };
    /// let contents = RunContents { ordered: true, nan: false, null: false };
    /// let extremes = Extremes { least: cells([0, 2, 9]), most: cells([5, 7, 9]), runs: vec![contents; 3] };
    /// assert_eq!(filter.may_match(&[Some(extremes)], 3)?, [false, true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FilterError::Cells`] for extremes of other columns than these, or of other numbers of runs.
    pub fn may_match(&self, extremes: &[Option<Extremes>], runs: usize) -> Result<Vec<bool>, FilterError> {
        let fits = |extremes: &Extremes| {
            [extremes.least.len(), extremes.most.len(), extremes.runs.len()] == [runs; 3]
        };
        if extremes.len() != self.columns().len() || !extremes.iter().flatten().all(fits) {
            return Err(FilterError::Cells);
        }
        let known = Known {
            least: extremes
                .iter()
                .map(|known| values(known, |known| &known.least))
                .collect::<Result<_, _>>()?,
            most: extremes
                .iter()
                .map(|known| values(known, |known| &known.most))
                .collect::<Result<_, _>>()?,
            extremes,
            runs,
        };
        let outcomes = known.outcomes(&self.root)?;
        Ok(outcomes.into_iter().map(|outcomes| outcomes & TRUE != 0).collect())
    }
}

/// One side of the extremes. What is not known stays a value that no column has.
fn values<'v>(
    extremes: &'v Option<Extremes>,
    side: impl Fn(&'v Extremes) -> &'v Cells,
) -> Result<Values<'v>, FilterError> {
    extremes
        .as_ref()
        .map_or(Ok(Values::Bool(None)), |known| Values::of(side(known)).ok_or(FilterError::Cells))
}

/// The extremes of all columns.
struct Known<'v> {
    least: Vec<Values<'v>>,
    most: Vec<Values<'v>>,
    extremes: &'v [Option<Extremes>],
    runs: usize,
}

impl Known<'_> {
    /// The outcomes that a condition may have in each run.
    fn outcomes(&self, node: &Node) -> Result<Vec<Outcomes>, FilterError> {
        Ok(match node {
            Node::Bool(value) => alloc::vec![of_truth(Some(*value)); self.runs],
            Node::Column(number) => self.of_column(*number)?,
            Node::Computed(_) => alloc::vec![ANY; self.runs],
            Node::Compare(test, sides) => self.of_comparison(*test, sides)?,
            Node::IsNull(_) => (0..self.runs).map(|run| of_nulls(self.contents(node, run))).collect(),
            Node::Not(node) => self.outcomes(node)?.into_iter().map(negated).collect(),
            Node::And(nodes) => self.joined(nodes, false)?,
            Node::Or(nodes) => self.joined(nodes, true)?,
            _ => return Err(FilterError::Cells),
        })
    }

    fn joined(&self, nodes: &[Node], decisive: bool) -> Result<Vec<Outcomes>, FilterError> {
        // `a or b` is `not (not a and not b)`.
        let inner = |outcomes: Outcomes| if decisive { negated(outcomes) } else { outcomes };
        let all = nodes.iter().try_fold(alloc::vec![TRUE; self.runs], |known, node| {
            let more = self.outcomes(node)?.into_iter().map(inner);
            Ok(known.into_iter().zip(more).map(|(a, b)| both(a, b)).collect())
        })?;
        Ok(all.into_iter().map(inner).collect())
    }

    /// A column of booleans.
    fn of_column(&self, number: usize) -> Result<Vec<Outcomes>, FilterError> {
        let Some(extremes) = self.extremes.get(number).and_then(Option::as_ref) else {
            return Ok(alloc::vec![ANY; self.runs]);
        };
        let [least, most] = [&self.least, &self.most].map(|side| side[number].truth());
        let (least, most) = least.zip(most).ok_or(FilterError::Cells)?;
        let of =
            |((least, most), contents): ((&Option<bool>, &Option<bool>), &RunContents)| match (least, most) {
                (Some(least), Some(most)) => {
                    let ordered =
                        if contents.ordered { of_truth(Some(*least)) | of_truth(Some(*most)) } else { 0 };
                    ordered | if contents.null { UNKNOWN } else { 0 }
                }
                _ => ANY,
            };
        Ok(least.iter().zip(&most).zip(&extremes.runs).map(of).collect())
    }

    fn of_comparison(&self, test: Test, [left, right]: &[Node; 2]) -> Result<Vec<Outcomes>, FilterError> {
        if matches!((left, right), (Node::Computed(_), _) | (_, Node::Computed(_))) {
            return Ok(alloc::vec![ANY; self.runs]);
        }
        let order = |a: &Node, of_a: &[Values<'_>], b: &Node, of_b: &[Values<'_>]| {
            compare(&*a.values(of_a, self.runs)?, &*b.values(of_b, self.runs)?, self.runs)
                .ok_or(FilterError::Cells)
        };
        let lowest = order(left, &self.least, right, &self.most)?;
        let highest = order(left, &self.most, right, &self.least)?;
        let of_run = |run: usize| {
            let contents = [left, right].map(|node| self.contents(node, run));
            match (contents, lowest[run], highest[run]) {
                ([Some(a), Some(b)], lowest, highest) => {
                    let ordered = match (a.ordered && b.ordered, lowest, highest) {
                        (false, ..) => 0,
                        (true, Some(Some(lowest)), Some(Some(highest))) => of_orders(test, lowest, highest),
                        (true, ..) => ANY,
                    };
                    let unordered = if a.nan || b.nan { of_truth(Some(test.holds(None))) } else { 0 };
                    ordered | unordered | if a.null || b.null { UNKNOWN } else { 0 }
                }
                _ => ANY,
            }
        };
        Ok((0..self.runs).map(of_run).collect())
    }

    /// The kinds of values of an operand in a run, if they are known.
    fn contents(&self, node: &Node, run: usize) -> Option<RunContents> {
        match node {
            Node::Column(number) | Node::IsNull(number) => {
                Some(self.extremes.get(*number)?.as_ref()?.runs[run])
            }
            Node::Bool(_) | Node::Int(_) | Node::Float(_) | Node::Text(_) | Node::Time(_) => {
                Some(RunContents { ordered: true, nan: false, null: false })
            }
            _ => None,
        }
    }
}

/// The outcomes of a test of values whose order is somewhere between these two.
fn of_orders(test: Test, lowest: Ordering, highest: Ordering) -> Outcomes {
    [Ordering::Less, Ordering::Equal, Ordering::Greater]
        .into_iter()
        .filter(|order| (lowest..=highest).contains(order))
        .map(|order| of_truth(Some(test.holds(Some(order)))))
        .fold(0, |all, outcomes| all | outcomes)
}

/// The outcomes of whether values are null.
fn of_nulls(contents: Option<RunContents>) -> Outcomes {
    let Some(RunContents { ordered, nan, null }) = contents else { return ANY };
    (if null { TRUE } else { 0 }) | (if ordered || nan { FALSE } else { 0 })
}

const fn of_truth(truth: Option<bool>) -> Outcomes {
    match truth {
        Some(true) => TRUE,
        Some(false) => FALSE,
        None => UNKNOWN,
    }
}

const fn negated(outcomes: Outcomes) -> Outcomes {
    outcomes & UNKNOWN | (outcomes & TRUE) << 1 | (outcomes & FALSE) >> 1
}

/// The outcomes of `a and b`.
const fn both(a: Outcomes, b: Outcomes) -> Outcomes {
    let unknown = (a | b) & UNKNOWN != 0 && a & (TRUE | UNKNOWN) != 0 && b & (TRUE | UNKNOWN) != 0;
    // Without rows there are no outcomes.
    let is_false = (a | b) & FALSE != 0 && a != 0 && b != 0;
    (a & b & TRUE) | if is_false { FALSE } else { 0 } | if unknown { UNKNOWN } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_are_those_of_all_pairs() {
        let truths = [Some(true), Some(false), None];
        let set =
            |outcomes: Outcomes| truths.into_iter().filter(move |truth| outcomes & of_truth(*truth) != 0);
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            let pairs = set(a).flat_map(|a| set(b).map(move |b| (a, b)));
            let joined = pairs.map(|pair| match pair {
                (Some(false), _) | (_, Some(false)) => FALSE,
                (Some(true), Some(true)) => TRUE,
                _ => UNKNOWN,
            });
            assert_eq!(both(a, b), joined.fold(0, |all, outcome| all | outcome), "{a} {b}");
        }
    }

    #[test]
    fn orders_are_those_between_the_extremes() {
        assert_eq!(of_orders(Test::Equal, Ordering::Less, Ordering::Greater), TRUE | FALSE);
        assert_eq!(of_orders(Test::Equal, Ordering::Greater, Ordering::Greater), FALSE);
        assert_eq!(of_orders(Test::AtMost, Ordering::Less, Ordering::Equal), TRUE);
    }
}
