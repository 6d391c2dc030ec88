//! A change that fails leaves everything as it was.
#![cfg(all(feature = "write", feature = "auto", feature = "zfp"))]

use alloc::rc::Rc;
use alloc::sync::Arc;
use b2nd::array::ArrayParams;
use b2nd::chunk::{Auto, CParams, SpecialValue};
use b2nd::filter::{self, Block, Filter, Inapplicable, Pipeline};
use b2nd::frame::FrameParams;
use b2nd::sink::{Editor, Memory, WriteAt};
use b2nd::source::{ReadAt, ReadError};
use b2nd::wire::{Part, Request};
use b2nd::{DParams, Reader, Selection};
use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::fs;

/// How much may still be read, or written, before a sink fails.
#[derive(Debug, Clone)]
struct Left(Rc<Cell<usize>>);

impl Left {
    fn endless() -> Self {
        Self(Rc::new(Cell::new(usize::MAX)))
    }

    fn count(&self) -> Result<(), Failure> {
        let left = self.0.get().checked_sub(1).ok_or(Failure)?;
        self.0.set(left);
        Ok(())
    }
}

/// Memory whose reads or writes fail after some of them.
#[derive(Debug)]
struct Failing {
    memory: Memory,
    reads: Left,
    writes: Left,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure;

impl From<core::convert::Infallible> for Failure {
    fn from(never: core::convert::Infallible) -> Self {
        match never {}
    }
}

impl Failing {
    fn new(memory: Memory) -> Self {
        Self { memory, reads: Left::endless(), writes: Left::endless() }
    }
}

impl ReadAt for Failing {
    type Error = Failure;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Failure> {
        self.reads.count()?;
        Ok(self.memory.read_at(request, buffer)?)
    }
}

impl WriteAt for Failing {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Failure> {
        self.writes.count()?;
        Ok(self.memory.write_at(part, offset, bytes)?)
    }

    fn replace(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.memory.replace(bytes)?)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn truncate(&mut self, len: u64) -> Result<(), Failure> {
        Ok(self.memory.truncate(len)?)
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> Result<(), Failure> {
        Ok(self.memory.remove(unused)?)
    }

    fn successor(&self) -> Result<Self, Failure> {
        Ok(Self::new(Memory::default()))
    }

    fn publish(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

const SHAPE: [u64; 2] = [9, 14];

fn params() -> ArrayParams {
    let mut params = ArrayParams::new(&SHAPE, "<u2");
    (params.chunkshape, params.blockshape) = (Some(vec![4, 6]), Some(vec![2, 3]));
    params
}

fn items(count: usize, seed: u8) -> Vec<u8> {
    (0..2 * count).map(|at| (at as u8).wrapping_mul(seed) ^ (at >> 3) as u8).collect()
}

/// An array with chunks that are committed, chunks that are not, and a collected row.
fn array() -> (Editor<Failing>, Left, Left) {
    let sink = Failing::new(Memory::default());
    let (reads, writes) = (sink.reads.clone(), sink.writes.clone());
    let mut editor = Editor::create_array(sink, &params()).unwrap();
    editor.set(Selection::all(), &items(9 * 14, 3)).unwrap();
    editor.set_attr_bytes("kept", &[7; 100]).unwrap();
    editor.commit().unwrap();
    editor.set("2:7, 3:", &items(5 * 11, 5)).unwrap();
    editor.append(0, &items(14, 7)).unwrap();
    editor.append(0, &items(14, 9)).unwrap();
    (editor, reads, writes)
}

/// All that can be seen of an editor.
fn state(editor: &Editor<Failing>) -> String {
    let frame = editor.frame();
    let chunks: Vec<_> =
        (0..frame.nchunks()).map(|at| (frame.locate(at).unwrap(), frame.chunk_nbytes(at).unwrap())).collect();
    let items = editor.layout().map(|_| editor.get(Selection::all()).unwrap());
    let plain = editor.layout().is_none().then(|| (0..frame.nchunks()).map(|at| editor.chunk(at).unwrap()));
    let shape = editor.layout().map(|array| array.shape().to_vec());
    let layers = frame.metalayers();
    let choices = (editor.chosen(), editor.first_choice().is_some());
    format!(
        "{shape:?} {chunks:?} {items:?} {:?} {layers:?} {:?} {} {choices:?}",
        plain.map(Iterator::collect::<Vec<_>>),
        editor.cparams(),
        frame.needs_move()
    )
}

/// The frame that is read after a commit.
fn committed(mut editor: Editor<Failing>) -> (Option<Vec<u64>>, Vec<Vec<u8>>, usize) {
    editor.commit().unwrap();
    let memory = editor.into_sink().memory;
    let reader = Reader::open(&memory, DParams::default()).unwrap();
    let shape = reader.layout().unwrap().map(|array| array.shape().to_vec());
    let chunks = (0..reader.nchunks().unwrap()).map(|at| reader.chunk(at).unwrap()).collect();
    (shape, chunks, reader.trailer().unwrap().attributes.len())
}

type Edit = fn(&mut Editor<Failing>) -> Result<(), ReadError<Failure>>;

fn other() -> Vec<u8> {
    let mut editor = Editor::create_array(Memory::default(), &params()).unwrap();
    editor.set(Selection::all(), &items(9 * 14, 11)).unwrap();
    editor.set_attr_bytes("one", &[1; 50]).unwrap();
    editor.set_attr_bytes("two", &[2; 50]).unwrap();
    editor.commit().unwrap();
    editor.into_sink().into_bytes()
}

const EDITS: [(&str, Edit); 14] = [
    ("set", |editor| editor.set(&"1:11, 2:13".parse::<Selection>()?, &items(10 * 11, 13))),
    ("set with", |editor| {
        editor.set_with(&"::2, 2:13".parse::<Selection>()?, &mut |_, items| {
            items.fill(9);
            Ok(())
        })
    }),
    ("write", |editor| editor.write(&"5, 3:9".parse::<Selection>()?, &[1_u16; 6])),
    ("fill", |editor| editor.fill(&"1:11, 1:13".parse::<Selection>()?, &[1, 2])),
    ("grow", |editor| editor.resize_with(&[17, 20], &[3, 4])),
    ("shrink", |editor| editor.resize(&[7, 10])),
    ("append rows", |editor| editor.append(0, &items(10 * 14, 17))),
    ("append a row", |editor| editor.append(0, &items(14, 17))),
    ("append columns", |editor| editor.append(1, &items(11 * 3, 17))),
    ("insert", |editor| editor.insert(0, 3, &items(2 * 14, 19))),
    ("delete", |editor| editor.delete(1, 2..7)),
    ("expand", |editor| editor.expand_dims(0)),
    ("copy", |editor| {
        let bytes = other();
        editor.copy_from(&[2, 0], &Reader::open(&bytes[..], DParams::default()).map_err(lift)?)
    }),
    ("metalayers", |editor| {
        let bytes = other();
        editor.copy_attrs(&Reader::open(&bytes[..], DParams::default()).map_err(lift)?)
    }),
];

fn lift(error: ReadError<core::convert::Infallible>) -> ReadError<Failure> {
    match error {
        ReadError::Source(never) => match never {},
        ReadError::Blosc(error) => ReadError::Blosc(error),
    }
}

/// The items and the shape, wherever they are stored.
fn contents(editor: &Editor<Failing>) -> (Vec<u8>, Vec<u64>) {
    (editor.get(Selection::all()).unwrap(), editor.layout().unwrap().shape().to_vec())
}

#[test]
fn reads_that_fail_change_nothing() {
    let before = committed(array().0);
    for (name, edit) in EDITS {
        let mut expected = array().0;
        edit(&mut expected).unwrap();
        let mut failures = 0;
        loop {
            let (mut editor, reads, _) = array();
            let old = state(&editor);
            reads.0.set(failures);
            let done = edit(&mut editor);
            reads.0.set(usize::MAX);
            if done.is_ok() {
                break;
            }
            assert_eq!(state(&editor), old, "{name} after {failures} reads");
            if failures % 2 == 0 {
                assert_eq!(committed(editor), before, "{name} after {failures} reads and a commit");
            } else {
                // It can be made again, as the npm package does when the bytes are there.
                edit(&mut editor).unwrap();
                assert_eq!(contents(&editor), contents(&expected), "{name} again after {failures} reads");
                assert_eq!(committed(editor).0, Some(contents(&expected).1));
            }
            failures += 1;
        }
        assert!(failures > 0, "{name} reads the chunk of the collected row");
    }
}

#[test]
fn after_a_write_that_fails_everything_is_refused() {
    let before = committed(array().0);
    for (name, edit) in EDITS {
        for failures in 0.. {
            let (mut editor, _, writes) = array();
            let shape = editor.layout().unwrap().shape().to_vec();
            let nchunks = editor.frame().nchunks();
            writes.0.set(failures);
            let done = edit(&mut editor);
            writes.0.set(usize::MAX);
            if done.is_ok() {
                break;
            }
            assert_eq!(done, Err(ReadError::Source(Failure)), "{name}");
            assert_eq!(
                (editor.layout().unwrap().shape().to_vec(), editor.frame().nchunks()),
                (shape, nchunks)
            );
            for (other, edit) in EDITS {
                assert!(edit(&mut editor).is_err(), "{other} after {name}");
            }
            assert!(
                editor.set_metalayer("new", &[1]).is_err() && editor.set_attr_bytes("new", &[1]).is_err()
            );
            assert!(editor.commit().is_err(), "{name}");
            let memory = editor.into_sink().memory;
            let reader = Reader::open(&memory, DParams::default()).unwrap();
            assert_eq!(reader.layout().unwrap().unwrap().shape().to_vec(), SHAPE);
            assert_eq!(reader.chunk(8).unwrap().len(), before.1[8].len());
        }
    }
}

#[test]
fn supplies_that_fail_change_nothing() {
    let before = committed(array().0);
    for failing in 0..9 {
        let (mut editor, ..) = array();
        let (old, mut calls) = (state(&editor), 0);
        let done = editor.set_with(Selection::all(), &mut |_, items| {
            items.fill(1);
            calls += 1;
            if calls > failing { Err(ReadError::Source(Failure)) } else { Ok(()) }
        });
        assert_eq!(done, Err(ReadError::Source(Failure)));
        assert_eq!(state(&editor), old, "call {failing}");
        assert_eq!(committed(editor), before, "call {failing}");
    }
}

/// Fails after some blocks.
#[derive(Default)]
struct Tired {
    left: AtomicUsize,
}

impl filter::Plugin for Tired {
    fn name(&self) -> &'static str {
        "tired"
    }

    fn forward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
        let left = self.left.load(Ordering::Relaxed).checked_sub(1).ok_or(Inapplicable)?;
        self.left.store(left, Ordering::Relaxed);
        dst.copy_from_slice(block.src);
        Ok(())
    }

    fn backward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
        dst.copy_from_slice(block.src);
        Ok(())
    }
}

#[test]
fn encoders_that_fail_change_nothing() {
    let tired = Arc::new(Tired::default());
    let mut cparams = CParams { typesize: 2, ..CParams::default() };
    cparams.registry.insert_shared_filter(200, tired.clone());
    cparams.filters = Pipeline::default();
    cparams.filters.slots[5] = Filter { id: 200, meta: 0 };
    for (is_auto, blocks) in [(false, 0), (false, 5), (false, 17), (true, 40), (true, 90)] {
        tired.left.store(usize::MAX, Ordering::Relaxed);
        let mut params = params();
        params.cparams = cparams.clone();
        params.auto = is_auto.then(|| Auto { codec: true, ..Auto::default() });
        let mut editor = Editor::create_array(Failing::new(Memory::default()), &params).unwrap();
        editor.fill("0:4, 0:12", &[1, 2]).unwrap();
        let seen = |editor: &Editor<Failing>| {
            let chunks: Vec<_> = (0..9).map(|at| editor.frame().locate(at)).collect();
            format!("{chunks:?} {:?} {:?}", editor.chosen(), editor.layout().unwrap().shape().to_vec())
        };
        let old = seen(&editor);
        tired.left.store(blocks, Ordering::Relaxed);
        assert!(editor.set(Selection::all(), &items(9 * 14, 3)).is_err());
        assert_eq!(seen(&editor), old, "{is_auto} {blocks}");
        tired.left.store(blocks, Ordering::Relaxed);
        assert!(editor.append(0, &items(40 * 14, 3)).is_err());
        assert_eq!(seen(&editor), old, "{is_auto} {blocks}");
        editor.commit().unwrap();
        let memory = editor.into_sink().memory;
        let reader = Reader::open(&memory, DParams::default()).unwrap();
        let items = reader.get(Selection::all()).unwrap();
        assert_eq!(items.chunks(2).filter(|item| **item == [1, 2]).count(), 4 * 12);
    }
}

/// Rows that cannot be encoded are not there as zeros.
#[test]
fn arrays_of_unknown_codecs_stay_as_they_were() {
    let mut found = 0;
    for entry in fs::read_dir("tests/golden/blosc2-4.14.1").unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() || path.extension().is_none_or(|name| name != "b2nd") {
            continue;
        }
        let mut bytes = fs::read(&path).unwrap();
        // The codec for new chunks: those that are there have their own.
        bytes[27] = bytes[27] & 0xf0 | 9;
        let readable = Reader::open(&bytes[..], DParams::default()).and_then(|old| old.get(Selection::all()));
        if readable.is_err() {
            continue;
        }
        let old = Reader::open(&bytes[..], DParams::default()).unwrap();
        let Some(array) = old.layout().unwrap() else { continue };
        let shape = array.shape().to_vec();
        if shape.is_empty() || shape.contains(&0) {
            continue;
        }
        let row = shape[1..].iter().product::<u64>() as usize * array.itemsize() as usize;
        let mut editor = Editor::open(Memory::from(bytes.clone()), DParams::default()).unwrap();
        for _ in 0..2 {
            assert!(editor.append(0, &vec![63; row]).is_err(), "{}", path.display());
        }
        assert_eq!(editor.layout().unwrap().shape().to_vec(), shape);
        editor.commit().unwrap();
        let new = editor.into_sink().into_bytes();
        let new = Reader::open(&new[..], DParams::default()).unwrap();
        assert_eq!(new.get(Selection::all()).unwrap(), old.get(Selection::all()).unwrap());
        found += 1;
    }
    assert!(found > 20, "{found}");
}

#[test]
fn super_chunks_stay_as_they_were() {
    let tired = Arc::new(Tired::default());
    let mut cparams = CParams { typesize: 2, ..CParams::default() };
    cparams.registry.insert_shared_filter(200, tired.clone());
    cparams.filters.slots[5] = Filter { id: 200, meta: 0 };
    let params = FrameParams { cparams, ..FrameParams::default() };
    let mut editor = Editor::create(Failing::new(Memory::default()), &params).unwrap();
    editor.append_special(SpecialValue::Zeros, 100, 2).unwrap();
    tired.left.store(1, Ordering::Relaxed);
    editor.append_chunk(&items(50, 3)).unwrap();
    let places = |editor: &Editor<Failing>| {
        let frame = editor.frame();
        let chunks =
            (0..frame.nchunks()).map(|at| (frame.locate(at).unwrap(), frame.chunk_nbytes(at).unwrap()));
        (chunks.collect::<Vec<_>>(), frame.is_variable())
    };
    let old = places(&editor);
    for edit in [
        (|editor| editor.insert_chunk(1, &items(30, 5))) as Edit,
        |editor| editor.replace_chunk(1, &items(30, 5)),
        |editor| editor.append_chunk(&items(70, 5)),
        |editor| editor.insert_chunk(9, &items(50, 5)),
        |editor| editor.remove_chunks(1..9),
        |editor| editor.reorder_chunks(&[0, 0, 1]),
        |editor| editor.append_special(SpecialValue::Zeros, 70, 1),
        |editor| editor.append_repeated(&[1], 70),
        |editor| {
            editor.attempt(|editor| {
                editor.append_special(SpecialValue::Nan, 100, 2)?;
                editor.reorder_chunks(&[4, 3, 2, 1, 0])?;
                editor.remove_chunks(0..2)?;
                editor.append_repeated(&[1, 2], 70)?;
                editor.append_chunk(&items(50, 5))
            })
        },
    ] {
        assert!(edit(&mut editor).is_err());
        assert_eq!(places(&editor), old);
    }
}

/// Rows that are appended one by one are encoded once for each chunk, and make the frame that rows appended together make.
#[test]
fn rows_are_collected() {
    let mut params = ArrayParams::new(&[0, 20], "<u2");
    (params.chunkshape, params.blockshape) = (Some(vec![40, 20]), Some(vec![10, 20]));
    let rows = items(100 * 20, 3);
    let sink = Failing::new(Memory::default());
    let writes = sink.writes.clone();
    let mut editor = Editor::create_array(sink, &params).unwrap();
    for (at, row) in rows.chunks(40).enumerate() {
        editor.append(0, row).unwrap();
        assert_eq!(editor.get(Selection::all()).unwrap(), rows[..40 * (at + 1)], "{at}");
        assert_eq!(editor.get("-1").unwrap(), row);
    }
    // The first row, which may show that the codec cannot encode, and two chunks.
    assert_eq!(usize::MAX - writes.0.get(), 3);
    editor.flush().unwrap();
    assert_eq!(usize::MAX - writes.0.get(), 4);
    editor.commit().unwrap();
    let mut together = Editor::create_array(Failing::new(Memory::default()), &params).unwrap();
    together.append(0, &rows).unwrap();
    together.commit().unwrap();
    assert_eq!(editor.into_sink().memory, together.into_sink().memory);
}

#[test]
fn frames_are_removed_and_nothing_else() {
    let folder = std::env::temp_dir().join(format!("b2nd-removed-{}", std::process::id()));
    let frame = folder.join("s.b2nd");
    fs::create_dir_all(&frame).expect("a folder");
    fs::write(frame.join("chunks.b2frame"), b"index").expect("a file");
    fs::write(frame.join("notes.txt"), b"notes").expect("a file");
    assert!(b2nd::sink::remove_frame(&frame).is_err());
    assert!(frame.join("notes.txt").exists() && frame.join("chunks.b2frame").exists());
    fs::remove_file(frame.join("notes.txt")).expect("a file");
    #[cfg(unix)]
    {
        let link = folder.join("link");
        std::os::unix::fs::symlink(&frame, &link).expect("a link");
        assert!(b2nd::sink::remove_frame(&link).is_err());
        assert!(link.exists());
    }
    b2nd::sink::remove_frame(&frame).expect("a frame");
    assert!(!frame.exists());
    fs::remove_dir_all(folder).expect("a folder");
}
