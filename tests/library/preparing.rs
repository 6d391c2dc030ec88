//! Changes ask for all that they read before they are made: with that and no more they do the same as with the whole file.
#![cfg(all(feature = "write", feature = "lz4", feature = "filters"))]

use crate::random::Random;
use alloc::rc::Rc;
use b2nd::array::{ArrayEncoder, ArrayParams};
use b2nd::sink::{Change, Editor, Memory, Prepared, WriteAt};
use b2nd::source::{ReadAt, drive};
use b2nd::wire::{EditOpening, Part, Request};
use b2nd::{DParams, Index, Selection};
use core::cell::RefCell;

/// A file, and what of it may be read.
#[derive(Default)]
struct State {
    file: Memory,
    prepared: Prepared,
    /// Bytes that were written since.
    written: Vec<core::ops::Range<u64>>,
    reads: Vec<Request>,
}

/// A sink that can only be read where that was prepared, and where it was written since.
struct Strict(Rc<RefCell<State>>);

impl ReadAt for Strict {
    type Error = String;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], String> {
        let State { file, prepared, written, reads } = &mut *self.0.borrow_mut();
        let covers = |range: &core::ops::Range<u64>| {
            range.start <= request.range.start && request.range.end <= range.end
        };
        if prepared.find(request).is_none() && !written.iter().any(covers) {
            return Err(format!("{request:?} was not prepared"));
        }
        reads.push(request.clone());
        *buffer = file.read_at(request, &mut Vec::new()).unwrap().to_vec();
        Ok(buffer)
    }
}

impl WriteAt for Strict {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), String> {
        let mut state = self.0.borrow_mut();
        state.written.push(offset..offset + bytes.len() as u64);
        state.file.write_at(part, offset, bytes).map_err(|never| match never {})
    }

    fn replace(&mut self, _: &[u8]) -> Result<(), String> {
        unreachable!("no frame is sparse")
    }

    fn sync(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn truncate(&mut self, len: u64) -> Result<(), String> {
        self.0.borrow_mut().file.truncate(len).map_err(|never| match never {})
    }

    fn remove(&mut self, _: &dyn Fn(u32) -> bool) -> Result<(), String> {
        unreachable!("no frame is sparse")
    }

    fn successor(&self) -> Result<Self, String> {
        unreachable!("no frame is moved")
    }

    fn publish(&mut self) -> Result<(), String> {
        Ok(())
    }
}

fn items(random: &mut Random, len: u64) -> Vec<u8> {
    let first = random.below(256);
    (0..len).map(|n| (first + n * n % 7) as u8).collect()
}

/// A random change of an array of bytes. `bytes` are its items.
fn change<'b>(
    random: &mut Random,
    shape: &[u64],
    params: &ArrayParams,
    bytes: &'b mut Vec<u8>,
) -> Change<'b> {
    let axis = random.index(shape.len());
    match random.below(8) {
        0 if shape.iter().all(|len| *len > 0) => {
            let mut params = params.clone();
            params.shape = shape.to_vec();
            let encoder = ArrayEncoder::new(&params);
            let chunk = params.chunkshape.unwrap();
            let len = shape.iter().zip(chunk).map(|(len, chunk)| (*len).min(chunk.into())).product();
            *bytes = encoder.unwrap().encode(0, &items(random, len)).unwrap();
            Change::Chunk(0, bytes)
        }
        0..3 => {
            let mut count = 1;
            let ranges = shape.iter().map(|len| {
                let start = random.below(len + 1);
                let end = start + random.below(len - start + 1);
                count *= end - start;
                Index::Range { start: Some(start as i64), stop: Some(end as i64), step: 1 }
            });
            let selection = Selection(ranges.collect());
            *bytes = items(random, count);
            Change::Set(selection, bytes)
        }
        3..5 => Change::Resize(shape.iter().map(|len| len.saturating_sub(4) + random.below(9)).collect()),
        5..7 => {
            let across = shape.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, len)| *len);
            let rows = 1 + random.below(6);
            *bytes = items(random, across.product::<u64>() * rows);
            Change::Append(axis, bytes)
        }
        _ => Change::Commit,
    }
}

#[test]
fn changes_read_what_they_have_prepared() {
    let (mut asked, mut read, mut changes) = (0, 0, 0);
    for seed in 1..200 {
        let mut random = Random(seed * 0x9e37_79b9);
        let ndim = 1 + random.index(3);
        let mut lens = |most: u64| (0..ndim).map(|_| 1 + random.below(most)).collect::<Vec<u64>>();
        let mut params = ArrayParams::new(&lens(20), "|u1");
        let chunkshape: Vec<u32> = lens(6).into_iter().map(|len| len as u32).collect();
        (params.chunkshape, params.blockshape) = (Some(chunkshape.clone()), Some(chunkshape));
        let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
        let all = items(&mut random, params.shape.iter().product());
        editor.set(Selection::all(), &all).unwrap();
        editor.commit().unwrap();
        let file = editor.into_sink();

        let ends = drive(&file, EditOpening::new(&DParams::default())).unwrap();
        // Neither searches for unused space, so that both write the same bytes.
        let mut whole = Editor::of_array(file.clone(), ends.clone(), DParams::default()).unwrap();
        let state = Rc::new(RefCell::new(State { file, ..State::default() }));
        let mut strict = Editor::of_array(Strict(Rc::clone(&state)), ends, DParams::default()).unwrap();
        for _ in 0..30 {
            let shape = whole.layout().unwrap().shape().to_vec();
            let mut bytes = Vec::new();
            let change = change(&mut random, &shape, &params, &mut bytes);
            if matches!(change, Change::Commit) && whole.frame().needs_move() {
                break;
            }
            let done = whole.make(&change).map_err(|error| error.to_string());
            let file = state.borrow().file.clone();
            let Ok(preparing) = strict.preparing(&change) else {
                assert!(done.is_err(), "{change:?}");
                continue;
            };
            let prepared = drive(&file, preparing).unwrap();
            let requests: Vec<Request> = prepared.requests().cloned().collect();
            *state.borrow_mut() = State { file, prepared, ..State::default() };
            assert_eq!(strict.make(&change).map_err(|error| error.to_string()), done, "{change:?}");
            let reads = &state.borrow().reads;
            let is_read = |request: &&Request| reads.iter().any(|read| read.range.end == request.range.end);
            asked += requests.len();
            read += requests.iter().filter(is_read).count();
            changes += 1;
        }
        assert_eq!(strict.frame().nchunks(), whole.frame().nchunks());
        assert_eq!(state.borrow().file, whole.into_sink(), "seed {seed}");
    }
    println!("{changes} changes asked for {asked} ranges and read {read} of them");
    assert!(read > 1000 && asked < read + read / 10, "{asked} {read}");
}
