//! Reading where each request takes long: the same items, in few requests.

use crate::common::parts::Parts;
use crate::common::{Case, golden, sha256};
use b2nd::reading::Merge;
use b2nd::wire::{Part, Request};
use b2nd::{DParams, Limits, ReadAt, Reader, Selection};
use core::cell::RefCell;
use core::convert::Infallible;

/// A frame far away, which remembers what is asked of it.
struct Remote {
    parts: Parts,
    asked: RefCell<Vec<Request>>,
}

impl Remote {
    fn of(case: &Case) -> Self {
        Self { parts: Parts::of(case), asked: RefCell::default() }
    }
}

impl ReadAt for &Remote {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        self.asked.borrow_mut().push(request.clone());
        self.parts.read_at(request, buffer)
    }

    fn merge(&self) -> Merge {
        Merge::NETWORK
    }
}

#[test]
fn the_corpus_reads_the_same() {
    let mut read = 0;
    for case in golden().iter().filter(|case| case.error().is_none()) {
        let remote = Remote::of(case);
        let reader = Reader::open(&remote, case.dparams()).expect("a good frame");
        for (text, digest) in case.slices() {
            let items = reader.get(&text).expect("good data");
            assert_eq!(sha256(&items), digest, "{} [{text}]", case.name);
            read += 1;
        }
    }
    assert!(read > 2000, "{read} slices were read");
}

/// Of damaged frames, what is read in many small requests and what is read in few is the same, or neither is read.
#[test]
fn damaged_frames_read_the_same() {
    let limits = Limits { memory: 16 << 20, ..Limits::default() };
    let (mut state, mut same, mut refused) = (1_u64, 0, 0);
    for case in golden().iter().filter(|case| case.error().is_none()) {
        let whole = Parts::of(case);
        for _ in 0..8 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % whole.len();
            let mut parts = whole.clone();
            *parts.byte(at) ^= 1 << (state >> 30 & 7);
            let remote = Remote { parts, asked: RefCell::default() };
            let dparams = DParams { limits, ..case.dparams() };
            let Ok(local) = Reader::open(&remote.parts, dparams.clone()) else { continue };
            let far = Reader::open(&remote, dparams).expect("a frame that opens");
            match (local.get(Selection::all()), far.get(Selection::all())) {
                (Ok(items), Ok(others)) => {
                    assert!(items == others, "{}, byte {at}", case.name);
                    same += 1;
                }
                (Err(_), Err(_)) => refused += 1,
                (local, far) => panic!("{}, byte {at}: {:?} and {:?}", case.name, local.err(), far.err()),
            }
        }
    }
    assert!(same > 1000 && refused > 100, "{same} read, {refused} refused");
}

/// Requests for a selection, when the index is there.
fn requests(reader: &Reader<&Remote>, remote: &Remote, selection: &str) -> Vec<Request> {
    reader.index().expect("an index");
    remote.asked.take();
    reader.get(selection.parse::<Selection>().expect("a selection")).expect("good data");
    remote.asked.take()
}

fn count(remote: &Remote, selection: &str) -> usize {
    requests(&Reader::open(remote, DParams::default()).expect("a frame"), remote, selection).len()
}

/// Chunks that are shorter than 64 KiB are read as wholes, those that lie side by side together.
#[test]
fn small_chunks_share_requests() {
    let case = golden().into_iter().find(|case| case.name.ends_with("4.14.1/sample.b2nd"));
    let remote = Remote::of(&case.expect("the sample"));
    assert_eq!(count(&remote, "..."), 1);
    assert_eq!(count(&remote, "0"), 1);
}

/// Of a long chunk the head comes first and then the blocks, if not nearly all of it is wanted.
#[test]
fn long_chunks_take_two_rounds() {
    let (nbytes, blocksize) = (4_u32 << 20, 1_u32 << 20);
    let mut chunk = vec![2, 1, 2, 1];
    for size in [nbytes, blocksize, nbytes + 16] {
        chunk.extend(size.to_le_bytes());
    }
    chunk.extend((0..nbytes).map(|byte| byte as u8));
    let remote = Remote { parts: Parts(vec![(Part::Frame, chunk)]), asked: RefCell::default() };
    assert_eq!(count(&remote, "100000:120000"), 2);
    // Two blocks far from each other.
    assert_eq!(count(&remote, "::3145728"), 3);
    assert_eq!(count(&remote, "..."), 1);
}
