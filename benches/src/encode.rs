//! Time and size of chunks encoded with the same parameters on both sides, by one thread and by two.

use b2nd::chunk::{CParams, Chunk, ChunkEncoder};
use b2nd::codec::Codec;
use b2nd::filter::{Filter, MAX_FILTERS, Pipeline};

use crate::case::Case;
use crate::data::{
    CATEGORIES, DISCS, Data, FIELD, IDS, IMAGES, LABELS, MASK, MEASUREMENTS, PERIODIC, RANDOM, RGB8,
    SEGMENTS_I32, SEGMENTS_U16, SPARSE, STACK, STEPS, TEXT, TIMESTAMPS,
};
use crate::error::{Error, Result};
use crate::reference::{OVERHEAD, Params};
use crate::run::{BUDGET, Run, group};
use crate::timing::compare;

const MIB: usize = 1 << 20;
const LEVELS: [u8; 4] = [1, 3, 5, 9];
const DATA: [Data; 18] = [
    FIELD,
    MEASUREMENTS,
    IMAGES,
    TIMESTAMPS,
    LABELS,
    MASK,
    RANDOM,
    DISCS,
    SEGMENTS_U16,
    SEGMENTS_I32,
    CATEGORIES,
    TEXT,
    PERIODIC,
    SPARSE,
    STEPS,
    IDS,
    RGB8,
    STACK,
];
/// Names, ids, and bytes per chunk: fewer for slow codecs.
const CODECS: [(&str, u8, usize); 5] =
    [("blosclz", 0, 4 * MIB), ("lz4", 1, 4 * MIB), ("lz4hc", 2, MIB), ("zlib", 4, MIB), ("zstd", 5, MIB)];

type Filters = (&'static str, fn(usize) -> &'static [(u8, u8)]);

const FILTERS: [Filters; 4] = [
    ("none", |_| &[]),
    ("shuffle", |_| &[(1, 0)]),
    ("bitshuffle", |_| &[(2, 0)]),
    // The second filter's parameter is the number of streams from the first.
    ("shuffle+bytedelta", |typesize| match typesize {
        2 => &[(1, 0), (35, 2)],
        3 => &[(1, 0), (35, 3)],
        4 => &[(1, 0), (35, 4)],
        8 => &[(1, 0), (35, 8)],
        64 => &[(1, 0), (35, 64)],
        _ => &[(1, 0), (35, 1)],
    }),
];

pub fn encode(run: &mut Run) -> Result {
    for (codec, id, nbytes) in CODECS {
        for clevel in LEVELS {
            for (filters, slots) in FILTERS {
                for data in DATA {
                    let name = format!("{codec} {clevel}, {filters}, {}", data.name);
                    if run.wants(&name) {
                        let params = Params {
                            codec: id,
                            clevel,
                            typesize: data.typesize,
                            blocksize: 0,
                            dict: false,
                            filters: slots(data.typesize),
                        };
                        let case = measure(run, &name, &params, &data.make(nbytes))
                            .map_err(|error| Error::new(format!("{name}: {}", error.0)))?;
                        run.record(case.with("codec", codec).with("clevel", clevel).with("filters", filters));
                    }
                }
            }
        }
    }
    Ok(())
}

fn measure(run: &Run, name: &str, params: &Params, plain: &[u8]) -> Result<Case> {
    let mut ours = ChunkEncoder::new(cparams(params));
    let [mut theirs, mut theirs_by_two] = [1, 2].map(|threads| run.reference.encoder(params, threads));
    let [mut mine, mut other] = [(); 2].map(|()| vec![0; plain.len() + OVERHEAD]);
    let len = ours.encode_into(plain, &mut mine)?;
    let their_len = theirs.chunk(plain, &mut other)?;
    let mut decoded = vec![0; plain.len()];
    Chunk::new(&mine)?.decode_into(&mut decoded, &mut b2nd::Scratch::default())?;
    if decoded != plain {
        return Err(Error::new("the chunk decodes to other bytes"));
    }
    run.reference.decoder().chunk(&mine[..len], &mut decoded)?;
    if decoded != plain {
        return Err(Error::new("the reference decodes the chunk to other bytes"));
    }
    let times = compare(
        BUDGET / 2,
        || _ = ours.encode_into(plain, &mut mine).expect("it has encoded before"),
        || _ = theirs.chunk(plain, &mut other).expect("it has encoded before"),
    );
    let by_two = compare(
        BUDGET / 2,
        || _ = ours.encode_parallel_into(plain, &mut mine).expect("it has encoded before"),
        || _ = theirs_by_two.chunk(plain, &mut other).expect("it has encoded before"),
    );
    let size_ratio = len as f64 / their_len as f64;
    Ok(Case::new(&group("encode"), name.to_owned(), times)
        .with("typesize", params.typesize)
        .with("nbytes", plain.len())
        .with("cbytes", len)
        .with_two_threads(by_two)
        .with("size_ratio", (size_ratio * 1000.0).round() / 1000.0))
}

/// Converts the parameters to those of this crate.
fn cparams(params: &Params) -> CParams {
    let mut filters = Pipeline::default();
    let first = MAX_FILTERS - params.filters.len();
    for (slot, &(id, meta)) in filters.slots[first..].iter_mut().zip(params.filters) {
        *slot = Filter { id, meta };
    }
    CParams {
        codec: Codec(params.codec),
        clevel: params.clevel,
        typesize: params.typesize as u32,
        filters,
        ..CParams::default()
    }
}
