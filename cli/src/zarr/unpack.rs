//! A Zarr array of the chunks of a frame.

use super::new_folder::NewFolder;
use super::refused;
use crate::args::Args;
use crate::error::CommandError;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::values::ValueError;
use b2nd_refs::{Metadata, constant};
use std::path::Path;

/// Writes the array, in a directory that must not exist.
pub(crate) fn unpack(args: &Args, from: &Path, output: &Path) -> Result<(), CommandError> {
    let opened = Opened::new(from, args)?;
    let array = opened.array()?.ok_or(ValueError::NotAnArray)?;
    let metadata = Metadata::of(&opened.reader).map_err(|error| refused(from, error))?;
    let target = NewFolder::create(output).map_err(CommandError::Output)?;
    let mut progress = Progress::new("writing", opened.nbytes(array));
    for region in array.chunks() {
        let header = opened.of(opened.reader.chunk_info(region.number))?.header;
        let checked = metadata.configuration().check(array, &header);
        checked.map_err(|error| CommandError::Blosc(from.into(), error))?;
        let chunk = match opened.of(opened.reader.stored_chunk(region.number))? {
            None => opened.of(constant(&opened.reader, array, &region))?,
            stored => stored,
        };
        if let Some(chunk) = chunk {
            target.write(&metadata.key(&region.position), &chunk).map_err(CommandError::Output)?;
        }
        progress.advance(region.shape().iter().product::<u64>() * u64::from(array.itemsize()));
    }
    let text = format!("{:#}\n", metadata.json());
    target.write("zarr.json", text.as_bytes()).and_then(|()| target.publish()).map_err(CommandError::Output)
}
