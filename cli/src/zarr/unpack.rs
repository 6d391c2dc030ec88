//! A Zarr array of the chunks of a frame.

use super::new_folder::NewFolder;
use super::refused;
use crate::args::Args;
use crate::error::CommandError;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::values::ValueError;
use b2nd_refs::{Metadata, chunk, chunks};
use std::path::Path;

/// Writes the array, in a directory that must not exist.
pub(crate) fn unpack(args: &Args, from: &Path, output: &Path) -> Result<(), CommandError> {
    let opened = Opened::new(from, args)?;
    let array = opened.array()?.ok_or(ValueError::NotAnArray)?;
    let metadata = Metadata::of(&opened.reader).map_err(|error| refused(from, error))?;
    let target = NewFolder::create(output).map_err(CommandError::Output)?;
    let mut progress = Progress::new("writing", opened.nbytes(array));
    for region in chunks(&opened.reader, array, &metadata).map_err(|error| refused(from, error))? {
        let (region, _) = region.map_err(|error| refused(from, error))?;
        let bytes = opened.of(chunk(&opened.reader, array, &region))?;
        target.write(&metadata.key(&region.position), &bytes).map_err(CommandError::Output)?;
        progress.advance(region.shape().iter().product::<u64>() * u64::from(array.itemsize()));
    }
    let text = format!("{:#}\n", metadata.json());
    target.write("zarr.json", text.as_bytes()).and_then(|()| target.publish()).map_err(CommandError::Output)
}
