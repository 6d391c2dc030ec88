//! Times two functions against each other.

use std::time::{Duration, Instant};

/// Nanoseconds per call, medians of many rounds.
#[derive(Clone, Copy)]
pub struct Times {
    pub ours: f64,
    pub reference: f64,
    /// The reference's time over ours: the median of the ratios of adjacent rounds. Unlike a ratio of medians it is robust
    /// against changes of the machine's speed.
    pub ratio: f64,
}

impl Times {
    /// Divides by `each`, the number of items that one call processes.
    pub fn of(self, each: f64) -> Self {
        Self { ours: self.ours / each, reference: self.reference / each, ..self }
    }
}

/// Long enough to hide the clock's resolution and cold caches.
const LEAST_ROUND: Duration = Duration::from_micros(500);
const MIN_ROUNDS: usize = 7;
const MAX_ROUNDS: usize = 501;

/// Times both alternately, in short rounds, so that other load affects both alike.
pub fn compare(budget: Duration, mut ours: impl FnMut(), mut reference: impl FnMut()) -> Times {
    let (a, b) = (round(1, &mut ours), round(1, &mut reference));
    let (a, b) = (a.min(round(1, &mut ours)), b.min(round(1, &mut reference)));
    let calls = (LEAST_ROUND.as_nanos() as f64 / a.min(b).max(1.0)).ceil().max(1.0);
    let rounds = (budget.as_nanos() as f64 / (calls * (a + b))) as usize;
    let mut times = [const { Vec::new() }; 2];
    for number in 0..rounds.clamp(MIN_ROUNDS, MAX_ROUNDS) {
        // Alternates the order, so that neither always runs with the other's caches.
        if number % 2 == 0 {
            times[0].push(round(calls as usize, &mut ours));
            times[1].push(round(calls as usize, &mut reference));
        } else {
            times[1].push(round(calls as usize, &mut reference));
            times[0].push(round(calls as usize, &mut ours));
        }
    }
    let ratio = median(times[0].iter().zip(&times[1]).map(|(ours, reference)| reference / ours).collect());
    let [ours, reference] = times.map(median);
    Times { ours, reference, ratio }
}

/// Nanoseconds per call over `calls` calls.
fn round(calls: usize, work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    if times.len() % 2 == 1 { times[middle] } else { f64::midpoint(times[middle - 1], times[middle]) }
}
