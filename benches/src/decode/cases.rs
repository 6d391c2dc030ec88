//! The chunks to decode. They cover pairs of choices instead of all combinations.

use crate::data::{
    BOOLS, CATEGORIES, CELLS, COMPLEX, DISCS, Data, FIELD, IDS, IMAGES, LABELS, MASK, MEASUREMENTS, PERIODIC,
    POINTS, RANDOM, RGB8, RGB16, ROUNDED_WALK, SEGMENTS_I32, SPARSE, STACK, STEPS, TEXT, TIMESTAMPS, VECTORS,
};
use crate::error::Result;
use crate::reference::{Params, Reference, Special};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
/// Minimum of uncompressed bytes per round. With less data the branch predictor memorises it, but readers do not decode the
/// same data twice.
const ROUND: usize = 4 * MIB;

#[derive(Clone, Copy)]
pub struct Codec {
    pub name: &'static str,
    id: u8,
    clevel: u8,
    dict: bool,
    special: Option<Special>,
}

#[derive(Clone, Copy)]
pub struct Filters {
    pub name: &'static str,
    /// The slots for a type size.
    slots: fn(usize) -> &'static [(u8, u8)],
}

#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Whole,
    Block,
}

/// A kind of chunk and how to read it.
#[derive(Clone, Copy)]
pub struct Plan {
    pub codec: Codec,
    pub filters: Filters,
    pub data: Data,
    pub nbytes: usize,
    /// 0 means the library's default.
    blocksize: usize,
    pub shape: Shape,
}

const fn codec(name: &'static str, id: u8, clevel: u8) -> Codec {
    Codec { name, id, clevel, dict: false, special: None }
}

const fn special(name: &'static str, kind: Special) -> Codec {
    Codec { special: Some(kind), ..codec(name, 1, 5) }
}

const BLOSCLZ: Codec = codec("blosclz", 0, 5);
const LZ4: Codec = codec("lz4", 1, 5);
const LZ4HC: Codec = codec("lz4hc", 2, 9);
const ZLIB: Codec = codec("zlib", 4, 5);
const ZSTD: Codec = codec("zstd", 5, 5);
const ZSTD_1: Codec = codec("zstd-1", 5, 1);
const ZSTD_9: Codec = codec("zstd-9", 5, 9);
const LZ4_DICT: Codec = Codec { dict: true, ..codec("lz4-dict", 1, 5) };
const ZSTD_DICT: Codec = Codec { dict: true, ..codec("zstd-dict", 5, 5) };
const STORED: Codec = codec("stored", 1, 0);
const SPECIALS: [Codec; 3] =
    [special("zeros", Special::Zeros), special("nans", Special::Nans), special("repeat", Special::Repeat)];

const NONE: Filters = Filters { name: "none", slots: |_| &[] };
const SHUFFLE: Filters = Filters { name: "shuffle", slots: |_| &[(1, 0)] };
const BITSHUFFLE: Filters = Filters { name: "bitshuffle", slots: |_| &[(2, 0)] };
const DELTA: Filters = Filters { name: "delta+shuffle", slots: |_| &[(3, 0), (1, 0)] };
const TRUNC: Filters = Filters { name: "trunc_prec+shuffle", slots: |_| &[(4, 10), (1, 0)] };
/// The second filter's parameter is the number of streams from the first.
const BYTEDELTA: Filters = Filters {
    name: "shuffle+bytedelta",
    slots: |typesize| match typesize {
        2 => &[(1, 0), (35, 2)],
        4 => &[(1, 0), (35, 4)],
        8 => &[(1, 0), (35, 8)],
        _ => &[(1, 0), (35, 1)],
    },
};

pub fn all() -> Vec<Plan> {
    let mut plans = Vec::new();
    let mut add = |codecs: &[Codec], filters: &[Filters], data: &[Data]| {
        for &codec in codecs {
            for &filters in filters {
                for &data in data {
                    plans.push(Plan {
                        codec,
                        filters,
                        data,
                        nbytes: 4 * MIB,
                        blocksize: 0,
                        shape: Shape::Whole,
                    });
                }
            }
        }
    };
    let codecs = [BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD];
    add(&codecs, &[NONE, SHUFFLE, BITSHUFFLE, BYTEDELTA, DELTA], &[FIELD, IMAGES, TIMESTAMPS]);
    add(&codecs, &[TRUNC], &[FIELD, MEASUREMENTS]);
    add(&[LZ4, ZSTD], &[SHUFFLE, BITSHUFFLE], &[RGB8, RGB16, POINTS, COMPLEX, VECTORS, LABELS]);
    add(&[LZ4], &[BITSHUFFLE], &[MASK, BOOLS, MEASUREMENTS]);
    add(&[BLOSCLZ, LZ4, ZLIB, ZSTD], &[NONE], &[MASK, BOOLS, LABELS]);
    let unfiltered =
        [DISCS, SEGMENTS_I32, CATEGORIES, TEXT, PERIODIC, SPARSE, STEPS, IDS, STACK, CELLS, ROUNDED_WALK];
    add(&[BLOSCLZ, LZ4, ZSTD], &[NONE], &unfiltered);
    add(&[BLOSCLZ, LZ4, ZLIB, ZSTD], &[SHUFFLE], &[MEASUREMENTS]);
    add(&[BLOSCLZ, ZLIB], &[SHUFFLE], &[RGB8, POINTS]);
    add(&[ZSTD_1, ZSTD_9], &[SHUFFLE], &[FIELD, IMAGES, MEASUREMENTS]);
    add(&[LZ4, ZSTD], &[SHUFFLE, BITSHUFFLE], &[RANDOM]);
    add(&[STORED], &[NONE], &[RANDOM]);
    add(&SPECIALS, &[NONE], &[MEASUREMENTS]);
    let sizes = [BLOSCLZ, LZ4, ZLIB, ZSTD]
        .into_iter()
        .flat_map(|codec| [MIB, 16 * MIB].map(|nbytes| (codec, nbytes)));
    for (codec, nbytes) in sizes {
        let plan = Plan { codec, filters: SHUFFLE, data: FIELD, nbytes, blocksize: 0, shape: Shape::Whole };
        plans.push(plan);
        if codec.id == LZ4.id {
            plans.push(Plan { filters: BITSHUFFLE, data: TIMESTAMPS, ..plan });
        }
    }
    for codec in [BLOSCLZ, LZ4, ZLIB, ZSTD] {
        for filters in [SHUFFLE, BITSHUFFLE] {
            for blocksize in [16 * KIB, 256 * KIB] {
                plans.push(Plan {
                    codec,
                    filters,
                    data: FIELD,
                    nbytes: 4 * MIB,
                    blocksize,
                    shape: Shape::Block,
                });
            }
        }
    }
    for codec in [LZ4_DICT, ZSTD_DICT] {
        for data in [FIELD, MEASUREMENTS] {
            let blocksize = 16 * KIB;
            plans.push(Plan {
                codec,
                filters: SHUFFLE,
                data,
                nbytes: 4 * MIB,
                blocksize,
                shape: Shape::Whole,
            });
        }
    }
    plans
}

impl Plan {
    pub fn name(&self) -> String {
        let Self { codec, filters, data, nbytes, blocksize, shape } = self;
        let size = match shape {
            Shape::Whole => format!("{} MiB", nbytes / MIB),
            Shape::Block => format!("block of {} KiB", blocksize / KIB),
        };
        format!("{} {}, {} ({}), {size}", codec.name, filters.name, data.name, data.typesize)
    }

    /// The chunks for one round.
    pub fn make(&self, reference: &Reference) -> Result<Vec<Vec<u8>>> {
        let Data { typesize, .. } = self.data;
        let whole = self.nbytes - self.nbytes % typesize;
        if let Some(kind) = self.codec.special {
            return Ok(vec![reference.special(kind, typesize, whole)?]);
        }
        let Codec { id, clevel, dict, .. } = self.codec;
        let filters = (self.filters.slots)(typesize);
        let params = Params { codec: id, clevel, typesize, blocksize: self.blocksize, dict, filters };
        let data = self.data.make(whole * ROUND.div_ceil(self.nbytes));
        data.chunks(whole).map(|plain| reference.compress(&params, plain)).collect()
    }
}
