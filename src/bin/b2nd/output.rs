//! Where results go: standard output, or a file that changes only as a whole.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Stdout, Write},
    path::{Path, PathBuf},
    process,
};

/// A result being written. Dropped before [`commit`](Self::commit), it leaves a file as it was.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout(BufWriter<Stdout>),
    /// What is no regular file, a device or a pipe, cannot be replaced and is written to as it is.
    Device(BufWriter<File>),
    Replacement(Replacement),
}

/// A file beside the one that it is to replace.
#[derive(Debug)]
pub(crate) struct Replacement {
    file: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
    committed: bool,
}

impl Output {
    /// The file at the path, or standard output where there is none.
    pub(crate) fn create(path: Option<&Path>) -> io::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stdout(BufWriter::new(io::stdout()))) };
        match fs::metadata(path) {
            Ok(old) if old.is_file() => Replacement::of(fs::canonicalize(path)?, Some(old)),
            Ok(_) => Ok(Self::Device(BufWriter::new(OpenOptions::new().write(true).open(path)?))),
            Err(_) => Replacement::of(path.to_owned(), None),
        }
    }

    /// All has been written: lets it take effect.
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

impl Replacement {
    fn of(path: PathBuf, old: Option<fs::Metadata>) -> io::Result<Output> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.tmp", process::id()));
        let temporary = path.with_file_name(hidden);
        let file = BufWriter::new(OpenOptions::new().write(true).create_new(true).open(&temporary)?);
        let replacement = Self { file, temporary, path, committed: false };
        if let Some(old) = old {
            fs::set_permissions(&replacement.temporary, old.permissions())?;
        }
        Ok(Output::Replacement(replacement))
    }

    fn commit(mut self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.committed {
            // Nothing more can be done about a file that cannot be removed.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

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
    fn devices_are_not_replaced() {
        let mut output = Output::create(Some(Path::new("/dev/null"))).unwrap();
        assert!(matches!(output, Output::Device(_)));
        output.write_all(b"gone").unwrap();
        output.commit().unwrap();
    }
}
