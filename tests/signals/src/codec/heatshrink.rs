//! LZSS by `embedded-heatshrink`, with a window of a block.

use crate::{BLOCK, heap};
use b2nd_firmware::fail;
use embedded_heatshrink::{HSEFinishRes, HSEPollRes, HSESinkRes, HeatshrinkEncoder};

pub const VARIANTS: &[&str] = &["heatshrink"];

const WINDOW_BITS: u8 = 10;
const LOOKAHEAD_BITS: u8 = 4;

pub struct Codec {
    encoded: [u8; 2 * BLOCK],
}

impl Codec {
    pub const fn new() -> Self {
        Self { encoded: [0; 2 * BLOCK] }
    }

    pub fn begin(&mut self) {
        heap::begin();
    }

    /// Bytes of the encoded block, or of the block if it does not shrink.
    #[inline(never)]
    pub fn compress(&mut self, _: usize, _: [usize; 2], block: &[u8]) -> usize {
        let Some(mut encoder) = HeatshrinkEncoder::new(WINDOW_BITS, LOOKAHEAD_BITS) else { fail() };
        let (mut left, mut len) = (block, 0);
        while !left.is_empty() {
            let HSESinkRes::Ok(taken) = encoder.sink(left) else { fail() };
            left = &left[taken..];
            len += self.poll(&mut encoder);
        }
        while !matches!(encoder.finish(), HSEFinishRes::Done) {
            len += self.poll(&mut encoder);
        }
        len.min(block.len())
    }

    fn poll(&mut self, encoder: &mut HeatshrinkEncoder) -> usize {
        let mut len = 0;
        loop {
            match encoder.poll(&mut self.encoded) {
                HSEPollRes::Empty(more) => return len + more,
                HSEPollRes::More(more) => len += more,
                _ => fail(),
            }
        }
    }
}
