//! Archives that are changed without I/O get the same bytes as those that the editor of stores changes in files.
#![cfg(all(feature = "std", feature = "store", feature = "write", feature = "zstd"))]

use crate::random::Random;
use b2nd::array::ArrayParams;
use b2nd::sink::{
    ArchiveChange, ArchiveEditor, ArchiveOpening, ArchivePiece, Editor, Memory, StoreEditor, crc32,
};
use b2nd::source::{Reader, drive};
use b2nd::store::StoreKind;
use b2nd::wire::{Exchange, Opening, Part};
use b2nd::{ArgumentError, DParams, ErrorKind, Limits, Unsupported};
use std::fs;

/// A change, and the frame that becomes a member.
#[derive(Debug, Clone)]
enum Change {
    Add(String, Vec<u8>),
    Remove(String),
    Rename(String, String),
    Attr(String, Option<u8>),
}

/// An archive in memory, with the frames of its new members.
struct InMemory {
    bytes: Vec<u8>,
    archive: ArchiveEditor,
    frames: Vec<(u32, Vec<u8>)>,
}

fn opened(bytes: &[u8], dparams: &DParams) -> b2nd::Result<ArchiveEditor> {
    drive(bytes, ArchiveOpening::new(bytes.len() as u64, dparams)).map_err(|error| match error {
        b2nd::source::ReadError::Blosc(error) => error,
        b2nd::source::ReadError::Source(never) => match never {},
    })
}

impl InMemory {
    fn open(bytes: Vec<u8>) -> Self {
        let archive = opened(&bytes, &DParams::default()).expect("an archive");
        Self { bytes, archive, frames: Vec::new() }
    }

    fn make(&mut self, change: &ArchiveChange<'_>) -> b2nd::Result<u32> {
        let mut preparing = self.archive.preparing(change)?;
        if let [request] = preparing.ask()? {
            let from = match request.part {
                Part::Frame => &self.bytes,
                Part::Chunk(number) => self.staged(number),
            };
            let bytes = from[request.range.start as usize..request.range.end as usize].to_vec();
            preparing.give(&[&bytes])?;
        }
        self.archive.make(change, preparing.finish()?)
    }

    fn staged(&self, wanted: u32) -> &Vec<u8> {
        &self.frames.iter().find(|(number, _)| *number == wanted).expect("a staged frame").1
    }

    fn change(&mut self, change: &Change) -> b2nd::Result<()> {
        match change {
            Change::Add(key, frame) => {
                let number = self.make(&ArchiveChange::Stage(key))?;
                let facts = drive(&frame[..], Opening::new(&DParams::default())).expect("a frame");
                self.archive.complete(number, &facts, crc32(0, frame))?;
                self.frames.push((number, frame.clone()));
            }
            Change::Remove(key) => drop(self.make(&ArchiveChange::Remove(key))?),
            Change::Rename(from, to) => drop(self.make(&ArchiveChange::Rename(from, to))?),
            Change::Attr(group, value) => {
                let content = value.map(|value| [value]);
                let content = content.as_ref().map(|content| &content[..]);
                self.make(&ArchiveChange::Attr(group, "n", content))?;
            }
        }
        Ok(())
    }

    fn commit(mut self) -> Vec<u8> {
        if !self.archive.is_changed() {
            return self.bytes;
        }
        let archive =
            core::mem::replace(&mut self.archive, ArchiveEditor::create(StoreKind::Tree, DParams::default()));
        let pieces = archive.into_pieces().expect("an archive").into_iter().map(|piece| match piece {
            ArchivePiece::Bytes(bytes) => bytes,
            ArchivePiece::Old(range) => self.bytes[range.start as usize..range.end as usize].to_vec(),
            ArchivePiece::Staged(number) => self.staged(number).clone(),
            other => panic!("{other:?}"),
        });
        pieces.collect::<Vec<_>>().concat()
    }
}

fn change_file(store: &mut StoreEditor, change: &Change) -> Result<(), ErrorKind> {
    let done = match change {
        Change::Add(key, frame) => {
            let reader = Reader::open(&frame[..], DParams::default()).expect("a frame");
            store.add(key, &reader.map_source(InSlice))
        }
        Change::Remove(key) => store.remove(key),
        Change::Rename(from, to) => store.rename(from, to),
        Change::Attr(group, Some(value)) => store.set_attr_bytes(group, "n", &[*value]),
        Change::Attr(group, None) => store.remove_attr(group, "n").map(drop),
    };
    done.map_err(|error| match error {
        b2nd::source::ReadError::Blosc(error) => error.kind(),
        b2nd::source::ReadError::Source(error) => panic!("{error}"),
    })
}

/// A slice whose errors are those of files, which it never has.
struct InSlice<'a>(&'a [u8]);

impl b2nd::source::ReadAt for InSlice<'_> {
    type Error = std::io::Error;

    fn read_at<'b>(
        &'b self,
        request: &b2nd::wire::Request,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], std::io::Error> {
        Ok(self.0.read_at(request, buffer).unwrap_or_else(|never| match never {}))
    }
}

fn frame(len: u64) -> Vec<u8> {
    let params = ArrayParams::of_type::<u8>(&[len]);
    let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
    editor.write(.., &vec![len as u8; len as usize]).expect("items");
    editor.commit().expect("a commit");
    editor.into_sink().into_bytes()
}

const KEYS: [&str; 7] = ["/a", "/group", "/group/b", "/group/c/d", "/group/image", "/other/x", "//wrong"];

/// A change of a new key or one of these.
fn random_change(random: &mut Random, keys: &[String]) -> Change {
    let mut key = || match random.index(KEYS.len() + keys.len()) {
        at if at < KEYS.len() => KEYS[at].to_string(),
        at => keys[at - KEYS.len()].clone(),
    };
    let (key, other) = (key(), key());
    match random.below(8) {
        0..4 => Change::Add(key, frame(1 + random.below(200))),
        4 => Change::Remove(key),
        5 => Change::Rename(key, other),
        6 => Change::Attr(key, Some(random.below(100) as u8)),
        _ => Change::Attr(key, None),
    }
}

#[test]
fn both_editors_write_the_same_bytes() {
    let path = std::env::temp_dir().join(format!("b2nd-archives-{}.b2z", std::process::id()));
    // Columns of the tables have indexes, which become stale.
    for (seed, golden) in
        ["stores/tree", "tables/nulls", "tables/001", "tables/times"].into_iter().enumerate()
    {
        fs::copy(format!("tests/golden/{golden}.b2z"), &path).expect("a copy");
        let mut random = Random(seed as u64 + 1);
        for _ in 0..12 {
            let mut memory = InMemory::open(fs::read(&path).expect("an archive"));
            let mut store = StoreEditor::open(&path, DParams::default()).expect("a store");
            let keys: Vec<String> = store.keys().into_iter().collect();
            assert!(memory.archive.keys().iter().eq(&keys));
            for _ in 0..1 + random.below(5) {
                let change = random_change(&mut random, &keys);
                let expected = change_file(&mut store, &change);
                assert_eq!(memory.change(&change).map_err(|error| error.kind()), expected, "{change:?}");
                assert_eq!(memory.archive.keys(), store.keys(), "{change:?}");
            }
            store.commit().expect("a commit");
            drop(store);
            let changed = memory.commit();
            assert!(changed == fs::read(&path).expect("an archive"), "other bytes, seed {seed}");
        }
    }
    fs::remove_file(&path).expect("a file");
}

#[test]
fn what_is_no_store_is_refused() {
    let kind = |bytes: &[u8], dparams: &DParams| opened(bytes, dparams).expect_err("an error").kind();
    let tree = fs::read("tests/golden/stores/tree.b2z").expect("an archive");
    let dparams = DParams::default();
    assert_eq!(kind(b"text", &dparams), ErrorKind::Unsupported(Unsupported::NoStore));
    for len in [0, 100, tree.len() - 1] {
        assert!(opened(&tree[..len], &dparams).is_err(), "{len} bytes");
    }
    let limits = Limits { memory: 1000, ..Limits::default() };
    assert!(matches!(kind(&tree, &DParams { limits, ..dparams.clone() }), ErrorKind::Limit(_)));
    let mut archive = opened(&tree, &dparams).expect("an archive");
    let facts = drive(&frame(3)[..], Opening::new(&dparams)).expect("a frame");
    let error = archive.complete(7, &facts, 0).expect_err("no such number");
    assert_eq!(error.kind(), ErrorKind::Argument(ArgumentError::NotOpened));
    assert!(!archive.is_changed());
}
