//! Stored chunks of the HDF5 filters Blosc and Blosc2, written by h5py and by the reference.
#![cfg(all(feature = "std", feature = "filters", feature = "lz4", feature = "zlib", feature = "zstd"))]

use crate::common::{self, sha256};
use b2nd::source::decode_into;
use b2nd::{ArgumentError, DParams, Error, ErrorKind, Limits, Selection};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hdf5").join(name)
}

fn decoded(stored: &[u8], len: usize) -> Result<Vec<u8>, Error> {
    let mut out = vec![0xAA; len];
    decode_into(stored, &mut out, DParams::default()).map(|()| out)
}

/// The stored chunks with their facts.
fn cases() -> Vec<(Value, Vec<u8>)> {
    let list = fs::read_to_string(golden("cases.json")).unwrap();
    let stored = |facts: Value| {
        let path = golden(&format!("{}.stored", facts["name"].as_str().unwrap()));
        (facts, fs::read(path).unwrap())
    };
    serde_json::from_str::<Vec<Value>>(&list).unwrap().into_iter().map(stored).collect()
}

#[test]
fn stored_chunks_are_decoded() {
    let mut count = [0; 2];
    for (facts, stored) in cases() {
        let len = facts["nbytes"].as_u64().unwrap() as usize;
        let items = decoded(&stored, len).unwrap_or_else(|error| panic!("{facts}: {error}"));
        assert_eq!(sha256(&items), facts["sha256"], "{facts}");
        count[usize::from(stored[2..].starts_with(b"b2frame"))] += 1;
    }
    // Chunks on their own, of both filters, and frames.
    assert_eq!(count, [6, 9]);
}

#[test]
fn other_lengths_are_refused() {
    for (facts, stored) in cases() {
        let expected = facts["nbytes"].as_u64().unwrap();
        for actual in [0, expected - 1, expected + 1] {
            let error = decoded(&stored, actual as usize).expect_err("it does not fit");
            assert_eq!(
                error.kind(),
                ErrorKind::Argument(ArgumentError::BufferLen { expected, actual }),
                "{facts}"
            );
        }
    }
}

#[test]
fn cut_chunks_are_damaged() {
    for (facts, stored) in cases() {
        let len = facts["nbytes"].as_u64().unwrap() as usize;
        for cut in (0..stored.len()).step_by(7) {
            // Of frames the trailer is not needed.
            match decoded(&stored[..cut], len) {
                Ok(items) => assert_eq!(sha256(&items), facts["sha256"], "{cut} bytes of {facts}"),
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::Format(_)), "{cut} bytes of {facts}: {error}")
                }
            }
        }
    }
}

/// Frames with other chunks, blocks, codecs and metalayers than the filter's.
#[test]
fn all_golden_frames_and_chunks_are_decoded() {
    let (mut count, mut caterva) = (0, 0);
    for case in common::golden() {
        // Directories have no bytes.
        if case.error().is_some() || case.path.is_dir() {
            continue;
        }
        let plan = case.open().unwrap().plan(Selection::all()).unwrap();
        let (bytes, mut items) = (fs::read(&case.path).unwrap(), vec![0xAA; plan.nbytes()]);
        let result = decode_into(&bytes[case.offset() as usize..], &mut items, case.dparams());
        result.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(sha256(&items), case.facts["sha256"], "{}", case.name);
        count += 1;
        caterva += usize::from(case.name.starts_with("caterva"));
    }
    assert!(count > 500 && caterva > 10, "{count} files, {caterva} of Caterva");
}

#[test]
fn memory_is_limited() {
    let mut limited = 0;
    for (facts, stored) in cases() {
        let dparams = DParams { limits: Limits { memory: 10, ..Limits::default() }, ..DParams::default() };
        let mut out = vec![0; facts["nbytes"].as_u64().unwrap() as usize];
        match decode_into(&stored, &mut out, dparams) {
            Ok(()) => assert_eq!(sha256(&out), facts["sha256"], "{facts}"),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Limit(_)), "{facts}: {error}");
                limited += 1;
            }
        }
    }
    assert!(limited > 0);
}
