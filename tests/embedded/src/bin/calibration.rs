//! A calibration of three dimensions, sliced; a metalayer says its unit.

#![no_std]
#![no_main]

use b2nd::Index::{self, At};
use b2nd::filter::SHUFFLE;
use b2nd::source::flash::{Area, FlashFrame, area_len};
use b2nd_firmware::crc::crc32;
use b2nd_firmware::{Host, done, expect, fail};
use cortex_m_rt::entry;

static CALIBRATION: &[u8] = include_bytes!("../../data/calibration.b2nd");

const fn range(start: Option<i64>, stop: Option<i64>, step: i64) -> Index {
    Index::Range { start, stop, step }
}

static SLICES: [&[Index]; 5] = [
    &[At(2)],
    &[Index::ALL, At(5), range(None, None, 3)],
    &[range(None, None, -2), range(Some(4), Some(12), 1), At(-1)],
    &[At(5), At(15), range(Some(19), None, 1)],
    &[range(Some(1), Some(5), 1), range(None, None, 5), range(None, None, 5)],
];

#[entry]
fn main() -> ! {
    let mut host = Host::new();
    let mut area: Area<{ area_len(320, &[SHUFFLE], 2) }> = Area::new(());
    let mut work = area.work();
    let frame = expect(FlashFrame::open(CALIBRATION));
    // MessagePack: two or three bytes in front of the text.
    let unit = match frame.metalayer("unit") {
        Ok(Some([.., a, b])) => [*a, *b],
        _ => fail(),
    };
    host.text("unit ").text(expect(core::str::from_utf8(&unit))).end();
    let mut result = [0; 16 * 20 * 4];
    for slice in SLICES {
        let plan = expect(frame.plan(slice));
        let items = expect(result.get_mut(..plan.nbytes()).ok_or(()));
        expect(frame.read(&plan, &mut work, items));
        host.number(items.len() as i32).text(" ").hex(crc32(items)).end();
    }
    done()
}
