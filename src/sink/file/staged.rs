//! Frames that are staged for a store, in a directory that only its editor has.
//!
//! They need neither locks nor syncs of their own, and their files are open only while something is read or written: a table may have
//! thousands of them.

use super::{File, Pending};
use crate::source::paths::open_part;
use alloc::format;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Frames that are written for one path at the same time: a new one, and one that replaces it.
const MAX_NAMES: u32 = 100;

impl File {
    /// Creates a frame that is at the path once it is published.
    pub(in crate::sink) fn create_staged(path: &Path) -> io::Result<Self> {
        for number in 0..MAX_NAMES {
            let mut name = path.as_os_str().to_os_string();
            name.push(format!(".{number}.tmp"));
            match OpenOptions::new().write(true).create_new(true).open(&name) {
                Ok(_) => return Ok(Self::of(name.into(), None, Some(path.into()), Pending::after(0))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Opens a frame to change it.
    pub(in crate::sink) fn open_staged(path: &Path) -> io::Result<Self> {
        let len = fs::metadata(path)?.len();
        Ok(Self::of(path.into(), None, None, Pending::after(len)))
    }
}

/// Opens the file: no link that was planted in its place.
pub(super) fn open(path: &Path) -> io::Result<fs::File> {
    open_part(path, OpenOptions::new().read(true).write(true))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::frame::{Part, Request};
    use crate::sink::WriteAt;
    use crate::source::ReadAt;
    use alloc::vec::Vec;

    #[test]
    fn links_are_not_followed() {
        let folder = std::env::temp_dir().join(format!("b2nd-staged-link-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let victim = folder.join("victim");
        fs::write(&victim, b"precious").unwrap();
        let mut file = File::create_staged(&folder.join("0.b2nd-staged")).unwrap();
        fs::remove_file(&file.path).unwrap();
        std::os::unix::fs::symlink(&victim, &file.path).unwrap();
        assert!(file.write_at(Part::Frame, 0, b"changed").is_err());
        assert!(file.truncate(0).is_err());
        assert!(file.read_at(&Request { part: Part::Frame, range: 0..8 }, &mut Vec::new()).is_err());
        drop(file);
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        fs::remove_dir_all(&folder).unwrap();
    }
}
