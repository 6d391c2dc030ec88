//! Rows of three channels, sent in packets, which the program prints. The tool collects them, and python-blosc2 reads the array
//! (tests/interop/streams.py).

#![no_std]
#![no_main]

use b2nd::chunk::stream::{Sender, send_area_len};
use b2nd::chunk::{Area, CParams};
use b2nd::codec::{Codec, Lz4Table};
use b2nd::filter::SHUFFLE;
use b2nd_firmware::{Host, done, expect};
use cortex_m_rt::entry;

const ROW: usize = 3 * 2;
const BLOCK: usize = 64 * ROW;
/// The longest packet of the slowest LoRa.
const PACKET: usize = 51;
const ROWS: u16 = 1000;

#[entry]
fn main() -> ! {
    static mut AREA: Area<{ send_area_len(BLOCK, &[SHUFFLE]) }, Lz4Table<512>> = Area::new(Lz4Table::new());
    let cparams =
        CParams { codec: Codec::LZ4, typesize: ROW as u32, blocksize: BLOCK as u32, ..CParams::default() };
    let mut sender = expect(Sender::new(5, PACKET, cparams, AREA.encode_work()));
    let mut host = Host::new();
    for n in 0..ROWS {
        for item in row(n) {
            expect(sender.push(&item.to_le_bytes()));
        }
        print(&mut sender, &mut host);
    }
    sender.flush();
    print(&mut sender, &mut host);
    host.number(ROWS.into()).text(" rows").end();
    done()
}

fn row(n: u16) -> [u16; 3] {
    [n, n / 7, n.wrapping_mul(40_503) >> 12]
}

/// Prints packets: their lengths, and bytes in lines of 16.
fn print(sender: &mut Sender<'_>, host: &mut Host) {
    while let Some(packet) = expect(sender.packet()) {
        host.text("packet ").number(packet.len() as i32).end();
        for line in packet.chunks(16) {
            for word in line.chunks(4) {
                let mut bytes = [0; 4];
                bytes[..word.len()].copy_from_slice(word);
                host.hex(u32::from_be_bytes(bytes));
            }
            host.end();
        }
    }
}
