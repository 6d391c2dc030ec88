//! Errors as numbers. JavaScript makes sentences of them.

use crate::output::Output;
use b2nd::{ArgumentError, Blame, Error, Limit, Malformed, Unsupported};

/// Kind, three numbers, and a name.
type Fields = (u8, [f64; 3], &'static str);

/// A kind that this was not written for.
const OTHER: Fields = (u8::MAX, [0.0; 3], "");

/// Writes an error.
pub(crate) fn write(error: &Error, output: &mut Output) {
    let known = |number: Option<u64>| number.map_or(f64::NAN, |number| number as f64);
    let mut place = [f64::NAN; 3];
    let (blame, (kind, numbers, name)) = match error.blame() {
        Blame::Format(error) => {
            place = [known(error.offset), known(error.chunk), known(error.block.map(u64::from))];
            (0, format(&error.what))
        }
        Blame::Unsupported(what) => (1, unsupported(what)),
        Blame::Argument(what) => (2, argument(what)),
        Blame::Limit(error) => {
            let kind = match error.limit {
                Limit::Memory => 0,
                Limit::Metadata => 1,
                _ => 2,
            };
            (3, (kind, [error.wanted as f64, error.allowed as f64, 0.0], ""))
        }
        _ => (0, OTHER),
    };
    output.numbers([blame, kind].map(f64::from));
    output.numbers(numbers);
    output.numbers(place);
    output.push(name.as_bytes());
}

fn format(what: &Malformed) -> Fields {
    match *what {
        Malformed::Truncated { needed, available } => (0, [needed as f64, available as f64, 0.0], ""),
        Malformed::Magic => (1, [0.0; 3], ""),
        Malformed::Field { name, value } => (2, [value as f64, 0.0, 0.0], name),
        Malformed::Mismatch { name, found, expected } => (3, [found as f64, expected as f64, 0.0], name),
        Malformed::Marker { found } => (4, [found.into(), 0.0, 0.0], ""),
        Malformed::Stream { codec } => (5, [0.0; 3], codec),
        Malformed::MissingChunk { file } => (6, [file.into(), 0.0, 0.0], ""),
        _ => OTHER,
    }
}

fn unsupported(what: &Unsupported) -> Fields {
    let (kind, number) = match *what {
        Unsupported::Codec(id) => (0, id),
        Unsupported::Filter(id) => (1, id),
        Unsupported::Shapeless(id) => (2, id),
        Unsupported::ChunkVersion(version) => (3, version),
        Unsupported::FrameVersion(version) => (4, version),
        Unsupported::Instrumented => (5, 0),
        Unsupported::VariableBlocks => (6, 0),
        Unsupported::Dtype => (7, 0),
        _ => return OTHER,
    };
    (kind, [number.into(), 0.0, 0.0], "")
}

fn argument(what: &ArgumentError) -> Fields {
    let (kind, numbers) = match *what {
        ArgumentError::Index { axis, index, len } => (0, [axis as f64, index as f64, len as f64]),
        ArgumentError::Dimensions { given, ndim } => (1, [given as f64, ndim as f64, 0.0]),
        ArgumentError::Selection { at } => (2, [at as f64, 0.0, 0.0]),
        ArgumentError::ZeroStep { axis } => (3, [axis as f64, 0.0, 0.0]),
        ArgumentError::BufferLen { expected, actual } => (4, [expected as f64, actual as f64, 0.0]),
        ArgumentError::Chunk { index, nchunks } => (5, [index as f64, nchunks as f64, 0.0]),
        ArgumentError::Block { index, nblocks } => (6, [index as f64, nblocks as f64, 0.0]),
        ArgumentError::NotAnArray => (7, [0.0; 3]),
        ArgumentError::NotAsked => (8, [0.0; 3]),
        _ => return OTHER,
    };
    (kind, numbers, "")
}
