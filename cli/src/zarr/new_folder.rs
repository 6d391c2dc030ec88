//! New directories.

use crate::files::folder;
use crate::signals::on_signals;
use core::mem;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A directory that gets its name when it is complete.
pub(super) struct NewFolder {
    temporary: PathBuf,
    path: PathBuf,
}

impl NewFolder {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
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

    /// The path of a new file in it.
    pub(super) fn file(&self, key: &str) -> io::Result<PathBuf> {
        let path = self.temporary.join(key);
        fs::create_dir_all(folder(&path))?;
        Ok(path)
    }

    pub(super) fn write(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        fs::write(self.file(key)?, bytes)
    }

    pub(super) fn publish(self) -> io::Result<()> {
        // A rename would replace an empty directory that came meanwhile. This one fails if there is anything.
        #[cfg(unix)]
        fs::create_dir(&self.path)?;
        fs::rename(&self.temporary, &self.path).inspect_err(|_| {
            // A directory with anything in it stays.
            #[cfg(unix)]
            let _ = fs::remove_dir(&self.path);
        })?;
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_came_meanwhile_stays() {
        let root = std::env::temp_dir().join(format!("b2nd-new-folder-{}", std::process::id()));
        let (path, other) = (root.join("new.zarr"), root.join("other"));
        fs::create_dir_all(&other).unwrap();
        let empty: fn(&Path, &Path) -> io::Result<()> = |path, _| fs::create_dir(path);
        let file: fn(&Path, &Path) -> io::Result<()> = |path, _| fs::write(path, "kept");
        let link: fn(&Path, &Path) -> io::Result<()> = |path, other| symlink(other, path);
        for come in [empty, file, link] {
            let new = NewFolder::create(&path).unwrap();
            new.write("zarr.json", b"{}").unwrap();
            come(&path, &other).unwrap();
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            assert_eq!(new.publish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            assert_eq!(fs::symlink_metadata(&path).unwrap().file_type(), kind);
            assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
            assert_eq!(fs::read_dir(&root).unwrap().count(), 2, "the temporary directory is gone");
            if kind.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) }.unwrap();
        }
        let new = NewFolder::create(&path).unwrap();
        new.write("zarr.json", b"{}").unwrap();
        new.publish().unwrap();
        assert_eq!(fs::read(path.join("zarr.json")).unwrap(), b"{}");
        fs::remove_dir_all(&root).unwrap();
    }
}
