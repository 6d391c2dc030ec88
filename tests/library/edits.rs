//! Arrays and super-chunks changed in random steps, against a model that is as plain as can be.
//!
//! `cargo xtask test --only interop` sets `B2ND_WRITTEN` to a folder for the frames and a record of the steps. The reference
//! reads the frames there, and NumPy repeats the steps.
#![cfg(all(feature = "write", feature = "lz4", feature = "zlib", feature = "zstd", feature = "filters"))]

use crate::random::Random;
use crate::save::save;
use b2nd::array::ArrayParams;
use b2nd::chunk::CParams;
use b2nd::codec::{Codec, Zfp};
use b2nd::frame::FrameParams;
use b2nd::sink::{Editor, Memory};
use b2nd::source::ReadError;
use b2nd::{ArgumentError, Array, DParams, ErrorKind, Index, Reader, Selection};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// An array as a list of items.
#[derive(Clone)]
struct Model {
    shape: Vec<u64>,
    items: Vec<Vec<u8>>,
    itemsize: usize,
}

impl Model {
    /// An array of this shape whose items are computed from their positions.
    fn of(shape: &[u64], itemsize: usize, mut item: impl FnMut(&[u64]) -> Vec<u8>) -> Self {
        let mut items = Vec::new();
        for number in 0..shape.iter().product() {
            items.push(item(&position(number, shape)));
        }
        Self { shape: shape.to_vec(), items, itemsize }
    }

    fn number(&self, at: &[u64]) -> usize {
        at.iter().zip(&self.shape).fold(0, |number, (at, len)| number * len + at) as usize
    }

    /// An array of this shape with items from elsewhere: `None` is a zero.
    fn rearrange(&mut self, shape: &[u64], old: impl Fn(&[u64]) -> Option<Vec<u64>>) {
        let new = Self::of(shape, self.itemsize, |at| {
            old(at).map_or_else(|| vec![0; self.itemsize], |old| self.items[self.number(&old)].clone())
        });
        *self = new;
    }

    fn bytes(&self) -> Vec<u8> {
        self.items.concat()
    }
}

fn position(mut number: u64, shape: &[u64]) -> Vec<u64> {
    let mut at = vec![0; shape.len()];
    for axis in (0..shape.len()).rev() {
        at[axis] = number % shape[axis];
        number /= shape[axis];
    }
    at
}

/// Item `number`, which NumPy's side computes as well.
fn item(number: u64, itemsize: usize) -> Vec<u8> {
    (number as u32).to_le_bytes().into_iter().cycle().take(itemsize).collect()
}

const DTYPES: [(&str, usize); 6] =
    [("|u1", 1), ("<i2", 2), ("<f4", 4), ("<f8", 8), ("|V5", 5), ("[('a', '<i4'), ('b', '<f8')]", 12)];

/// An array that is changed, its model, and a record of what was done.
struct Script {
    random: Random,
    editor: Option<Editor<Memory>>,
    model: Model,
    counter: u64,
    record: Vec<Value>,
}

impl Script {
    fn new(seed: u64, is_sparse: bool) -> Self {
        let mut random = Random(0x5EED_0F0F ^ seed << 20);
        (0..5).for_each(|_| _ = random.below(2));
        let ndim = 1 + random.below(3) as usize;
        let shape: Vec<u64> = (0..ndim).map(|_| random.below(30)).collect();
        let (dtype, itemsize) = random.pick(&DTYPES);
        let mut params = ArrayParams::new(&shape, dtype);
        params.chunkshape = Some((0..ndim).map(|_| 1 + random.below(12) as u32).collect());
        let blocks = params.chunkshape.iter().flatten().map(|&len| 1 + random.below(len.into()) as u32);
        params.blockshape = Some(blocks.collect());
        params.sparse = is_sparse;
        params.cparams.codec = random.pick(&[Codec::BLOSCLZ, Codec::LZ4, Codec::ZSTD]);
        params.cparams.clevel = random.pick(&[0, 1, 5, 9]);
        let record = vec![json!({ "shape": shape, "itemsize": itemsize, "dtype": dtype })];
        let editor = Some(Editor::create_array(Memory::default(), &params).unwrap());
        let model = Model::of(&shape, itemsize, |_| vec![0; itemsize]);
        Self { random, editor, model, counter: 1, record }
    }

    fn items(&mut self, count: u64) -> (Vec<Vec<u8>>, u64) {
        let start = self.counter;
        self.counter += count;
        ((start..start + count).map(|number| item(number, self.model.itemsize)).collect(), start)
    }

    fn step(&mut self) {
        let mut editor = self.editor.take().unwrap();
        let shape = self.model.shape.clone();
        let axis = self.random.below(shape.len() as u64) as usize;
        let done = match self.random.below(7) {
            0 | 1 => {
                let (selection, taken) = self.selection(&shape);
                let count = taken.iter().map(|axis| axis.len() as u64).product();
                let (items, start) = self.items(count);
                editor.set(&selection, &items.concat()).unwrap();
                let lens: Vec<u64> = taken.iter().map(|axis| axis.len() as u64).collect();
                for (number, item) in items.into_iter().enumerate() {
                    let at = position(number as u64, &lens);
                    let at: Vec<u64> = at.iter().zip(&taken).map(|(&k, axis)| axis[k as usize]).collect();
                    let number = self.model.number(&at);
                    self.model.items[number] = item;
                }
                json!({ "do": "set", "indices": taken, "start": start })
            }
            2 => {
                let (selection, taken) = self.selection(&shape);
                let (items, start) = self.items(1);
                editor.fill(&selection, &items[0]).unwrap();
                let lens: Vec<u64> = taken.iter().map(|axis| axis.len() as u64).collect();
                for number in 0..lens.iter().product() {
                    let at = position(number, &lens);
                    let at: Vec<u64> = at.iter().zip(&taken).map(|(&k, axis)| axis[k as usize]).collect();
                    let number = self.model.number(&at);
                    self.model.items[number] = items[0].clone();
                }
                json!({ "do": "fill", "indices": taken, "start": start })
            }
            3 => {
                let new: Vec<u64> = shape.iter().map(|_| self.random.below(34)).collect();
                editor.resize(&new).unwrap();
                self.model.rearrange(&new, |at| {
                    at.iter().zip(&shape).all(|(at, len)| at < len).then(|| at.to_vec())
                });
                json!({ "do": "resize", "shape": new })
            }
            4 | 5 if shape.iter().enumerate().all(|(other, &len)| other == axis || len > 0) => {
                let chunk = u64::from(editor.layout().unwrap().chunkshape()[axis]);
                let (at, count) = match self.random.below(3) {
                    0 => (shape[axis], 1 + self.random.below(9)),
                    1 => (
                        self.random.below(shape[axis] + 1) / chunk * chunk,
                        chunk * (1 + self.random.below(2)),
                    ),
                    _ => (self.random.below(shape[axis] + 1), 1 + self.random.below(9)),
                };
                let mut new = shape.clone();
                new[axis] = count;
                let (items, start) = self.items(new.iter().product());
                editor.insert(axis, at, &items.concat()).unwrap();
                let part = Model { shape: new.clone(), items, itemsize: self.model.itemsize };
                new[axis] += shape[axis];
                let old = self.model.clone();
                self.model = Model::of(&new, old.itemsize, |position| {
                    let mut from = position.to_vec();
                    if (at..at + count).contains(&from[axis]) {
                        from[axis] -= at;
                        return part.items[part.number(&from)].clone();
                    }
                    from[axis] -= if from[axis] < at { 0 } else { count };
                    old.items[old.number(&from)].clone()
                });
                json!({ "do": "insert", "axis": axis, "at": at, "count": count, "start": start })
            }
            _ => {
                let chunk = u64::from(editor.layout().unwrap().chunkshape()[axis]).max(1);
                let mut start = self.random.below(shape[axis] + 1);
                let mut end = (start + self.random.below(9)).min(shape[axis]);
                if self.random.below(2) == 0 {
                    start = start / chunk * chunk;
                    end = (start + chunk).min(shape[axis]);
                }
                editor.delete(axis, start..end).unwrap();
                let mut new = shape.clone();
                new[axis] -= end - start;
                self.model.rearrange(&new, |at| {
                    let mut from = at.to_vec();
                    from[axis] += if from[axis] < start { 0 } else { end - start };
                    Some(from)
                });
                json!({ "do": "delete", "axis": axis, "start": start, "end": end })
            }
        };
        self.record.push(done);
        self.editor = Some(editor);
        self.metalayers();
    }

    fn metalayers(&mut self) {
        let editor = self.editor.as_mut().unwrap();
        let name = self.random.pick(&["a", "b", "longer name"]);
        let content: Vec<u8> = (0..self.random.below(40)).map(|n| n as u8).collect();
        match self.random.below(12) {
            0 => editor.set_attr_bytes(name, &[&[0xc4, content.len() as u8], &content[..]].concat()).unwrap(),
            1 => _ = editor.remove_attr(name),
            2 => editor.set_metalayer(name, &[&[0xc4, content.len() as u8], &content[..]].concat()).unwrap(),
            3 => _ = editor.remove_metalayer(name).unwrap(),
            4 => editor.commit().unwrap(),
            5 => editor.compact().unwrap(),
            _ => {}
        }
    }

    /// A random selection, and the positions that it takes along each axis.
    fn selection(&mut self, shape: &[u64]) -> (Selection, Vec<Vec<u64>>) {
        let mut indices = Vec::new();
        let mut taken = Vec::new();
        for &len in shape {
            let (a, b) = (self.random.below(len + 1), self.random.below(len + 1));
            let (start, stop) = (a.min(b), a.max(b));
            let step = self.random.pick(&[1, 1, 1, 2, 5]);
            let mut positions: Vec<u64> = (start..stop).step_by(step as usize).collect();
            let index = if self.random.below(4) == 0 && start > 0 {
                positions = (start..stop).rev().step_by(step as usize).collect();
                Index::Range { start: Some(stop as i64 - 1), stop: Some(start as i64 - 1), step: -step }
            } else {
                Index::Range { start: Some(start as i64), stop: Some(stop as i64), step }
            };
            indices.push(index);
            taken.push(positions);
        }
        (Selection(indices), taken)
    }

    /// Commits, reads the frame, and opens it again.
    fn reopen(&mut self) {
        let mut editor = self.editor.take().unwrap();
        assert!(editor.get(Selection::all()).unwrap() == self.model.bytes());
        editor.commit().unwrap();
        let memory = editor.into_sink();
        let reader = Reader::open(&memory, DParams::default()).unwrap();
        assert_eq!(reader.layout().unwrap().unwrap().shape(), self.model.shape[..]);
        assert!(reader.get(Selection::all()).unwrap() == self.model.bytes());
        self.editor = Some(Editor::open(memory, DParams::default()).unwrap());
    }

    /// Writes the committed frame for the reference.
    fn save(&mut self, path: &Path) {
        let memory = self.editor.take().unwrap().into_sink();
        save(path, &memory, self.record[0]["sparse"] == true);
        self.editor = Some(Editor::open(memory, DParams::default()).unwrap());
    }
}

#[test]
fn arrays_agree_with_a_model() {
    for seed in 0..40 {
        let mut script = Script::new(seed, seed % 3 == 0);
        for step in 0..40 {
            script.step();
            if step % 10 == 9 {
                script.reopen();
            }
        }
    }
}

fn folder() -> PathBuf {
    std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN names a folder").into()
}

#[test]
#[ignore = "the reference must read them: cargo xtask test --only interop"]
fn edits_for_the_reference() {
    for seed in 0..50 {
        let is_sparse = seed % 2 == 1;
        let mut script = Script::new(1000 + seed, is_sparse);
        script.record[0]["sparse"] = is_sparse.into();
        let folder = folder().join(format!("edits-{seed}"));
        fs::create_dir_all(&folder).unwrap();
        for step in 0..200 {
            script.step();
            if step % 10 == 9 {
                script.reopen();
                let name = format!("{step}.b2nd");
                script.save(&folder.join(&name));
                script.record.push(json!({ "do": "compare", "frame": name }));
            }
        }
        let lines: Vec<String> = script.record.iter().map(Value::to_string).collect();
        fs::write(folder.join("steps.jsonl"), lines.join("\n")).unwrap();
    }
}

#[test]
fn super_chunks_agree_with_a_list() {
    for seed in 0..30 {
        super_chunk(seed, &mut |_, _| {});
    }
}

#[test]
#[ignore = "the reference must read them: cargo xtask test --only interop"]
fn super_chunks_for_the_reference() {
    for seed in 100..130 {
        let mut number = 0;
        super_chunk(seed, &mut |memory, model| {
            let path = folder().join(format!("schunk-{seed}-{number}"));
            save(&path.with_extension("b2frame"), memory, seed.is_multiple_of(2));
            let lens: Vec<usize> = model.iter().map(Vec::len).collect();
            fs::write(path.with_extension("json"), json!(lens).to_string()).unwrap();
            fs::write(path.with_extension("plain"), model.concat()).unwrap();
            number += 1;
        });
    }
}

/// Changes a super-chunk in random steps. `each` gets the frame and its chunks after each ten of them.
fn super_chunk(seed: u64, each: &mut dyn FnMut(&Memory, &[Vec<u8>])) {
    let mut random = Random(0x5EED_C4A1 ^ seed << 16);
    let params = FrameParams {
        cparams: CParams { typesize: 4, ..CParams::default() },
        sparse: seed.is_multiple_of(2),
        ..FrameParams::default()
    };
    let mut editor = Editor::create(Memory::default(), &params).unwrap();
    let mut model: Vec<Vec<u8>> = Vec::new();
    // In some scripts chunks have one size.
    let sizes: &[u64] = if seed.is_multiple_of(3) { &[400] } else { &[4, 400, 1000] };
    for step in 0..60 {
        let at = random.below(model.len() as u64 + 1);
        let count = random.pick(sizes);
        let kind = random.below(4);
        let chunk: Vec<u8> = (0..count / 4)
            .flat_map(|k| if kind == 0 { [0; 4] } else { ((k << kind) as u32).to_le_bytes() })
            .collect();
        match random.below(6) {
            0 | 1 => {
                editor.append_chunk(&chunk).unwrap();
                model.push(chunk);
            }
            2 => {
                editor.insert_chunk(at, &chunk).unwrap();
                model.insert(at as usize, chunk);
            }
            3 if at < model.len() as u64 => {
                editor.replace_chunk(at, &chunk).unwrap();
                model[at as usize] = chunk;
            }
            4 if at < model.len() as u64 => {
                editor.remove_chunks(at..at + 1).unwrap();
                model.remove(at as usize);
            }
            _ => {
                // A short chunk at the end stays there, unless chunks differ in size.
                let mut order: Vec<u64> = (0..model.len() as u64).collect();
                let moved = order.len() - usize::from(!order.is_empty() && !editor.frame().is_variable());
                order[..moved].reverse();
                editor.reorder_chunks(&order).unwrap();
                model = order.iter().map(|&nchunk| model[nchunk as usize].clone()).collect();
            }
        }
        if step % 10 == 9 {
            editor.commit().unwrap();
            let memory = editor.into_sink();
            let reader = Reader::open(&memory, DParams::default()).unwrap();
            let nchunks = reader.index().unwrap().nchunks();
            let chunks: Vec<Vec<u8>> = (0..nchunks).map(|nchunk| reader.chunk(nchunk).unwrap()).collect();
            assert!(chunks == model, "script {seed}, step {step}");
            assert_eq!(reader.get(Selection::all()).unwrap(), model.concat());
            each(&memory, &model);
            editor = Editor::open(memory, DParams::default()).unwrap();
        }
    }
}

/// Each change leaves the old chunk, index and trailer behind. An editor that is opened later finds their space.
#[test]
fn files_do_not_grow_with_each_opening() {
    let params = ArrayParams::new(&[1000], "<i4").with_chunks(&[500]);
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    let mut items: Vec<i32> = (0..1000).map(|n| n * n % 1009).collect();
    editor.write(.., &items).unwrap();
    editor.commit().unwrap();
    let mut sink = editor.into_sink();
    let before = sink.clone().into_bytes().len();
    for n in 0..200 {
        let mut editor = Editor::open(sink, DParams::default()).unwrap();
        items[n * 7 % 1000] = n as i32;
        editor.write((n * 7 % 1000) as i64, &[n as i32]).unwrap();
        editor.set_attr("number", n as i64).unwrap();
        editor.commit().unwrap();
        sink = editor.into_sink();
        let array = Array::from_source(&sink).unwrap();
        assert_eq!(array.read::<i32>(..).unwrap().as_slice(), items);
    }
    let after = sink.into_bytes().len();
    assert!(after < 4 * before, "{before} bytes became {after}");
}

/// The header has the mode of ZFP, so that later changes are encoded alike.
#[test]
#[cfg(feature = "zfp")]
fn arrays_with_zfp_stay_so() {
    let params = ArrayParams::of_type::<f32>(&[60, 50]).with_chunks(&[30, 25]).with_blocks(&[8, 10]);
    let mut editor =
        Editor::create_array(Memory::default(), &params.clone().with_zfp(Zfp::Accuracy(-2))).unwrap();
    let mut values: Vec<f32> = (0..3000).map(|n| (n % 50) as f32 / 7.0 + (n / 50) as f32).collect();
    editor.write(.., &values).unwrap();
    editor.commit().unwrap();
    let mut editor = Editor::open(editor.into_sink(), DParams::default()).unwrap();
    assert_eq!((editor.cparams().codec, editor.cparams().codec_meta), (Codec::ZFP_ACC, 254));
    editor.write((7, ..), &[0.25_f32; 50]).unwrap();
    editor.commit().unwrap();
    values[7 * 50..][..50].fill(0.25);
    let frame = editor.into_sink();
    let read = Array::from_source(&frame).unwrap().read::<f32>(..).unwrap();
    // The rows beside it were encoded twice.
    assert!(read.as_slice().iter().zip(&values).all(|(read, value)| (read - value).abs() <= 0.02));
    assert!(frame.into_bytes().len() < 12_000);
    for (refused, kind) in [
        (ArrayParams::of_type::<i32>(&[60, 50]), ArgumentError::NotFloats(35)),
        (ArrayParams::new(&[60, 50], ">f4"), ArgumentError::NotFloats(35)),
        (ArrayParams::new(&[60, 50], "<f2"), ArgumentError::NotFloats(35)),
    ] {
        let error = Editor::create_array(Memory::default(), &refused.with_zfp(Zfp::Rate(20))).unwrap_err();
        assert!(matches!(error, ReadError::Blosc(error) if error.kind() == ErrorKind::Argument(kind)));
    }
    let narrow = params.with_blocks(&[8, 3]).with_zfp(Zfp::Rate(20));
    let mut editor = Editor::create_array(Memory::default(), &narrow).unwrap();
    let error = editor.write(.., &values).unwrap_err();
    assert!(
        matches!(error, ReadError::Blosc(error) if error.kind() == ErrorKind::Argument(ArgumentError::BlockShape(35)))
    );
}
