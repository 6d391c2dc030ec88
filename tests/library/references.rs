//! Frames whose values are not in their chunks are refused by name, or read as they are stored.

use b2nd::frame::{Reference, Run};
use b2nd::source::{File, ReadError, Reader, flash};
use b2nd::{DParams, Selection, Unsupported};
use core::fmt::Debug;
use std::path::PathBuf;
use std::{fs, io};

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/blosc2-4.14.1").join(name)
}

fn open(name: &str, as_stored: bool) -> Reader<File> {
    let dparams = DParams { as_stored, ..DParams::default() };
    Reader::open(File::open(golden(name)).expect("a file"), dparams).expect("a frame")
}

#[track_caller]
fn refused<T: Debug>(result: Result<T, ReadError<io::Error>>, expected: Unsupported) {
    match result {
        Err(ReadError::Blosc(error)) => assert_eq!(error, expected.into()),
        other => panic!("{expected:?} expected, {other:?} found"),
    }
}

#[test]
fn nothing_is_read_unless_asked_for() {
    let files = [
        ("lazy-expression.b2nd", Reference::LazyExpr),
        ("lazy-function.b2nd", Reference::LazyUdf),
        ("lazy-function-old.b2nd", Reference::LazyUdf),
        ("proxy-nothing.b2nd", Reference::Proxy),
        ("proxy-chunks.b2nd", Reference::Proxy),
        ("proxy-blocks.b2nd", Reference::Proxy),
        ("proxy-zeros.b2nd", Reference::Proxy),
    ];
    for (name, reference) in files {
        let reader = open(name, false);
        assert_eq!(reader.frame().header.reference(), Some(reference), "{name}");
        let array = reader.layout().expect("metadata").expect("an array");
        assert_eq!((array.shape().as_slice(), array.dtype()), (&[30, 20][..], Some("<i4")), "{name}");
        assert_eq!(reader.nchunks().expect("metadata"), 6, "{name}");
        assert!(reader.trailer().is_ok());
        let expected = Unsupported::Reference(reference);
        refused(reader.get(Selection::all()), expected);
        refused(reader.get("3, 4"), expected);
        refused(reader.chunk(0), expected);
        refused(reader.chunk_info(0), expected);
        #[cfg(feature = "rayon")]
        refused(reader.get_parallel(Selection::all()), expected);
        let bytes = fs::read(golden(name)).expect("a file");
        assert_eq!(flash::FlashFrame::open(&bytes).expect_err(name), expected.into(), "{name}");
    }
}

#[test]
fn lazy_arrays_read_as_they_are_stored() {
    for name in ["lazy-expression.b2nd", "lazy-function.b2nd", "lazy-function-old.b2nd"] {
        let values = open(name, true).get(Selection::all()).expect("what is stored");
        assert_eq!(values, vec![0; 30 * 20 * 4], "{name}");
    }
}

/// Chunks 0, 1 and 5 were fetched of one; chunk 0, and half of chunk 5, of the other; and chunks 0 and 1 of zeros, which
/// look like those that were not fetched.
#[test]
fn proxies_hold_what_was_fetched() {
    let files: [(&str, &[u64]); 4] = [
        ("proxy-nothing.b2nd", &[]),
        ("proxy-chunks.b2nd", &[0, 1, 5]),
        ("proxy-blocks.b2nd", &[0]),
        ("proxy-zeros.b2nd", &[0, 1]),
    ];
    let mut first = Vec::new();
    for (name, fetched) in files {
        let reader = open(name, true);
        for chunk in 0..6 {
            let corner = format!("{}, {}", chunk / 2 * 10, chunk % 2 * 12);
            if fetched.contains(&chunk) {
                let plain = reader.chunk(chunk).expect("a fetched chunk");
                assert_eq!(reader.get(&corner).expect("its first item"), plain[..4], "{name}");
                first.extend((chunk == 0).then_some(plain));
            } else {
                refused(reader.chunk(chunk), Unsupported::NotFetched { chunk });
                refused(reader.get(&corner), Unsupported::NotFetched { chunk });
            }
        }
        let index = reader.index().expect("an index");
        let runs: Vec<Run> = index.runs().collect();
        let there = runs.iter().filter(|run| run.location.is_ok()).flat_map(|run| run.chunks.clone());
        assert_eq!(there.collect::<Vec<_>>(), fetched, "{name}");
        assert_eq!(runs.iter().flat_map(|run| run.chunks.clone()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    }
    let [chunks, blocks, zeros] = &first[..] else { panic!("{} of three", first.len()) };
    assert_eq!(chunks, blocks, "they are caches of the same array");
    assert!(chunks.iter().any(|byte| *byte != 0) && zeros.iter().all(|byte| *byte == 0));
}
