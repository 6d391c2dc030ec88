//! Logs of random arrays in flash memories of random sizes, read by us and by the reference.
//!
//! `cargo xtask test --only interop` sets `B2ND_WRITTEN` to a folder for them, and lets the reference read that.
#![cfg(all(feature = "write", feature = "lz4", feature = "filters"))]

use crate::random::Random;
use b2nd::array::ArrayParams;
use b2nd::chunk::{CParams, EncodeWork, SplitMode};
use b2nd::codec::{BloscLzTable, Codec, Lz4Table};
use b2nd::filter::{BITSHUFFLE, DELTA, Filter, Pipeline, SHUFFLE, TRUNC_PREC};
use b2nd::sink::flash::{Geometry, Image, LogError, Logger, log_area_len, recover};
use b2nd::sink::{Editor, Memory};
use b2nd::source::flash::{AreaWork, FlashFrame};
use b2nd::{DParams, Reader, Selection};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const LOGS: u64 = 300;

/// The items that are logged.
struct Case {
    template: Vec<u8>,
    /// Items along each axis; rows are not known yet.
    shape: Vec<u64>,
    dtype: &'static str,
    cparams: CParams,
    /// Bytes of a chunk, a block and a row.
    lens: [usize; 3],
}

fn case(random: &mut Random) -> Case {
    let (dtype, itemsize) = random.pick(&[("<i2", 2), ("<f4", 4), ("|u1", 1), ("<i8", 8), ("|S5", 5)]);
    let ndim = 1 + random.index(3);
    let shape: Vec<u64> = (0..ndim).map(|axis| if axis == 0 { 0 } else { 1 + random.below(6) }).collect();
    let rest: Vec<u32> = shape[1..].iter().map(|&len| len as u32).collect();
    let row: usize = itemsize * rest.iter().product::<u32>() as usize;
    let block = 1 + random.below(60) as u32;
    let chunk = block * (1 + random.below(4) as u32);
    let filters: &[(u8, u8)] = random.pick(&[
        &[][..],
        &[(SHUFFLE, 0)],
        &[(SHUFFLE, 0)],
        &[(BITSHUFFLE, 0)],
        &[(SHUFFLE, 0), (BITSHUFFLE, 0)],
    ]);
    let mut pipeline = Pipeline::default();
    pipeline.slots.iter_mut().zip(filters).for_each(|(slot, &(id, meta))| *slot = Filter { id, meta });
    let cparams = CParams {
        codec: random.pick(&[Codec::LZ4, Codec::BLOSCLZ]),
        clevel: random.pick(&[1, 5, 9, 0]),
        filters: pipeline,
        splitmode: random.pick(&[SplitMode::Auto, SplitMode::Always, SplitMode::Never]),
        ..CParams::default()
    };
    let whole = |rows: u32| Some([&[rows], &rest[..]].concat());
    let mut params = ArrayParams::new(&shape, dtype);
    (params.chunkshape, params.blockshape) = (whole(chunk), whole(block));
    params.cparams = cparams.clone();
    let lens = [chunk as usize * row, block as usize * row, row];
    Case { template: template(&params), shape, dtype, cparams, lens }
}

fn template(params: &ArrayParams) -> Vec<u8> {
    let mut editor = Editor::create_array(Memory::default(), params).unwrap();
    editor.commit().unwrap();
    editor.into_sink().into_bytes()
}

/// Rows of several kinds.
fn rows(random: &mut Random, kind: u64, len: usize) -> Vec<u8> {
    (0..len)
        .map(|at| match kind {
            0 => random.below(256) as u8,
            1 => 0,
            2 => (at / 300) as u8,
            _ => random.below(3) as u8,
        })
        .collect()
}

/// A log of random rows. Returns these, and the bytes in which a frame begins at an offset.
fn log(random: &mut Random, case: &Case) -> (Vec<u8>, Vec<u8>, u32) {
    let [chunk, block, row] = case.lens;
    let page = random.pick(&[256, 512, 4096]);
    let unit = random.pick(&[1, 4, 16, 256]);
    let mut image = Image::new(Geometry { len: 600_000u32.next_multiple_of(page), page, unit });
    let ids: Vec<u8> = case.cparams.filters.slots.iter().map(|filter| filter.id).collect();
    let mut area = vec![0; log_area_len(chunk, block, &ids, unit as usize)];
    let mut tables = (BloscLzTable::<512>::new(), Lz4Table::<512>::new());
    let mut logged = Vec::new();
    let kind = random.below(4);
    drop(Logger::create(&mut image, &case.template, EncodeWork::new(&mut area, &mut tables)).unwrap());
    let mut end = 0;
    for _ in 0..1 + random.below(3) {
        let mut logger = Logger::open(&mut image, EncodeWork::new(&mut area, &mut tables)).unwrap();
        assert_eq!(logger.rows(), (logged.len() / row) as u64);
        for _ in 0..random.below(12) {
            let count = random.below(90) as usize;
            let rows = rows(random, kind, row * count);
            logger.append(&rows).unwrap();
            logged.extend(rows);
            end = random.below(4);
            match end {
                0 => logger.commit().unwrap(),
                1 => logger.finish().unwrap(),
                _ => logger.flush().unwrap(),
            }
        }
        logger.flush().unwrap();
        if end == 0 {
            let frame = logger.frame();
            return (logged, image.into_bytes(), frame);
        }
    }
    (logged, if end == 1 { image.into_bytes() } else { recover(image).unwrap() }, 0)
}

/// A log that our readers read.
fn checked(random: &mut Random, number: u64) -> (Vec<u8>, Vec<u8>, Value) {
    let mut case = case(random);
    let (plain, bytes, offset) = log(random, &case);
    case.shape[0] = (plain.len() / case.lens[2]) as u64;
    let case = json!({
        "name": format!("{number:03}"), "offset": offset, "shape": case.shape, "dtype": case.dtype,
        "codec": case.cparams.codec.name(), "filters": case.cparams.filters.slots.map(|filter| filter.id),
    });
    let frame = &bytes[offset as usize..];
    let reader = Reader::open(frame, DParams::default()).unwrap();
    assert_eq!(json!(reader.layout().unwrap().unwrap().shape().to_vec()), case["shape"]);
    assert!(reader.get(Selection::all()).unwrap() == plain, "{case}");
    let (mut area, mut tables) = (vec![0; 1 << 20], ());
    let mut work = AreaWork::new(&mut area, &mut tables, Default::default());
    let frame = FlashFrame::open(frame).unwrap();
    let mut items = vec![0; plain.len()];
    frame.read(&frame.plan(&[]).unwrap(), &mut work, &mut items).unwrap();
    assert!(items == plain, "{case}");
    (plain, bytes, case)
}

#[test]
fn logs_are_read_as_they_were_written() {
    let mut random = Random(71);
    (0..LOGS).for_each(|number| _ = checked(&mut random, number));
}

#[test]
#[ignore = "cargo xtask test --only interop"]
fn logs_for_the_reference() {
    let folder = Path::new(&std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN")).join("logs");
    fs::create_dir_all(&folder).unwrap();
    let mut random = Random(72);
    let mut cases = String::new();
    for number in 0..LOGS {
        let (plain, bytes, case) = checked(&mut random, number);
        fs::write(folder.join(format!("{number:03}.b2nd")), bytes).unwrap();
        fs::write(folder.join(format!("{number:03}.plain")), plain).unwrap();
        cases += &format!("{case}\n");
    }
    fs::write(folder.join("cases.jsonl"), cases).unwrap();
}

/// DELTA and lossy filters, whose decoded values are those of an array that the editor wrote.
#[test]
fn lossy_filters_log_what_an_editor_writes() {
    let items: Vec<u8> = (0..3000).flat_map(|n| (n as f32 / 77.0).sin().to_le_bytes()).collect();
    let mut filters = Pipeline::default();
    let slots = [(TRUNC_PREC, 9), (DELTA, 0), (SHUFFLE, 0)];
    filters.slots.iter_mut().zip(slots).for_each(|(slot, (id, meta))| *slot = Filter { id, meta });
    let mut params = ArrayParams::new(&[3000], "<f4");
    params.cparams = CParams { codec: Codec::LZ4, filters, ..CParams::default() };
    (params.chunkshape, params.blockshape) = (Some(vec![1000]), Some(vec![250]));
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.set(Selection::all(), &items).unwrap();
    let expected = editor.get(Selection::all()).unwrap();
    assert!(expected != items);

    let mut image = Image::new(Geometry { len: 1 << 16, page: 4096, unit: 8 });
    let mut area = vec![0; log_area_len(4000, 1000, &[TRUNC_PREC, DELTA, SHUFFLE], 8)];
    let mut table = Lz4Table::<1024>::new();
    let mut logger =
        Logger::create(&mut image, &template(&params), EncodeWork::new(&mut area, &mut table)).unwrap();
    logger.append(&items).unwrap();
    logger.finish().unwrap();
    let reader = Reader::open(image.bytes(), DParams::default()).unwrap();
    assert!(reader.get(Selection::all()).unwrap() == expected);
}

#[test]
fn what_cannot_be_logged_is_refused() {
    let mut image = Image::new(Geometry { len: 1 << 16, page: 4096, unit: 8 });
    let (mut area, mut table) = (vec![0; 20_000], Lz4Table::<1024>::new());
    let mut params = ArrayParams::new(&[0, 6], "<i2");
    params.cparams = CParams { codec: Codec::LZ4, ..CParams::default() };
    let mut create = |params: &ArrayParams, area: &mut [u8]| {
        Logger::create(&mut image, &template(params), EncodeWork::new(area, &mut table)).map(drop)
    };
    // Chunks and blocks of parts of rows, and too small an area.
    for (chunk, block, is_fine) in [
        ([50, 3], [50, 3], false),
        ([50, 6], [50, 3], false),
        ([50, 6], [20, 6], false),
        ([50, 6], [25, 6], true),
    ] {
        (params.chunkshape, params.blockshape) = (Some(chunk.to_vec()), Some(block.to_vec()));
        assert_eq!(create(&params, &mut area).is_ok(), is_fine, "{chunk:?} {block:?}");
    }
    assert!(matches!(create(&params, &mut [0; 1000]), Err(LogError::Blosc(_))));
    // There is room for all but the filter.
    let len = log_area_len(600, 300, &[SHUFFLE], 8);
    assert!(matches!(create(&params, &mut area[1..len]), Err(LogError::Blosc(_))));
    assert!(create(&params, &mut area[..len]).is_ok());
    params.cparams.codec = Codec::BLOSCLZ;
    assert!(matches!(create(&params, &mut area), Err(LogError::Blosc(_))), "there is no table for it");
    params.cparams.codec = Codec::LZ4;
    params.sparse = true;
    assert!(matches!(create(&params, &mut area), Err(LogError::Blosc(_))));
    let mut logger = Logger::open(&mut image, EncodeWork::new(&mut area, &mut table)).unwrap();
    assert!(matches!(logger.append(&[0; 13]), Err(LogError::Blosc(_))));
    let full = loop {
        if let Err(error) = logger.append(&[3; 600]) {
            break error;
        }
    };
    assert_eq!(full, LogError::Full);
    let rows = logger.rows();
    logger.finish().unwrap();
    drop(logger);
    let reader = Reader::open(image.bytes(), DParams::default()).unwrap();
    assert_eq!(reader.layout().unwrap().unwrap().shape().to_vec(), [rows, 6]);
    for (page, unit) in [(4095, 8), (4096, 3), (4096, 1024), (1 << 15, 8)] {
        let image = Image::new(Geometry { len: 1 << 16, page, unit });
        let opened = Logger::open(image, EncodeWork::new(&mut area, &mut table)).map(drop);
        assert!(matches!(opened, Err(LogError::Blosc(_))), "{page} {unit}");
    }
    let empty = Image::new(Geometry { len: 1 << 16, page: 4096, unit: 8 });
    let opened = Logger::open(empty, EncodeWork::new(&mut area, &mut table)).map(drop);
    assert_eq!(opened, Err(LogError::NoLog));
}
