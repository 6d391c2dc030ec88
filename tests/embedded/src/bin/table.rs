//! A table in flash, looked up at random.

#![no_std]
#![no_main]

use b2nd::filter::SHUFFLE;
use b2nd::source::flash::{Area, FlashFrame, area_len};
use b2nd_firmware::{Host, done, expect};
use cortex_m_rt::entry;

static TABLE: &[u8] = include_bytes!("../../data/table.b2nd");

#[entry]
fn main() -> ! {
    let mut host = Host::new();
    let mut area: Area<{ area_len(512, &[SHUFFLE], 2) }> = Area::new(());
    let mut work = area.work();
    let frame = expect(FlashFrame::open(TABLE));
    let mut state = 1u32;
    for _ in 0..16 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let at = state >> 21;
        let mut item = [0; 2];
        expect(frame.item(&[at.into()], &mut work, &mut item));
        host.number(at as i32).text(" ").number(i16::from_le_bytes(item).into()).end();
    }
    done()
}
