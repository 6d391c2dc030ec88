//! A write that fails at any operation leaves the old content or the new one.
#![cfg(feature = "write")]

use alloc::rc::Rc;
use b2nd::array::ArrayParams;
use b2nd::sink::{Editor, Memory, WriteAt};
use b2nd::source::{ReadAt, ReadError};
use b2nd::wire::{Part, Request};
use b2nd::{DParams, Reader, Selection};
use core::cell::{Cell, RefCell};

/// Memory that fails after so many operations; a write of chunks or an index is then done by half.
#[derive(Debug)]
struct Failing {
    memory: Rc<RefCell<Memory>>,
    left: Rc<Cell<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure;

impl Failing {
    fn count(&self) -> Result<(), Failure> {
        let left = self.left.get().checked_sub(1).ok_or(Failure)?;
        self.left.set(left);
        Ok(())
    }
}

impl ReadAt for Failing {
    type Error = Failure;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Failure> {
        let memory = self.memory.borrow();
        let bytes = memory.read_at(request, &mut Vec::new()).unwrap().to_vec();
        *buffer = bytes;
        Ok(buffer)
    }
}

impl WriteAt for Failing {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Failure> {
        let counted = self.count();
        let is_header = part == Part::Frame && offset < 97;
        let written = match counted {
            Ok(()) => bytes,
            Err(_) if is_header => &[],
            Err(_) => &bytes[..bytes.len() / 2],
        };
        self.memory.borrow_mut().write_at(part, offset, written).unwrap();
        counted
    }

    fn replace(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.count()?;
        self.memory.borrow_mut().replace(bytes).unwrap();
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.count()
    }

    fn truncate(&mut self, len: u64) -> Result<(), Failure> {
        self.count()?;
        self.memory.borrow_mut().truncate(len).unwrap();
        Ok(())
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> Result<(), Failure> {
        self.count()?;
        self.memory.borrow_mut().remove(unused).unwrap();
        Ok(())
    }

    fn successor(&self) -> Result<Self, Failure> {
        unreachable!("no header changes its length here")
    }

    fn publish(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

const EDITS: [&str; 6] = ["append", "set", "shrink", "grow", "delete", "metalayer"];

fn edit<S: WriteAt>(name: &str, editor: &mut Editor<S>) -> Result<(), ReadError<S::Error>> {
    match name {
        "append" => editor.append(0, &[7; 3 * 20]),
        "set" => editor.set(&"2:9, 3:12".parse::<Selection>()?, &[9; 7 * 9]),
        "shrink" => editor.resize(&[7, 11]),
        "grow" => editor.resize_with(&[19, 31], &[5]),
        "delete" => editor.delete(1, 3..8),
        _ => editor.set_attr_bytes("name", &[1; 100]),
    }?;
    editor.commit()
}

/// The shape and the items of the frame in memory.
fn state(memory: &Memory) -> (Vec<u64>, Vec<u8>) {
    let reader = Reader::open(memory, DParams::default()).unwrap();
    let items = reader.get(Selection::all()).unwrap();
    let shape = reader.layout().unwrap().unwrap().shape().to_vec();
    assert!(reader.trailer().is_ok());
    (shape, items)
}

#[test]
fn the_old_content_or_the_new_one_is_there() {
    for is_sparse in [false, true] {
        let mut params = ArrayParams::new(&[12, 20], "|u1");
        (params.chunkshape, params.blockshape) = (Some(vec![5, 8]), Some(vec![2, 4]));
        params.sparse = is_sparse;
        let items: Vec<u8> = (0..12 * 20).map(|n| (n * 7 % 251) as u8).collect();
        let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
        editor.set(Selection::all(), &items).unwrap();
        editor.commit().unwrap();
        // A second commit, so that there is space to use again.
        editor.set("3:5".parse::<Selection>().unwrap(), &[1; 40]).unwrap();
        editor.commit().unwrap();
        let memory = editor.into_sink();
        let before = state(&memory);
        for name in EDITS {
            let mut seen = [false; 2];
            for left in 0..1000 {
                let cell = Rc::new(RefCell::new(memory.clone()));
                let sink = Failing { memory: Rc::clone(&cell), left: Rc::new(Cell::new(left)) };
                let mut editor = Editor::open(sink, DParams::default()).unwrap();
                let done = edit(name, &mut editor);
                if done.is_err() {
                    assert!(editor.commit().is_err(), "after a failure there is no commit");
                }
                let after = state(&cell.borrow());
                seen[usize::from(after != before)] = true;
                if done.is_ok() {
                    // What it is without a failure.
                    assert!(left > 2 && seen[0], "{name}");
                    break;
                }
                if after != before {
                    let mut whole = Editor::open(memory.clone(), DParams::default()).unwrap();
                    edit(name, &mut whole).unwrap();
                    assert_eq!(after, state(&whole.into_sink()), "{name}, {left} operations");
                }
            }
        }
    }
}

/// Memory that is read after each operation, and after each half of a write, as after a crash.
#[derive(Debug)]
struct Watched {
    memory: Memory,
    /// The states between which it is: all items are `k`, and there are `rows(k)` rows.
    states: Rc<Cell<[u8; 2]>>,
}

impl Watched {
    fn look(&self) {
        let (shape, items) = state(&self.memory);
        let is = |k: u8| items.iter().all(|&item| item == k) && shape == [rows(k), 20];
        assert!(self.states.get().into_iter().any(is), "{:?} {shape:?} {items:?}", self.states.get());
    }
}

const fn rows(k: u8) -> u64 {
    6 + k as u64 * 7 % 11
}

impl ReadAt for Watched {
    type Error = core::convert::Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Self::Error> {
        self.memory.read_at(request, buffer)
    }
}

impl WriteAt for Watched {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Self::Error> {
        if part != Part::Frame || offset >= 97 {
            self.memory.write_at(part, offset, &bytes[..bytes.len() / 2])?;
            self.look();
        }
        self.memory.write_at(part, offset, bytes)?;
        self.look();
        Ok(())
    }

    fn replace(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.memory.replace(bytes)?;
        self.look();
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn truncate(&mut self, len: u64) -> Result<(), Self::Error> {
        self.memory.truncate(len)?;
        self.look();
        Ok(())
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> Result<(), Self::Error> {
        self.memory.remove(unused)?;
        self.look();
        Ok(())
    }

    fn successor(&self) -> Result<Self, Self::Error> {
        unreachable!("no header changes its length here")
    }

    fn publish(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

#[test]
fn many_commits_never_touch_what_the_old_frame_uses() {
    for is_sparse in [false, true] {
        let mut params = ArrayParams::new(&[rows(0), 20], "|u1");
        (params.chunkshape, params.blockshape) = (Some(vec![4, 8]), Some(vec![2, 4]));
        params.sparse = is_sparse;
        let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
        editor.commit().unwrap();
        let states = Rc::new(Cell::new([0; 2]));
        let sink = Watched { memory: editor.into_sink(), states: Rc::clone(&states) };
        let mut editor = Editor::open(sink, DParams::default()).unwrap();
        for k in 1..100 {
            states.set([k - 1, k]);
            editor.resize(&[rows(k), 20]).unwrap();
            editor.set(Selection::all(), &vec![k; rows(k) as usize * 20]).unwrap();
            editor.commit().unwrap();
            if k % 10 == 0 {
                editor = Editor::open(editor.into_sink(), DParams::default()).unwrap();
            }
        }
    }
}
