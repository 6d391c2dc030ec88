//! Golden files, damaged one way after the other.

use crate::common::parts::Parts;
use crate::common::{Case, golden};
use alloc::collections::BTreeSet;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::env;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// Bits to flip in each file, one at a time.
const FLIPS: usize = 200;
/// Of all damage one in so many is tried, other places in each file; with the variable `B2ND_ALL_DAMAGE` everything is.
const SAMPLE: usize = 4;
/// At the start of a file, where a frame's header, its metalayers and a chunk's header are.
const HEADERS: usize = 192;
/// At the end of a file, where a frame's trailer is.
const TRAILER: usize = 128;
/// Between them a file is cut at every so many bytes: in turn at each place of a word.
const STRIDE: usize = 7;
/// No attempt takes longer, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(5);

/// Damage to a file, whose parts are numbered as if they lay in a row.
#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "shown for people")]
pub(crate) enum Damage {
    /// A part has only its first `len` bytes.
    Cut { part: usize, len: usize },
    /// A bit is another.
    Flipped { byte: usize, bit: usize },
    /// A byte has one of the values that a length is least likely to have.
    Extreme { byte: usize, value: u8 },
}

/// A way to damage files: calls back with each damaged version of the file with this number.
pub(crate) type Way = fn(usize, Parts, &mut dyn FnMut(&Parts, Damage));

/// One in how many damages is tried.
fn sample() -> usize {
    if env::var_os("B2ND_ALL_DAMAGE").is_some() { 1 } else { SAMPLE }
}

/// Cut anywhere in headers and trailers, and at a sample of places between them.
pub(crate) fn cut(number: usize, whole: Parts, attempt: &mut dyn FnMut(&Parts, Damage)) {
    for part in 0..whole.0.len() {
        let mut parts = whole.clone();
        let bytes = &parts.0[part].1;
        let (all, headers) = (bytes.len(), headers(bytes));
        let (sample, here) = (sample(), |len| len < headers || len + TRAILER >= all || len % STRIDE == 0);
        // The longest first: cutting again is cheap.
        for len in (0..all).rev().filter(|&len| here(len) && (number + len).is_multiple_of(sample)) {
            parts.0[part].1.truncate(len);
            attempt(&parts, Damage::Cut { part, len });
        }
    }
}

/// Bytes of a frame's header and of the header of a chunk after it, or of a chunk's own.
fn headers(bytes: &[u8]) -> usize {
    let frame = bytes.get(2..9) == Some(b"b2frame");
    let len = bytes.get(11..15).and_then(|len| len.first_chunk()).filter(|_| frame);
    len.map_or(0, |len| u32::from_be_bytes(*len) as usize + 32).max(HEADERS)
}

/// Flipped bits.
pub(crate) fn flip(number: usize, mut parts: Parts, attempt: &mut dyn FnMut(&Parts, Damage)) {
    for at in bits(parts.len() * 8).into_iter().skip(number % sample()).step_by(sample()) {
        let (byte, bit) = (at / 8, at % 8);
        *parts.byte(byte) ^= 1 << bit;
        attempt(&parts, Damage::Flipped { byte, bit });
        *parts.byte(byte) ^= 1 << bit;
    }
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

/// Bytes of headers at their extremes, of which each file takes half: the others are for files like it.
pub(crate) fn exaggerate(number: usize, mut parts: Parts, attempt: &mut dyn FnMut(&Parts, Damage)) {
    for byte in (number % sample()..parts.len().min(HEADERS)).step_by(sample()) {
        let was = *parts.byte(byte);
        let extremes =
            if (number / sample() + byte / sample()).is_multiple_of(2) { [0, 0x7f] } else { [0x80, 0xff] };
        for value in extremes {
            *parts.byte(byte) = value;
            attempt(&parts, Damage::Extreme { byte, value });
        }
        *parts.byte(byte) = was;
    }
}

/// The outcome of all attempts.
#[derive(Default)]
struct Report {
    attempts: usize,
    wrong: Vec<String>,
    slowest: (Duration, String),
}

/// Damages the golden files that are `wanted`, on as many threads as there are processors. `reader` makes for a file
/// what reads its damaged versions. No attempt may panic or take long.
pub(crate) fn sweep<A: FnMut(&Parts)>(
    way: Way,
    wanted: fn(&Case) -> bool,
    reader: impl Fn(&Case) -> A + Sync,
) {
    let start = Instant::now();
    let cases: Vec<Case> = golden().into_iter().filter(wanted).collect();
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut report = Report::default();
                let next =
                    || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < cases.len());
                while let Some(number) = next() {
                    let case = &cases[number];
                    let mut read = reader(case);
                    way(number, Parts::of(case), &mut |parts, damage| {
                        report.attempt(case, damage, || read(parts));
                    });
                }
                reports.lock().expect("no panic").push(report);
            });
        }
    });
    let reports = reports.into_inner().expect("no panic");
    let attempts: usize = reports.iter().map(|report| report.attempts).sum();
    println!("{attempts} attempts in {:?}", start.elapsed());
    for report in &reports {
        println!("at longest {:?}", report.slowest);
    }
    let wrong: Vec<_> = reports.into_iter().flat_map(|report| report.wrong).collect();
    let some = wrong[..wrong.len().min(50)].join("\n");
    assert!(wrong.is_empty(), "{} attempts of {attempts} went wrong:\n{some}", wrong.len());
    assert!(
        attempts * sample() > 80 * cases.len() && cases.len() > 500,
        "{attempts} attempts, {} files",
        cases.len()
    );
}

impl Report {
    fn attempt(&mut self, case: &Case, damage: Damage, read: impl FnOnce()) {
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(read));
        let took = start.elapsed();
        let place = || format!("{}: {damage:?}", case.name);
        self.attempts += 1;
        if let Err(panic) = result {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            self.wrong.push(format!("{}: {}", place(), message.unwrap_or_default()));
        }
        if took > PATIENCE {
            self.wrong.push(format!("{}: {took:?}", place()));
        }
        if took > self.slowest.0 {
            self.slowest = (took, place());
        }
    }
}
