//! Frames in flash, and logs in memories that hold anything.

use super::bounds::{LIMITS, call, dparams, is_wrong};
use super::input::Input;
use b2nd::array::ArrayParams;
use b2nd::chunk::EncodeWork;
use b2nd::codec::{BloscLzTable, Codec, Lz4Table, Zlib, Zstd};
use b2nd::sink::flash::{Flash, Geometry, Image, LogError, Logger, recover};
use b2nd::sink::{Editor, Memory};
use b2nd::source::flash::{AreaWork, FlashFrame, ReadFlash};
use b2nd::{DParams, Reader, Selection};
use core::convert::Infallible;

/// Any bytes are a frame that is read in flash as it is read elsewhere, or give an error; and a log is made like it, if it can be.
pub fn flash(bytes: &[u8]) {
    template(bytes);
    let Some(frame) = call("open in flash", || FlashFrame::open(bytes)) else { return };
    _ = (frame.header().is_ok(), frame.metalayers().map(Iterator::count), frame.dtype());
    let Some(plan) = call("plan", || frame.plan(&[])) else { return };
    if plan.nbytes() as u64 > LIMITS.memory {
        return;
    }
    let (mut area, mut tables) = (vec![0; 1 << 20], (Zlib::new(), Zstd::new()));
    let mut work = AreaWork::new(&mut area, &mut tables, Default::default());
    let mut items = vec![0xAA; plan.nbytes()];
    if call("read in flash", || frame.read(&plan, &mut work, &mut items)).is_none() {
        return;
    }
    let mut part = vec![0x55; plan.nbytes()];
    let mut at = 0;
    for piece in plan.parts(1 + plan.nbytes() / 3) {
        let out = &mut part[at..at + piece.nbytes()];
        // A part of a block takes the area, where a whole block takes its place in the result.
        let result = frame.read(&piece, &mut work, out);
        assert!(!is_wrong(&result), "all was read: {:?}", result.err());
        if result.is_err() {
            return;
        }
        at += piece.nbytes();
    }
    assert!(at == part.len() && part == items, "parts differ from all");
    let Some(reader) = call("open", || Reader::open(bytes, dparams())) else { return };
    if let Ok(expected) = reader.get(Selection::all()) {
        assert!(items == expected, "other items than elsewhere");
    }
}

/// Makes a log of which any bytes are the template.
fn template(bytes: &[u8]) {
    let mut memory = Strict(Image::new(Geometry { len: 1 << 16, page: 512, unit: 8 }));
    let (mut area, mut tables) = (vec![0; 1 << 17], (BloscLzTable::<512>::new(), Lz4Table::<512>::new()));
    let created = Logger::create(&mut memory, bytes, EncodeWork::new(&mut area, &mut tables));
    let Ok(mut logger) = created else { return };
    let row = (1..1 << 16).find(|&len| logger.append(&vec![7; len]).is_ok());
    if row.is_none() || logger.finish().is_err() {
        return;
    }
    let rows = logger.rows();
    let reader = Reader::open(memory.0.bytes(), DParams::default()).expect("a log is a frame");
    assert_eq!(reader.layout().expect("an array").expect("an array").shape().get(0), Some(rows));
    reader.get(Selection::all()).expect("rows");
}

/// A memory that accepts no more than a real one does.
struct Strict(Image);

impl ReadFlash for Strict {
    type Error = Infallible;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Infallible> {
        self.0.read(offset, dst)
    }
}

impl Flash for Strict {
    fn geometry(&self) -> Geometry {
        self.0.geometry()
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Infallible> {
        let Geometry { page, unit, .. } = self.geometry();
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        assert!(offset.is_multiple_of(unit) && bytes.len().is_multiple_of(unit as usize), "a part of a unit");
        assert!(offset / page == (end as u32 - 1) / page, "units of several pages");
        assert!(self.0.bytes()[start..end].iter().all(|byte| *byte == 0xFF), "programmed twice at {offset}");
        self.0.program(offset, bytes)
    }

    fn erase(&mut self, offset: u32) -> Result<(), Infallible> {
        assert!(offset.is_multiple_of(self.geometry().page), "a part of a page");
        self.0.erase(offset)
    }
}

/// A log that was damaged anywhere is refused, or goes on: then all rows that it has are in the frame, and those that are
/// appended.
pub fn logger(bytes: &[u8]) {
    let mut input = Input(bytes);
    let page = input.pick(&[256, 512, 512, 4096]);
    let unit = input.pick(&[1, 4, 8, 256]);
    let pages = 6 + input.below(30) as u32;
    let geometry = Geometry { len: page * pages.max(3 * 512 / page + 4), page, unit };
    let mut memory = Strict(Image::new(geometry));
    let mut area = vec![0; 1 << 14];
    let mut tables = (BloscLzTable::<512>::new(), Lz4Table::<512>::new());
    let template = log_template(&mut input);
    let created = Logger::create(&mut memory, &template, EncodeWork::new(&mut area, &mut tables));
    let Ok(mut logger) = created else { return };
    let mut logged = Vec::new();
    for _ in 0..input.byte() % 12 {
        let rows = rows(&mut input);
        let appended = logger.append(&rows);
        logged.extend(&rows[..logger.rows() as usize * ROW - logged.len()]);
        match appended {
            Ok(()) => {}
            Err(LogError::Full) => break,
            Err(error) => panic!("{error}"),
        }
        match input.byte() % 4 {
            0 => logger.commit().expect("room for a commit"),
            1 => logger.flush().expect("room for rows"),
            2 => logger.finish().expect("room for the frame"),
            _ => {}
        }
    }
    let mut memory = memory.0.into_bytes();
    let is_damaged = damaged(&mut input, &mut memory, page as usize);
    let recovered = recover(Image::of_bytes(memory.clone(), page, unit));
    let recovered = recovered.ok().and_then(|frame| items(&frame));
    let mut memory = Strict(Image::of_bytes(memory, page, unit));
    let opened = Logger::open(&mut memory, EncodeWork::new(&mut area, &mut tables));
    let Ok(mut logger) = opened else {
        assert!(is_damaged, "{:?}", opened.err());
        return;
    };
    let before = logger.rows() as usize * ROW;
    let more = rows(&mut input);
    let appended = logger.append(&more).is_ok();
    if logger.finish().is_err() {
        return;
    }
    let after = logger.rows() as usize * ROW;
    drop(logger);
    if is_damaged {
        // `recover` takes only rows whose checksums hold; those of a committed frame count for the logger without.
        assert!(recovered.is_none_or(|recovered| recovered.len() <= before));
        assert!(items(memory.0.bytes()).is_none_or(|items| items.len() == after));
        return;
    }
    let items = items(memory.0.bytes()).expect("a frame");
    assert!(logged.starts_with(&items[..before]), "rows before the power failed");
    assert!(recovered.is_some_and(|recovered| recovered == items[..before]), "what is recovered");
    assert!(!appended || items[before..after] == more, "rows that were appended");
}

/// Bytes of a row.
const ROW: usize = 6;

fn log_template(input: &mut Input<'_>) -> Vec<u8> {
    let mut params = ArrayParams::new(&[0, 3], "<u2");
    let block = 1 + u32::from(input.byte() % 40);
    let chunk = block * (1 + u32::from(input.byte() % 3));
    (params.chunkshape, params.blockshape) = (Some(vec![chunk, 3]), Some(vec![block, 3]));
    params.cparams.codec = input.pick(&[Codec::LZ4, Codec::BLOSCLZ]);
    let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
    editor.commit().expect("memory");
    editor.into_sink().into_bytes()
}

fn rows(input: &mut Input<'_>) -> Vec<u8> {
    let (count, first, step) = (usize::from(input.byte() % 64), input.byte(), input.byte());
    (0..count * ROW).map(|at| first.wrapping_add(step.wrapping_mul(at as u8))).collect()
}

/// Changes bytes, erases pages, or puts others in their place.
fn damaged(input: &mut Input<'_>, memory: &mut [u8], page: usize) -> bool {
    let count = input.byte() % 5;
    for _ in 0..count {
        let at = (input.below(1 << 16) * memory.len() / (1 << 16)).min(memory.len() - 1);
        let other = input.below(memory.len() / page) * page;
        let start = at / page * page;
        match input.byte() % 4 {
            0 => memory[start..start + page].fill(input.pick(&[0, 0xFF])),
            1 => memory.copy_within(other..other + page, start),
            2 => memory[start..at].fill(0xFF),
            _ => memory[at] = input.byte(),
        }
    }
    count > 0
}

/// The items of a frame, if they can be read.
fn items(frame: &[u8]) -> Option<Vec<u8>> {
    call("items", || Reader::open(frame, dparams())?.get(Selection::all()))
}
