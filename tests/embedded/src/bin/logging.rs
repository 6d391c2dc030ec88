//! The cost of logging an image, in LZ4 or BloscLZ: stack, time by the clock that QEMU ties to instructions, and the length of
//! the chunks.

#![no_std]
#![no_main]

use b2nd::chunk::{Area, EncodeWork};
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{Logger, log_area_len};
use b2nd_firmware::flash::{Chip, UNIT};
use b2nd_firmware::{Host, clock, done, expect, stack};
use cortex_m_rt::entry;

static TEMPLATE: &[u8] = include_bytes!(concat!("../../data/log-", env!("IMAGE"), ".b2nd"));
const LINE: usize = 96 * 2;
const LINES: usize = 64;
/// One block a chunk.
const CHUNK: usize = 8 * LINE;
const AREA: usize = log_area_len(CHUNK, CHUNK, &[SHUFFLE], UNIT);
const FLASH: usize = 32 << 10;

#[cfg(blosclz)]
type Table = b2nd::codec::BloscLzTable<1024>;
#[cfg(not(blosclz))]
type Table = b2nd::codec::Lz4Table<1024>;

#[entry]
fn main() -> ! {
    static mut FLASH_MEMORY: Chip<FLASH> = Chip::new();
    static mut WORK: Area<AREA, Table> = Area::new(Table::new());
    static mut IMAGE: [u8; LINES * LINE] = [0; LINES * LINE];
    paint(IMAGE);
    let ((), depth) = stack::depth(|| log(FLASH_MEMORY, WORK.encode_work(), IMAGE));
    let clock = clock::start();
    log(FLASH_MEMORY, WORK.encode_work(), IMAGE);
    let ticks = clock.ticks();
    Host::new().text("stack ").number(depth as i32).text(" ticks ").number(ticks as i32).end();
    done()
}

/// The image that the reading programs read.
fn paint(image: &mut [u8]) {
    for (at, item) in image.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let (y, x) = (at as i32 / 96, at as i32 % 96);
        let disc = (x - 48) * (x - 48) + (y - 32) * (y - 32) < 600;
        let blue = if disc { 31 } else { y / 3 };
        *item = (((x / 3) << 11 | ((x + y) * 63 / 158) << 5 | blue) as u16).to_le_bytes();
    }
}

#[inline(never)]
fn log(flash: &mut Chip<FLASH>, work: EncodeWork<'_>, image: &[u8]) {
    let mut logger = expect(Logger::create(flash, TEMPLATE, work));
    for line in image.chunks_exact(LINE) {
        expect(logger.append(line));
    }
    expect(logger.commit());
}
