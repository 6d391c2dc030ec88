//! Arrays and super-chunks with random parameters, written by us and read by the reference, to the byte.
//!
//! `cargo xtask test --only interop` sets `B2ND_WRITTEN` to a folder for them, and lets the reference read that.
#![cfg(all(feature = "write", feature = "lz4", feature = "zlib", feature = "zstd", feature = "filters"))]

use crate::random::Random;
use crate::save::save;
use b2nd::array::ArrayParams;
use b2nd::chunk::{Auto, CParams, Goal, SpecialValue, SplitMode};
use b2nd::codec::{Codec, Registry};
use b2nd::filter::{BITSHUFFLE, BYTEDELTA, DELTA, Filter, Pipeline, SHUFFLE};
use b2nd::frame::{FrameParams, Metalayer};
use b2nd::sink::{Editor, Memory};
use b2nd::source::flash::{AreaWork, FlashFrame, Zlib, ZstdDict};
use b2nd::{DParams, Reader, Selection};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const ARRAYS: u64 = 1400;
const SUPER_CHUNKS: u64 = 600;

const DTYPES: [(&str, u32); 16] = [
    ("|u1", 1),
    ("|b1", 1),
    ("<i2", 2),
    ("<f4", 4),
    ("<f4", 4),
    ("<f8", 8),
    ("<i8", 8),
    (">i4", 4),
    ("<c16", 16),
    ("<M8[ns]", 8),
    ("|S5", 5),
    ("<U3", 12),
    ("|V7", 7),
    ("|S300", 300),
    ("[('a', '<i4'), ('b', '<f8'), ('c', '|S3')]", 15),
    ("{'names': ['a', 'b'], 'formats': ['|i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16}", 16),
];

fn cparams(random: &mut Random, typesize: u32) -> CParams {
    let filter = |id, meta| Filter { id, meta };
    let streams = typesize.min(127) as u8;
    let chosen = match random.below(7) {
        0 => vec![],
        1 => vec![filter(BITSHUFFLE, 0)],
        2 => vec![filter(DELTA, 0), filter(SHUFFLE, 0)],
        3 => vec![filter(SHUFFLE, 0), filter(BYTEDELTA, streams)],
        _ => vec![filter(SHUFFLE, 0)],
    };
    let mut filters = Pipeline::default();
    filters.slots.iter_mut().zip(chosen).for_each(|(slot, filter)| *slot = filter);
    CParams {
        codec: random.pick(&[Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD]),
        clevel: random.pick(&[0, 1, 3, 5, 5, 9]),
        typesize,
        filters,
        splitmode: random.pick(&[
            SplitMode::Auto,
            SplitMode::ForwardCompat,
            SplitMode::Always,
            SplitMode::Never,
        ]),
        ..CParams::default()
    }
}

/// The parts that are chosen by the data, if any.
fn auto(random: &mut Random) -> Option<Auto> {
    let goal = random.pick(&[Goal::Ratio, Goal::Balanced, Goal::Speed]);
    let [filters, codec, compatible] = [(); 3].map(|()| random.below(2) > 0);
    (random.below(3) == 0).then_some(Auto { goal, filters, codec, compatible })
}

/// The filters of all chunks.
fn filters(editor: &Editor<Memory>, cparams: &CParams) -> Vec<u8> {
    let chosen = editor.chosen().iter().map(|chosen| chosen.filters);
    chosen.chain([cparams.filters]).flat_map(|filters| filters.slots).map(|filter| filter.id).collect()
}

/// Items of several kinds, among them runs and zeros.
fn items(random: &mut Random, count: u64, itemsize: u32) -> Vec<u8> {
    let mut kind = random.below(6);
    let changes = kind == 5;
    let mut walk = 1000_u64;
    let mut items = Vec::new();
    for n in 0..count {
        if changes && n % 300 == 0 {
            kind = random.below(4);
        }
        walk = walk.wrapping_add(random.below(5)).wrapping_sub(2);
        let value = match kind {
            0 => n,
            1 => random.below(1 << 40),
            2 => walk,
            3 => n / 40 % 3,
            _ => 0,
        };
        items.extend(value.to_le_bytes().iter().cycle().take(itemsize as usize));
    }
    items
}

fn metalayers(random: &mut Random) -> Vec<Metalayer> {
    let count = random.below(3) as u8;
    let metalayer =
        |n: u8| Metalayer { name: [b'm', b'0' + n].to_vec(), content: vec![n, 0xc0][..1].to_vec() };
    (0..count).map(metalayer).collect()
}

fn array(random: &mut Random, number: u64) -> (Memory, bool, Vec<u8>, Value) {
    let ndim = if number % 100 == 99 { 16 } else { random.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 4, 6, 8]) };
    let most = [1, 3000, 60, 16, 7, 5, 4, 3, 3][ndim.min(8)];
    let most = if ndim == 16 { 2 } else { most };
    let shape: Vec<u64> =
        (0..ndim).map(|_| u64::from(random.below(40) > 0) * (1 + random.below(most))).collect();
    let (dtype, itemsize) = random.pick(&DTYPES);
    let mut params = ArrayParams::new(&shape, dtype);
    params.cparams = cparams(random, itemsize);
    params.auto = auto(random);
    params.sparse = random.below(5) == 0;
    params.caterva = random.below(10) == 0;
    params.metalayers = metalayers(random);
    if random.below(4) > 0 {
        let chunks: Vec<u32> = shape.iter().map(|&len| 1 + random.below(len.max(1)) as u32).collect();
        params.blockshape = Some(chunks.iter().map(|&len| 1 + random.below(len.into()) as u32).collect());
        params.chunkshape = Some(chunks);
    }
    let count = shape.iter().product();
    let values = random.below(6);
    let special = [SpecialValue::Zeros, SpecialValue::Uninit][values as usize % 2];
    let mut editor = Editor::create_filled(Memory::default(), &params, special).unwrap();
    let mut plain = vec![0; (count * u64::from(itemsize)) as usize];
    match values {
        0 | 1 => {}
        2 => {
            let item = items(random, 1, itemsize);
            editor.fill(Selection::all(), &item).unwrap();
            plain = item.repeat(count as usize);
        }
        _ => {
            plain = items(random, count, itemsize);
            editor.set(Selection::all(), &plain).unwrap();
        }
    }
    if random.below(3) == 0 {
        editor.set_attr_bytes("vl", b"\xa5hello").unwrap();
    }
    editor.commit().unwrap();
    let array = editor.layout().unwrap();
    let case = json!({
        "kind": if params.caterva { "caterva" } else { "array" },
        "shape": shape,
        "chunks": array.chunkshape(),
        "blocks": array.blockshape(),
        "splitmode": params.cparams.splitmode.name(),
        "codec": params.cparams.codec.name(),
        "itemsize": itemsize,
        "dtype": dtype,
        "ndim": ndim,
        "has_values": values != 1 || count == 0,
        "filters": filters(&editor, &params.cparams),
    });
    (editor.into_sink(), params.sparse, plain, case)
}

/// Pictures, walks, labels and noise one below the other, each with other filters, and codecs if they are chosen as well.
fn chosen(random: &mut Random, auto: Auto) -> (Memory, bool, Vec<u8>, Value) {
    const SIDE: u64 = 256;
    let mut params = ArrayParams::new(&[4 * SIDE, SIDE], "<u2");
    (params.chunkshape, params.blockshape) = (Some(vec![128, 128]), Some(vec![32, 32]));
    (params.cparams.codec, params.auto) = (Codec::LZ4, Some(auto));
    let mut walk = 0;
    let mut value = |at: u64| {
        let (y, x) = (at / SIDE % SIDE, at % SIDE);
        walk += random.below(7);
        match at / SIDE / SIDE {
            0 => (x.abs_diff(90) * y.abs_diff(70)) / 16 + random.below(90),
            1 => walk,
            2 => (x / 37 + 31 * (y / 23)) * 7919,
            _ => random.below(1 << 16),
        }
    };
    let plain: Vec<u8> = (0..4 * SIDE * SIDE).flat_map(|at| (value(at) as u16).to_le_bytes()).collect();
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.set(Selection::all(), &plain).unwrap();
    editor.commit().unwrap();
    assert!(editor.chosen().len() > 1, "{auto:?}: {:?}", editor.chosen());
    let case = json!({
        "kind": "array", "shape": [4 * SIDE, SIDE], "chunks": [128, 128], "blocks": [32, 32], "splitmode": "auto",
        "codec": "lz4", "itemsize": 2, "dtype": "<u2", "ndim": 2, "has_values": true,
        "filters": filters(&editor, &params.cparams),
    });
    (editor.into_sink(), false, plain, case)
}

/// Each automatic choice.
fn autos() -> impl Iterator<Item = Auto> {
    let goals = [Goal::Ratio, Goal::Balanced, Goal::Speed];
    goals.into_iter().flat_map(|goal| [false, true].map(|codec| Auto { goal, codec, ..Auto::default() }))
}

fn super_chunk(random: &mut Random) -> (Memory, bool, Vec<u8>, Value) {
    let typesize = random.pick(&[1, 2, 4, 8, 12, 300]);
    let is_variable = random.below(3) == 0;
    let params = FrameParams {
        cparams: cparams(random, typesize),
        sparse: random.below(4) == 0,
        metalayers: metalayers(random),
        ..FrameParams::default()
    };
    let mut editor = Editor::create(Memory::default(), &params).unwrap();
    editor.set_auto(auto(random));
    let mut plain = Vec::new();
    let len = 1 + random.below(3000);
    let nchunks = random.below(6);
    for nchunk in 0..nchunks {
        let is_last = nchunk + 1 == nchunks;
        let count = if is_variable || is_last { 1 + random.below(len) } else { len };
        let chunk = items(random, count, typesize);
        editor.append_chunk(&chunk).unwrap();
        plain.extend(chunk);
    }
    editor.commit().unwrap();
    let filters = filters(&editor, &params.cparams);
    let case = json!({ "kind": "schunk", "nchunks": nchunks, "variable": editor.frame().is_variable(), "filters": filters,
        "splitmode": params.cparams.splitmode.name(),
        "codec": params.cparams.codec.name(), "itemsize": typesize,
    });
    (editor.into_sink(), params.sparse, plain, case)
}

/// A random frame that our readers read.
fn frame(random: &mut Random, number: u64, is_array: bool) -> (Memory, bool, Vec<u8>, Value) {
    let auto = number.checked_sub(ARRAYS + SUPER_CHUNKS).and_then(|nth| autos().nth(nth as usize));
    let (memory, is_sparse, plain, case) = match auto {
        Some(auto) => chosen(random, auto),
        None if is_array => array(random, number),
        None => super_chunk(random),
    };
    let reader = Reader::open(&memory, DParams::default()).unwrap();
    assert!(reader.get(Selection::all()).unwrap() == plain, "{number}: {case}");
    if !is_sparse && case["variable"] != true {
        assert!(in_flash(&memory.clone().into_bytes()) == plain, "{number}: {case}");
    }
    (memory, is_sparse, plain, case)
}

/// The values that the reader without an allocator reads.
fn in_flash(bytes: &[u8]) -> Vec<u8> {
    let (mut area, mut tables) = (vec![0; 4 << 20], (Zlib::new(), ZstdDict::new()));
    let mut work = AreaWork::new(&mut area, &mut tables, Registry::new());
    let frame = FlashFrame::open(bytes).unwrap();
    let plan = frame.plan(&[]).unwrap();
    let mut items = vec![0; plan.nbytes()];
    frame.read(&plan, &mut work, &mut items).unwrap();
    items
}

#[test]
fn our_readers_read_them() {
    let mut random = Random(0x5EED_F7A3_0002);
    for number in 0..200 {
        frame(&mut random, number, number % 4 > 0);
    }
    for number in 0..autos().count() as u64 {
        frame(&mut random, ARRAYS + SUPER_CHUNKS + number, true);
    }
}

#[test]
#[ignore = "the reference must read them: cargo xtask test --only interop"]
fn frames_for_the_reference() {
    let folder = std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN names a folder");
    let folder = Path::new(&folder).join("frames");
    fs::create_dir_all(&folder).unwrap();
    let mut random = Random(0x5EED_F7A3_0001);
    let mut cases = String::new();
    for number in 0..ARRAYS + SUPER_CHUNKS + autos().count() as u64 {
        let (memory, is_sparse, plain, mut case) = frame(&mut random, number, number < ARRAYS);
        (case["name"], case["sparse"]) = (number.into(), is_sparse.into());
        save(&folder.join(format!("{number}.b2nd")), &memory, is_sparse);
        fs::write(folder.join(format!("{number}.plain")), plain).unwrap();
        cases.push_str(&format!("{case}\n"));
    }
    fs::write(folder.join("cases.jsonl"), cases).unwrap();
}
