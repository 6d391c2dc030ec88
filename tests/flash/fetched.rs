//! Frames in memories that are read by copying: the same bytes, or the same kind of error, as from frames in memory.

use core::mem::discriminant;

use crate::asynchronous;
use b2nd::Index;
use b2nd::source::ReadError;
use b2nd::source::flash::{AreaWork, Cached, FetchedFrame, FlashFrame, ReadFlash};
use b2nd::{Error, ErrorKind, Result};

/// Parts of each selection that are read, and chunks, blocks of each.
pub(crate) const FEW: usize = 4;
/// Bytes of a part.
pub(crate) const PART: usize = 3000;
/// Bytes before the frame in the memory.
const BEFORE: usize = 5;
/// A buffer that is too small for some frames.
const SHORT: usize = 600;

/// A memory whose bytes lie between others, which must not be read.
pub(crate) struct Serial<'a>(pub(crate) &'a [u8]);

impl ReadFlash for Serial<'_> {
    type Error = &'static str;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> core::result::Result<(), &'static str> {
        let start = (offset as usize).checked_sub(BEFORE).expect("before the frame");
        dst.copy_from_slice(self.0.get(start..start + dst.len()).expect("after the frame"));
        Ok(())
    }
}

/// Pages that may begin before the frame and end after it.
struct Padded<'a>(&'a [u8]);

impl ReadFlash for Padded<'_> {
    type Error = &'static str;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> core::result::Result<(), &'static str> {
        for (byte, at) in dst.iter_mut().zip(offset as usize..) {
            *byte = at.checked_sub(BEFORE).and_then(|at| self.0.get(at).copied()).unwrap_or(0xFF);
        }
        Ok(())
    }
}

pub(crate) fn place(bytes: &[u8]) -> core::ops::Range<u32> {
    BEFORE as u32..(BEFORE + bytes.len()) as u32
}

/// Reads a frame in all ways, with much memory and with little.
pub(crate) fn compare(bytes: &[u8], selections: &[Vec<Index>], work: &mut AreaWork<'_>, buffer: &mut [u8]) {
    let frame = FlashFrame::open(bytes);
    let fetched = FetchedFrame::open(Serial(bytes), place(bytes), buffer);
    if let Some((frame, mut fetched)) = both(&frame, fetched, false) {
        compare_frames(frame, &mut fetched, selections, work, false);
    }
    asynchronous::compare(bytes, selections, work, buffer);
    let memory: Cached<_, 3, 64> = Cached::new(Padded(bytes));
    let fetched = FetchedFrame::open(memory, place(bytes), &mut buffer[..SHORT]);
    if let Some((frame, mut fetched)) = both(&frame, fetched, true) {
        compare_frames(frame, &mut fetched, selections, work, true);
    }
}

fn compare_frames<M: ReadFlash<Error = &'static str>>(
    frame: &FlashFrame<'_>,
    fetched: &mut FetchedFrame<'_, M>,
    selections: &[Vec<Index>],
    work: &mut AreaWork<'_>,
    short: bool,
) {
    assert_eq!(frame.nchunks(), fetched.nchunks());
    assert_eq!(frame.dtype(), fetched.dtype().expect("it was read before"));
    assert_eq!(frame.header(), fetched.header().map_err(|_| unreachable!()));
    assert_eq!(frame.metalayer("b2nd").ok(), fetched.metalayer("b2nd").ok());
    for selection in selections {
        let Ok(plan) = frame.plan(selection) else { continue };
        for part in plan.parts(PART).take(FEW).filter(|part| part.nbytes() <= PART) {
            let mut filled = [vec![0xaa; part.nbytes()], vec![0x55; part.nbytes()]];
            let [expected, items] = &mut filled;
            let read = frame.read(&part, work, expected);
            if both(&read, fetched.read(&part, work, items), short).is_some() {
                assert!(items == expected, "items of {selection:?}");
            }
        }
    }
    compare_blocks(frame, fetched, work, short);
    compare_items(frame, fetched, work, short);
}

fn compare_blocks<M: ReadFlash<Error = &'static str>>(
    frame: &FlashFrame<'_>,
    fetched: &mut FetchedFrame<'_, M>,
    work: &mut AreaWork<'_>,
    short: bool,
) {
    for nchunk in (0..frame.nchunks() + 1).take(FEW) {
        for nblock in 0..FEW as u32 {
            let block = frame.block(nchunk, nblock, work).map(<[u8]>::to_vec);
            if let Some((block, fetched)) = both(&block, fetched.block(nchunk, nblock, work), short) {
                assert!(block == fetched, "block {nblock} of chunk {nchunk}");
            }
        }
    }
}

fn compare_items<M: ReadFlash<Error = &'static str>>(
    frame: &FlashFrame<'_>,
    fetched: &mut FetchedFrame<'_, M>,
    work: &mut AreaWork<'_>,
    short: bool,
) {
    let Some(array) = frame.layout() else { return };
    let itemsize = (array.itemsize() as usize).min(PART);
    for k in 0..=3 {
        let at: Vec<u64> = array.shape().iter().map(|len| len.saturating_sub(1) * k / 3).collect();
        let [mut expected, mut item] = [vec![0; itemsize], vec![1; itemsize]];
        let read = frame.item(&at, work, &mut expected);
        if both(&read, fetched.item(&at, work, &mut item), short).is_some() {
            assert_eq!(item, expected, "item {at:?}");
        }
    }
}

/// The result that both give. Errors are of one kind; those of little memory are allowed if it is `short`.
pub(crate) fn both<'r, T, U>(
    expected: &'r Result<T>,
    found: core::result::Result<U, ReadError<&'static str>>,
    short: bool,
) -> Option<(&'r T, U)> {
    let kind = |error: &Error| discriminant(&error.kind());
    match (expected, found) {
        (Ok(expected), Ok(found)) => Some((expected, found)),
        (_, Err(ReadError::Blosc(error))) if short && matches!(error.kind(), ErrorKind::Limit(_)) => None,
        (Err(expected), Err(ReadError::Blosc(found))) if kind(expected) == kind(&found) => None,
        (expected, found) => {
            let (expected, found) = (expected.as_ref().err(), found.err());
            panic!("{expected:?} from memory, {found:?} from another")
        }
    }
}
