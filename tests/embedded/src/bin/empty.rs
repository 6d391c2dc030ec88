//! The minimal program, to be subtracted from the sizes of the others.

#![no_std]
#![no_main]

use b2nd_firmware::crc::crc32;
use b2nd_firmware::{Host, done};
use cortex_m_rt::entry;

#[entry]
fn main() -> ! {
    Host::new().number(0).text(" ").hex(crc32(b"")).end();
    done()
}
