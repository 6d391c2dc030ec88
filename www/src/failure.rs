//! Errors as numbers. JavaScript formats them as `Display` does, from a table that a test of this module writes.

use crate::output::Output;
use b2nd::codec::Codec;
use b2nd::frame::Reference;
use b2nd::{ArgumentError, Changed, Error, ErrorKind, Limit, Malformed, Unsupported};

/// Writes an error.
pub(crate) fn write(error: &Error, output: &mut Output) {
    let known = |number: Option<u64>| number.map_or(f64::NAN, |number| number as f64);
    let mut place = [f64::NAN; 3];
    let mut name = "";
    #[cfg(any(feature = "archive", feature = "expression"))]
    let text = texts::of(error);
    #[cfg(any(feature = "archive", feature = "expression"))]
    if !text.is_empty() {
        name = &text;
    }
    match error.kind() {
        ErrorKind::Format(error) => {
            place = [known(error.offset), known(error.chunk), known(error.block.map(u64::from))];
            name = format(&error.what, output);
        }
        ErrorKind::Unsupported(what) => {
            if let Unsupported::Codec(id) = what {
                name = Codec(id).label().unwrap_or("");
            }
            #[cfg(feature = "reader")]
            if let Unsupported::NotFetched { chunk } = what {
                place[1] = chunk as f64;
            }
            unsupported(&what, output);
        }
        ErrorKind::Argument(what) => {
            #[cfg(any(feature = "archive", feature = "encode", test))]
            if let ArgumentError::Parameter { name: parameter, .. } = what {
                name = parameter;
            }
            argument(&what, output);
        }
        ErrorKind::Limit(error) => {
            let kind = match error.limit {
                Limit::Memory => 0,
                Limit::Metadata => 1,
                Limit::Expansion => 3,
                _ => 2,
            };
            put(output, 3, kind, &[error.wanted as f64, error.allowed as f64]);
        }
        ErrorKind::Changed(Changed::Read) => put(output, 4, 0, &[]),
        ErrorKind::Changed(Changed::Edit) => put(output, 4, 1, &[]),
        _ => put(output, 0, OTHER, &[]),
    }
    output.numbers(&place);
    output.push(name.as_bytes());
}

/// Writes an error of the caller that has no number.
#[cfg(feature = "expression")]
pub(crate) fn write_text(text: &str, output: &mut Output) {
    put(output, 2, OTHER, &[]);
    output.numbers(&[f64::NAN; 3]);
    output.push(text.as_bytes());
}

/// A kind without a number.
const OTHER: u8 = u8::MAX;

/// Appends the kind, what happened, and three numbers; those that are missing are 0.
#[inline(never)]
fn put(output: &mut Output, kind: u8, what: u8, numbers: &[f64]) {
    output.numbers(&[kind, what].map(f64::from));
    output.numbers(numbers);
    output.numbers(&[0.0; 3][numbers.len()..]);
}

/// Writes the kind and numbers of a `Format` error. Returns its name.
fn format(what: &Malformed, output: &mut Output) -> &'static str {
    let mut put = |kind, numbers: &[f64]| put(output, 0, kind, numbers);
    match *what {
        Malformed::Truncated { needed, available } => put(0, &[needed as f64, available as f64]),
        Malformed::Magic => put(1, &[]),
        Malformed::Field { value, .. } => put(2, &[value as f64]),
        Malformed::Mismatch { found, expected, .. } => put(3, &[found as f64, expected as f64]),
        Malformed::Marker { found } => put(4, &[found.into()]),
        Malformed::Stream { .. } => put(5, &[]),
        _ => put(OTHER, &[]),
    }
    match *what {
        Malformed::Field { name, .. } | Malformed::Mismatch { name, .. } => name,
        Malformed::Stream { codec } => codec,
        _ => "",
    }
}

fn unsupported(what: &Unsupported, output: &mut Output) {
    let (kind, number) = match *what {
        Unsupported::Codec(id) => (0, id),
        Unsupported::Filter(id) => (1, id),
        Unsupported::Shapeless(id) => (2, id),
        Unsupported::ChunkVersion(version) => (3, version),
        Unsupported::FrameVersion(version) => (4, version),
        Unsupported::Instrumented => (5, 0),
        Unsupported::VariableBlocks => (6, 0),
        Unsupported::Dtype => (7, 0),
        Unsupported::BetaFrame => (8, 0),
        Unsupported::VariableChunks => (9, 0),
        #[cfg(any(feature = "archive", feature = "encode", test))]
        Unsupported::SparseFrame => (17, 0),
        Unsupported::NotFetched { chunk } => return put(output, 1, 10, &[chunk as f64]),
        Unsupported::Reference(Reference::LazyExpr) => (11, 0),
        Unsupported::Reference(Reference::LazyUdf) => (12, 0),
        Unsupported::Reference(Reference::Proxy) => (13, 0),
        Unsupported::Reference(Reference::RemoteArray) => (14, 0),
        Unsupported::Reference(Reference::C2Array) => (15, 0),
        Unsupported::Reference(_) => (16, 0),
        #[cfg(any(feature = "store", test))]
        Unsupported::ArrowObjects => (18, 0),
        #[cfg(any(feature = "archive", feature = "store", test))]
        Unsupported::ColumnKind => (19, 0),
        #[cfg(any(feature = "reader", feature = "store", test))]
        Unsupported::Archive => (20, 0),
        _ => (OTHER, 0),
    };
    put(output, 1, kind, &[number.into()]);
}

fn argument(what: &ArgumentError, output: &mut Output) {
    let mut put = |kind, numbers: &[f64]| put(output, 2, kind, numbers);
    match *what {
        ArgumentError::Index { axis, index, len } => put(0, &[index as f64, axis as f64, len as f64]),
        ArgumentError::Dimensions { given, ndim } => put(1, &[given as f64, ndim as f64]),
        ArgumentError::ZeroStep { axis } => put(2, &[axis as f64]),
        ArgumentError::BufferLen { expected, actual } => put(3, &[actual as f64, expected as f64]),
        ArgumentError::Chunk { index, nchunks } => put(4, &[index as f64, nchunks as f64]),
        ArgumentError::Block { index, nblocks } => put(5, &[index as f64, nblocks as f64]),
        ArgumentError::NotAnArray => put(6, &[]),
        ArgumentError::NotAsked => put(7, &[]),
        ArgumentError::Unfinished => put(8, &[]),
        ArgumentError::FirstBlock => put(9, &[]),
        ArgumentError::NotOpened => put(10, &[]),
        #[cfg(any(feature = "archive", feature = "encode", test))]
        ArgumentError::Parameter { name: _, value } => put(11, &[value as f64]),
        #[cfg(any(feature = "archive", feature = "encode", test))]
        ArgumentError::Inapplicable(id) => put(12, &[id.into()]),
        _ => put(OTHER, &[]),
    }
}

#[cfg(any(feature = "archive", feature = "expression"))]
mod texts;

#[cfg(test)]
mod tests;
