//! Cards: what they have is read, and logged to, while their power fails; files in FAT; and streams that frames are written to.
#![cfg(all(
    feature = "embedded-io",
    feature = "embedded-sdmmc",
    feature = "lz4",
    feature = "write",
    feature = "zlib",
    feature = "zstd"
))]

#[path = "../common/fat.rs"]
mod fat;

use crate::random::Random;
use b2nd::array::ArrayParams;
use b2nd::chunk::{Area, AreaWork, CParams};
use b2nd::codec::{Codec, Lz4Table, Registry, Zlib, Zstd};
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{Flash, LogError, Logger, log_area_len};
use b2nd::sink::{Editor, Memory};
use b2nd::source::flash::{CopyError, FetchedFrame, ReadFlash, area_len, fetch_len};
use b2nd::source::{Card, Io, ReadError};
use b2nd::{DParams, Index, Reader, Selection};
use core::cell::{Cell, RefCell};
use core::fmt;
use core::ops::Range;
use embedded_io::{ErrorKind, ErrorType, Write};
use embedded_sdmmc::{
    Block, BlockCount, BlockDevice, BlockIdx, Mode, TimeSource, Timestamp, VolumeIdx, VolumeManager,
};
use std::fs;
use std::path::Path;

/// A card. When its power fails, the block that is written is the old one, the new one, or a mixture.
struct Ram {
    blocks: RefCell<Vec<[u8; 512]>>,
    /// Blocks to write until the power fails.
    left: Cell<u64>,
    /// The call that fails although there is power; and calls so far.
    failing: Cell<usize>,
    calls: Cell<usize>,
    written: RefCell<Vec<u32>>,
    random: RefCell<Random>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    PowerFailure,
    Failed,
    OutOfRange,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl core::error::Error for Fault {}

impl Ram {
    /// A card with what another program has left.
    fn new(blocks: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let blocks = (0..blocks).map(|_| core::array::from_fn(|_| random.below(256) as u8)).collect();
        Self {
            blocks: RefCell::new(blocks),
            left: Cell::new(u64::MAX),
            failing: Cell::new(usize::MAX),
            calls: Cell::new(0),
            written: RefCell::default(),
            random: RefCell::new(random),
        }
    }

    fn call(&self) -> Result<(), Fault> {
        self.calls.set(self.calls.get() + 1);
        match () {
            () if self.left.get() == 0 => Err(Fault::PowerFailure),
            () if self.calls.get() == self.failing.get() => Err(Fault::Failed),
            () => Ok(()),
        }
    }

    fn bytes(&self, range: Range<u32>) -> Vec<u8> {
        self.blocks.borrow()[range.start as usize..range.end as usize].concat()
    }
}

impl BlockDevice for &Ram {
    type Error = Fault;

    fn read(&self, blocks: &mut [Block], start: BlockIdx) -> Result<(), Fault> {
        self.call()?;
        let all = self.blocks.borrow();
        let from = all.get(start.0 as usize..start.0 as usize + blocks.len()).ok_or(Fault::OutOfRange)?;
        blocks.iter_mut().zip(from).for_each(|(to, from)| to.contents = *from);
        Ok(())
    }

    fn write(&self, blocks: &[Block], start: BlockIdx) -> Result<(), Fault> {
        self.call()?;
        let (mut all, mut random) = (self.blocks.borrow_mut(), self.random.borrow_mut());
        for (block, number) in blocks.iter().zip(start.0..) {
            let to = all.get_mut(number as usize).ok_or(Fault::OutOfRange)?;
            self.written.borrow_mut().push(number);
            self.left.set(self.left.get() - 1);
            if self.left.get() > 0 {
                *to = block.contents;
                continue;
            }
            match random.below(4) {
                0 => {}
                1 => *to = block.contents,
                2 => {
                    let len = random.index(512);
                    to[..len].copy_from_slice(&block.contents[..len]);
                }
                _ => {
                    let torn = to.iter_mut().zip(&block.contents);
                    torn.for_each(|(to, new)| *to = if random.below(2) == 0 { *to } else { *new });
                }
            }
            return Err(Fault::PowerFailure);
        }
        Ok(())
    }

    fn num_blocks(&self) -> Result<BlockCount, Fault> {
        self.call()?;
        Ok(BlockCount(self.blocks.borrow().len() as u32))
    }
}

/// An array of 12 × 30 × 40 numbers that python-blosc2 wrote, and bytes of its blocks.
const SAMPLE: &[u8] = include_bytes!("../golden/blosc2-4.14.1/sample.b2nd");
const BLOCK: usize = 15_360;

/// The plane 3 of the sample.
fn plane<M: ReadFlash>(memory: M, place: Range<u32>) -> Result<Vec<u8>, ReadError<M::Error>> {
    let mut buffer = vec![0; fetch_len(BLOCK, &[SHUFFLE], 4, 4, 16)];
    let mut area = vec![0; area_len(BLOCK, &[SHUFFLE], 16)];
    let mut tables = (Zlib::new(), Zstd::new());
    let mut work = AreaWork::new(&mut area, &mut tables, Registry::new());
    let mut frame = FetchedFrame::open(memory, place, &mut buffer)?;
    let plan = frame.plan(&[Index::At(3)])?;
    let mut items = vec![0; plan.nbytes()];
    frame.read(&plan, &mut work, &mut items)?;
    Ok(items)
}

fn expected() -> Vec<u8> {
    let reader = Reader::open(SAMPLE, DParams::default()).unwrap();
    reader.get("3".parse::<Selection>().unwrap()).unwrap()
}

/// A card with the sample at byte 700 of a partition.
fn with_sample() -> (Ram, Range<u32>) {
    let ram = Ram::new(100, 3);
    for (at, byte) in (10 * 512 + 700..).zip(SAMPLE) {
        ram.blocks.borrow_mut()[at / 512][at % 512] = *byte;
    }
    (ram, 700..700 + SAMPLE.len() as u32)
}

#[test]
fn frames_on_cards_are_read_and_each_failure_is_told() {
    let (ram, place) = with_sample();
    let read = |ram: &Ram| plane(Card::with_range(ram, 10..90)?, place.clone());
    assert!(read(&ram).unwrap() == expected());
    for failing in 1..=ram.calls.take() {
        ram.failing.set(failing);
        assert_eq!(read(&ram), Err(ReadError::Source(Fault::Failed)));
        assert_eq!(ram.calls.take(), failing);
    }
    assert!(ram.written.borrow().is_empty());
}

#[test]
fn parts_are_on_the_card() {
    let ram = Ram::new(100, 1);
    for (range, is_there) in
        [(0..100, true), (7..7, true), (0..101, false), (Range { start: 9, end: 8 }, false)]
    {
        let card = Card::with_range(&ram, range.clone());
        let len = is_there.then(|| 512 * range.len() as u32);
        assert_eq!(card.as_ref().ok().map(Card::capacity), len, "{range:?}");
    }
    let mut card = Card::with_range(&ram, 20..30).unwrap();
    let mut bytes = [0; 1500];
    ReadFlash::read(&mut card, 301, &mut bytes).unwrap();
    assert_eq!(bytes, ram.bytes(20..30)[301..1801]);
    // One block is kept: four were read, and nothing of the last one again.
    let calls = ram.calls.get();
    ReadFlash::read(&mut card, 1600, &mut bytes[..20]).unwrap();
    assert_eq!(ram.calls.get(), calls);
    assert_eq!(ReadFlash::read(&mut card, u32::MAX - 20, &mut bytes), Err(Fault::OutOfRange));
}

#[test]
fn blocks_are_written_once_and_erased_ones_are_zeros() {
    let ram = Ram::new(100, 1);
    let mut card = Card::with_range(&ram, 20..30).unwrap();
    Flash::erase(&mut card, 512).unwrap();
    let mut bytes = [1; 512];
    ReadFlash::read(&mut card, 512, &mut bytes).unwrap();
    assert_eq!(bytes, [0; 512]);
    Flash::program(&mut card, 512, &[7; 512]).unwrap();
    assert_eq!(*ram.written.borrow(), [21], "one write for both");
    for page in 3..6 {
        Flash::erase(&mut card, page * 512).unwrap();
    }
    ReadFlash::read(&mut card, 0, &mut bytes).unwrap();
    assert_eq!(*ram.written.borrow(), [21, 23, 24, 25]);
    assert_eq!(ram.bytes(23..26), [0; 3 * 512]);
    assert_eq!(ram.bytes(21..22), [7; 512]);
}

/// Rows of a chunk, and bytes of a row of three numbers.
const CHUNK: u32 = 51;
const ROW: usize = 3 * 2;
const NBYTES: usize = CHUNK as usize * ROW;
type Work = Area<{ log_area_len(NBYTES, NBYTES, &[SHUFFLE], 512) }, Lz4Table<256>>;

fn template() -> Vec<u8> {
    let mut params = ArrayParams::new(&[0, 3], "<i2");
    (params.chunkshape, params.blockshape) = (Some(vec![CHUNK, 3]), Some(vec![CHUNK, 3]));
    params.cparams = CParams { codec: Codec::LZ4, ..CParams::default() };
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.commit().unwrap();
    editor.into_sink().into_bytes()
}

fn row(n: u64) -> [u8; ROW] {
    let noise = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let mut row = [0; ROW];
    row.copy_from_slice(&((n / 7) << 24 | noise & 0xFF).to_le_bytes()[..ROW]);
    row
}

fn rows(range: Range<u64>) -> Vec<u8> {
    range.flat_map(row).collect()
}

/// The rows of a frame, which are those that were logged.
fn count(frame: &[u8]) -> u64 {
    let reader = Reader::open(frame, DParams::default()).unwrap();
    let count = reader.layout().unwrap().unwrap().shape()[0];
    assert!(reader.get(Selection::all()).unwrap() == rows(0..count), "{count} rows");
    count
}

/// The rows that were confirmed to the user.
#[derive(Debug, Default, Clone, Copy)]
struct Confirmed {
    created: bool,
    rows: u64,
    committed: u64,
}

const PART: Range<u32> = 10..150;

/// Opens or creates a log, checks that nothing confirmed is missing, and goes on until the card fails or is full.
fn session(ram: &Ram, confirmed: &mut Confirmed, random: &mut Random) -> Result<(), LogError<Fault>> {
    let mut area: Work = Area::new(Lz4Table::new());
    let card = || Card::with_range(ram, PART).map_err(|_| LogError::Flash(Fault::PowerFailure));
    let mut logger = match Logger::open(card()?, area.encode_work()) {
        Err(LogError::NoLog) if !confirmed.created => {
            Logger::create(card()?, &template(), area.encode_work())?
        }
        opened => opened?,
    };
    confirmed.created = true;
    assert!(logger.rows() >= confirmed.rows, "{} rows of {confirmed:?}", logger.rows());
    let mut sent = Vec::new();
    logger.write_frame(&mut sent).map_err(|error| match error {
        CopyError::Read(error) => error,
        CopyError::Write(error) => panic!("{error:?}"),
    })?;
    assert!(count(&sent) >= confirmed.committed);
    loop {
        let start = logger.rows();
        match random.below(8) {
            0 => {
                logger.flush()?;
                confirmed.rows = start;
            }
            1 => {
                logger.commit()?;
                (confirmed.rows, confirmed.committed) = (start, start);
            }
            _ => logger.append(&rows(start..start + 1 + random.below(30)))?,
        }
    }
}

#[test]
fn nothing_confirmed_is_lost_when_the_power_of_a_card_fails() {
    lose_power(500, 8);
}

#[test]
#[ignore = "10 000 power failures: CONTRIBUTING.md has the command"]
fn nothing_confirmed_is_lost_in_ten_thousand_power_failures() {
    lose_power(10_000, 9);
}

fn lose_power(count: u32, seed: u64) {
    let mut random = Random(seed);
    let (mut failures, mut full) = (0, 0);
    while failures < count {
        let ram = Ram::new(160, 1 + random.below(1 << 40));
        let outside = [ram.bytes(0..10), ram.bytes(150..160)];
        let mut confirmed = Confirmed::default();
        loop {
            ram.left.set(1 + random.below(150));
            match session(&ram, &mut confirmed, &mut random) {
                Err(LogError::Flash(Fault::PowerFailure)) => failures += 1,
                Err(LogError::Full) => break,
                other => panic!("{other:?}"),
            }
        }
        full += 1;
        assert!(outside == [ram.bytes(0..10), ram.bytes(150..160)]);
    }
    assert!(full > count / 100, "{full}");
}

struct Clock;

impl TimeSource for Clock {
    fn get_timestamp(&self) -> Timestamp {
        Timestamp::from_calendar(2026, 1, 1, 0, 0, 0).unwrap()
    }
}

/// A stream that takes few bytes at a time, and then fails.
struct Uart {
    sent: Vec<u8>,
    most: usize,
}

impl ErrorType for Uart {
    type Error = ErrorKind;
}

impl Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let len = bytes.len().min(7).min(self.most - self.sent.len());
        self.sent.extend_from_slice(&bytes[..len]);
        if len == 0 { Err(ErrorKind::BrokenPipe) } else { Ok(len) }
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

#[test]
fn files_in_fat_are_read_and_written() {
    let ram = Ram::new(9000, 5);
    for (number, block) in fat::blocks(9000) {
        ram.blocks.borrow_mut()[number] = block;
    }
    let volumes = VolumeManager::new(&ram, Clock);
    let volume = volumes.open_volume(VolumeIdx(0)).unwrap();
    let root = volume.open_root_dir().unwrap();
    // Written by one library and read by the other: bytes before it, so that no block of the file is one of the frame.
    let mut file = root.open_file_in_dir("SAMPLE.B2N", Mode::ReadWriteCreate).unwrap();
    file.write_all(&[9; 100]).unwrap();
    let mut whole = SAMPLE;
    let mut buffer = [0; 600];
    FetchedFrame::open(&mut whole, 0..SAMPLE.len() as u32, &mut buffer).unwrap().write_to(&mut file).unwrap();
    file.close().unwrap();
    let file = root.open_file_in_dir("SAMPLE.B2N", Mode::ReadOnly).unwrap();
    let mut file = Io::new(file);
    let len = file.capacity().unwrap();
    assert_eq!(len, 100 + SAMPLE.len() as u32);
    assert!(plane(&mut file, 100..len).unwrap() == expected());
    // Behind its end there is nothing.
    let mut bytes = [0; 2];
    let read = ReadFlash::read(&mut file, len - 1, &mut bytes);
    assert!(matches!(read, Err(embedded_io::ReadExactError::UnexpectedEof)), "{read:?}");
    ram.left.set(0);
    let failed = plane(file, 100..len);
    assert!(matches!(failed, Err(ReadError::Source(embedded_io::ReadExactError::Other(_)))), "{failed:?}");
}

#[test]
fn streams_that_fail_are_told() {
    for most in [0, 1, 600, 601, SAMPLE.len() - 1, SAMPLE.len()] {
        let mut uart = Uart { sent: Vec::new(), most };
        let (mut whole, mut buffer) = (SAMPLE, [0; 600]);
        let mut frame = FetchedFrame::open(&mut whole, 0..SAMPLE.len() as u32, &mut buffer).unwrap();
        let written = frame.write_to(&mut uart);
        let expected =
            if most < SAMPLE.len() { Err(CopyError::Write(ErrorKind::BrokenPipe)) } else { Ok(()) };
        assert_eq!(written, expected);
        assert_eq!(uart.sent, SAMPLE[..most]);
    }
    let (ram, place) = with_sample();
    let mut buffer = [0; 600];
    let card = Card::with_range(&ram, 10..90).unwrap();
    let mut frame = FetchedFrame::open(card, place, &mut buffer).unwrap();
    let mut uart = Uart { sent: Vec::new(), most: usize::MAX };
    ram.failing.set(ram.calls.get() + 5);
    let told = frame.write_to(&mut uart);
    assert_eq!(told, Err(CopyError::Read(ReadError::Source(Fault::Failed))));
}

/// A log on a card, and a file of it in FAT, for tests/interop/logs.py.
#[test]
#[ignore = "cargo xtask test --only interop"]
fn cards_for_the_reference() {
    let folder = Path::new(&std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN")).join("cards");
    fs::create_dir_all(&folder).unwrap();
    let ram = Ram::new(200, 1);
    let mut area: Work = Area::new(Lz4Table::new());
    let card = Card::with_range(&ram, PART).unwrap();
    let mut logger = Logger::create(card, &template(), area.encode_work()).unwrap();
    logger.append(&rows(0..777)).unwrap();
    logger.commit().unwrap();
    let mut uart = Uart { sent: Vec::new(), most: usize::MAX };
    logger.write_frame(&mut uart).unwrap();
    logger.append(&rows(777..1000)).unwrap();
    logger.finish().unwrap();
    fs::write(folder.join("stream.b2nd"), uart.sent).unwrap();
    fs::write(folder.join("card.bin"), ram.bytes(PART)).unwrap();
    fs::write(folder.join("plain"), rows(0..1000)).unwrap();
}
