//! Fixed memory gives what the reader gives, of everything that it can read; and nothing but errors of what is damaged.

use b2nd::codec::Registry;
use b2nd::source::flash::{AreaWork, Frame, Tables};
use b2nd::{DParams, Index, Reader, Selection, Unsupported};
use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "zstd-safe")]
fn tables() -> impl Tables {
    b2nd::source::flash::Zlib::new()
}

#[cfg(not(feature = "zstd-safe"))]
fn tables() -> impl Tables {
    (b2nd::source::flash::Zlib::new(), b2nd::source::flash::ZstdDict::new())
}

fn frames(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            frames(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| ["b2nd", "b2frame"].iter().any(|e| extension == *e))
        {
            found.push(path);
        }
    }
}

#[test]
fn gives_what_the_reader_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = Vec::new();
    frames(&root.join("golden"), &mut paths);
    frames(&root.join("embedded/data"), &mut paths);
    let (mut memory, mut tables) = (vec![0; 4 << 20], tables());
    let mut work = AreaWork::new(&mut memory, &mut tables, Registry::new());
    let mut same = 0;
    for path in &paths {
        let bytes = fs::read(path).expect("a file");
        let Ok(reader) = Reader::open(&bytes[..], DParams::default()) else { continue };
        let Ok(expected) = reader.get(&Selection::all()) else { continue };
        let Ok(frame) = Frame::open(&bytes) else { continue };
        let Ok(plan) = frame.plan(&[]) else { panic!("{path:?}") };
        let mut out = vec![0; plan.nbytes()];
        let mut done = 0;
        let mut refused = None;
        for part in plan.parts(1000) {
            let next = &mut out[done..done + part.nbytes()];
            done += next.len();
            refused = refused.or(frame.read(&part, &mut work, next).err());
        }
        match refused {
            None => same += usize::from(out == expected),
            Some(error) if matches!(error.blame(), b2nd::Blame::Unsupported(_)) => continue,
            Some(error) => panic!("{path:?}: {error}"),
        }
        assert!(out == expected, "{path:?}");
        check_last_item(&frame, &expected, &mut work);
    }
    assert!(same > 400, "{same} of {}", paths.len());
}

fn check_last_item(frame: &Frame<'_>, expected: &[u8], work: &mut AreaWork<'_>) {
    let Some(array) = frame.array().filter(|array| !array.shape().contains(&0)) else { return };
    let last: Vec<u64> = array.shape().iter().map(|len| len - 1).collect();
    let mut item = vec![0; array.itemsize() as usize];
    frame.item(&last, work, &mut item).expect("the last item");
    assert!(expected.ends_with(&item));
}

#[test]
fn bits_flipped() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/embedded/data/small.b2nd");
    let mut bytes = fs::read(path).expect("a file");
    let (mut memory, mut tables) = ([0; 256], tables());
    let mut work = AreaWork::new(&mut memory, &mut tables, Registry::new());
    let (mut data, mut errors) = (0, 0);
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let read = Frame::open(&bytes).and_then(|frame| {
            let mut items = [0; 128];
            frame.item(&[37], &mut work, &mut items[..2])?;
            for part in frame.plan(&[Index::ALL])?.parts(items.len()).take(20) {
                items.get_mut(..part.nbytes()).map_or(Ok(()), |items| frame.read(&part, &mut work, items))?;
            }
            Ok(())
        });
        if read.is_ok() {
            data += 1
        } else {
            errors += 1
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(data > 0 && errors > 0, "{data} and {errors}");
}

#[test]
fn what_it_cannot_read_is_named() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let cases = [
        ("blosc2-2.2.9/zlib-shuf-t12-sparse.b2frame/chunks.b2frame", Unsupported::SparseFrame),
        ("early/b2-beta5-empty.b2frame", Unsupported::BetaFrame),
        ("blosc2-4.14.1/variable-lz4-frame.b2frame", Unsupported::VariableChunks),
    ];
    for (name, expected) in cases {
        let bytes = fs::read(golden.join(name)).expect("a golden file");
        assert_eq!(Frame::open(&bytes).map(drop), Err(expected.into()), "{name}");
    }
}
