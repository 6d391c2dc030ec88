//! Every bit of the smallest array flipped, one after the other: an error or data, and no fault.

#![no_std]
#![no_main]

use b2nd::filter::SHUFFLE;
use b2nd::source::flash::{Area, AreaWork, FlashFrame, area_len};
use b2nd_firmware::{Host, done};
use cortex_m_rt::entry;

const SMALL: &[u8; 578] = include_bytes!("../../data/small.b2nd");

#[entry]
fn main() -> ! {
    let mut area: Area<{ area_len(128, &[SHUFFLE], 2) }> = Area::new(());
    let mut work = area.work();
    let mut bytes = *SMALL;
    let (mut errors, mut data) = (0, 0);
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        match read(&bytes, &mut work) {
            Ok(()) => data += 1,
            Err(_) => errors += 1,
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    Host::new().number(data + errors).text(" bits flipped, each an error or data").end();
    if read(&bytes, &mut work).is_ok() {
        done()
    }
    b2nd_firmware::fail()
}

fn read(bytes: &[u8], work: &mut AreaWork<'_>) -> b2nd::Result<()> {
    let frame = FlashFrame::open(bytes)?;
    let mut item = [0; 2];
    frame.item(&[37], work, &mut item)?;
    let mut items = [0; 128];
    for part in frame.plan(&[])?.parts(items.len()).take(20) {
        if let Some(items) = items.get_mut(..part.nbytes()) {
            frame.read(&part, work, items)?;
        }
    }
    Ok(())
}
