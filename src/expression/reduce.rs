//! Reductions: values of many items, collected part by part.

use super::compile::Stage;
use super::node::Reduction;
use super::types::Type;
use super::vector::Vector;
use crate::base::ArgumentError;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

/// What is known of the items of each place of a result.
#[derive(Debug)]
pub(crate) struct Accumulators {
    reduction: Reduction,
    ddof: i64,
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
        Self { reduction, ddof: stage.ddof, ty, values, counts: alloc::vec![0; places] }
    }

    /// Adds items. A run of them has the numbers of its items, the place of the first, and the distance of the places, 0 or 1.
    pub(crate) fn add(&mut self, items: &Vector<'_>, runs: &[(Range<usize>, usize, usize)]) {
        let reduction = self.reduction;
        let items = if matches!(reduction, Reduction::Any | Reduction::All) {
            items.truth()
        } else {
            items.part(0..items.len())
        };
        let at = |at: usize| if items.len() == 1 { 0 } else { at };
        match &mut self.values {
            Values::Moments(moments) => {
                let items = items.to_f64();
                collect(runs, |item, place| {
                    self.counts[place] += 1;
                    let (mean, squares) = &mut moments[place];
                    let value = items[at(item)];
                    let distance = value - *mean;
                    *mean += distance / self.counts[place] as f64;
                    *squares += distance * (value - *mean);
                });
            }
            Values::Float(values) => {
                let items = items.to_f64();
                if matches!(reduction, Reduction::Sum | Reduction::Mean) {
                    return sums(&items, runs, values, &mut self.counts);
                }
                collect(runs, |item, place| {
                    let (value, item) = (&mut values[place], items[at(item)]);
                    let is_first = self.counts[place] == 0;
                    self.counts[place] += 1;
                    *value = match reduction {
                        Reduction::Product => *value * item,
                        _ if is_first || item.is_nan() => item,
                        Reduction::Minimum if item < *value => item,
                        Reduction::Maximum if item > *value => item,
                        _ => *value,
                    };
                });
            }
            Values::Signed(values) => {
                let items = items.to_i64();
                collect(runs, |item, place| {
                    let value = &mut values[place];
                    *value = joined(
                        reduction,
                        self.counts[place] == 0,
                        *value,
                        items[at(item)],
                        i64::wrapping_add,
                        i64::wrapping_mul,
                    );
                    self.counts[place] += 1;
                });
            }
            Values::Unsigned(values) => {
                let items = items.to_i64();
                collect(runs, |item, place| {
                    let value = &mut values[place];
                    let item = items[at(item)] as u64;
                    *value = joined(
                        reduction,
                        self.counts[place] == 0,
                        *value,
                        item,
                        u64::wrapping_add,
                        u64::wrapping_mul,
                    );
                    self.counts[place] += 1;
                });
            }
        }
    }

    /// The values of the result.
    ///
    /// # Errors
    /// `Argument` for the least or greatest of no items.
    pub(crate) fn finish(self) -> Result<Vector<'static>, ArgumentError> {
        let needs_items = matches!(self.reduction, Reduction::Minimum | Reduction::Maximum);
        if needs_items && self.counts.contains(&0) {
            return Err(ArgumentError::NoItems);
        }
        let vector = match self.values {
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

/// Calls a function for each item with its place.
fn collect(runs: &[(Range<usize>, usize, usize)], mut add: impl FnMut(usize, usize)) {
    for (items, place, step) in runs {
        items.clone().enumerate().for_each(|(k, item)| add(item, place + k * step));
    }
}

/// Adds floating-point numbers. Those of one place are added in lanes, which is faster, and whose sums have smaller errors.
fn sums(items: &[f64], runs: &[(Range<usize>, usize, usize)], sums: &mut [f64], counts: &mut [u64]) {
    const LANES: usize = 8;
    for (range, place, step) in runs {
        match (items, step) {
            (&[item], 0) => sums[*place] += item * range.len() as f64,
            (_, 0) => {
                let (whole, rest) = items[range.clone()].as_chunks::<LANES>();
                let mut lanes = [0.0; LANES];
                whole
                    .iter()
                    .for_each(|items| lanes.iter_mut().zip(items).for_each(|(lane, item)| *lane += item));
                sums[*place] += lanes.iter().chain(rest).sum::<f64>();
            }
            _ => {
                let item = |at: usize| items[if items.len() == 1 { 0 } else { at }];
                let places = sums[*place..].iter_mut().zip(range.clone());
                places.for_each(|(sum, at)| *sum += item(at));
            }
        }
        let places = if *step == 0 { 1 } else { range.len() };
        let added = if *step == 0 { range.len() as u64 } else { 1 };
        counts[*place..*place + places].iter_mut().for_each(|count| *count += added);
    }
}

fn joined<T: Ord + Copy>(
    reduction: Reduction,
    is_first: bool,
    value: T,
    item: T,
    sum: fn(T, T) -> T,
    product: fn(T, T) -> T,
) -> T {
    match reduction {
        Reduction::Sum => sum(value, item),
        Reduction::Product => product(value, item),
        Reduction::Minimum if !is_first => value.min(item),
        Reduction::Maximum if !is_first => value.max(item),
        Reduction::Any => value.max(item),
        Reduction::All => value.min(item),
        _ => item,
    }
}
