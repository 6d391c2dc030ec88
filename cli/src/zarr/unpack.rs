//! A Zarr array of the chunks of a frame.

use super::refused;
use crate::args::Args;
use crate::error::CommandError;
use crate::files::folder;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::signals::on_signals;
use crate::values::ValueError;
use b2nd_refs::{Metadata, constant};
use core::mem;
use std::path::{Path, PathBuf};
use std::{fs, io};

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

/// A directory that gets its name when it is complete.
struct NewFolder {
    temporary: PathBuf,
    path: PathBuf,
}

impl NewFolder {
    fn create(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.display().to_string();
        fs::create_dir_all(folder(path))?;
        let temporary = Self::free(folder(path), &name)?;
        let left = temporary.clone();
        let _ = on_signals(move || drop(fs::remove_dir_all(left)));
        Ok(Self { temporary, path: path.into() })
    }

    /// A new directory beside those that killed processes left.
    fn free(folder: &Path, name: &str) -> io::Result<PathBuf> {
        let mut number = 0;
        loop {
            let path = folder.join(format!(".{name}.{number}.tmp"));
            match fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                created => return created.map(|()| path),
            }
        }
    }

    fn write(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.temporary.join(key);
        fs::create_dir_all(folder(&path))?;
        fs::write(path, bytes)
    }

    fn publish(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)?;
        // What is at the temporary path from now on is somebody else's.
        mem::forget(self);
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // There is nobody to tell if this fails.
        let _ = fs::remove_dir_all(&self.temporary);
    }
}
