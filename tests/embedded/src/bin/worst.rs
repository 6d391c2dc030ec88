//! The most that single calls cost: stack, and time by the clock that QEMU ties to instructions. An image is logged line by line, as
//! `logging` does, and items of it are looked up, as `measure` does not.

#![no_std]
#![no_main]

use b2nd::chunk::EncodeWork;
use b2nd::codec::{Lz4Table, Registry};
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{Logger, log_area_len};
use b2nd::source::flash::{AreaWork, FetchedFrame, FlashFrame, area_len, fetch_len};
use b2nd_firmware::clock::{self, Clock};
use b2nd_firmware::flash::{Chip, UNIT};
use b2nd_firmware::{Host, done, expect, fail, stack};
use cortex_m_rt::entry;

static IMAGE: &[u8] = include_bytes!("../../data/image-lz4.b2nd");
static TEMPLATE: &[u8] = include_bytes!("../../data/log-lz4.b2nd");
const WIDTH: usize = 96;
const HEIGHT: usize = 64;
const LINE: usize = WIDTH * 2;
const BLOCK: usize = 8 * LINE;
const FLASH: usize = 32 << 10;

/// Memory to encode with, or to fetch and decode with.
const ENCODING: usize = log_area_len(BLOCK, BLOCK, &[SHUFFLE], UNIT);
const DECODING: usize = area_len(BLOCK, &[SHUFFLE], 8);
const FETCHED: usize = fetch_len(BLOCK, &[SHUFFLE], 2, 8, 8);
const BYTES: usize = if ENCODING > DECODING + FETCHED { ENCODING } else { DECODING + FETCHED };

struct Work {
    bytes: [u8; BYTES],
    table: Lz4Table<1024>,
}

impl Work {
    fn encode_work(&mut self) -> EncodeWork<'_> {
        EncodeWork::new(&mut self.bytes, &mut self.table)
    }
}

/// Calls of one kind.
struct Calls<'a> {
    clock: &'a Clock,
    name: &'static str,
    stack: usize,
    ticks: u32,
}

impl<'a> Calls<'a> {
    fn new(clock: &'a Clock, name: &'static str) -> Self {
        Self { clock, name, stack: 0, ticks: 0 }
    }

    /// Measures a call.
    #[inline(never)]
    fn call<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let clock = self.clock;
        let ((result, ticks), depth) = stack::depth(|| {
            let start = clock.ticks();
            let result = run();
            (result, clock.since(start))
        });
        self.stack = self.stack.max(depth);
        self.ticks = self.ticks.max(ticks);
        result
    }

    fn print(&self, host: &mut Host) {
        host.text(self.name).text(" stack ").number(self.stack as i32);
        host.text(" ticks ").number(self.ticks as i32).end();
    }
}

/// Every fifth item, so that all columns and blocks are among them.
fn positions() -> impl Iterator<Item = [u64; 2]> {
    (0..WIDTH * HEIGHT).step_by(5).map(|at| [(at / WIDTH) as u64, (at % WIDTH) as u64])
}

#[entry]
fn main() -> ! {
    static mut CHIP: Chip<FLASH> = Chip::new();
    static mut WORK: Work = Work { bytes: [0; BYTES], table: Lz4Table::new() };
    static mut PIXELS: [u8; HEIGHT * LINE] = [0; HEIGHT * LINE];
    let (clock, mut host) = (clock::start(), Host::new());
    mapped(&clock, &mut host, &mut WORK.bytes, PIXELS);
    let frame = log(&clock, &mut host, CHIP, WORK, PIXELS);
    fetched(&clock, &mut host, CHIP, frame, WORK);
    done()
}

/// Reads the image, which is in flash, to `pixels`.
#[inline(never)]
fn mapped(clock: &Clock, host: &mut Host, area: &mut [u8], pixels: &mut [u8]) {
    let tables = &mut ();
    let mut work = AreaWork::new(&mut area[..DECODING], tables, Registry::new());
    let [mut opens, mut reads, mut items] =
        ["FlashFrame::open", "FlashFrame::read", "FlashFrame::item"].map(|name| Calls::new(clock, name));
    let frame = opens.call(|| expect(FlashFrame::open(IMAGE)));
    let plan = expect(frame.plan(&[]));
    for (part, lines) in plan.parts(BLOCK).zip(pixels.chunks_mut(BLOCK)) {
        reads.call(|| expect(frame.read(&part, &mut work, lines)));
    }
    for at in positions() {
        let mut item = [0; 2];
        items.call(|| expect(frame.item(&at, &mut work, &mut item)));
    }
    [opens, reads, items].iter().for_each(|calls| calls.print(host));
}

/// Logs the lines of the image, opening the log again and again. Returns where the frame is.
#[inline(never)]
fn log(clock: &Clock, host: &mut Host, chip: &mut Chip<FLASH>, work: &mut Work, pixels: &[u8]) -> u32 {
    let names = [
        "Logger::create",
        "Logger::open",
        "Logger::append",
        "Logger::flush",
        "Logger::commit",
        "Logger::finish",
    ];
    let [mut creates, mut opens, mut appends, mut flushes, mut commits, mut finishes] =
        names.map(|name| Calls::new(clock, name));
    drop(creates.call(|| expect(Logger::create(&mut *chip, TEMPLATE, work.encode_work()))));
    for (part, lines) in pixels.chunks(20 * LINE).enumerate() {
        let mut logger = opens.call(|| expect(Logger::open(&mut *chip, work.encode_work())));
        for line in lines.chunks(LINE) {
            appends.call(|| expect(logger.append(line)));
            flushes.call(|| expect(logger.flush()));
        }
        if part == 1 {
            commits.call(|| expect(logger.commit()));
        }
    }
    let mut logger = expect(Logger::open(&mut *chip, work.encode_work()));
    finishes.call(|| expect(logger.finish()));
    [creates, opens, appends, flushes, commits, finishes].iter().for_each(|calls| calls.print(host));
    logger.frame()
}

/// Reads the log by copying.
#[inline(never)]
fn fetched(clock: &Clock, host: &mut Host, chip: &mut Chip<FLASH>, start: u32, work: &mut Work) {
    let (area, rest) = work.bytes.split_at_mut(DECODING);
    let tables = &mut ();
    let mut work = AreaWork::new(area, tables, Registry::new());
    let [mut opens, mut reads, mut items] =
        ["FetchedFrame::open", "FetchedFrame::read", "FetchedFrame::item"]
            .map(|name| Calls::new(clock, name));
    let place = start..FLASH as u32;
    let mut frame = opens.call(|| expect(FetchedFrame::open(chip, place, &mut rest[..FETCHED])));
    if frame.layout().is_none_or(|array| array.shape() != [HEIGHT as u64, WIDTH as u64]) {
        fail();
    }
    let plan = expect(frame.plan(&[]));
    for part in plan.parts(BLOCK) {
        let mut lines = [0; BLOCK];
        reads.call(|| expect(frame.read(&part, &mut work, &mut lines)));
    }
    for at in positions() {
        let mut item = [0; 2];
        items.call(|| expect(frame.item(&at, &mut work, &mut item)));
    }
    [opens, reads, items].iter().for_each(|calls| calls.print(host));
}
