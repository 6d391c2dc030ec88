//! A coarser grid of a plane: the mean of the items in each of its cells (`www/viewer/model/cells.ts`).

use super::numbers::Numbers;

/// The items of a cell. Its sum may overflow, and then the middle of its extremes stands for the mean.
#[derive(Debug, Clone, Copy)]
struct Cell {
    sum: f64,
    min: f64,
    max: f64,
    count: u32,
    is_odd: bool,
}

impl Cell {
    const EMPTY: Self =
        Self { sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY, count: 0, is_odd: false };

    fn add(&mut self, value: f64) {
        self.sum += value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.count += 1;
        self.is_odd |= !value.is_finite();
    }

    fn mean(self) -> f64 {
        if self.sum.is_finite() || self.is_odd {
            return self.sum / f64::from(self.count);
        }
        self.min / 2.0 + self.max / 2.0
    }
}

/// Takes rows of items, and gives rows of means. Only the cells of one row are there at a time.
pub(super) struct Gather {
    cells: Vec<Cell>,
    width: usize,
    channels: usize,
    step: usize,
    /// Items of the present row that have come, and rows of the present cells.
    column: usize,
    row: usize,
    /// Whether floats of 32 bits have all values: then the viewer's means are such.
    is_single: bool,
}

impl Gather {
    pub(super) fn new(numbers: &Numbers, width: usize, channels: usize, step: usize) -> Self {
        let cells = vec![Cell::EMPTY; width.div_ceil(step) * channels];
        Self { cells, width, channels, step, column: 0, row: 0, is_single: numbers.are_single() }
    }

    /// Adds items in C order, and appends the means of whole rows of cells.
    pub(super) fn add(&mut self, numbers: &[f64], means: &mut Vec<f64>) {
        for &number in numbers {
            let cell = self.column / self.channels / self.step * self.channels + self.column % self.channels;
            self.cells[cell].add(number);
            self.column += 1;
            if self.column == self.width * self.channels {
                (self.column, self.row) = (0, self.row + 1);
                if self.row == self.step {
                    self.finish(means);
                }
            }
        }
    }

    /// Appends the means of the last rows.
    pub(super) fn finish(&mut self, means: &mut Vec<f64>) {
        if self.row > 0 {
            let mean = |cell: &Cell| if self.is_single { f64::from(cell.mean() as f32) } else { cell.mean() };
            means.extend(self.cells.iter().map(mean));
            self.cells.fill(Cell::EMPTY);
            self.row = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use b2nd::array::Dtype;

    fn means(width: usize, channels: usize, items: &[f64]) -> Vec<f64> {
        let numbers = Numbers::of(&Dtype::of::<f64>()).unwrap();
        let (mut gather, mut means) = (Gather::new(&numbers, width, channels, 2), Vec::new());
        items.chunks(2).for_each(|some| gather.add(some, &mut means));
        gather.finish(&mut means);
        means
    }

    #[test]
    fn cells_at_the_edges_have_fewer_items() {
        assert_eq!(means(3, 1, &[1., 2., 3., 3., 6., 5., 7., 9., 8.]), [3., 4., 8., 8.]);
        assert_eq!(means(2, 2, &[1., 10., 3., 30., 5., 50., 7., 70.]), [4., 40.]);
    }

    #[test]
    fn values_that_are_not_finite_stay_and_sums_do_not_overflow() {
        assert!(means(2, 1, &[1., f64::NAN, 1., 1.])[0].is_nan());
        assert_eq!(means(2, 1, &[1., f64::INFINITY, 1., 1.]), [f64::INFINITY]);
        assert_eq!(means(2, 1, &[f64::MAX; 4]), [f64::MAX]);
    }
}
