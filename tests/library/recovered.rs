//! Frames without an index, put together from their chunks.
#![cfg(all(feature = "write", feature = "lz4", feature = "filters"))]

use crate::random::Random;
use b2nd::array::ArrayParams;
use b2nd::frame::{Header, Location, Reference};
use b2nd::sink::{Editor, Memory};
use b2nd::wire::Request;
use b2nd::{Array, DParams, ErrorKind, Limits, Malformed, ReadAt, Unsupported};

/// Items of a chunk.
const CHUNK: usize = 400;
const CHUNKS: usize = 7;

/// A frame with chunks of random items, all of zeros but for the first item of the chunks in `some`.
fn frame(some: impl Fn(usize) -> bool) -> (Vec<u16>, Vec<u8>) {
    let mut random = Random(7);
    let mut items: Vec<u16> = (0..CHUNKS * CHUNK).map(|_| 1 + random.below(900) as u16).collect();
    for (n, chunk) in items.chunks_mut(CHUNK).enumerate() {
        if !some(n) {
            chunk.fill(0);
        }
    }
    let params = ArrayParams::of_type::<u16>(&[items.len() as u64]).with_chunks(&[CHUNK as u32]);
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.write(.., &items).unwrap();
    editor.commit().unwrap();
    (items, editor.into_sink().into_bytes())
}

/// Recovers a frame. Returns how many chunks were found, whether their places are certain, and the items.
fn recover(bytes: &[u8]) -> (usize, bool, Vec<u16>) {
    let (mut editor, found) = Editor::recover(Memory::default(), bytes, DParams::default()).unwrap();
    editor.commit().unwrap();
    assert_eq!(found.nchunks, CHUNKS as u64);
    let array = Array::from_source(editor.into_sink()).unwrap();
    (found.found as usize, found.is_certain, array.read::<u16>(..).unwrap().into_vec())
}

fn refused(bytes: &[u8]) -> ErrorKind {
    let b2nd::ReadError::Blosc(error) =
        Editor::recover(Memory::default(), bytes, DParams::default()).unwrap_err();
    error.kind()
}

/// Nothing is left.
fn is_lost(bytes: &[u8]) -> bool {
    matches!(refused(bytes), ErrorKind::Format(error) if matches!(error.what, Malformed::Mismatch { found: 0, .. }))
}

fn unsupported(bytes: &[u8]) -> Unsupported {
    match refused(bytes) {
        ErrorKind::Unsupported(what) => what,
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn whole_chunks_are_found_wherever_the_file_ends() {
    let (items, bytes) = frame(|_| true);
    let header = Header::parse(&bytes, &Limits::default()).unwrap();
    let array = Array::from_source(&bytes[..]).unwrap();
    let index = array.reader().index().unwrap();
    let starts: Vec<usize> = (0..CHUNKS as u64)
        .map(|n| match index.locate(n).unwrap() {
            Location::Stored { offset, .. } => offset as usize,
            other => panic!("{other:?}"),
        })
        .collect();
    let end = header.end().start as usize;
    let ends: Vec<usize> = starts[1..].iter().copied().chain([end]).collect();
    for len in header.header_len as usize..=bytes.len() {
        // Each place near the ends of chunks, and some others.
        if len % 97 != 0 && !ends.iter().any(|end| len.abs_diff(*end) < 40) {
            continue;
        }
        let whole = ends.iter().filter(|end| **end <= len).count();
        if whole == 0 {
            assert!(is_lost(&bytes[..len]), "{len} bytes");
            continue;
        }
        let (found, is_certain, values) = recover(&bytes[..len]);
        assert_eq!((found, is_certain), (whole, whole == CHUNKS), "{len} bytes");
        let (some, others) = values.split_at(whole * CHUNK);
        assert_eq!(some, &items[..some.len()], "{len} bytes");
        assert!(others.iter().all(|item| *item == 0));
    }
}

#[test]
fn chunks_that_are_in_the_index_only_make_places_uncertain() {
    let (items, bytes) = frame(|n| n != 2);
    let (found, is_certain, values) = recover(&bytes);
    assert_eq!((found, is_certain), (CHUNKS - 1, false));
    assert_eq!(values[..2 * CHUNK], items[..2 * CHUNK]);
    assert_eq!(values[2 * CHUNK..][..CHUNK], items[3 * CHUNK..][..CHUNK], "what the sentence warns of");
    let (_, bytes) = frame(|_| false);
    assert!(is_lost(&bytes));
}

#[test]
fn metalayers_stay_and_changes_are_possible() {
    let (_, bytes) = frame(|_| true);
    let (mut editor, _) = Editor::recover(Memory::default(), &bytes[..2000], DParams::default()).unwrap();
    editor.set_attr("unit", "K").unwrap();
    editor.write(1000..1002, &[7_u16, 8]).unwrap();
    editor.commit().unwrap();
    let array = Array::from_source(editor.into_sink()).unwrap();
    assert_eq!(array.read::<u16>(999..1003).unwrap().into_vec()[1..3], [7, 8]);
    assert_eq!(array.attrs().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_found_like_this_is_refused() {
    let read = |name: &str| std::fs::read(format!("tests/golden/{name}")).unwrap();
    let refused = |name: &str| unsupported(&read(name));
    assert_eq!(refused("blosc2-0.2.0/lz4-slots-t8-sparse.b2frame/chunks.b2frame"), Unsupported::SparseFrame);
    assert_eq!(refused("blosc2-4.14.1/dict-lz4.chunk"), Unsupported::FrameVersion(0));
    assert_eq!(refused("blosc2-4.14.1/lazy-expression.b2nd"), Unsupported::Reference(Reference::LazyExpr));
    assert_eq!(refused("blosc2-4.14.1/variable-blosclz-frame.b2frame"), Unsupported::VariableChunks);
}

/// A file that becomes shorter once its chunks were found.
struct Shrinking(Vec<u8>);

impl ReadAt for Shrinking {
    type Error = core::convert::Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Self::Error> {
        let is_copied = request.range.start > 0 && request.range.end - request.range.start > 100;
        let len = if is_copied { 2000 } else { self.0.len() };
        self.0[..len].read_at(request, buffer)
    }
}

#[test]
fn a_file_that_becomes_shorter_meanwhile_is_an_error() {
    let source = Shrinking(frame(|_| true).1);
    let error = Editor::recover(Memory::default(), &source, DParams::default()).unwrap_err();
    assert!(error.to_string().contains("truncated"), "{error}");
}

#[test]
fn any_bytes_are_an_error_or_a_frame() {
    let (_, bytes) = frame(|n| n % 3 > 0);
    let mut random = Random(11);
    for _ in 0..2000 {
        let mut bytes = bytes[..random.index(bytes.len())].to_vec();
        for _ in 0..random.index(4) {
            let at = random.index(bytes.len().clamp(1, 400));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        let limits = Limits { memory: 1 << 20, ..Limits::default() };
        let dparams = DParams { limits, ..DParams::default() };
        if let Ok((mut editor, found)) = Editor::recover(Memory::default(), &bytes[..], dparams) {
            assert!(found.found <= found.nchunks);
            _ = editor.commit();
        }
    }
}
