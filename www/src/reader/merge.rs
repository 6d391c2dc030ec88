//! Merging of requests.

use crate::engine::Engine;
use crate::exchange::{FRAME, put};
use crate::sections::f64s;
use alloc::vec::Vec;
use b2nd::reading::{Merge, merge};
use b2nd::wire::{Part, Request};

pub(crate) fn requests(engine: &mut Engine, gap: f64, waste: f64) {
    let Engine { input, output, .. } = engine;
    output.clear();
    let numbers: Vec<f64> = f64s(input.bytes()).collect();
    let request = |&[part, start, end]: &[f64; 3]| {
        let part = if part == FRAME { Part::Frame } else { Part::Chunk(part as u32) };
        Request { part, range: start as u64..end as u64 }
    };
    let mut requests: Vec<Request> = numbers.as_chunks().0.iter().map(request).collect();
    merge(&mut requests, &Merge { gap: gap as u64, waste, ..Merge::NETWORK });
    requests.iter().for_each(|request| put(output, request));
}
