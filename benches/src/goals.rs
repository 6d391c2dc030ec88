//! The project's performance goals.

use serde_json::{Value, json};

use crate::case::{Case, mean};

pub struct Goal {
    pub text: String,
    pub wanted: f64,
    pub measured: f64,
}

impl Goal {
    pub fn met(&self) -> bool {
        self.measured >= self.wanted
    }

    pub fn to_json(&self) -> Value {
        let Self { text, wanted, measured } = self;
        json!({ "goal": text, "wanted": wanted, "measured": measured, "met": self.met() })
    }
}

/// The goals that these cases can check.
pub fn all(cases: &[Case]) -> Vec<Goal> {
    let split = cases.iter().any(|case| case.group.ends_with("zstd-safe"));
    // If libzstd was measured, its cases count, and the pure-Rust decoder has a separate goal.
    let counts = |case: &&Case, group: &str| {
        case.group == format!("{group}, zstd-safe")
            || case.group == group && !(split && case.text("codec").starts_with("zstd"))
    };
    let decode: Vec<&Case> = cases.iter().filter(|case| counts(case, "decode")).collect();
    let slice: Vec<&Case> = cases.iter().filter(|case| counts(case, "slice")).collect();
    let by_two: Vec<Case> = slice.iter().filter_map(|case| case.by_two_threads()).collect();
    let by_two: Vec<&Case> = by_two.iter().collect();
    let with = |codec: &[&str], filters: &str, sizes: &[u64]| -> Vec<&Case> {
        let size = |case: &Case| case.number("typesize").unwrap_or(0.0) as u64;
        let wanted = |case: &&Case| {
            case.text("filters") == filters
                && (codec.is_empty() || codec.contains(&case.text("codec")))
                && (sizes.is_empty() || sizes.contains(&size(case)))
        };
        decode.iter().copied().filter(wanted).collect()
    };
    let bitshuffle = with(&["lz4", "lz4hc"], "bitshuffle", &[]);
    let odd = with(&[], "shuffle", &[3, 6, 12]);
    let pure: Vec<&Case> = cases
        .iter()
        .filter(|case| {
            ["decode", "slice"].contains(&case.group.as_str()) && case.text("codec").starts_with("zstd")
        })
        .collect();
    [
        average("decode: mean", 1.25, &decode),
        lowest("decode: every case", 0.95, &decode),
        average("decode, bitshuffle with LZ4: mean", 1.8, &bitshuffle),
        lowest("decode, bitshuffle with LZ4: every case", 1.8, &bitshuffle),
        average("decode, shuffle of 3, 6, 12 bytes: mean", 2.0, &odd),
        lowest("decode, shuffle of 3, 6, 12 bytes: every case", 2.0, &odd),
        average("pure-Rust zstd: mean", 0.85, &pure),
        average("slice: mean", 1.5, &slice),
        lowest("slice: every case", 1.0, &slice),
        average("slice by two threads: mean", 1.5, &by_two),
        lowest("slice by two threads: every case", 1.0, &by_two),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn average(text: &str, wanted: f64, cases: &[&Case]) -> Option<Goal> {
    let measured = mean(cases.iter().copied())?;
    Some(Goal { text: format!("{text} ≥ {wanted}"), wanted, measured })
}

fn lowest(text: &str, wanted: f64, cases: &[&Case]) -> Option<Goal> {
    let measured = cases.iter().map(|case| case.ratio()).min_by(f64::total_cmp)?;
    Some(Goal { text: format!("{text} ≥ {wanted}"), wanted, measured })
}
