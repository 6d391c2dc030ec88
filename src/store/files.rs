//! Stores on disk.

use super::Store;
use super::key::stem;
use crate::base::Limits;
use crate::chunk::DParams;
use crate::source::paths::must_be_no_link;
use crate::source::{File, ReadAt, ReadError, is_sparse_frame};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Opens the store in a file (`.b2e`, `.b2z`) or in a directory (`.b2d`).
///
/// # Errors
/// `Source` if it cannot be read, for a pipe, and for a link in the directory in place of a file, which is not followed; `Blosc`
/// as for [`Store::open`].
pub fn open(path: impl AsRef<Path>) -> Result<Store<File>, ReadError<io::Error>> {
    open_with(path, DParams::default())
}

/// [`open`] with parameters of decompression. Members are opened with them as well.
///
/// # Errors
/// Errors of [`open`].
pub fn open_with(path: impl AsRef<Path>, dparams: DParams) -> Result<Store<File>, ReadError<io::Error>> {
    open_by(path, |file| file, dparams)
}

/// [`open_with`], reading files by sources that are made of them: in programs that read stores of other sources as well.
///
/// ```
/// use b2nd::{DParams, source::File, store};
/// use std::sync::Arc;
/// let store = store::open_by("tests/golden/blosc2-4.14.1/store.b2e", Arc::<File>::new, DParams::default())?;
/// assert!(store.keys().eq(["/first", "/group/second"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Errors of [`open`].
pub fn open_by<S: ReadAt<Error = io::Error>>(
    path: impl AsRef<Path>,
    source: impl Fn(File) -> S + Send + Sync + 'static,
    dparams: DParams,
) -> Result<Store<S>, ReadError<io::Error>> {
    let path = path.as_ref();
    if path.is_dir() {
        // Without the right to do so, the store is read as it is.
        #[cfg(feature = "write")]
        let _ = super::journal::complete(path);
        let mut files = Vec::new();
        walk(path, "", &dparams.limits, &mut files).map_err(ReadError::Source)?;
        let root: PathBuf = path.into();
        let open = move |name: &str| {
            let path = root.join(name);
            must_be_no_link(&path)?;
            File::open(path).map(&source)
        };
        return Store::open_directory(files, open, dparams);
    }
    let file = File::open(path).map_err(ReadError::Source)?;
    let len = fs::metadata(path).map_err(ReadError::Source)?.len();
    Store::open(source(file), len, dparams)
}

/// Lists the members below a directory, relative to the store. Links to directories are not followed.
pub(crate) fn walk(
    directory: &Path,
    prefix: &str,
    limits: &Limits,
    files: &mut Vec<String>,
) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let (name, has_key) = (format!("{prefix}{name}"), stem(&name).is_some());
        // Groups may have names as files have. The directory of a sparse frame is a member.
        if entry.file_type()?.is_dir() && !(has_key && is_sparse_frame(&entry.path())) {
            if name.matches('/').count() < limits.depth as usize {
                walk(&entry.path(), &format!("{name}/"), limits, files)?;
            }
        } else if has_key {
            files.push(name);
        }
    }
    Ok(())
}
