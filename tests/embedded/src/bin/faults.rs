//! Errors and headers, logged with defmt. What it writes takes the program's symbols to decode; here only the frames are counted.

#![no_std]
#![no_main]

use b2nd::codec::Registry;
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::LogError;
use b2nd::source::flash::{Area, AreaWork, FetchedFrame, FlashFrame, area_len};
use b2nd_firmware::{Host, done, expect, fail};
use core::sync::atomic::{AtomicU32, Ordering};
use cortex_m_rt::entry;

static IMAGE: &[u8] = include_bytes!("../../data/image-lz4.b2nd");
/// Frames that were begun, frames that were ended, and bytes of them.
static BEGUN: AtomicU32 = AtomicU32::new(0);
static ENDED: AtomicU32 = AtomicU32::new(0);
static BYTES: AtomicU32 = AtomicU32::new(0);

/// The processors have no atomic addition, and there is one thread.
fn add(counter: &AtomicU32, number: usize) {
    counter.store(counter.load(Ordering::Relaxed) + number as u32, Ordering::Relaxed);
}

/// Counts what is logged.
#[defmt::global_logger]
struct Counter;

// SAFETY: there is one thread, and no interrupt that logs.
unsafe impl defmt::Logger for Counter {
    fn acquire() {
        add(&BEGUN, 1);
    }

    unsafe fn flush() {}

    unsafe fn release() {
        add(&ENDED, 1);
    }

    unsafe fn write(bytes: &[u8]) {
        add(&BYTES, bytes.len());
    }
}

#[entry]
fn main() -> ! {
    log();
    let [begun, ended, bytes] = [&BEGUN, &ENDED, &BYTES].map(|counter| counter.load(Ordering::Relaxed));
    // Each has a number for its text, and at least one for the kind of the error.
    if begun != ended || bytes < 4 * ended {
        fail();
    }
    Host::new().number(ended as i32).text(" logged").end();
    done()
}

#[inline(never)]
fn log() {
    let frame = expect(FlashFrame::open(IMAGE));
    let mut area: Area<{ area_len(8 * 96 * 2, &[SHUFFLE], 2) }> = Area::new(());
    let mut work = area.work();
    let (mut item, mut buffer, mut tables) = ([0; 2], [0; 100], ());
    defmt::error!("{}", expect(frame.header()));
    defmt::error!("{}", expect(frame.chunk(0, &mut work)).header());
    defmt::error!("{}", frame.locate(0, &mut work));
    defmt::error!("{}", FlashFrame::open(&IMAGE[..300]).map(drop));
    defmt::error!("{}", frame.item(&[1, 96], &mut work, &mut item));
    let mut none = AreaWork::new(&mut [], &mut tables, Registry::new());
    defmt::error!("{}", frame.item(&[1, 9], &mut none, &mut item));
    let fetched = FetchedFrame::open(IMAGE, 0..IMAGE.len() as u32, &mut buffer);
    defmt::error!("{}", fetched.map(drop));
    defmt::error!("{}", LogError::<u8>::Flash(7));
}
