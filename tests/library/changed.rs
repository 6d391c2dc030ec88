//! Frames that change while they are read or edited: one committed state or the error `Changed`, never a mixture, and no commit
//! is lost.
#![cfg(all(feature = "write", feature = "std"))]

use alloc::rc::Rc;
use b2nd::array::ArrayParams;
use b2nd::sink::{Memory, WriteAt};
use b2nd::wire::{Part, Request};
use b2nd::{Changed, DParams, Editor, ErrorKind, ReadAt, ReadError, Reader, Selection};
use core::cell::{Cell, RefCell};
use core::convert::Infallible;

/// A frame in memory that several editors and readers share, as processes share a file.
#[derive(Clone, Default)]
struct Shared {
    frame: Rc<RefCell<Memory>>,
    /// Commits before the next reads: the first number is for the first read.
    commits: Rc<RefCell<Vec<usize>>>,
    /// The state of the last commit.
    state: Rc<Cell<u8>>,
    /// Whether bytes are said to change.
    is_told: bool,
}

const ROWS: u64 = 12;
const COLUMNS: u64 = 20;

/// State `k`. It cannot be compressed, so that all states have the same lengths.
fn items(k: u8) -> Vec<u8> {
    let noise = |n: u32| (n.wrapping_mul(2_654_435_761) >> 13) as u8;
    (0..(ROWS * COLUMNS) as u32).map(|n| noise(n).wrapping_add(k)).collect()
}

fn params(sparse: bool) -> ArrayParams {
    let mut params = ArrayParams::new(&[ROWS, COLUMNS], "|u1");
    (params.chunkshape, params.blockshape) = (Some(vec![2, 20]), Some(vec![1, 20]));
    params.sparse = sparse;
    params
}

impl Shared {
    fn new(sparse: bool) -> Self {
        let shared = Self { is_told: true, ..Self::default() };
        let mut editor = Editor::create_array(shared.clone(), &params(sparse)).unwrap();
        editor.set(Selection::all(), &items(0)).unwrap();
        editor.commit().unwrap();
        shared
    }

    /// Commits the next states, as another process does.
    fn commit(&self, count: usize) {
        if count == 0 {
            return;
        }
        let quiet = Self { commits: Rc::default(), ..self.clone() };
        let mut editor = Editor::open(quiet, DParams::default()).unwrap();
        for _ in 0..count {
            self.state.set(self.state.get() + 1);
            editor.set(Selection::all(), &items(self.state.get())).unwrap();
            editor.commit().unwrap();
        }
    }
}

impl ReadAt for Shared {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        let count = if self.commits.borrow().is_empty() { 0 } else { self.commits.borrow_mut().remove(0) };
        self.commit(count);
        let bytes = self.frame.borrow().read_at(request, &mut Vec::new()).map(<[u8]>::to_vec);
        *buffer = bytes?;
        Ok(buffer)
    }

    fn current<'b>(
        &'b self,
        request: &Request,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Infallible> {
        if self.is_told { self.read_at(request, buffer).map(Some) } else { Ok(None) }
    }
}

impl WriteAt for Shared {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Infallible> {
        self.frame.borrow_mut().write_at(part, offset, bytes)
    }

    fn replace(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.frame.borrow_mut().replace(bytes)
    }

    fn sync(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn truncate(&mut self, len: u64) -> Result<(), Infallible> {
        self.frame.borrow_mut().truncate(len)
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> Result<(), Infallible> {
        self.frame.borrow_mut().remove(unused)
    }

    fn successor(&self) -> Result<Self, Infallible> {
        Ok(Self { frame: Rc::default(), ..self.clone() })
    }

    fn publish(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

fn changed<T>(result: &Result<T, ReadError<Infallible>>) -> Option<Changed> {
    match result {
        Err(ReadError::Blosc(error)) => match error.kind() {
            ErrorKind::Changed(what) => Some(what),
            _ => None,
        },
        _ => None,
    }
}

/// Reads in all ways, with commits before some read; returns the rows that they brought, and what was wrong.
fn rows(reader: &Reader<Shared>, way: usize) -> Result<(usize, Vec<u8>), ReadError<Infallible>> {
    let part: Selection = "3:9".parse().unwrap();
    let row = COLUMNS as usize;
    Ok(match way {
        0 => (0, reader.get(Selection::all())?),
        1 => {
            let plan = reader.plan(&part)?;
            let mut out = vec![0; plan.nbytes()];
            reader.get_into(&plan, &mut out)?;
            (3 * row, out)
        }
        2 => (3 * row, reader.read::<u8>(&part)?.into_vec()),
        3 => (4 * row, reader.chunk(2)?),
        4 => (5 * row, reader.block(2, 1)?),
        _ => (0, reader.view()?.get("0:1")?),
    })
}

/// The state that all of the items belong to.
fn state_of(at: usize, bytes: &[u8]) -> Option<u8> {
    (0..100).find(|&k| items(k)[at..][..bytes.len()] == *bytes)
}

/// Commits at each moment of each kind of read. Returns reads that were old, new, refused and mixed.
fn interleaved(sparse: bool, is_told: bool) -> [usize; 4] {
    let mut counts = [0; 4];
    for way in 0..6 {
        for (warm, count) in [(true, 1), (true, 2), (true, 4), (false, 1), (false, 2)] {
            for at in 0..14 {
                let shared = Shared { is_told, ..Shared::new(sparse) };
                let mut reader = Reader::open(shared.clone(), DParams::default()).unwrap();
                if warm {
                    reader.index().unwrap();
                }
                shared.commits.replace([vec![0; at], vec![count]].concat());
                let read = rows(&reader, way);
                shared.commits.take();
                let outcome = match &read {
                    Ok((at, bytes)) => match state_of(*at, bytes) {
                        Some(0) => 0,
                        Some(_) => 1,
                        None => 3,
                    },
                    Err(_) if changed(&read) == Some(Changed::Read) => 2,
                    Err(_) => 3,
                };
                counts[outcome] += 1;
                reader.refresh().unwrap();
                let (at, bytes) = rows(&reader, way).unwrap();
                assert_eq!(state_of(at, &bytes), Some(shared.state.get()), "after a refresh");
            }
        }
    }
    counts
}

#[test]
fn a_reader_sees_one_state_or_is_refused() {
    for sparse in [false, true] {
        let [old, _, refused, mixed] = interleaved(sparse, true);
        assert!(old > 50 && refused > 200 && mixed == 0, "{old} old, {refused} refused, {mixed} mixed");
        // If the source does not say that it changes, the same commits do harm.
        assert!(interleaved(sparse, false)[3] > 40);
    }
}

#[test]
fn opening_does_not_fail_while_others_commit() {
    for sparse in [false, true] {
        for at in 0..8 {
            let shared = Shared::new(sparse);
            shared.commits.replace([vec![0; at], vec![1, 0, 2, 1]].concat());
            let mut reader = Reader::open(shared.clone(), DParams::default()).unwrap();
            shared.commits.take();
            let mut read = rows(&reader, 0);
            if changed(&read) == Some(Changed::Read) {
                reader.refresh().unwrap();
                read = rows(&reader, 0);
            }
            let (at, bytes) = read.unwrap();
            assert_eq!(state_of(at, &bytes), Some(shared.state.get()));
        }
    }
}

#[test]
fn metadata_are_of_one_state() {
    for sparse in [false, true] {
        let shared = Shared::new(sparse);
        let editor = |k: u8| {
            let mut editor = Editor::open(shared.clone(), DParams::default()).unwrap();
            editor.set_attr_bytes("k", &[k]).unwrap();
            editor.commit().unwrap();
        };
        editor(1);
        let mut reader = Reader::open(shared.clone(), DParams::default()).unwrap();
        let (info, count) = (reader.chunk_info(1).unwrap(), reader.nchunks().unwrap());
        editor(2);
        editor(3);
        assert_eq!(changed(&reader.trailer()), Some(Changed::Read));
        assert_eq!(changed(&reader.chunk_info(1)), Some(Changed::Read));
        assert_eq!(changed(&reader.verify(1)), Some(Changed::Read));
        reader.refresh().unwrap();
        assert_eq!(reader.trailer().unwrap().attributes[0].content, [3]);
        assert_eq!((reader.chunk_info(1).unwrap().header, reader.nchunks().unwrap()), (info.header, count));
    }
}

/// Frames of one commit are as they always were; later commits differ in their trailers even if all else is equal.
#[test]
fn no_two_commits_are_alike() {
    let shared = Shared::new(false);
    let bytes = || shared.frame.borrow().clone().into_bytes();
    let first = bytes();
    assert_eq!(first[first.len() - 17..], [0; 17]);
    let mut editor = Editor::open(shared.clone(), DParams::default()).unwrap();
    let mut seen = vec![first];
    for k in 1..8 {
        editor.set(Selection::all(), &items(k % 2)).unwrap();
        editor.commit().unwrap();
        seen.push(bytes());
        assert_eq!(seen[k as usize].last(), Some(&k));
    }
    let (earlier, later) = (&seen[5], &seen[7]);
    let end = earlier.len() - 8;
    assert_eq!(earlier[..end], later[..end], "only the end differs");
    assert_eq!(earlier.len(), later.len());
}

/// Changes of an editor, and whether they write something.
type Change = fn(&mut Editor<Shared>) -> Result<(), ReadError<Infallible>>;

#[test]
fn an_editor_leaves_the_commits_of_others_alone() {
    let changes: [Change; 5] = [
        |editor| editor.set("1:5, 3".parse::<Selection>().unwrap(), &[9; 4]),
        |editor| editor.append(0, &[9; 20]),
        |editor| editor.set_attr_bytes("name", b"\xc0"),
        |editor| editor.set_metalayer("name", b"\xc0"),
        |editor| editor.resize(&[3, 7]),
    ];
    for (sparse, change) in
        [false, true].into_iter().flat_map(|sparse| changes.map(|change| (sparse, change)))
    {
        for change_first in [false, true] {
            let shared = Shared::new(sparse);
            shared.commit(1);
            let mut editor = Editor::open(shared.clone(), DParams::default()).unwrap();
            if change_first {
                change(&mut editor).unwrap();
            }
            shared.commit(2);
            let before = shared.frame.borrow().clone();
            let made = if change_first { Ok(()) } else { change(&mut editor) };
            let done = made.and_then(|()| editor.commit());
            assert_eq!(changed(&done), Some(Changed::Edit), "{done:?}");
            assert!(*shared.frame.borrow() == before, "the file was left alone");
            assert_eq!(changed(&editor.commit()), Some(Changed::Edit), "and stays so");
            let reader = Reader::open(shared, DParams::default()).unwrap();
            assert_eq!(reader.get(Selection::all()).unwrap(), items(3));
        }
    }
}

#[test]
fn an_editor_goes_on_after_its_own_commits() {
    for sparse in [false, true] {
        let shared = Shared::new(sparse);
        let mut editor = Editor::open(shared.clone(), DParams::default()).unwrap();
        for k in 1..20 {
            editor.set(Selection::all(), &items(k)).unwrap();
            editor.commit().unwrap();
            if k % 5 == 0 {
                editor.set_metalayer("name", &[0xd9, k % 3, b'a', b'b'][..2 + usize::from(k % 3)]).unwrap();
                editor.commit().unwrap();
                editor.compact().unwrap();
            }
        }
    }
}
