//! The desktop's reader on a small heap.

#![no_std]
#![no_main]

use b2nd::{DParams, Reader, Selection};
use b2nd_firmware::crc::crc32;
use b2nd_firmware::{Host, done, expect};
use core::mem::MaybeUninit;
use cortex_m_rt::entry;
use embedded_alloc::LlffHeap;

#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();
/// The rest of the 16 KiB of the smaller machine is stack, and nothing would tell if that grew into the heap.
const LEN: usize = 5 << 10;

static CALIBRATION: &[u8] = include_bytes!("../../data/calibration.b2nd");

#[entry]
fn main() -> ! {
    static mut MEMORY: [MaybeUninit<u8>; LEN] = [MaybeUninit::uninit(); LEN];
    // SAFETY: `entry` hands out the static once, and nothing has been allocated yet.
    unsafe { HEAP.init(MEMORY.as_mut_ptr() as usize, LEN) };
    let mut host = Host::new();
    let reader = expect(Reader::open(CALIBRATION, DParams::default()));
    host.text("unit mV").end();
    for slice in ["2", ":, 5, ::3", "::-2, 4:12, -1", "5, 15, 19:", "1:5, ::5, ::5"] {
        let items = expect(reader.get(&expect(slice.parse::<Selection>())));
        host.number(items.len() as i32).text(" ").hex(crc32(&items)).end();
    }
    done()
}
