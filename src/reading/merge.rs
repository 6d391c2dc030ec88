//! Few requests instead of many.

use crate::frame::Request;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::mem;

/// How ranges become requests: what a request is worth to whoever brings the bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merge {
    /// Bytes that take about as long as a request more. Ranges that lie no farther apart are read at once, with what is
    /// between them.
    pub gap: u64,
    /// Bytes that are read in vain for that, at most: a share of those that are wanted.
    pub waste: f64,
    /// Bytes that a request is made longer to, at most. A range that is longer stays one.
    pub longest: u64,
    /// Bytes that are asked for at once, about. Each batch is decoded before the next is asked for.
    pub batch: u64,
    /// Requests that are made at once, about, before ranges are merged over gaps.
    pub requests: usize,
}

impl Merge {
    /// For memory and local files: no byte is read that is not wanted, and few are held.
    pub const LOCAL: Self = Self { gap: 0, waste: 0.0, longest: 1 << 20, batch: 1 << 20, requests: 8 };

    /// For a network: 256 KiB take 20 ms at 100 Mbit/s. Chunks of up to 64 KiB are read at once; small ones that lie side
    /// by side need one request.
    pub const NETWORK: Self =
        Self { gap: 256 << 10, waste: 0.09, longest: 8 << 20, batch: 32 << 20, requests: 1 << 16 };
}

/// Makes ranges the requests that bring them all, sorted: what overlaps or touches is one, and so is what lies apart by
/// little, smallest gaps first, as long as the gaps together stay below a share of what is wanted.
pub fn merge(ranges: &mut Vec<Request>, merge: &Merge) {
    ranges.retain(|request| !request.range.is_empty());
    if ranges.len() < 2 {
        return;
    }
    if !ranges.is_sorted() {
        // The sort with the least code.
        *ranges = BinaryHeap::from(mem::take(ranges)).into_sorted_vec();
    }
    join(ranges, |last, next| next.range.start < last.range.end);
    let (widest, mut times) = gaps_to_cross(ranges, merge);
    join(ranges, |last, next| {
        let gap = next.range.start - last.range.end;
        let cross = gap < widest || gap == widest && times > 0;
        times -= u64::from(cross && gap == widest);
        cross && next.range.end - last.range.start <= merge.longest
    });
}

/// The widest gap that is worth it and leaves the waste below its share, and how many of that width do. Ranges are sorted and
/// apart.
fn gaps_to_cross(ranges: &[Request], merge: &Merge) -> (u64, u64) {
    let wanted: u64 = ranges.iter().map(|request| request.range.end - request.range.start).sum();
    let budget = (merge.waste * wanted as f64) as u64;
    let gap = |pair: &[Request]| match pair {
        [one, other] if one.part == other.part => other.range.start - one.range.end,
        _ => u64::MAX,
    };
    // All of those below some width.
    let narrower = |width: u64| -> u64 { ranges.windows(2).map(gap).filter(|gap| *gap < width).sum() };
    let (mut low, mut high) = (0, merge.gap.min(budget).saturating_add(1));
    while low + 1 < high {
        let width = low.midpoint(high);
        if narrower(width) <= budget {
            low = width;
        } else {
            high = width;
        }
    }
    let left = budget - narrower(low);
    (low, left.checked_div(low).unwrap_or(u64::MAX))
}

/// Makes each range one with the last of its part where that is to be.
fn join(ranges: &mut Vec<Request>, mut to_be: impl FnMut(&Request, &Request) -> bool) {
    ranges.dedup_by(|next, last| {
        let joined = next.part == last.part && to_be(last, next);
        if joined {
            last.range.end = last.range.end.max(next.range.end);
        }
        joined
    });
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]
mod tests {
    use super::*;
    use crate::frame::Part;
    use core::ops::Range;

    fn merged(ranges: &[Range<u64>], by: Merge) -> Vec<Range<u64>> {
        let request = |range: &Range<u64>| Request { part: Part::Frame, range: range.clone() };
        let mut requests: Vec<Request> = ranges.iter().map(request).collect();
        merge(&mut requests, &by);
        requests.into_iter().map(|request| request.range).collect()
    }

    #[test]
    fn what_overlaps_or_touches_is_one() {
        assert_eq!(merged(&[100..200, 0..100, 150..180], Merge::NETWORK), [0..200]);
        assert_eq!(merged(&[0..100, 100..110], Merge::LOCAL), [0..110]);
        assert_eq!(merged(&[5..5], Merge::LOCAL), []);
    }

    #[test]
    fn gaps_are_crossed_while_little_is_wasted() {
        let some = [0..100, 127..227, 231..331];
        assert_eq!(merged(&some, Merge::NETWORK), [0..100, 127..331]);
        assert_eq!(merged(&some, Merge { waste: 0.11, ..Merge::NETWORK }), [0..331]);
        assert_eq!(merged(&some, Merge { waste: 0.0, ..Merge::NETWORK }), some);
        assert_eq!(merged(&some, Merge { gap: 3, ..Merge::NETWORK }), some);
        assert_eq!(merged(&some, Merge::LOCAL), some);
        // Three gaps alike, of which two are worth it.
        let alike = [0..100, 110..210, 220..320, 330..430];
        assert_eq!(merged(&alike, Merge { waste: 0.05, ..Merge::NETWORK }), [0..320, 330..430]);
    }

    #[test]
    fn parts_stay_apart_and_requests_short() {
        let parts = [Part::Chunk(1), Part::Chunk(0)].map(|part| Request { part, range: 0..10 });
        let mut requests = parts.to_vec();
        merge(&mut requests, &Merge::NETWORK);
        assert_eq!(requests, [parts[1].clone(), parts[0].clone()]);
        let long = [0..8 << 20, 8 << 20..9 << 20];
        assert_eq!(merged(&long, Merge::NETWORK), long);
    }
}
