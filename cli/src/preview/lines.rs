//! Lines: in each column of the picture they have all values between the least and the greatest of its items.

use super::colours::{Rgb, lines};
use super::numbers::Numbers;
use super::paint::Image;
use super::part::Part;
use super::plane::{cuts, each, items_bytes};
use super::range::usable;
use super::shown::Shown;
use super::summary::Summary;
use crate::args::RangeMode;
use crate::error::CommandError;
use crate::opened::Opened;

/// The pixels around the plot, and the thickness of lines.
const MARGIN: usize = 8;
const THICK: usize = 2;

/// The items of a line that are in one column of the picture.
#[derive(Debug, Clone, Copy)]
struct Column {
    first: f64,
    last: f64,
    min: f64,
    max: f64,
    /// Whether the item before the first is finite, too.
    is_joined: bool,
}

/// A line while its items come.
struct Line {
    columns: Vec<Option<Column>>,
    len: u64,
    at: u64,
    is_joined: bool,
}

impl Line {
    fn add(&mut self, value: f64) {
        let last = self.columns.len() - 1;
        let column = (u128::from(self.at) * last as u128 / u128::from((self.len - 1).max(1))) as usize;
        self.at += 1;
        if value.is_finite() {
            let new = Column { first: value, last: value, min: value, max: value, is_joined: self.is_joined };
            let column = self.columns[column].get_or_insert(new);
            column.last = value;
            column.min = column.min.min(value);
            column.max = column.max.max(value);
        }
        self.is_joined = value.is_finite();
    }
}

/// Reads and draws lines.
pub(super) fn draw(
    opened: &Opened<'_>,
    part: &Part,
    (x, y): (usize, Option<usize>),
    is_remote: bool,
    numbers: &mut Numbers,
    (range, size): (RangeMode, usize),
) -> Result<Image, CommandError> {
    let shape = part.shape();
    let cuts = cuts(&shape, Shown::Lines { x, y }, is_remote, items_bytes(opened, &shape), 1);
    let (width, height) = (size, (size / 2).max(2 * MARGIN + 2));
    let (len, count) = (shape[x], y.map_or(1, |y| shape[y]));
    let empty = || Line { columns: vec![None; width - 2 * MARGIN], len, at: 0, is_joined: false };
    let mut lines: Vec<Line> = (0..count).map(|_| empty()).collect();
    // Of lines along the first axis, the items of all come in turn.
    let is_first = y.is_some_and(|y| y > x);
    let (mut summary, mut at) = (Summary::default(), 0);
    each(opened, &part.selection(&cuts), numbers, |numbers| {
        summary.add(numbers);
        for &number in numbers {
            lines[(if is_first { at % count } else { at / len }) as usize].add(number);
            at += 1;
        }
    })?;
    let range = match range {
        RangeMode::Fixed(low, high) => (low, high),
        _ => (summary.min, summary.max),
    };
    Ok(picture(&lines, usable(range), width, height))
}

fn picture(all: &[Line], range: (f64, f64), width: usize, height: usize) -> Image {
    let mut image = Image { width, height, pixels: vec![[255; 4]; width * height] };
    for (line, colour) in all.iter().zip(lines().into_iter().cycle()) {
        let mut before: Option<(usize, f64)> = None;
        for (x, column) in line.columns.iter().enumerate() {
            let Some(column) = column else { continue };
            if let Some((from, value)) = before.filter(|_| column.is_joined) {
                join(&mut image, (from, value), (x, column.first), range, colour);
            }
            image.upright(x, (column.min, column.max), range, colour);
            before = Some((x, column.last));
        }
    }
    image
}

/// A straight line between two items, a column at a time.
fn join(image: &mut Image, from: (usize, f64), to: (usize, f64), range: (f64, f64), colour: Rgb) {
    let steps = to.0 - from.0;
    let at = |step: usize| {
        let share = step as f64 / steps as f64;
        from.1 * (1.0 - share) + to.1 * share
    };
    for step in 0..steps {
        let middle = at(step) / 2.0 + at(step + 1) / 2.0;
        for (column, value) in [(step, at(step)), (step + 1, at(step + 1))] {
            image.upright(from.0 + column, (value.min(middle), value.max(middle)), range, colour);
        }
    }
}

impl Image {
    /// A column of a line.
    fn upright(&mut self, column: usize, (low, high): (f64, f64), (min, max): (f64, f64), [r, g, b]: Rgb) {
        let rows = (self.height - 2 * MARGIN - THICK) as f64;
        // Halves do not overflow.
        let place = |value: f64| (value / 2.0 - min / 2.0) / (max / 2.0 - min / 2.0);
        if place(high) < 0.0 || place(low) > 1.0 {
            return;
        }
        let row = |value: f64| MARGIN + ((1.0 - place(value).clamp(0.0, 1.0)) * rows).round() as usize;
        for y in row(high)..row(low) + THICK {
            for x in (MARGIN + column)..(MARGIN + column + THICK).min(self.width) {
                self.pixels[y * self.width + x] = [r, g, b, 255];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Line {
        let len = values.len() as u64;
        let mut line = Line { columns: vec![None; 84], len, at: 0, is_joined: false };
        values.iter().for_each(|&value| line.add(value));
        line
    }

    /// The rows in which a column has a colour.
    fn rows(image: &Image, x: usize) -> Vec<usize> {
        (0..image.height).filter(|y| image.pixels[y * image.width + x][0] < 255).collect()
    }

    #[test]
    fn a_line_goes_from_corner_to_corner_without_gaps() {
        let image = picture(&[line(&[0.0, 1.0])], (0.0, 1.0), 100, 100);
        assert_eq!((rows(&image, MARGIN).last(), rows(&image, 90).first()), (Some(&91), Some(&8)));
        let all: Vec<usize> = (MARGIN..100 - MARGIN).flat_map(|x| rows(&image, x)).collect();
        assert!((8..92).all(|row| all.contains(&row)));
        assert!((MARGIN..100 - MARGIN).all(|x| !rows(&image, x).is_empty()));
    }

    #[test]
    fn values_that_are_not_finite_are_gaps() {
        let image = picture(&[line(&[0.0, 0.0, f64::NAN, 0.0, 0.0])], (0.0, 1.0), 100, 100);
        assert!(rows(&image, 12).len() == THICK && rows(&image, 85).len() == THICK);
        assert!(rows(&image, 50).is_empty());
    }

    #[test]
    fn a_column_of_many_items_has_their_extremes() {
        let values: Vec<f64> = (0..8400).map(|k| if k == 4000 { 1.0 } else { 0.0 }).collect();
        let image = picture(&[line(&values)], (0.0, 1.0), 100, 100);
        assert!((MARGIN..92).any(|x| rows(&image, x).first() == Some(&8)));
    }
}
