//! The extremes of values.

/// The finite values that were added.
#[derive(Debug, Clone, Copy)]
pub(super) struct Summary {
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Default for Summary {
    fn default() -> Self {
        Self { min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Summary {
    pub(super) fn add(&mut self, numbers: &[f64]) {
        for number in numbers.iter().filter(|number| number.is_finite()) {
            self.min = self.min.min(*number);
            self.max = self.max.max(*number);
        }
    }
}
