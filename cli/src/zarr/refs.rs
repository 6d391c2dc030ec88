//! References to the chunks of a frame, as kerchunk writes them.

use super::chunk::{check, constant};
use super::metadata::{Metadata, unsupported};
use crate::args::Args;
use crate::failure::Failure;
use crate::opened::Opened;
use crate::output::Output;
use crate::store;
use crate::values::ValueError;
use b2nd::export::BytesAs;
use b2nd::frame::Location;
use b2nd::wire::Part;
use serde_json::{Map, Value as Json, json};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes the references of an array.
pub(crate) fn refs(
    args: &Args,
    path: &Path,
    url: Option<&str>,
    output: Option<&Path>,
) -> Result<(), Failure> {
    if store::split(path).is_some() {
        return Err(unsupported(path, "references to members of stores are not supported"));
    }
    let opened = Opened::new(path, args)?;
    let array = opened.array()?.ok_or(ValueError::NotAnArray)?;
    let metadata = Metadata::of_frame(&opened, array)?;
    // A URL has no other form, where the host opens such.
    let absolute = || fs::canonicalize(path).unwrap_or_else(|_| path.into()).to_string_lossy().into_owned();
    let place = url.map_or_else(absolute, str::to_owned);
    let mut refs = Map::new();
    refs.insert("zarr.json".into(), metadata.json.to_string().into());
    for region in array.chunks() {
        check(&opened, array, &metadata, region.number)?;
        let info = opened.of(opened.reader.chunk_info(region.number))?;
        let entry = match info.location {
            Location::Stored { part: Part::Frame, offset } => {
                json!([place, args.offset + offset, info.header.cbytes])
            }
            Location::Stored { part: Part::Chunk(number), offset } => {
                json!([format!("{place}/{number:08X}.chunk"), offset, info.header.cbytes])
            }
            Location::Special(_) => match constant(&opened, array, &region)? {
                Some(chunk) => Json::from(format!("base64:{}", BytesAs::Base64.text(&chunk))),
                None => continue,
            },
        };
        refs.insert(metadata.key(&region.position), entry);
    }
    let mut out = Output::create(output).map_err(Failure::Output)?;
    let text = json!({ "version": 1, "refs": refs });
    writeln!(out, "{text:#}").and_then(|()| out.commit()).map_err(Failure::Output)
}
