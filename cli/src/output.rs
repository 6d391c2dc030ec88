//! Output to standard output, or to a file that is replaced atomically.

use crate::pipe::is_standard_output;
use crate::replacement::{Replacement, folder};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Stdout, Write},
    path::{Path, PathBuf},
};

/// An output. Dropping it before [`commit`](Self::commit) leaves an existing file unchanged.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout(BufWriter<Stdout>),
    /// Devices and pipes cannot be replaced; they are written to directly.
    Device(BufWriter<File>),
    Replacement(Replacement),
}

impl Output {
    /// Opens the file at the path; standard output if there is none, or for `-`.
    pub(crate) fn create(path: Option<&Path>) -> io::Result<Self> {
        let Some(path) = path.filter(|path| !is_standard_output(path)) else {
            return Ok(Self::Stdout(BufWriter::new(io::stdout())));
        };
        Ok(match fs::metadata(path) {
            Ok(old) if old.is_file() => {
                Self::Replacement(Replacement::create(fs::canonicalize(path)?, Some(&old))?)
            }
            Ok(_) => Self::Device(BufWriter::new(OpenOptions::new().write(true).open(path)?)),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            // Nothing is there, or a link that leads nowhere yet.
            Err(_) => Self::Replacement(Replacement::create(behind_links(path), None)?),
        })
    }

    /// Completes the output: flushes it, and replaces the file.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Self::Replacement(replacement) => replacement.commit(),
            _ => Ok(()),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stdout) => stdout,
            Self::Device(file) => file,
            Self::Replacement(replacement) => &mut replacement.file,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// Where a path leads that names nothing, but may be a link.
fn behind_links(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let next = |path: &PathBuf| Some(folder(path).join(fs::read_link(path).ok()?));
    let links = core::iter::successors(Some(path.to_owned()), next);
    links.take(MOST).last().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, process};

    #[test]
    fn a_file_changes_only_as_a_whole() {
        let folder = env::temp_dir().join(format!("b2nd-output-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("out");
        fs::write(&path, "old").unwrap();

        let mut failed = Output::create(Some(&path)).unwrap();
        failed.write_all(b"half").unwrap();
        drop(failed);
        assert_eq!(fs::read(&path).unwrap(), b"old");

        let mut output = Output::create(Some(&path)).unwrap();
        output.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        output.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);

        assert!(Output::create(Some(&folder.join("none/out"))).is_err());
        assert!(Output::create(Some(&folder)).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;
        let dir = env::temp_dir().join(format!("b2nd-links-{}", process::id()));
        fs::create_dir_all(dir.join("data")).unwrap();
        symlink("data/next", dir.join("link")).unwrap();
        symlink("out", dir.join("data/next")).unwrap();
        for text in ["new", "newer"] {
            let mut output = Output::create(Some(&dir.join("link"))).unwrap();
            output.write_all(text.as_bytes()).unwrap();
            output.commit().unwrap();
            assert_eq!(fs::read(dir.join("data/out")).unwrap(), text.as_bytes());
            assert!(fs::symlink_metadata(dir.join("data/next")).unwrap().is_symlink());
        }
        symlink("loop", dir.join("loop")).unwrap();
        assert!(Output::create(Some(&dir.join("loop"))).is_err());
        fs::remove_dir_all(dir).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_replaced() {
        let mut output = Output::create(Some(Path::new("/dev/null"))).unwrap();
        assert!(matches!(output, Output::Device(_)));
        output.write_all(b"gone").unwrap();
        output.commit().unwrap();
    }
}
