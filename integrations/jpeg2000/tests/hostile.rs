//! Damaged streams are refused, or decode to something, within bounds.

mod common;
#[path = "common/meter.rs"]
mod meter;

use b2nd::codec::{Codec, Registry};
use b2nd::chunk::Chunk;
use b2nd::{DParams, ErrorKind, Malformed, ReadError, Scratch};
use common::{decode, files, read};

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }
}
