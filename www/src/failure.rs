//! Errors as numbers. JavaScript makes sentences of them.

use crate::output::Output;
use b2nd::{ArgumentError, Error, Limit, Malformed, Unsupported};

/// Blame, kind, three numbers, and a name.
type Fields = (f64, f64, [f64; 3], &'static str);

/// Writes an error.
pub(crate) fn write(error: &Error, output: &mut Output) {
    let (blame, kind, numbers, name) = fields(error);
    let known = |number: Option<u64>| number.map_or(f64::NAN, |number| number as f64);
    let place = match error {
        Error::Format(error) => [known(error.offset), known(error.chunk), known(error.block.map(u64::from))],
        _ => [f64::NAN; 3],
    };
    output.numbers([blame, kind]);
    output.numbers(numbers);
    output.numbers(place);
    output.push(name.as_bytes());
}

fn fields(error: &Error) -> Fields {
    match error {
        Error::Format(error) => format(&error.what),
        Error::Unsupported(what) => unsupported(what),
        Error::Argument(what) => argument(what),
        Error::Limit(error) => {
            let kind = match error.limit {
                Limit::Memory => 0.0,
                Limit::Metadata => 1.0,
                _ => 2.0,
            };
            (3.0, kind, [error.wanted as f64, error.allowed as f64, 0.0], "")
        }
        // Nothing that this was written for.
        _ => (0.0, f64::NAN, [0.0; 3], ""),
    }
}

fn format(what: &Malformed) -> Fields {
    let (kind, numbers, name) = match *what {
        Malformed::Truncated { needed, available } => (0.0, [needed as f64, available as f64, 0.0], ""),
        Malformed::Magic => (1.0, [0.0; 3], ""),
        Malformed::Field { name, value } => (2.0, [value as f64, 0.0, 0.0], name),
        Malformed::Mismatch { name, found, expected } => (3.0, [found as f64, expected as f64, 0.0], name),
        Malformed::Marker { found } => (4.0, [f64::from(found), 0.0, 0.0], ""),
        Malformed::Stream { codec } => (5.0, [0.0; 3], codec),
        Malformed::MissingChunk { file } => (6.0, [f64::from(file), 0.0, 0.0], ""),
        _ => (f64::NAN, [0.0; 3], ""),
    };
    (0.0, kind, numbers, name)
}

fn unsupported(what: &Unsupported) -> Fields {
    let (kind, number) = match *what {
        Unsupported::Codec(id) => (0.0, id),
        Unsupported::Filter(id) => (1.0, id),
        Unsupported::Shapeless(id) => (2.0, id),
        Unsupported::ChunkVersion(version) => (3.0, version),
        Unsupported::FrameVersion(version) => (4.0, version),
        Unsupported::Instrumented => (5.0, 0),
        Unsupported::VariableBlocks => (6.0, 0),
        Unsupported::Dtype => (7.0, 0),
        _ => (f64::NAN, 0),
    };
    (1.0, kind, [f64::from(number), 0.0, 0.0], "")
}

fn argument(what: &ArgumentError) -> Fields {
    let (kind, numbers) = match *what {
        ArgumentError::Index { axis, index, len } => (0.0, [axis as f64, index as f64, len as f64]),
        ArgumentError::Dimensions { given, ndim } => (1.0, [given as f64, ndim as f64, 0.0]),
        ArgumentError::Selection { at } => (2.0, [at as f64, 0.0, 0.0]),
        ArgumentError::ZeroStep { axis } => (3.0, [axis as f64, 0.0, 0.0]),
        ArgumentError::BufferLen { expected, actual } => (4.0, [expected as f64, actual as f64, 0.0]),
        ArgumentError::Chunk { index, nchunks } => (5.0, [index as f64, nchunks as f64, 0.0]),
        ArgumentError::Block { index, nblocks } => (6.0, [index as f64, nblocks as f64, 0.0]),
        ArgumentError::NotAnArray => (7.0, [0.0; 3]),
        ArgumentError::NotAsked => (8.0, [0.0; 3]),
        _ => (f64::NAN, [0.0; 3]),
    };
    (2.0, kind, numbers, "")
}
