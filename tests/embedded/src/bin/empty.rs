//! The parts that every program here has, and nothing else: to be taken from the size of the others.

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
