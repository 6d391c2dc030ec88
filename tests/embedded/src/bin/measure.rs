//! The cost of reading an image, in whichever codec: stack, and time by the clock that QEMU ties to instructions.

#![no_std]
#![no_main]

use b2nd::source::flash::{Area, AreaWork, FlashFrame, Tables, area_len};
use b2nd_firmware::{Host, clock, done, expect, stack};
use cortex_m_rt::entry;

static IMAGE: &[u8] = include_bytes!(concat!("../../data/image-", env!("IMAGE"), ".b2nd"));
const BLOCK: usize = 8 * 96 * 2;
const LEN: usize = area_len(BLOCK, &[b2nd::filter::SHUFFLE], 2);

#[cfg(feature = "zlib")]
mod zlib {
    pub type Tables = b2nd::source::flash::Zlib;
    pub const NEW: Tables = Tables::new();
}
#[cfg(not(feature = "zlib"))]
mod zlib {
    pub type Tables = ();
    pub const NEW: Tables = ();
}
#[cfg(feature = "zstd")]
mod zstd {
    pub type Tables = b2nd::source::flash::Zstd;
    pub const NEW: Tables = Tables::new();
}
#[cfg(not(feature = "zstd"))]
mod zstd {
    pub type Tables = ();
    pub const NEW: Tables = ();
}

#[entry]
fn main() -> ! {
    static mut AREA: Area<LEN, (zlib::Tables, zstd::Tables)> = Area::new((zlib::NEW, zstd::NEW));
    static mut DISPLAY: [u8; BLOCK] = [0; BLOCK];
    let ((), depth) = stack::depth(|| run(AREA, DISPLAY));
    let clock = clock::start();
    run(AREA, DISPLAY);
    let ticks = clock.ticks();
    Host::new().text("stack ").number(depth as i32).text(" ticks ").number(ticks as i32).end();
    done()
}

#[inline(never)]
fn run<const N: usize, T: Tables>(area: &mut Area<N, T>, display: &mut [u8]) {
    read(&mut area.work(), display);
}

/// All of the image, as many lines at once as blocks are high.
fn read(work: &mut AreaWork<'_>, display: &mut [u8]) {
    let frame = expect(FlashFrame::open(IMAGE));
    for part in expect(frame.plan(&[])).parts(display.len()) {
        expect(frame.read(&part, work, &mut display[..part.nbytes()]));
    }
}
