//! Damaged frames: cut anywhere, with any bit flipped. Reading them in fixed memory gives data or an error, quickly.

#[path = "../common/damage.rs"]
mod damage;

use crate::common::numpy::indices;
use crate::common::parts::Parts;
use crate::{fetched, is_frame, tables};
use b2nd::codec::Registry;
use b2nd::plan::Plan;
use b2nd::source::flash::{AreaWork, FlashFrame, Tables};
use b2nd::{ErrorKind, Index, Result};
use damage::Way;

/// Bytes to decode with, and most of what is read at once.
const AREA: usize = 64 << 10;
const RESULT: usize = 16 << 10;
/// Parts of a selection that are read, and chunks, blocks of each.
const FEW: usize = 4;
/// Each frame of so many is read from another memory as well.
const FETCHED: usize = 5;

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

fn sweep(way: Way, twice: bool) {
    damage::sweep(way, is_frame, |case| {
        let slice = case.slices().pop().map(|(text, _)| indices(&text));
        let slice = slice.unwrap_or_default();
        let mut attempt =
            Attempt { area: vec![0; AREA], buffer: vec![0; AREA], number: 0, tables: tables(), slice, twice };
        move |parts: &Parts| attempt.read(&parts.0[0].1)
    });
}

/// Memory for attempts, one after the other: each finds what the one before has left.
struct Attempt<T> {
    area: Vec<u8>,
    /// Bytes for what is fetched.
    buffer: Vec<u8>,
    /// Attempts so far.
    number: usize,
    tables: T,
    /// A selection that fits the undamaged frame.
    slice: Vec<Index>,
    /// Whether to look for stale bytes as well, which takes twice as long.
    twice: bool,
}

/// The caller does nothing wrong here.
fn fair<T>(result: Result<T>) -> Option<T> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::Argument(_)) => panic!("blames the caller: {error}"),
        result => result.ok(),
    }
}

impl<T: Tables> Attempt<T> {
    /// Everything that a damaged frame still has.
    fn read(&mut self, bytes: &[u8]) {
        let mut work = AreaWork::new(&mut self.area, &mut self.tables, Registry::new());
        self.number += 1;
        if self.number.is_multiple_of(FETCHED) {
            fetched::compare(bytes, &[vec![], self.slice.clone()], &mut work, &mut self.buffer);
        }
        let Some(frame) = fair(FlashFrame::open(bytes)) else { return };
        fair(frame.header()).expect("it was read before");
        fair(frame.metalayers()).into_iter().flatten().for_each(drop);
        fair(frame.metalayer("b2nd"));
        for nchunk in (0..frame.nchunks()).take(FEW) {
            let nblocks = fair(frame.chunk(nchunk, &mut work)).map_or(0, |chunk| chunk.header().nblocks);
            for nblock in (0..nblocks).take(FEW) {
                fair(frame.block(nchunk, nblock, &mut work));
            }
        }
        if let Some(plan) = fair(frame.plan(&[])) {
            read(&frame, &plan, &mut work, self.twice);
        }
        // The damage may be in the shape.
        if let Ok(plan) = frame.plan(&self.slice) {
            read(&frame, &plan, &mut work, self.twice);
        }
        if let Some(array) = frame.layout().filter(|array| array.shape().iter().all(|len| len > 0)) {
            let last: Vec<_> = array.shape().iter().map(|len| len - 1).collect();
            let itemsize = array.itemsize() as usize;
            if itemsize <= RESULT {
                fair(frame.item(&last, &mut work, &mut vec![0; itemsize]));
            }
        }
    }
}

/// The first parts; twice into buffers of different content, none of which may remain.
fn read(frame: &FlashFrame<'_>, plan: &Plan, work: &mut AreaWork<'_>, twice: bool) {
    for part in plan.parts(RESULT).take(FEW).filter(|part| part.nbytes() <= RESULT) {
        let mut filled = |fill| {
            let mut items = vec![fill; part.nbytes()];
            fair(frame.read(&part, work, &mut items)).map(|()| items)
        };
        let Some(first) = filled(0xaa) else { return };
        assert!(!twice || filled(0x55) == Some(first), "stale bytes");
    }
}
