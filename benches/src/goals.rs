//! The project's performance goals.

use serde_json::{Value, json};

use crate::case::{Case, by_level, geometric, mean, sizes};

pub struct Goal {
    pub text: String,
    pub wanted: Bound,
    pub measured: f64,
}

#[derive(Clone, Copy)]
pub enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    pub fn met(&self) -> bool {
        match self.wanted {
            Bound::AtLeast(wanted) => self.measured >= wanted,
            Bound::AtMost(wanted) => self.measured <= wanted,
        }
    }

    pub fn to_json(&self) -> Value {
        let Self { text, wanted: Bound::AtLeast(wanted) | Bound::AtMost(wanted), measured } = self;
        json!({ "goal": text, "wanted": wanted, "measured": measured, "met": self.met() })
    }
}

/// The goals that these cases can check. Those with libzstd, a feature of the library, have none.
pub fn all(cases: &[Case]) -> Vec<Goal> {
    let group = |name: &str| -> Vec<&Case> { cases.iter().filter(|case| case.group == name).collect() };
    let is_zstd = |case: &&Case| case.text("codec").starts_with("zstd");
    let (zstd, others): (Vec<&Case>, Vec<&Case>) = group("decode").into_iter().partition(is_zstd);
    let slice = group("slice");
    let by_two: Vec<Case> = slice.iter().filter_map(|case| case.by_two_threads()).collect();
    let by_two: Vec<&Case> = by_two.iter().collect();
    let encode = group("encode");
    let levels = by_level(&encode);
    [
        at_least("decode, without zstd: mean", 1.35, mean(others.iter().copied())),
        at_least("decode, without zstd: every case", 0.9, slowest(&others)),
        at_least("decode, zstd in pure Rust: mean", 1.05, mean(zstd.iter().copied())),
        at_least("decode, zstd in pure Rust: every case", 0.85, slowest(&zstd)),
        at_least("slice: mean", 2.0, mean(slice.iter().copied())),
        at_least("slice: every case", 0.9, slowest(&slice)),
        at_least("slice by two threads: mean", 1.5, mean(by_two.iter().copied())),
        at_least("slice by two threads: every case", 1.0, slowest(&by_two)),
        at_least(
            "encode: mean speed at every level of every codec",
            1.15,
            least(levels.iter().map(|level| mean(level.iter().copied()))),
        ),
        at_most(
            "encode: mean size at every level of every codec",
            0.99,
            greatest(levels.iter().map(|level| geometric(sizes(level)))),
        ),
        at_least("encode: speed of every case", 0.7, slowest(&encode)),
        at_most("encode: size of every case", 1.05, greatest(sizes(&encode).map(Some))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn slowest(cases: &[&Case]) -> Option<f64> {
    least(cases.iter().map(|case| Some(case.ratio())))
}

fn least(numbers: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    numbers.flatten().min_by(f64::total_cmp)
}

fn greatest(numbers: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    numbers.flatten().max_by(f64::total_cmp)
}

fn at_least(text: &str, wanted: f64, measured: Option<f64>) -> Option<Goal> {
    Some(Goal { text: format!("{text} ≥ {wanted}"), wanted: Bound::AtLeast(wanted), measured: measured? })
}

fn at_most(text: &str, wanted: f64, measured: Option<f64>) -> Option<Goal> {
    Some(Goal { text: format!("{text} ≤ {wanted}"), wanted: Bound::AtMost(wanted), measured: measured? })
}
