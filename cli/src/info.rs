//! `b2nd info`: describes a file without decoding its data.

use crate::args::Args;
use crate::error::CommandError;
use crate::explain::Choices;
use crate::facts::{CodecName, Contents, Facts, FilterFacts, FrameFacts, TensorFacts};
use crate::json::{self, metalayers};
use crate::objects;
use crate::opened::Opened;
use crate::store;
use crate::table;
use b2nd::filter;
use b2nd::frame::Trailer;
use b2nd::objects::{Objects, Tensor, origin};
use std::io::{self, Write};
use std::path::Path;

/// Prints the description as lines or as a JSON object. If data after the header is missing or damaged, prints the rest and
/// fails.
pub(crate) fn run(args: &Args, path: &Path, as_json: bool) -> Result<(), CommandError> {
    let found = match store::is_store(path, args) {
        true => Some(table::of(store::open(path, args)?)),
        false => table::find(path, args)?.map(Ok),
    };
    match found {
        Some(Ok(found)) => {
            return print(&Facts::Table(table::facts(path, &found, &args.limits())?), as_json);
        }
        Some(Err(store)) => return print(&Facts::Store(store::facts(path, &store, args)?), as_json),
        None => {}
    }
    let opened = Opened::new(path, args)?;
    let nchunks = opened.of(opened.reader.nchunks());
    let trailer = opened.of(opened.reader.trailer()).map(drop);
    let mut facts = facts(&opened, nchunks.as_ref().ok().copied(), opened.reader.trailer().ok())?;
    if trailer.is_ok() {
        facts.contents = contents(opened)?;
    }
    print(&Facts::Frame(Box::new(facts)), as_json)?;
    nchunks.and(trailer)
}

/// Prints the description of a written frame as JSON, and how its parameters were chosen.
pub(crate) fn json(args: &Args, path: &Path, auto: Option<Choices>) -> Result<(), CommandError> {
    let opened = Opened::new(path, args)?;
    let nchunks = opened.of(opened.reader.nchunks())?;
    let mut facts = facts(&opened, Some(nchunks), Some(opened.of(opened.reader.trailer())?))?;
    facts.auto = auto;
    print(&Facts::Frame(Box::new(facts)), true)
}

fn print(facts: &Facts, as_json: bool) -> Result<(), CommandError> {
    let text = if as_json { facts.json().map_err(CommandError::Output)? } else { facts.text() };
    io::stdout().write_all(text.as_bytes()).map_err(CommandError::Output)
}

fn facts(
    opened: &Opened<'_>,
    nchunks: Option<u64>,
    trailer: Option<&Trailer>,
) -> Result<FrameFacts, CommandError> {
    let array = opened.array()?;
    let frame = opened.reader.frame();
    let header = &frame.header;
    let filter = |filter: filter::Filter| FilterFacts {
        id: filter.id,
        name: filter::name(filter.id),
        meta: filter.meta,
    };
    let claimed = if frame.is_chunk() { header.cbytes } else { header.frame_len };
    Ok(FrameFacts {
        kind: opened.kind(),
        reference: header.reference(),
        shape: array.map(|array| array.shape().to_vec()),
        chunks: array.map(|array| array.chunkshape().to_vec()),
        blocks: array.and_then(|array| array.blockshape()).map(<[u32]>::to_vec),
        dtype: array.and_then(|array| array.dtype()).map(str::to_owned),
        typesize: header.typesize,
        nbytes: array.map_or(header.nbytes, |array| opened.nbytes(array)),
        cbytes: header.cbytes,
        missing: opened.len.map(|len| claimed.saturating_sub(len)),
        nchunks,
        codec: header.codec.name().map_or(CodecName::Unknown(header.codec.0), CodecName::Known),
        codec_meta: Some(header.codec_meta).filter(|meta| *meta > 0),
        clevel: (!frame.is_chunk()).then_some(header.clevel),
        filters: header.filters.iter().map(filter).collect(),
        splitmode: header.splitmode.map(|mode| mode.name()),
        contiguous: !header.sparse,
        frame_version: (!frame.is_chunk()).then_some(header.version),
        metalayers: metalayers(&header.metalayers, &opened.limits),
        attributes: trailer.map(|trailer| metalayers(&trailer.attributes, &opened.limits)),
        contents: Contents::default(),
        auto: None,
    })
}

/// The contents of a frame other than arrays and items: objects, a packed tensor, or the origin of a reference.
fn contents(opened: Opened<'_>) -> Result<Contents, CommandError> {
    let (header, limits) = (&opened.reader.frame().header, &opened.limits);
    let trailer = opened.of(opened.reader.trailer())?;
    let wrong = |error| CommandError::Blosc(opened.path.into(), error);
    let tensor = Tensor::packed(trailer, header.nbytes, limits).map_err(wrong)?;
    let tensor = tensor.map(|tensor| TensorFacts { shape: tensor.shape, dtype: tensor.dtype.to_string() });
    let origin = origin(header, trailer, limits).map_err(wrong)?.map(|origin| json::json(&origin, limits));
    let is_sequence = opened.of(Objects::kind_of(&opened.reader))?.is_some();
    let sequence = is_sequence.then(|| objects::facts(opened)).transpose()?;
    Ok(Contents { tensor, origin, sequence })
}
