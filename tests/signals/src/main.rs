//! Six signals, compressed block by block: their lengths, and the time by the clock that QEMU ties to instructions.

#![no_std]
#![no_main]

#[cfg_attr(feature = "b2nd", path = "codec/b2nd.rs")]
#[cfg_attr(feature = "heatshrink", path = "codec/heatshrink.rs")]
#[cfg_attr(feature = "lz4", path = "codec/lz4.rs")]
#[cfg_attr(feature = "miniz", path = "codec/miniz.rs")]
mod codec;
#[cfg(any(feature = "heatshrink", feature = "miniz"))]
mod heap;

use b2nd_firmware::{Host, clock, done, stack};
use codec::Codec;
use cortex_m_rt::entry;

/// The longest block.
const BLOCK: usize = 1024;
/// Ticks of the clock begin again after so many.
const TICKS: u32 = 1 << 24;

/// A signal: its name, bytes of a sample of all channels and of one, and the samples.
type Signal = (&'static str, [usize; 2], &'static [u8]);

macro_rules! signals {
    ($($name:literal: $typesizes:expr,)*) => {
        [$(($name, $typesizes, include_bytes!(concat!(env!("SAMPLES"), "/", $name, ".bin")))),*]
    };
}

static SIGNALS: [Signal; 6] = signals! {
    "accelerometer": [6, 2],
    "audio": [2, 2],
    "ecg": [2, 2],
    "temperature": [2, 2],
    "track": [16, 4],
    "camera": [1, 1],
};

#[entry]
fn main() -> ! {
    static mut CODEC: Codec = Codec::new();
    let mut host = Host::new();
    CODEC.begin();
    for (number, variant) in codec::VARIANTS.iter().enumerate() {
        let (_, depth) = stack::depth(|| CODEC.compress(number, [2, 2], &SIGNALS[2].2[..BLOCK]));
        host.text("variant ").text(variant).text(" stack ").number(depth as i32).end();
    }
    let clock = clock::start();
    for number in 0..codec::VARIANTS.len() {
        for &(name, typesizes, plain) in &SIGNALS {
            let before = clock.ticks();
            let block = BLOCK / typesizes[0] * typesizes[0];
            let len: usize = plain.chunks(block).map(|block| CODEC.compress(number, typesizes, block)).sum();
            let ticks = clock.ticks().wrapping_sub(before) % TICKS;
            host.text(name).text(" ").number(plain.len() as i32).text(" ").number(len as i32);
            host.text(" ").number(ticks as i32).end();
        }
    }
    done()
}
