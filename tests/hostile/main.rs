//! Damaged files: cut anywhere, with any bit flipped, or made to do harm. Reading them gives data or an error, quickly
//! and within the limits.

extern crate alloc;

mod attempt;
#[path = "../common/mod.rs"]
mod common;
mod crafted;
mod meter;

use alloc::collections::BTreeSet;
use attempt::{Attempt, LIMITS};
use b2nd::{DParams, Selection};
use common::parts::Parts;
use common::{Case, golden};
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// Bits to flip in each file, one at a time.
const FLIPS: usize = 200;
/// At the start of a file, where a frame's header, its metalayers and a chunk's header are.
const HEADERS: usize = 192;
/// At the end of a file, where a frame's trailer is.
const TRAILER: usize = 128;
/// Between them a file is cut at every so many bytes: in turn at each place of a word.
const STRIDE: usize = 7;
/// No attempt takes longer, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(5);

/// A file to damage.
struct Subject {
    case: Case,
    /// One of the manifest's selections.
    slice: Selection,
}

impl Subject {
    fn of(case: Case) -> Self {
        let slice = case.slices().last().map(|(text, _)| text.parse().expect("a selection"));
        Self { slice: slice.unwrap_or_default(), case }
    }
}

/// What came of all attempts.
#[derive(Default)]
struct Report {
    attempts: usize,
    wrong: Vec<String>,
    /// The most memory that a call took, and where that was.
    peak: (usize, String),
    slowest: (Duration, String),
}

#[test]
fn cut_anywhere() {
    sweep(|subject, report| {
        let whole = Parts::of(&subject.case);
        for part in 0..whole.0.len() {
            let mut parts = whole.clone();
            for len in cuts(parts.0[part].1.len()) {
                parts.0[part].1.truncate(len);
                report.attempt(subject, &parts, false, || format!("{:?} cut to {len}", whole.0[part].0));
            }
        }
    });
}

#[test]
fn bits_flipped() {
    sweep(|subject, report| {
        let mut parts = Parts::of(&subject.case);
        for bit in bits(parts.len() * 8) {
            *parts.byte(bit / 8) ^= 1 << (bit % 8);
            report.attempt(subject, &parts, true, || format!("bit {} of byte {} flipped", bit % 8, bit / 8));
            *parts.byte(bit / 8) ^= 1 << (bit % 8);
        }
    });
}

/// Lengths of less than `len`, the longest first.
fn cuts(len: usize) -> impl Iterator<Item = usize> {
    (0..len).rev().filter(move |&cut| cut < HEADERS || cut + TRAILER >= len || cut % STRIDE == 0)
}

/// The values that a length is least likely to have.
#[test]
fn bytes_at_their_extremes() {
    sweep(|subject, report| {
        let mut parts = Parts::of(&subject.case);
        for at in 0..parts.len().min(HEADERS) {
            let was = *parts.byte(at);
            for value in [0, 0x7f, 0x80, 0xff] {
                *parts.byte(at) = value;
                report.attempt(subject, &parts, false, || format!("byte {at} made {value:#x}"));
            }
            *parts.byte(at) = was;
        }
    });
}

/// Different bits, always the same ones, half of them where the headers are.
fn bits(len: usize) -> BTreeSet<usize> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut bits = BTreeSet::new();
    while bits.len() < FLIPS.min(len) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let within = if bits.len() < FLIPS / 2 { len.min(HEADERS * 8) } else { len };
        bits.insert((state % within as u64) as usize);
    }
    bits
}

/// Damages all golden files.
fn sweep(damage: impl Fn(&Subject, &mut Report) + Sync) {
    let start = Instant::now();
    let subjects: Vec<_> = golden().into_iter().map(Subject::of).collect();
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut report = Report::default();
                while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
                    damage(subject, &mut report);
                }
                reports.lock().expect("no panic").push(report);
            });
        }
    });
    let reports = reports.into_inner().expect("no panic");
    let attempts: usize = reports.iter().map(|report| report.attempts).sum();
    println!("{attempts} attempts in {:?}", start.elapsed());
    for report in &reports {
        println!("at most {:?}; at longest {:?}", report.peak, report.slowest);
    }
    let wrong: Vec<_> = reports.into_iter().flat_map(|report| report.wrong).collect();
    assert!(
        wrong.is_empty(),
        "{} attempts went wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(50)].join("\n")
    );
}

impl Report {
    fn attempt(&mut self, subject: &Subject, parts: &Parts, twice: bool, damage: impl Fn() -> String) {
        let dparams = DParams { limits: LIMITS, ..subject.case.dparams() };
        let mut attempt = Attempt { dparams, slice: &subject.slice, twice, peak: 0 };
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| attempt.run(parts)));
        let took = start.elapsed();
        let place = || format!("{}: {}", subject.case.name, damage());
        self.attempts += 1;
        if let Err(panic) = result {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            self.wrong.push(format!("{}: {}", place(), message.unwrap_or_default()));
        }
        if took > PATIENCE {
            self.wrong.push(format!("{}: {took:?}", place()));
        }
        if attempt.peak > self.peak.0 {
            self.peak = (attempt.peak, place());
        }
        if took > self.slowest.0 {
            self.slowest = (took, place());
        }
    }
}
