//! A frame of the chunks of a Zarr array.

use crate::args::{Args, layers};
use crate::edit::item;
use crate::error::CommandError;
use crate::progress::Progress;
use crate::target::{made, new_file, written};
use crate::values::ValueError;
use b2nd::chunk::Header;
use b2nd::sink::Editor;
use b2nd::{Error, Layout};
use b2nd_refs::{Fill, Metadata, MetadataError};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Writes the frame.
pub(crate) fn pack(args: &Args, from: &Path, output: &Path) -> Result<(), CommandError> {
    let json = from.join("zarr.json");
    let text = fs::read(&json).map_err(|error| CommandError::Input(json.clone(), error))?;
    let wrong = |error| match error {
        MetadataError::Invalid(what) => {
            CommandError::Input(json.clone(), io::Error::new(io::ErrorKind::InvalidData, what))
        }
        MetadataError::Unsupported(what) => CommandError::Zarr(json.clone(), what),
    };
    let metadata = Metadata::parse(&text).map_err(wrong)?;
    let params = metadata.params().map_err(wrong)?;
    let fill = match metadata.fill().map_err(wrong)? {
        Fill::Text(text) => item(&text, &metadata.dtype().map_err(wrong)?)?,
        Fill::Item(item) => item,
    };
    let fill = Some(fill).filter(|item| item.iter().any(|&byte| byte != 0));
    let mut editor = Editor::create_array(new_file(output)?, &params).map_err(|error| made(output, error))?;
    let failed = |error| written(output, error);
    for (name, value) in metadata.attributes() {
        let content = layers::content(&value.to_string()).map_err(ValueError::Json)?;
        editor.set_attr_bytes(&name, &content).map_err(failed)?;
    }
    let array = editor.layout().cloned().ok_or(ValueError::NotAnArray)?;
    let mut progress =
        Progress::new("writing", array.shape().iter().fold(array.itemsize().into(), u64::saturating_mul));
    for region in array.chunks() {
        let path = from.join(metadata.key(&region.position));
        match (chunk(args, &path, &metadata, &array)?, &fill) {
            (Some(chunk), _) => editor.put_chunk(region.number, &chunk).map_err(failed)?,
            (None, Some(item)) => editor.fill(region.selection(), item).map_err(failed)?,
            (None, None) => {}
        }
        progress.advance(region.shape().iter().product::<u64>() * u64::from(array.itemsize()));
    }
    editor.commit().map_err(failed)
}

/// The chunk at a path, if there is one.
fn chunk(
    args: &Args,
    path: &Path,
    metadata: &Metadata,
    array: &Layout,
) -> Result<Option<Vec<u8>>, CommandError> {
    let failed = |error| CommandError::Input(path.into(), error);
    let refused = |error: Error| CommandError::Blosc(path.into(), error);
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(failed)?,
    };
    let mut bytes = Vec::new();
    file.by_ref().take(HEADER).read_to_end(&mut bytes).map_err(failed)?;
    let header = Header::parse(&bytes).map_err(refused)?;
    metadata.configuration().check(array, &header).map_err(refused)?;
    let cbytes = u64::from(header.cbytes);
    if cbytes > args.limits().memory {
        return Err(CommandError::Zarr(
            path.into(),
            "the chunk takes more memory than --max-memory allows".into(),
        ));
    }
    file.take((cbytes + 1).saturating_sub(HEADER)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 == cbytes {
        return Ok(Some(bytes));
    }
    Err(failed(io::Error::new(io::ErrorKind::InvalidData, format!("the chunk has not its {cbytes} bytes"))))
}

/// The longest header.
const HEADER: u64 = 32;
