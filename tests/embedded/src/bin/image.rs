//! An image, decoded to the buffer of a display: as many lines at once as blocks are high, so that each is decoded once.

#![no_std]
#![no_main]

use b2nd::filter::SHUFFLE;
use b2nd::source::flash::{Area, FlashFrame, area_len};
use b2nd_firmware::crc::crc32;
use b2nd_firmware::{Host, done, expect};
use cortex_m_rt::entry;

static IMAGE: &[u8] = include_bytes!("../../data/image-lz4.b2nd");
const LINE: usize = 96 * 2;
const LINES: usize = 8;

#[entry]
fn main() -> ! {
    let mut host = Host::new();
    let mut area: Area<{ area_len(LINES * LINE, &[SHUFFLE], 2) }> = Area::new(());
    let mut work = area.work();
    let frame = expect(FlashFrame::open(IMAGE));
    let plan = expect(frame.plan(&[]));
    let mut display = [0; LINES * LINE];
    let mut line = 0;
    for part in plan.parts(display.len()) {
        let lines = expect(display.get_mut(..part.nbytes()).ok_or(()));
        expect(frame.read(&part, &mut work, lines));
        for bytes in lines.chunks_exact(LINE) {
            host.number(line).text(" ").hex(crc32(bytes)).end();
            line += 1;
        }
    }
    done()
}
