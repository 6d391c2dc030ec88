//! A table, looked up at random, and an image, both in a chip that is not mapped to memory.

#![no_std]
#![no_main]

use b2nd::filter::SHUFFLE;
use b2nd::source::Nor;
use b2nd::source::flash::{Area, Cached, FetchedFrame, area_len, fetch_len};
use b2nd_firmware::crc::crc32;
use b2nd_firmware::storage::Rom;
use b2nd_firmware::{Host, done, expect};
use cortex_m_rt::entry;

static TABLE: &[u8] = include_bytes!("../../data/table.b2nd");
static IMAGE: &[u8] = include_bytes!("../../data/image-lz4.b2nd");
const LINE: usize = 96 * 2;
const LINES: usize = 8;

#[entry]
fn main() -> ! {
    let mut host = Host::new();
    look_up(&mut host);
    show(&mut host);
    done()
}

/// Looks items up, as `table` does.
#[inline(never)]
fn look_up(host: &mut Host) {
    let mut area: Area<{ area_len(512, &[SHUFFLE], 2) }> = Area::new(());
    let mut work = area.work();
    let mut buffer = [0; fetch_len(512, &[SHUFFLE], 2, 8, 2)];
    let memory: Cached<_, 2, 128> = Cached::new(Nor::new(Rom(TABLE)));
    let mut frame = expect(FetchedFrame::open(memory, 0..TABLE.len() as u32, &mut buffer));
    let mut state = 1u32;
    for _ in 0..16 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let at = state >> 21;
        let mut item = [0; 2];
        expect(frame.item(&[at.into()], &mut work, &mut item));
        host.number(at as i32).text(" ").number(i16::from_le_bytes(item).into()).end();
    }
}

/// Reads selections, as `image` does.
#[inline(never)]
fn show(host: &mut Host) {
    let mut area: Area<{ area_len(LINES * LINE, &[SHUFFLE], 2) }> = Area::new(());
    let mut work = area.work();
    let mut buffer = [0; fetch_len(LINES * LINE, &[SHUFFLE], 2, 8, 2)];
    let memory = Nor::new(Rom(IMAGE));
    let mut frame = expect(FetchedFrame::open(memory, 0..IMAGE.len() as u32, &mut buffer));
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
}
