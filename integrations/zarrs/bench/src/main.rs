//! Compares the codec `blosc` of b2nd-zarrs with both that zarrs itself has, in one process:
//! `cargo run --release` in this folder, on a quiet machine.

mod codecs;
#[path = "../../../../benches/src/data.rs"]
#[expect(dead_code, reason = "the other benchmarks use more of the data")]
mod data;
mod report;
mod row;
#[path = "../../../../benches/src/timing.rs"]
#[expect(dead_code, reason = "the other benchmarks use more of the times")]
mod timing;

use data::Data;
use row::{Case, Row};
use std::error::Error;
use std::time::Duration;

const KINDS: [Data; 6] =
    [data::FIELD, data::IMAGES, data::LABELS, data::MEASUREMENTS, data::PERIODIC, data::WALK];
/// Data to tune encoders with, so that what is reported is not what they were tuned for.
const OTHERS: [Data; 6] =
    [data::CELLS, data::COUNTS, data::DISCS, data::IDS, data::ROUNDED_WALK, data::TEMPERATURES];
const NAMES: [&str; 5] = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];
const SHUFFLES: [&str; 3] = ["noshuffle", "shuffle", "bitshuffle"];
/// Shorter chunks, or fewer, and the branch predictor knows them by heart.
const CHUNK: usize = 4 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut kinds, mut only, mut budget) = (KINDS, Vec::new(), Duration::from_millis(200));
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Long("others") => kinds = OTHERS,
            lexopt::Arg::Long("only") => only.push(arguments.value()?.to_string_lossy().into_owned()),
            lexopt::Arg::Long("ms") => {
                budget = Duration::from_millis(arguments.value()?.to_string_lossy().parse()?);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let mut rows = Vec::new();
    for kind in kinds {
        let plain = kind.make(CHUNK);
        for case in cases(&kind) {
            if only.iter().all(|only| case.to_string().contains(only)) {
                eprintln!("{case}");
                rows.push(Row::measure(case, &plain, budget)?);
            }
        }
    }
    report::print(&rows);
    Ok(())
}

/// Every codec with every shuffle; of single bytes, shuffle is none.
fn cases(kind: &Data) -> impl Iterator<Item = Case> {
    let (kind, typesize) = (kind.name, kind.typesize);
    let shuffles = SHUFFLES.into_iter().filter(move |&shuffle| typesize > 1 || shuffle != "shuffle");
    shuffles
        .flat_map(move |shuffle| NAMES.into_iter().map(move |cname| Case { kind, typesize, cname, shuffle }))
}
