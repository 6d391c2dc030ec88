//! Frames in memories that are read asynchronously: the same bytes, errors and reads as when the reader waits.

use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use crate::fetched::{FEW, PART, Serial, both, place};
use b2nd::source::ReadError;
use b2nd::source::flash::{AreaWork, AsyncFrame, AsyncReadFlash, FetchedFrame, FlashFrame, ReadFlash};
use b2nd::{Index, Result};

type Reads = RefCell<Vec<(u32, usize)>>;

/// A memory that notes what is read.
struct Noted<'a>(Serial<'a>, &'a Reads);

impl ReadFlash for Noted<'_> {
    type Error = &'static str;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> core::result::Result<(), &'static str> {
        self.1.borrow_mut().push((offset, dst.len()));
        self.0.read(offset, dst)
    }
}

/// A memory that takes its time, and has changed the destination by then.
struct Slow<'a>(Noted<'a>);

impl AsyncReadFlash for Slow<'_> {
    type Error = &'static str;

    async fn read(&mut self, offset: u32, dst: &mut [u8]) -> core::result::Result<(), &'static str> {
        dst.fill(0x5A);
        let mut polls = 0;
        poll_fn(|_| {
            polls += 1;
            if polls < 3 { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        self.0.read(offset, dst)
    }
}

/// Polls until it is done.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return result;
        }
    }
}

/// Two readers of a frame: one waits, the other is asynchronous.
struct Pair<'a> {
    blocking: FetchedFrame<'a, Noted<'a>>,
    slow: AsyncFrame<'a, Slow<'a>>,
    reads: [&'a Reads; 2],
}

impl Pair<'_> {
    /// The result that both give. They have read the same.
    fn same<T: PartialEq + core::fmt::Debug>(
        &mut self,
        what: &str,
        mut run: impl FnMut(&mut Self, bool) -> core::result::Result<T, ReadError<&'static str>>,
    ) {
        let (expected, found) = (run(self, false), run(self, true));
        match (&expected, &found) {
            (Ok(expected), Ok(found)) => assert!(expected == found, "{what}"),
            _ => assert_eq!(expected.err(), found.err(), "{what}"),
        }
        check_reads(self.reads, what);
    }
}

/// The asynchronous reader reads nothing else, in the same order. What is still there, such as a dictionary, it does not read again.
fn check_reads(reads: [&Reads; 2], what: &str) {
    let [expected, found] = reads.map(RefCell::take);
    let mut left = expected.iter();
    assert!(found.iter().all(|read| left.any(|other| other == read)), "{found:?} of {expected:?}: {what}");
    let is_there =
        |&(start, len): &(u32, usize)| found.iter().any(|other| other.0 == start && other.1 >= len);
    assert!(expected.iter().all(is_there), "{found:?} of {expected:?}: {what}");
}

pub(crate) fn compare(bytes: &[u8], selections: &[Vec<Index>], work: &mut AreaWork<'_>, buffer: &mut [u8]) {
    let reads = [Reads::default(), Reads::default()];
    let mut other = vec![0; buffer.len()];
    let blocking = FetchedFrame::open(Noted(Serial(bytes), &reads[0]), place(bytes), &mut other);
    let slow = wait(AsyncFrame::open(Slow(Noted(Serial(bytes), &reads[1])), place(bytes), buffer));
    check_reads([&reads[0], &reads[1]], "open");
    let frame = FlashFrame::open(bytes);
    let Some((frame, slow)) = both(&frame, slow, false) else { return };
    let blocking = blocking.expect("so does the other");
    let mut pair = Pair { blocking, slow, reads: [&reads[0], &reads[1]] };
    assert_eq!(frame.nchunks(), pair.slow.nchunks());
    pair.same("metalayer", |pair, slow| {
        let found = if slow { wait(pair.slow.metalayer("b2nd")) } else { pair.blocking.metalayer("b2nd") };
        Ok(found?.map(<[u8]>::to_vec))
    });
    pair.same("dtype", |pair, slow| {
        let found = if slow { wait(pair.slow.dtype()) } else { pair.blocking.dtype() };
        Ok(found?.map(str::to_owned))
    });
    compare_selections(&mut pair, selections, work);
    compare_blocks(&mut pair, work);
    compare_items(&mut pair, frame, work);
}

fn compare_selections(pair: &mut Pair<'_>, selections: &[Vec<Index>], work: &mut AreaWork<'_>) {
    for selection in selections {
        let Ok(plan) = pair.slow.plan(selection) else { continue };
        for part in plan.parts(PART).take(FEW).filter(|part| part.nbytes() <= PART) {
            pair.same("selection", |pair, slow| {
                let mut items = vec![if slow { 0xaa } else { 0x55 }; part.nbytes()];
                let read = if slow {
                    wait(pair.slow.read(&part, work, &mut items))
                } else {
                    pair.blocking.read(&part, work, &mut items)
                };
                read.map(|()| items)
            });
        }
    }
}

fn compare_blocks(pair: &mut Pair<'_>, work: &mut AreaWork<'_>) {
    for nchunk in (0..pair.slow.nchunks() + 1).take(FEW) {
        for nblock in 0..FEW as u32 {
            pair.same("block", |pair, slow| {
                let block = if slow {
                    wait(pair.slow.block(nchunk, nblock, work))
                } else {
                    pair.blocking.block(nchunk, nblock, work)
                };
                block.map(<[u8]>::to_vec)
            });
        }
    }
}

fn compare_items(pair: &mut Pair<'_>, frame: &FlashFrame<'_>, work: &mut AreaWork<'_>) {
    let Some(array) = frame.layout() else { return };
    for k in 0..=3 {
        let at: Vec<u64> = array.shape().iter().map(|len| len.saturating_sub(1) * k / 3).collect();
        pair.same("item", |pair, slow| {
            let mut item = vec![u8::from(slow); (array.itemsize() as usize).min(PART)];
            let read = if slow {
                wait(pair.slow.item(&at, work, &mut item))
            } else {
                pair.blocking.item(&at, work, &mut item)
            };
            read.map(|()| item)
        });
    }
}

/// A call that is dropped at any of its polls leaves nothing that a later one takes for the frame.
#[test]
fn calls_can_be_dropped() -> Result<()> {
    let file = include_bytes!("../golden/blosc2-4.14.1/sample.b2nd");
    let (mut area, mut tables) = (vec![0; 1 << 16], crate::tables());
    let mut work = AreaWork::new(&mut area, &mut tables, Default::default());
    let (reads, mut buffer) = (Reads::default(), vec![0; 1 << 16]);
    let memory = Slow(Noted(Serial(file), &reads));
    let mut frame = wait(AsyncFrame::open(memory, place(file), &mut buffer)).expect("a frame");
    let mut expected = [0; 4];
    FlashFrame::open(file)?.item(&[3, 20, 7], &mut work, &mut expected)?;
    let mut dropped = 0;
    for polls in 0.. {
        let mut item = [0; 4];
        let mut context = Context::from_waker(Waker::noop());
        let ended = {
            let mut call = pin!(frame.item(&[7, 2, 1], &mut work, &mut item));
            (0..polls).any(|_| call.as_mut().poll(&mut context).is_ready())
        };
        wait(frame.item(&[3, 20, 7], &mut work, &mut item)).expect("an item");
        assert_eq!(item, expected, "after {polls} polls");
        if ended {
            break;
        }
        dropped += 1;
    }
    assert!(dropped > 6, "{dropped}");
    Ok(())
}
