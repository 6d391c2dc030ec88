//! Arrays whose filters are chosen by the data, beside the same arrays with shuffle: time and size.
//!
//! Unlike in other groups the second side is this crate as well.

use b2nd::array::ArrayParams;
use b2nd::chunk::Auto;
use b2nd::codec::Codec;
use b2nd::filter;
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Reader, Selection};

use crate::case::Case;
use crate::data::{
    CELLS, COUNTS, DISCS, Data, FIELD, IMAGES, LABELS, MASK, MEASUREMENTS, MICROSECONDS, RANDOM,
    ROUNDED_WALK, TEMPERATURES, TIMESTAMPS, WALK,
};
use crate::error::{Error, Result};
use crate::run::{BUDGET, Run};
use crate::timing::compare;

/// The sets that the filters were chosen with, and those of the group `encode`.
const DATA: [Data; 14] = [
    TEMPERATURES,
    ROUNDED_WALK,
    COUNTS,
    MICROSECONDS,
    CELLS,
    WALK,
    DISCS,
    FIELD,
    MEASUREMENTS,
    IMAGES,
    TIMESTAMPS,
    LABELS,
    MASK,
    RANDOM,
];
const CODECS: [(&str, Codec); 2] = [("lz4", Codec::LZ4), ("zstd", Codec::ZSTD)];
const CLEVEL: u8 = 5;
/// Bytes of an array, of which the default chunks have 4 MiB.
const NBYTES: usize = 16 << 20;
const WIDTH: usize = 1024;

pub fn auto(run: &mut Run) -> Result {
    // Both sides by one thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| Error::new(error.to_string()))?;
    for (codec, id) in CODECS {
        for data in DATA {
            let name = format!("{codec} {CLEVEL}, {}", data.name);
            if run.wants(&name) {
                let case = pool.install(|| measure(&name, id, &data))?;
                run.record(case.with("codec", codec).with("clevel", CLEVEL));
            }
        }
    }
    Ok(())
}

fn measure(name: &str, codec: Codec, data: &Data) -> Result<Case> {
    let plain = data.make(NBYTES);
    let dtype = ["|u1", "<u2", "<u4", "<u8"][data.typesize.ilog2() as usize];
    let mut usual = ArrayParams::new(&[(NBYTES / WIDTH / data.typesize) as u64, WIDTH as u64], dtype);
    (usual.cparams.codec, usual.cparams.clevel) = (codec, CLEVEL);
    let mut chosen = usual.clone();
    chosen.auto = Some(Auto::default());
    let mine = write(&chosen, &plain)?;
    let filters: Vec<String> = mine.chosen().iter().map(|chosen| describe(&chosen.filters)).collect();
    let mine = mine.into_sink().into_bytes();
    let other = write(&usual, &plain)?.into_sink().into_bytes();
    if Reader::open(&mine[..], DParams::default())?.get(Selection::all())? != plain {
        return Err(Error::new(format!("{name}: the array has other items")));
    }
    let times = compare(
        BUDGET / 2,
        || _ = write(&chosen, &plain).expect("it has been written before"),
        || _ = write(&usual, &plain).expect("it has been written before"),
    );
    let size = mine.len() as f64 / other.len() as f64;
    Ok(Case::new("auto", format!("{name}: {}", filters.join(", then ")), times)
        .with("nbytes", NBYTES)
        .with("cbytes", mine.len())
        .with("size_to_shuffle", (size * 1000.0).round() / 1000.0))
}

fn write(params: &ArrayParams, plain: &[u8]) -> Result<Editor<Memory>> {
    let mut editor = Editor::create_array(Memory::default(), params)?;
    editor.set(Selection::all(), plain)?;
    editor.commit()?;
    Ok(editor)
}

fn describe(filters: &filter::Pipeline) -> String {
    let names: Vec<_> = filters.iter().filter_map(|filter| filter::name(filter.id)).collect();
    if names.is_empty() { "none".into() } else { names.join("+") }
}
