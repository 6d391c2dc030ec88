//! The range of values that the colours span: the rules of the viewer (`www/viewer/model/range.ts` and `scale.ts`).

use super::plane::Plane;
use super::summary::Summary;
use crate::args::RangeMode;
use std::collections::HashSet;

/// The range for a plane.
pub(super) fn range_of(mode: RangeMode, plane: &Plane) -> (f64, f64) {
    let Summary { min, max } = plane.summary;
    match mode {
        RangeMode::Full => (min, max),
        RangeMode::Percentiles => percentiles(plane),
        RangeMode::Fixed(low, high) => (low, high),
        RangeMode::Auto => {
            /// Percentiles have at most this share of the range that they replace.
            const FEW: f64 = 0.1;
            let (low, high) = percentiles(plane);
            if high > low && high - low < (max - min) * FEW { (low, high) } else { (min, max) }
        }
    }
}

/// Values of which percentiles are taken.
const SAMPLE: usize = 50_000;

/// From the 1st to the 99th percentile of the finite values, of a regular sample of them.
fn percentiles(plane: &Plane) -> (f64, f64) {
    let values: Vec<f64> =
        plane.values.iter().copied().step_by((plane.values.len() / SAMPLE).max(1)).collect();
    let some = values.iter().copied().step_by((values.len() / SAMPLE).max(1));
    let mut sorted: Vec<f64> = some.filter(|value| value.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return (f64::NAN, f64::NAN) };
    let at = |share: f64| sorted[(share * last as f64 + 0.5).floor() as usize];
    (at(0.01), at(0.99))
}

/// A range that can be drawn, which is not empty. A reversed one stays reversed.
pub(super) fn usable((min, max): (f64, f64)) -> (f64, f64) {
    let around = |value: f64| if value == 0.0 { 0.5 } else { value.abs() / 2.0 };
    match min.partial_cmp(&max) {
        _ if min.is_infinite() || max.is_infinite() => (0.0, 1.0),
        Some(core::cmp::Ordering::Equal) => (min - around(min), max + around(max)),
        Some(_) => (min, max),
        None => (0.0, 1.0),
    }
}

/// Whether integers look like labels: few distinct values, in patches.
pub(super) fn are_labels(plane: &Plane) -> bool {
    const MAX_VALUES: usize = 1000;
    let values = &plane.values[..plane.values.len().min(100_000)];
    let (mut seen, mut same, mut pairs) = (HashSet::new(), 0, 0);
    for at in (1..values.len()).filter(|at| at % plane.width != 0) {
        let (before, value) = (values[at - 1], values[at]);
        if before == 0.0 && value == 0.0 {
            continue;
        }
        pairs += 1;
        same += u64::from(before == value);
        if seen.len() <= MAX_VALUES {
            seen.insert(value.to_bits());
        }
    }
    seen.len() > 2 && seen.len() <= MAX_VALUES && pairs > 200 && same as f64 / pairs as f64 > 0.85
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_are_empty_are_widened() {
        assert_eq!(usable((3.0, 3.0)), (1.5, 4.5));
        assert_eq!(usable((0.0, 0.0)), (-0.5, 0.5));
        assert_eq!(usable((2.0, 1.0)), (2.0, 1.0));
        assert_eq!(usable((f64::INFINITY, f64::NEG_INFINITY)), (0.0, 1.0));
    }

    fn plane(values: Vec<f64>) -> Plane {
        let mut summary = Summary::default();
        summary.add(&values);
        Plane { width: 100, height: values.len() / 100, channels: 1, values, summary, are_means: false }
    }

    #[test]
    fn a_few_values_do_not_set_the_colours() {
        let mut values: Vec<f64> = (0..10_000).map(|k| f64::from(k % 100)).collect();
        assert_eq!(range_of(RangeMode::Auto, &plane(values.clone())), (0.0, 99.0));
        values[5] = 1e9;
        values[6] = f64::NAN;
        assert_eq!(range_of(RangeMode::Auto, &plane(values.clone())), (1.0, 99.0));
        assert_eq!(range_of(RangeMode::Full, &plane(values)), (0.0, 1e9));
    }

    #[test]
    fn patches_are_labels_and_noise_is_none() {
        assert!(are_labels(&plane((0..10_000).map(|k| f64::from(k / 20)).collect())));
        assert!(!are_labels(&plane((0..10_000).map(|k| f64::from(k * 7919 % 1000)).collect())));
    }
}
