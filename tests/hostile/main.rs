//! Damaged files: cut anywhere, with any bit flipped, or made to do harm. Reading them gives data or an error, quickly
//! and within the limits.

extern crate alloc;

mod attempt;
#[path = "../common/mod.rs"]
mod common;
mod crafted;
#[path = "../common/damage.rs"]
mod damage;
#[path = "../common/meter.rs"]
mod meter;

use attempt::{Attempt, LIMITS};
use b2nd::{DParams, Selection};
use common::Case;
use common::parts::Parts;
use damage::Way;

#[test]
fn cut_anywhere() {
    sweep(damage::cut, false);
}

#[test]
fn bits_flipped() {
    sweep(damage::flip, true);
}

#[test]
fn bytes_at_their_extremes() {
    sweep(damage::exaggerate, false);
}

/// Reads all golden files, damaged, and one of the manifest's selections of each.
fn sweep(way: Way, twice: bool) {
    let reader = |case: &Case| {
        let slice = case.slices().pop().map(|(text, _)| text.parse().expect("a selection"));
        let slice: Selection = slice.unwrap_or_default();
        let dparams = DParams { limits: LIMITS, ..case.dparams() };
        move |parts: &Parts| Attempt { dparams: dparams.clone(), slice: &slice, twice }.run(parts)
    };
    damage::sweep(way, |_| true, reader);
}
