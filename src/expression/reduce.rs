//! Reductions: values of many items, collected part by part.

use super::compile::Stage;
use super::node::Reduction;
use super::types::Type;
use super::vector::Vector;
use crate::base::ArgumentError;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

/// Items that are joined side by side.
const LANES: usize = 8;

/// Partial results: for each item of the result, those of the items read so far.
#[derive(Debug)]
pub(crate) struct Accumulators {
    reduction: Reduction,
    ddof: i64,
    /// Whether NaN does not count.
    skips_nan: bool,
    /// Whether there were items.
    has_items: bool,
    /// The type of the result.
    ty: Type,
    values: Values,
    /// The items of each place so far.
    counts: Vec<u64>,
}

#[derive(Debug)]
enum Values {
    /// Of signed integers and booleans.
    Signed(Vec<i64>),
    Unsigned(Vec<u64>),
    Float(Vec<f64>),
    /// Means, and sums of squared distances from them.
    Moments(Vec<(f64, f64)>),
}

impl Accumulators {
    /// Bytes that a place of the result takes at most.
    pub(crate) const PLACE_BYTES: u64 = 24;

    pub(crate) fn new(stage: &Stage, places: usize) -> Self {
        let (reduction, from) = (stage.reduction, stage.tree.ty);
        let first = i64::from(matches!(reduction, Reduction::Product | Reduction::All));
        let values = match reduction {
            Reduction::Any | Reduction::All => Values::Signed(alloc::vec![first; places]),
            Reduction::Variance | Reduction::Deviation => Values::Moments(alloc::vec![(0.0, 0.0); places]),
            _ if from.is_float() || reduction == Reduction::Mean => {
                Values::Float(alloc::vec![first as f64; places])
            }
            _ if from.is_integer() && !from.is_signed() => {
                Values::Unsigned(alloc::vec![first as u64; places])
            }
            _ => Values::Signed(alloc::vec![first; places]),
        };
        let ty = reduction.result_type(from);
        let (ddof, skips_nan, counts) = (stage.ddof, stage.skips_nan, alloc::vec![0; places]);
        Self { reduction, ddof, skips_nan, has_items: false, ty, values, counts }
    }

    /// Adds items, each so many times. A run of them has the numbers of its items, the place of the first, and the distance of the places,
    /// 0 or 1.
    pub(crate) fn add(&mut self, items: &Vector<'_>, runs: &[(Range<usize>, usize, usize)], times: u64) {
        let reduction = self.reduction;
        let items = if matches!(reduction, Reduction::Any | Reduction::All) {
            items.truth()
        } else {
            items.part(0..items.len())
        };
        self.has_items |= items.len() > 0;
        let at = |at: usize| if items.len() == 1 { 0 } else { at };
        match &mut self.values {
            Values::Moments(moments) => {
                let items = items.to_f64();
                collect(runs, |item, place| {
                    let value = items[at(item)];
                    if self.skips_nan && value.is_nan() {
                        return;
                    }
                    self.counts[place] += times;
                    let (mean, squares) = &mut moments[place];
                    let distance = value - *mean;
                    *mean += distance / (self.counts[place] as f64 / times as f64);
                    *squares += distance * (value - *mean) * times as f64;
                });
            }
            Values::Float(values) => {
                let (items, counts) = (items.to_f64(), &mut self.counts);
                if self.skips_nan {
                    return collect(runs, |item, place| {
                        let value = items[at(item)];
                        if !value.is_nan() {
                            let value = repeated(value, times, |a, b| reduction.joined(a, b));
                            let before = (counts[place] > 0).then(|| values[place]);
                            values[place] = before.map_or(value, |before| reduction.joined(before, value));
                            counts[place] += times;
                        }
                    });
                }
                match reduction {
                    Reduction::Sum | Reduction::Mean => {
                        fold((&items, times), runs, values, counts, |a, b| a + b)
                    }
                    Reduction::Product => fold((&items, times), runs, values, counts, |a, b| a * b),
                    Reduction::Minimum => {
                        fold(
                            (&items, times),
                            runs,
                            values,
                            counts,
                            |a, b| if b < a || b.is_nan() { b } else { a },
                        );
                    }
                    _ => fold(
                        (&items, times),
                        runs,
                        values,
                        counts,
                        |a, b| if b > a || b.is_nan() { b } else { a },
                    ),
                }
            }
            Values::Signed(values) => {
                let (items, counts) = (items.to_i64(), &mut self.counts);
                match reduction {
                    Reduction::Sum => fold((&items, times), runs, values, counts, i64::wrapping_add),
                    Reduction::Product => fold((&items, times), runs, values, counts, i64::wrapping_mul),
                    Reduction::Minimum | Reduction::All => {
                        fold((&items, times), runs, values, counts, i64::min)
                    }
                    _ => fold((&items, times), runs, values, counts, i64::max),
                }
            }
            Values::Unsigned(values) => {
                let items: Vec<u64> = items.to_i64().into_iter().map(|item| item as u64).collect();
                let counts = &mut self.counts;
                match reduction {
                    Reduction::Sum => fold((&items, times), runs, values, counts, u64::wrapping_add),
                    Reduction::Product => fold((&items, times), runs, values, counts, u64::wrapping_mul),
                    Reduction::Minimum => fold((&items, times), runs, values, counts, u64::min),
                    _ => fold((&items, times), runs, values, counts, u64::max),
                }
            }
        }
    }

    /// The values of the result.
    ///
    /// # Errors
    /// `Argument` for the least or greatest of no items.
    pub(crate) fn finish(self) -> Result<Vector<'static>, ArgumentError> {
        let needs_items = matches!(self.reduction, Reduction::Minimum | Reduction::Maximum);
        if needs_items && self.counts.contains(&0) && !(self.skips_nan && self.has_items) {
            return Err(ArgumentError::NoItems);
        }
        let vector = match self.values {
            // Nothing but NaN.
            Values::Float(mut values) if needs_items => {
                let places = values.iter_mut().zip(&self.counts);
                places.filter(|(_, count)| **count == 0).for_each(|(value, _)| *value = f64::NAN);
                Vector::F64(values.into())
            }
            Values::Signed(values) => Vector::I64(values.into()),
            Values::Unsigned(values) => Vector::U64(values.into()),
            Values::Float(sums) if self.reduction == Reduction::Mean => {
                let mean = |(sum, count): (&f64, &u64)| sum / *count as f64;
                Vector::F64(Cow::Owned(sums.iter().zip(&self.counts).map(mean).collect()))
            }
            Values::Float(values) => Vector::F64(values.into()),
            Values::Moments(moments) => {
                let value = |((_, squares), count): (&(f64, f64), &u64)| {
                    let variance = squares / (*count as f64 - self.ddof as f64).max(0.0);
                    match self.reduction {
                        _ if *count == 0 => f64::NAN,
                        Reduction::Variance => variance,
                        _ => libm::sqrt(variance),
                    }
                };
                Vector::F64(Cow::Owned(moments.iter().zip(&self.counts).map(value).collect()))
            }
        };
        Ok(vector.cast(self.ty))
    }
}

impl Reduction {
    /// Two floats that are not NaN as one.
    fn joined(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Product => a * b,
            Self::Minimum => a.min(b),
            Self::Maximum => a.max(b),
            _ => a + b,
        }
    }
}

/// Calls a function for each item with its place.
fn collect(runs: &[(Range<usize>, usize, usize)], mut add: impl FnMut(usize, usize)) {
    for (items, place, step) in runs {
        items.clone().enumerate().for_each(|(k, item)| add(item, place + k * step));
    }
}

/// Joins items with the values of their places. Those of one place are joined in lanes first, which is faster, and whose sums have smaller
/// errors.
fn fold<T: Copy>(
    (items, times): (&[T], u64),
    runs: &[(Range<usize>, usize, usize)],
    values: &mut [T],
    counts: &mut [u64],
    join: impl Fn(T, T) -> T + Copy,
) {
    let mut put = |place: usize, item: T, count: usize| {
        let item = repeated(item, times, join);
        values[place] = if counts[place] == 0 { item } else { join(values[place], item) };
        counts[place] += count as u64 * times;
    };
    for (range, place, step) in runs {
        match items.get(range.clone()) {
            Some(run) if *step == 0 && items.len() > 1 => {
                joined(run, join).into_iter().for_each(|item| put(*place, item, run.len()));
            }
            Some(run) if items.len() > 1 => {
                run.iter().enumerate().for_each(|(k, item)| put(place + k * step, *item, 1));
            }
            // A single item stands for all.
            _ => (0..range.len()).for_each(|k| put(place + k * step, items[0], 1)),
        }
    }
}

fn joined<T: Copy>(run: &[T], join: impl Fn(T, T) -> T + Copy) -> Option<T> {
    let (whole, rest) = run.as_chunks::<LANES>();
    let lanes = whole.split_first().map(|(first, others)| {
        let mut lanes = *first;
        others.iter().for_each(|items| {
            lanes.iter_mut().zip(items).for_each(|(lane, item)| *lane = join(*lane, *item));
        });
        lanes
    });
    lanes.iter().flatten().chain(rest).copied().reduce(join)
}

/// So many times the same item, joined. Sums of equal floats double, and have few errors.
fn repeated<T: Copy>(item: T, times: u64, join: impl Fn(T, T) -> T) -> T {
    let bits = u64::BITS - times.leading_zeros();
    (0..bits.saturating_sub(1)).rev().fold(item, |joined, bit| {
        let twice = join(joined, joined);
        if times >> bit & 1 == 1 { join(twice, item) } else { twice }
    })
}
