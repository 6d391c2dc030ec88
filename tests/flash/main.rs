//! Frames in flash: fixed memory gives what was written, of everything that it can read, and says of all else why not.
//! Where there is no allocator, which is what it is for, damaged frames give data or an error.

extern crate alloc;

mod asynchronous;
#[path = "../common/mod.rs"]
mod common;
#[cfg(not(feature = "alloc"))]
mod damaged;
mod fetched;

use alloc::collections::BTreeMap;
use b2nd::codec::Registry;
use b2nd::plan::Plan;
use b2nd::source::flash::{AreaWork, FlashFrame, Tables};
use b2nd::{Error, ErrorKind, Result, Unsupported};
use common::numpy::indices;
use common::parts::Parts;
use common::{Case, golden, sha256};

fn tables() -> impl Tables {
    (b2nd::source::flash::Zlib::new(), b2nd::source::flash::ZstdDict::new())
}

/// Bytes for the largest block of the corpus.
const AREA: usize = 1 << 20;
/// Bytes for the heads of its chunks, its largest block as it is stored, and its longest header.
const BUFFER: usize = 1 << 20;

/// Damage where it does not look: trailers.
const UNSEEN: [&str; 2] =
    ["damaged/x-frame-trailer-length-0.b2nd", "damaged/x-frame-trailer-length-huge.b2nd"];
/// Nothing in this one tells that its bitshuffle is of an early kind, and nobody can tell the reader.
const UNTOLD: &str = "early/cat0.2.2-3d-i4-zstd-bitshuf.caterva";

/// Frames by what came of them: those that are not supported by what they are.
fn expected() -> BTreeMap<&'static str, usize> {
    // With more axes than this build has room for.
    let dimensions = match (cfg!(feature = "alloc"), cfg!(feature = "small")) {
        (true, _) => 0,
        (false, false) => 4,
        (false, true) => 11,
    };
    // Damaged, but the length is refused before that shows.
    let long = usize::from(!cfg!(feature = "alloc"));
    let zfp = if cfg!(feature = "zfp") { 0 } else { 3 };
    let mut expected = BTreeMap::from([
        ("read", 585 - zfp - dimensions),
        ("too many dimensions", dimensions),
        ("damaged", 22 - long),
        ("longer than 32 bits count", long),
        ("damaged where nobody looks", UNSEEN.len()),
        ("values elsewhere", 7),
        ("files for chunks", 38),
        ("a beta", 27),
        ("chunks that differ in size", 7),
        ("another codec", 1 + zfp),
        ("another version", 1),
    ]);
    expected.retain(|_, count| *count > 0);
    expected
}

#[test]
fn gives_what_was_written_or_says_why_not() {
    let (mut memory, mut tables) = (vec![0; AREA], tables());
    let mut work = AreaWork::new(&mut memory, &mut tables, Registry::new());
    let mut found = BTreeMap::new();
    for case in golden().iter().filter(|case| is_frame(case) && case.name != UNTOLD) {
        let outcome = match check(case, &Parts::of(case).0[0].1, &mut work) {
            Ok(()) if UNSEEN.contains(&case.name.as_str()) => "damaged where nobody looks",
            Ok(()) => {
                assert_eq!(case.error(), None, "{}", case.name);
                "read"
            }
            Err(error) => {
                let (kind, why) = refusal(&error);
                assert_eq!(kind, case.error().unwrap_or("unsupported"), "{}: {error}", case.name);
                why
            }
        };
        *found.entry(outcome).or_insert(0) += 1;
    }
    assert_eq!(found, expected());
}

fn is_frame(case: &Case) -> bool {
    case.kind() != "chunk"
}

/// Who is to blame, in the manifest's word, and what for.
fn refusal(error: &Error) -> (&'static str, &'static str) {
    match error.kind() {
        ErrorKind::Format(_) => ("format", "damaged"),
        ErrorKind::Unsupported(what) => match what {
            Unsupported::Reference(_) => ("unsupported", "values elsewhere"),
            Unsupported::SparseFrame => ("unsupported", "files for chunks"),
            Unsupported::BetaFrame => ("unsupported", "a beta"),
            Unsupported::VariableChunks => ("unsupported", "chunks that differ in size"),
            Unsupported::Dimensions(_) => ("unsupported", "too many dimensions"),
            Unsupported::Codec(_) => ("unsupported", "another codec"),
            Unsupported::FrameVersion(_) => ("unsupported", "another version"),
            _ => panic!("{error}"),
        },
        ErrorKind::Limit(_) if !cfg!(feature = "alloc") => ("format", "longer than 32 bits count"),
        _ => panic!("{error}"),
    }
}

/// Compares all that can be read with the manifest.
fn check(case: &Case, bytes: &[u8], work: &mut AreaWork<'_>) -> Result<()> {
    let selections: Vec<_> = case.slices().iter().map(|(text, _)| indices(text)).collect();
    fetched::compare(bytes, &selections, work, &mut vec![0; BUFFER]);
    let frame = FlashFrame::open(bytes)?;
    let plan = frame.plan(&[])?;
    let whole = in_parts(&frame, &plan, 1000, work)?;
    let slices = case.slices();
    for (text, digest) in &slices {
        let plan = frame.plan(&indices(text))?;
        let mut items = vec![0xaa; plan.nbytes()];
        frame.read(&plan, work, &mut items)?;
        assert!(case.error().is_some() || sha256(&items) == *digest, "{} [{text}]", case.name);
        assert!(in_parts(&frame, &plan, 77, work)? == items, "{} [{text}] in parts", case.name);
    }
    assert!(case.error().is_some() || sha256(&whole) == slices[0].1, "{}", case.name);
    check_items(&frame, &plan, &whole, work)?;
    if case.kind() == "schunk" {
        assert!(blocks(&frame, work)? == whole, "{}: blocks", case.name);
    }
    Ok(())
}

fn in_parts(frame: &FlashFrame<'_>, plan: &Plan, nbytes: usize, work: &mut AreaWork<'_>) -> Result<Vec<u8>> {
    let mut items = Vec::new();
    for part in plan.parts(nbytes) {
        let start = items.len();
        items.resize(start + part.nbytes(), 0xaa);
        frame.read(&part, work, &mut items[start..])?;
    }
    Ok(items)
}

/// Items on the way from the first to the last.
fn check_items(frame: &FlashFrame<'_>, all: &Plan, whole: &[u8], work: &mut AreaWork<'_>) -> Result<()> {
    if whole.is_empty() {
        return Ok(());
    }
    let itemsize = whole.len() / all.shape().iter().product::<u64>() as usize;
    for k in 0..=4 {
        let at: Vec<u64> = all.shape().iter().map(|len| (len - 1) * k / 4).collect();
        let number =
            at.iter().zip(all.shape().iter()).fold(0, |number, (at, len)| number * len + at) as usize;
        let mut item = vec![0xaa; itemsize];
        frame.item(&at, work, &mut item)?;
        assert_eq!(item, whole[number * itemsize..][..itemsize], "item {at:?}");
    }
    Ok(())
}

/// All blocks of all chunks.
fn blocks(frame: &FlashFrame<'_>, work: &mut AreaWork<'_>) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    for nchunk in 0..frame.nchunks() {
        for nblock in 0..frame.chunk(nchunk, work)?.header().nblocks {
            plain.extend_from_slice(frame.block(nchunk, nblock, work)?);
        }
    }
    Ok(plain)
}

/// An index that repeats what is no entry: both readers refuse it, and for the same reason.
#[cfg(feature = "alloc")]
#[test]
fn refuses_the_index_that_a_reader_refuses() {
    let mut forgery = common::forgery::Forgery::of_zeros(2);
    let index = forgery.bytes.windows(4).position(|window| window == [5, 1, 5, 8]).expect("the index");
    // A value of 16 bytes: the entry, and what follows.
    forgery.put(index + 12, &48u32.to_le_bytes());
    let (mut memory, mut tables) = (vec![0; AREA], tables());
    let mut work = AreaWork::new(&mut memory, &mut tables, Registry::new());
    let frame = FlashFrame::open(&forgery.bytes).expect("a frame");
    let refused = frame.locate(0, &mut work).expect_err("no entry");
    let reader = b2nd::Reader::open(&forgery.bytes[..], b2nd::DParams::default()).expect("a frame");
    let error = reader.index().map(drop).expect_err("no entry");
    assert!(matches!(error, b2nd::ReadError::Blosc(error) if error == refused), "{refused}");
}
