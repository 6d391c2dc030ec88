//! References to the chunks of frames, as kerchunk writes them.

use super::chunk::{check, constant};
use super::join::Joined;
use super::metadata::Metadata;
use crate::args::{Args, Join};
use crate::failure::Failure;
use crate::opened::Opened;
use crate::output::Output;
use crate::store;
use crate::values::ValueError;
use b2nd::Layout;
use b2nd::export::BytesAs;
use b2nd::frame::Location;
use b2nd::plan::Region;
use b2nd::wire::Part;
use serde_json::{Map, Value as Json, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the references of arrays, which become one.
pub(crate) fn refs(
    args: &Args,
    paths: &[PathBuf],
    join: &Join,
    name: Option<&str>,
    url: Option<&str>,
    output: Option<&Path>,
) -> Result<(), Failure> {
    if let Some(wrong) = name.filter(|name| name.is_empty() || name.contains('/')) {
        return Err(ValueError::Refs(format!("{wrong:?} is no name of an array")).into());
    }
    if let Some(url) = url.filter(|url| paths.len() > 1 && !url.ends_with('/')) {
        return Err(
            ValueError::Refs(format!("{url} does not end with /, for the names of several files")).into()
        );
    }
    let prefix = name.map_or_else(String::new, |name| format!("{name}/"));
    let (mut refs, mut joined) = (Map::new(), Joined::new(join));
    if name.is_some() {
        let group = json!({ "zarr_format": 3, "node_type": "group", "attributes": {} });
        refs.insert("zarr.json".into(), group.to_string().into());
    }
    // The metadata come before the chunks, and are complete after the last file.
    let own = format!("{prefix}zarr.json");
    refs.insert(own.clone(), Json::Null);
    for path in paths {
        let path = &in_directory(path).unwrap_or_else(|| path.clone());
        let opened = Opened::new(path, args)?;
        let array = opened.array()?.ok_or(ValueError::NotAnArray)?;
        let metadata = Metadata::of_frame(&opened, array)?;
        let place = place(path, url);
        let mut entries = Vec::new();
        for region in array.chunks() {
            check(&opened, array, &metadata, region.number)?;
            if let Some(entry) = entry(&opened, array, &region, &place)? {
                entries.push((region.position.to_vec(), entry));
            }
        }
        let before = joined.add(path, metadata)?;
        for (position, entry) in entries {
            let key = joined.whole.as_ref().map(|whole| whole.key(&joined.position(before, &position)));
            refs.insert(prefix.clone() + &key.unwrap_or_default(), entry);
        }
    }
    refs[&own] = joined.whole.map(|whole| whole.json.to_string()).into();
    let mut out = Output::create(output).map_err(Failure::Output)?;
    let text = json!({ "version": 1, "refs": refs });
    writeln!(out, "{text:#}").and_then(|()| out.commit()).map_err(Failure::Output)
}

/// The file of a member of a store that is a directory.
fn in_directory(path: &Path) -> Option<PathBuf> {
    let (store, _) = store::split(path)?;
    let file = PathBuf::from(format!("{}.b2nd", path.display()));
    (store.is_dir() && file.is_file()).then_some(file)
}

/// Where readers find the file that has the frame.
fn place(path: &Path, url: Option<&str>) -> String {
    let file = store::split(path).map_or(path, |(store, _)| store);
    match url {
        Some(folder) if folder.ends_with('/') => {
            folder.to_owned() + &file.file_name().unwrap_or_default().to_string_lossy()
        }
        Some(url) => url.into(),
        None => fs::canonicalize(file).unwrap_or_else(|_| file.into()).to_string_lossy().into_owned(),
    }
}

/// The reference to a chunk: none to zeros, and the chunk itself if it is not in a file as it is.
fn entry(opened: &Opened<'_>, array: &Layout, region: &Region, place: &str) -> Result<Option<Json>, Failure> {
    let info = opened.of(opened.reader.chunk_info(region.number))?;
    let inline = match (info.location, opened.start) {
        (Location::Stored { part: Part::Frame, offset }, Some(start)) => {
            return Ok(Some(json!([place, start + offset, info.header.cbytes])));
        }
        (Location::Stored { part: Part::Chunk(number), offset }, Some(_)) => {
            return Ok(Some(json!([format!("{place}/{number:08X}.chunk"), offset, info.header.cbytes])));
        }
        (Location::Stored { .. }, None) => opened.of(opened.reader.stored_chunk(region.number))?,
        (Location::Special(_), _) => constant(opened, array, region)?,
    };
    Ok(inline.map(|chunk| format!("base64:{}", BytesAs::Base64.text(&chunk)).into()))
}
