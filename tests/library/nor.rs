//! Drivers with the traits of `embedded-storage`: what they have is read, and logged to, whatever their words and pages are,
//! and when their power fails.
#![cfg(all(
    feature = "embedded-storage-async",
    feature = "lz4",
    feature = "write",
    feature = "zlib",
    feature = "zstd"
))]

use crate::random::Random;
use b2nd::array::ArrayParams;
use b2nd::chunk::{Area, AreaWork, CParams, EncodeWork};
use b2nd::codec::{Codec, Lz4Table, Registry, Zlib, Zstd};
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{Flash, LogError, Logger, log_area_len};
use b2nd::sink::{Editor, Memory};
use b2nd::source::flash::{AsyncFrame, AsyncReadFlash, Cached, FetchedFrame, ReadFlash, area_len, fetch_len};
use b2nd::source::{AsyncNor, Nor, ReadError};
use b2nd::{DParams, ErrorKind, Index, Reader, Selection};
use core::ops::Range;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use embedded_storage_async::nor_flash::ReadNorFlash as AsyncReadNorFlash;

/// A chip that does what the traits allow and no more. It refuses parts of words, words that were written before, and addresses in
/// RAM that DMA does not reach.
struct Chip<const READ: usize, const WRITE: usize, const ERASE: usize> {
    bytes: Vec<u8>,
    /// Words that were written, maybe only in part.
    written: Vec<bool>,
    /// Words to write, and pages to erase, until the power fails.
    left: u64,
    reads: usize,
    /// The read that fails.
    failing: usize,
    random: Random,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Call(NorFlashErrorKind),
    /// A word that was written before.
    Written,
    /// An address in RAM.
    Address,
    PowerFailure,
}

impl NorFlashError for Fault {
    fn kind(&self) -> NorFlashErrorKind {
        match *self {
            Self::Call(kind) => kind,
            _ => NorFlashErrorKind::Other,
        }
    }
}

impl From<NorFlashErrorKind> for Fault {
    fn from(kind: NorFlashErrorKind) -> Self {
        Self::Call(kind)
    }
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> Chip<READ, WRITE, ERASE> {
    /// A chip with what another program has left.
    fn new(pages: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let bytes = (0..pages * ERASE).map(|_| random.below(256) as u8).collect();
        let written = vec![true; pages * ERASE / WRITE];
        Self { bytes, written, left: u64::MAX, reads: 0, failing: usize::MAX, random }
    }

    /// A chip with a file, at the start of its second page.
    fn with_file(file: &[u8]) -> Self {
        let mut chip = Self::new(file.len().div_ceil(ERASE) + 2, 3);
        chip.bytes[ERASE..ERASE + file.len()].copy_from_slice(file);
        chip
    }

    /// Whether the power fails in this step.
    fn fails(&mut self) -> Result<bool, Fault> {
        if self.left == 0 {
            return Err(Fault::PowerFailure);
        }
        self.left -= 1;
        Ok(self.left == 0)
    }
}

/// Checks addresses as drivers of QSPI do, by DMA's rules.
fn check_address(bytes: &[u8], word: usize) -> Result<(), Fault> {
    let aligned = word == 1 || bytes.as_ptr().align_offset(4) == 0;
    if aligned { Ok(()) } else { Err(Fault::Address) }
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> ErrorType for Chip<READ, WRITE, ERASE> {
    type Error = Fault;
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> ReadNorFlash for Chip<READ, WRITE, ERASE> {
    const READ_SIZE: usize = READ;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        check_read(self, offset, bytes.len())?;
        check_address(bytes, READ)?;
        self.reads += 1;
        bytes.copy_from_slice(&self.bytes[offset as usize..][..bytes.len()]);
        if self.left == 0 || self.reads == self.failing { Err(Fault::PowerFailure) } else { Ok(()) }
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> NorFlash for Chip<READ, WRITE, ERASE> {
    const WRITE_SIZE: usize = WRITE;
    const ERASE_SIZE: usize = ERASE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Fault> {
        check_erase(self, from, to)?;
        for page in (from as usize..to as usize).step_by(ERASE) {
            let fails = self.fails()?;
            self.bytes[page..page + ERASE].fill(0xFF);
            self.written[page / WRITE..(page + ERASE) / WRITE].fill(fails);
            if fails {
                // The page is undefined.
                self.bytes[page..page + ERASE].fill_with(|| self.random.below(256) as u8);
                return Err(Fault::PowerFailure);
            }
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Fault> {
        check_write(self, offset, bytes.len())?;
        check_address(bytes, WRITE)?;
        for (word, from) in (offset as usize / WRITE..).zip(bytes.chunks(WRITE)) {
            let fails = self.fails()?;
            if core::mem::replace(&mut self.written[word], true) {
                return Err(Fault::Written);
            }
            let to = &mut self.bytes[word * WRITE..][..WRITE];
            assert!(to.iter().all(|byte| *byte == 0xFF), "the word is erased");
            to.copy_from_slice(from);
            if fails {
                // The words are undefined.
                to.fill_with(|| self.random.below(256) as u8);
                return Err(Fault::PowerFailure);
            }
        }
        Ok(())
    }
}

/// A chip behind a driver that waits for an interrupt.
struct Dma<'c, const READ: usize>(&'c mut Chip<READ, 64, 1024>);

impl<const READ: usize> ErrorType for Dma<'_, READ> {
    type Error = Fault;
}

impl<const READ: usize> AsyncReadNorFlash for Dma<'_, READ> {
    const READ_SIZE: usize = READ;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        tokio::task::yield_now().await;
        self.0.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.bytes.len()
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Any bytes, to any address.
fn read_anything<const READ: usize>() {
    let chip: Chip<READ, 64, 1024> = Chip::new(4, 5);
    let expected = chip.bytes[1024..3072].to_vec();
    let mut part = Nor::with_range(chip, 1024..3072).unwrap();
    let (mut random, mut buffer) = (Random(READ as u64), [0; 2100]);
    let mut other: Chip<READ, 64, 1024> = Chip::new(4, 5);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut count = 0;
    for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
        let start = random.index(2049);
        let len = random.index(2049 - start).min(random.pick(&[1, 5, 70, 2048]));
        let dst = &mut buffer[random.index(8)..][..len];
        part.read(start as u32, dst).unwrap();
        assert!(*dst == expected[start..start + len], "{len} bytes from {start}");
        dst.fill(0);
        let mut asynchronous = AsyncNor::with_range(Dma(&mut other), 1024..3072).unwrap();
        runtime.block_on(asynchronous.read(start as u32, dst)).unwrap();
        assert!(*dst == expected[start..start + len], "{len} bytes from {start}, asynchronously");
        count += 1;
    }
    let end = part.read(2048, &mut [0; 1025]);
    assert_eq!(end, Err(Fault::Call(NorFlashErrorKind::OutOfBounds)));
    let reads = part.into_inner().reads;
    // All of the whole words at once, and those at both ends.
    assert!(reads <= 3 * count, "{reads} reads for {count}");
    // Words before the end were read for the bytes behind it.
    assert_eq!(reads, other.reads + usize::from(READ > 1));
    assert!(READ > 1 || reads <= count, "{reads} reads of bytes for {count}");
}

#[test]
fn any_bytes_are_read_whatever_the_words() {
    read_anything::<1>();
    read_anything::<2>();
    read_anything::<4>();
    read_anything::<8>();
    read_anything::<32>();
    read_anything::<64>();
}

#[test]
fn parts_are_in_the_memory() {
    let chip = || Chip::<1, 4, 512>::new(4, 1);
    for (range, is_there) in
        [(0..2048, true), (512..512, true), (0..2049, false), (Range { start: 9, end: 8 }, false)]
    {
        let part = Nor::with_range(chip(), range.clone());
        assert_eq!(
            part.as_ref().ok().map(Nor::capacity),
            is_there.then(|| range.end - range.start),
            "{range:?}"
        );
        let error = part.err().map(|error| matches!(error.kind(), ErrorKind::Argument(_)));
        assert_eq!(error, (!is_there).then_some(true), "{range:?}");
    }
    // Neither the pages of a log nor its bytes are those of the chip.
    let part = Nor::with_range(chip(), 100..1636).unwrap();
    let mut area = [0; 1000];
    let mut table = Lz4Table::<64>::new();
    let opened = Logger::open(part, EncodeWork::new(&mut area, &mut table)).map(drop);
    assert_eq!(opened, Err(LogError::NoLog));
    let mut part = Nor::with_range(chip(), 100..1636).unwrap();
    assert_eq!(part.erase(0), Err(Fault::Call(NorFlashErrorKind::NotAligned)));
}

/// Rows of a chunk, and bytes of a row of three numbers.
const CHUNK: u32 = 51;
const ROW: usize = 3 * 2;
const NBYTES: usize = CHUNK as usize * ROW;

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

/// The rows that were confirmed to the user.
#[derive(Debug, Default, Clone, Copy)]
struct Confirmed {
    created: bool,
    rows: u64,
    /// Rows of the newest frame, and where it is in the partition.
    frame: (u64, u32),
}

/// Logs until the power fails or there is no room.
fn log<F: NorFlash<Error = Fault>>(
    logger: &mut Logger<'_, Nor<F>>,
    random: &mut Random,
    confirmed: &mut Confirmed,
) -> LogError<Fault> {
    loop {
        let operation = random.below(8);
        let start = logger.rows();
        let result = match operation {
            0 => logger.flush(),
            1 => logger.commit(),
            _ => logger.append(&rows(start..start + 1 + random.below(30))),
        };
        match result {
            Err(error) => return error,
            Ok(()) if operation < 2 => confirmed.rows = start,
            Ok(()) => {}
        }
        if operation == 1 {
            confirmed.frame = (start, logger.frame());
        }
    }
}

/// A log in all pages of a chip but the first and the last.
struct Log<const READ: usize, const WRITE: usize, const ERASE: usize> {
    chip: Chip<READ, WRITE, ERASE>,
    part: Range<u32>,
    confirmed: Confirmed,
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> Log<READ, WRITE, ERASE> {
    fn new(pages: usize, seed: u64) -> Self {
        let part = ERASE as u32..(pages * ERASE - ERASE) as u32;
        Self { chip: Chip::new(pages, seed), part, confirmed: Confirmed::default() }
    }

    fn part(&mut self) -> Nor<&mut Chip<READ, WRITE, ERASE>> {
        Nor::with_range(&mut self.chip, self.part.clone()).unwrap()
    }

    /// Opens or creates the log, and goes on.
    fn session(&mut self, template: &[u8]) -> LogError<Fault> {
        let mut area: Area<{ log_area_len(NBYTES, NBYTES, &[SHUFFLE], 512) }, Lz4Table<256>> =
            Area::new(Lz4Table::new());
        let mut confirmed = self.confirmed;
        let mut random = Random(self.chip.random.below(1 << 40) + 1);
        let opened = match Logger::open(self.part(), area.encode_work()) {
            Err(LogError::NoLog) if !confirmed.created => {
                Logger::create(self.part(), template, area.encode_work())
            }
            opened => opened,
        };
        let mut logger = match opened {
            Ok(logger) => logger,
            Err(error) => return error,
        };
        assert!(logger.rows() >= confirmed.rows, "{} rows of {confirmed:?}", logger.rows());
        confirmed.created = true;
        let error = log(&mut logger, &mut random, &mut confirmed);
        drop(logger);
        self.confirmed = confirmed;
        error
    }

    /// The frame of the newest commit, with an allocator.
    fn check(&mut self) {
        let (count, frame) = self.confirmed.frame;
        let place = self.part.start + frame..self.part.end;
        if count > 0 {
            let part = Nor::with_range(&mut self.chip, place).unwrap();
            let read = Reader::open(part, DParams::default()).unwrap().get(Selection::all()).unwrap();
            assert!(read == rows(0..count), "{count} rows");
        }
    }

    /// Items and rows of it, without an allocator.
    fn check_fetched(&mut self) {
        let ((count, frame), end) = (self.confirmed.frame, self.part.end - self.part.start);
        if count == 0 {
            return;
        }
        let mut buffer = [0; fetch_len(NBYTES, &[SHUFFLE], 2, 1, 500)];
        let mut area: Area<{ area_len(NBYTES, &[SHUFFLE], 500) }> = Area::new(());
        let mut work = area.work();
        let mut fetched = FetchedFrame::open(self.part(), frame..end, &mut buffer).unwrap();
        assert_eq!(fetched.layout().unwrap().shape(), [count, 3]);
        for at in [0, count / 2, count - 1] {
            let plan = fetched.plan(&[Index::At(at as i64)]).unwrap();
            let (mut read, mut item) = ([0; ROW], [0; 2]);
            fetched.read(&plan, &mut work, &mut read).unwrap();
            assert_eq!(read, row(at));
            fetched.item(&[at, 2], &mut work, &mut item).unwrap();
            assert_eq!(item, read[4..]);
        }
    }
}

fn log_with_failures<const READ: usize, const WRITE: usize, const ERASE: usize>(seed: u64) {
    let (template, mut random) = (template(), Random(seed));
    let (mut failures, mut full, mut most) = (0, 0, 0);
    while failures < 40 || full < 2 {
        let pages = (8192 / ERASE).max(6) + 12 + random.index(20);
        let mut log = Log::<READ, WRITE, ERASE>::new(pages, random.below(1 << 40) + 1);
        let outside = log.chip.bytes.clone();
        loop {
            log.chip.left = 1 + random.below(3000);
            let error = log.session(&template);
            // The power is on again.
            log.chip.left = u64::MAX;
            log.check();
            log.check_fetched();
            match error {
                LogError::Flash(Fault::PowerFailure) => failures += 1,
                LogError::Full => break,
                error => panic!("{error:?}"),
            }
        }
        full += 1;
        most = most.max(log.confirmed.frame.0);
        let (start, end) = (log.part.start as usize, log.part.end as usize);
        assert!(log.chip.bytes[..start] == outside[..start] && log.chip.bytes[end..] == outside[end..]);
    }
    assert!(most > 200, "{most} rows");
}

#[test]
fn nothing_confirmed_is_lost_when_the_power_fails() {
    log_with_failures::<1, 1, 4096>(1);
    log_with_failures::<1, 4, 4096>(2);
    log_with_failures::<4, 4, 4096>(3);
    log_with_failures::<1, 8, 2048>(4);
    log_with_failures::<4, 32, 1024>(5);
    log_with_failures::<16, 256, 512>(6);
}

/// An array of 12 × 30 × 40 numbers that python-blosc2 wrote.
const SAMPLE: &[u8] = include_bytes!("../golden/blosc2-4.14.1/sample.b2nd");
/// Bytes of its blocks.
const BLOCK: usize = 15_360;

/// An item, and the rows of a plane.
fn items<M: ReadFlash>(memory: M, place: Range<u32>) -> Result<Vec<u8>, ReadError<M::Error>> {
    let mut buffer = vec![0; fetch_len(BLOCK, &[SHUFFLE], 4, 4, 16)];
    let mut area = vec![0; area_len(BLOCK, &[SHUFFLE], 16)];
    let mut tables = (Zlib::new(), Zstd::new());
    let mut work = AreaWork::new(&mut area, &mut tables, Registry::new());
    let mut frame = FetchedFrame::open(memory, place, &mut buffer)?;
    assert_eq!(frame.dtype()?, Some("<f4"));
    let plan = frame.plan(&[Index::At(3)])?;
    let mut items = vec![0; 4 + plan.nbytes()];
    frame.item(&[3, 20, 7], &mut work, &mut items[..4])?;
    for (part, row) in plan.parts(160).zip(items[4..].chunks_mut(160)) {
        frame.read(&part, &mut work, row)?;
    }
    Ok(items)
}

#[test]
fn each_read_that_fails_is_told() {
    let reader = Reader::open(SAMPLE, DParams::default()).unwrap();
    let plane = reader.get("3".parse::<Selection>().unwrap()).unwrap();
    let expected = [&plane[(20 * 40 + 7) * 4..][..4], &plane].concat();
    let mut chip = Chip::<4, 4, 512>::with_file(SAMPLE);
    let place = 512..512 + SAMPLE.len() as u32;
    assert!(items(Nor::new(&mut chip), place.clone()).unwrap() == expected);
    let reads = chip.reads;
    for failing in 1..=reads {
        (chip.reads, chip.failing) = (0, failing);
        assert_eq!(items(Nor::new(&mut chip), place.clone()), Err(ReadError::Source(Fault::PowerFailure)));
        assert_eq!(chip.reads, failing);
    }
    (chip.reads, chip.failing) = (0, 1);
    let opened = Reader::open(Nor::new(&mut chip), DParams::default()).map(drop);
    assert_eq!(opened, Err(ReadError::Source(Fault::PowerFailure)));
}

/// Reads as `items` does, asynchronously.
async fn items_asynchronously(
    memory: AsyncNor<Dma<'_, 4>>,
    place: Range<u32>,
) -> Result<Vec<u8>, ReadError<Fault>> {
    let mut buffer = vec![0; fetch_len(BLOCK, &[SHUFFLE], 4, 4, 16)];
    let mut area = vec![0; area_len(BLOCK, &[SHUFFLE], 16)];
    let mut tables = (Zlib::new(), Zstd::new());
    let mut work = AreaWork::new(&mut area, &mut tables, Registry::new());
    let mut frame = AsyncFrame::open(memory, place, &mut buffer).await?;
    assert_eq!(frame.dtype().await?, Some("<f4"));
    let plan = frame.plan(&[Index::At(3)])?;
    let mut items = vec![0; 4 + plan.nbytes()];
    frame.item(&[3, 20, 7], &mut work, &mut items[..4]).await?;
    for (part, row) in plan.parts(160).zip(items[4..].chunks_mut(160)) {
        frame.read(&part, &mut work, row).await?;
    }
    Ok(items)
}

#[test]
fn asynchronous_drivers_read_the_same_and_fail_alike() {
    let mut chip = Chip::<4, 64, 1024>::with_file(SAMPLE);
    let place = 1024..1024 + SAMPLE.len() as u32;
    let expected = items(Nor::new(&mut chip), place.clone()).unwrap();
    let reads = core::mem::take(&mut chip.reads);
    let read =
        |chip: &mut Chip<4, 64, 1024>| wait(items_asynchronously(AsyncNor::new(Dma(chip)), place.clone()));
    assert!(read(&mut chip).unwrap() == expected);
    assert_eq!(chip.reads, reads);
    for failing in 1..=reads {
        (chip.reads, chip.failing) = (0, failing);
        assert_eq!(read(&mut chip), Err(ReadError::Source(Fault::PowerFailure)));
        assert_eq!(chip.reads, failing);
    }
}

#[test]
fn pages_that_are_kept_are_not_read_again() {
    let mut chip = Chip::<1, 4, 512>::with_file(SAMPLE);
    let place = 512..512 + SAMPLE.len() as u32;
    let expected = items(Nor::new(&mut chip), place.clone()).unwrap();
    let all = core::mem::take(&mut chip.reads);
    let memory: Cached<_, 4, 256> = Cached::new(Nor::new(&mut chip));
    assert!(items(memory, place.clone()).unwrap() == expected);
    let few = core::mem::take(&mut chip.reads);
    // An item is in one block, each of 30 rows in two. They are longer than pages, and so read each time. All else is in a few pages:
    // the header, whose start is read first, and for each call the head of the index, the index, and the head of the chunk.
    let blocks = 1 + 30 * 2;
    assert_eq!(all, 2 * 2 + 31 * 3 + blocks);
    assert!(few < blocks + 10, "{few} reads of {blocks} blocks");
    // A page that could not be read is not kept.
    chip.failing = 2;
    let mut memory: Cached<_, 1, 256> = Cached::new(Nor::new(&mut chip));
    let mut bytes = [0; 8];
    assert_eq!(memory.read(512, &mut bytes), Ok(()));
    assert_eq!(memory.read(1024, &mut bytes), Err(Fault::PowerFailure));
    assert_eq!(memory.read(512, &mut bytes), Ok(()));
    assert_eq!(bytes, SAMPLE[..8]);
    assert_eq!(chip.reads, 3);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut chip = Chip::<1, 4, 512>::with_file(SAMPLE);
    let place = 512..512 + SAMPLE.len() as u32;
    let kind = |chip: &mut Chip<1, 4, 512>, place: Range<u32>, len: usize| match FetchedFrame::open(
        Nor::new(chip),
        place,
        &mut vec![0; len],
    )
    .map(drop)
    {
        Err(ReadError::Blosc(error)) => Some(error.kind()),
        opened => opened.map(|()| None).unwrap(),
    };
    assert_eq!(kind(&mut chip, place.clone(), 512), None);
    for len in [0, 31, 100] {
        let kind = kind(&mut chip, place.clone(), len);
        assert!(matches!(kind, Some(ErrorKind::Limit(limit)) if limit.wanted > limit.allowed), "{kind:?}");
    }
    for end in [512, 530, 700, place.end - 1] {
        let kind = kind(&mut chip, 512..end, 512);
        assert!(matches!(kind, Some(ErrorKind::Format(_))), "{kind:?}");
    }
}
