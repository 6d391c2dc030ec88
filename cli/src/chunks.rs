//! `b2nd chunks`: location and contents of each chunk.

use crate::args::Args;
use crate::error::CommandError;
use crate::opened::Opened;
use crate::output::Output;
use b2nd::chunk::SpecialValue;
use b2nd::frame::Location;
use b2nd::source::{ChunkInfo, ReadError};
use b2nd::wire::Part;
use b2nd::{Error, ErrorKind, Unsupported};
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

/// Chunks whose headers are read at the same time, behind a URL.
const AT_ONCE: u64 = 256;

/// Prints a line or a JSON object for each chunk.
pub(crate) fn run(args: &Args, path: &Path, as_json: bool) -> Result<(), CommandError> {
    let opened = Opened::new(path, args)?;
    let nchunks = opened.of(opened.reader.index())?.nchunks();
    let mut out = Output::create(None).map_err(CommandError::Output)?;
    let head = if as_json { "[" } else { "  chunk       offset    nbytes    cbytes     ratio  special\n" };
    out.write_all(head.as_bytes()).map_err(CommandError::Output)?;
    for nchunk in 0..nchunks {
        if nchunk.is_multiple_of(AT_ONCE) {
            opened.of(opened.reader.prefetch_info(nchunk..nchunks.min(nchunk + AT_ONCE)))?;
        }
        let info = match opened.reader.chunk_info(nchunk) {
            Err(ReadError::Blosc(error)) if is_missing(&error) => None,
            info => Some(opened.of(info)?),
        };
        let written = match (as_json, info) {
            (true, info) => object(&mut out, nchunk, info.as_ref()),
            (false, Some(info)) => line(&mut out, nchunk, &info),
            (false, None) => writeln!(out, "{nchunk:7} {:>12} {0:>9} {0:>9} {0:>9}  {MISSING}", "-"),
        };
        written.map_err(CommandError::Output)?;
    }
    out.write_all(if as_json { b"\n]\n" } else { b"" }).map_err(CommandError::Output)?;
    out.commit().map_err(CommandError::Output)
}

/// Printed instead of the special value for a chunk that a proxy has not fetched.
const MISSING: &str = "not fetched";

fn is_missing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported(Unsupported::NotFetched { .. }))
}

fn object(out: &mut Output, nchunk: u64, info: Option<&ChunkInfo>) -> io::Result<()> {
    let (file, offset) = info.map_or((None, None), place);
    let chunk = json!({
        "chunk": nchunk,
        "file": file,
        "offset": offset,
        "nbytes": info.map(|info| info.header.nbytes),
        "cbytes": info.map(|info| info.header.cbytes),
        "ratio": info.and_then(ratio),
        "special": info.map_or(Some(MISSING), |info| info.special_value().map(name)),
    });
    write!(out, "{}\n  {chunk}", if nchunk == 0 { "" } else { "," })
}

fn line(out: &mut Output, nchunk: u64, info: &ChunkInfo) -> io::Result<()> {
    let (file, offset) = place(info);
    let place = file.or(offset.map(|offset| offset.to_string())).unwrap_or("-".into());
    let ratio = ratio(info).map_or("-".into(), |ratio| format!("{ratio:.2}"));
    let special = info.special_value().map_or("", name);
    let (nbytes, cbytes) = (info.header.nbytes, info.header.cbytes);
    let line = format!("{nchunk:7} {place:>12} {nbytes:9} {cbytes:9} {ratio:>9}  {special}");
    writeln!(out, "{}", line.trim_end())
}

/// The chunk's file in a sparse frame, and its offset if it is stored.
fn place(info: &ChunkInfo) -> (Option<String>, Option<u64>) {
    match info.location {
        Location::Special(_) => (None, None),
        Location::Stored { part: Part::Frame, offset } => (None, Some(offset)),
        Location::Stored { part: Part::Chunk(number), offset } => {
            (Some(format!("{number:08X}.chunk")), Some(offset))
        }
    }
}

fn ratio(info: &ChunkInfo) -> Option<f64> {
    (info.header.cbytes > 0).then(|| f64::from(info.header.nbytes) / f64::from(info.header.cbytes))
}

const fn name(value: SpecialValue) -> &'static str {
    match value {
        SpecialValue::Zeros => "zeros",
        SpecialValue::Nan => "nan",
        SpecialValue::Repeat { .. } => "repeat",
        SpecialValue::Uninit => "uninit",
    }
}
