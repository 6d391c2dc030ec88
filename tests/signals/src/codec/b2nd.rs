//! This crate: chunks of one block, as `chunk::stream::Sender` encodes them.

use crate::BLOCK;
use b2nd::chunk::{Area, CParams, EXTENDED_HEADER, encode_area_len};
use b2nd::codec::{Codec as Id, Lz4Table};
use b2nd::filter::{BITSHUFFLE, BYTEDELTA, DELTA, Filter, INT_TRUNC, Pipeline, SHUFFLE};
use b2nd_firmware::expect;

#[cfg(not(feature = "filters"))]
pub const VARIANTS: &[&str] = &["lz4", "shuffle,lz4"];
#[cfg(feature = "filters")]
pub const VARIANTS: &[&str] =
    &["bitshuffle,lz4", "shuffle,bytedelta,lz4", "delta,bitshuffle,lz4", "int_trunc:-3,bitshuffle,lz4"];

#[cfg(not(feature = "filters"))]
const FILTERS: &[&[(u8, i8)]] = &[&[], &[(SHUFFLE, 0)]];
#[cfg(feature = "filters")]
const FILTERS: &[&[(u8, i8)]] = &[
    &[(BITSHUFFLE, 0)],
    &[(SHUFFLE, 0), (BYTEDELTA, 0)],
    &[(DELTA, 0), (BITSHUFFLE, 0)],
    &[(INT_TRUNC, -3), (BITSHUFFLE, 0)],
];

/// The byte of a chunk's header that tells whether it is a copy, and its bit.
const FLAGS: usize = 2;
const MEMCPYED: u8 = 2;

/// Two filters take two buffers.
const BLOCKS: usize = if cfg!(feature = "filters") { 2 } else { 1 };
const AREA: usize = BLOCKS * encode_area_len(BLOCK, &[SHUFFLE]);

pub struct Codec {
    area: Area<AREA, Lz4Table<1024>>,
    encoded: [u8; BLOCK + EXTENDED_HEADER],
}

impl Codec {
    pub const fn new() -> Self {
        Self { area: Area::new(Lz4Table::new()), encoded: [0; BLOCK + EXTENDED_HEADER] }
    }

    pub fn begin(&mut self) {}

    /// Bytes of the encoded block, without the header, which is not sent, and the table of one start.
    #[inline(never)]
    pub fn compress(&mut self, variant: usize, [samples, sample]: [usize; 2], block: &[u8]) -> usize {
        let mut filters = Pipeline::default();
        for (slot, &(id, meta)) in filters.slots.iter_mut().zip(FILTERS[variant]) {
            *slot = Filter { id, meta: meta as u8 };
        }
        // It clears bits of one channel.
        let typesize = if filters.contains(INT_TRUNC) { sample } else { samples };
        let cparams = CParams {
            codec: Id::LZ4,
            clevel: 9,
            typesize: typesize as u32,
            filters,
            blocksize: BLOCK as u32,
            ..CParams::default()
        };
        let len = expect(cparams.encode_into(block, &mut self.encoded, &mut self.area.encode_work()));
        // Copies have none, and there are no special chunks here.
        let has_table = self.encoded[FLAGS] & MEMCPYED == 0;
        len - EXTENDED_HEADER - if has_table { 4 } else { 0 }
    }
}
