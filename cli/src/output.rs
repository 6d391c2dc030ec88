//! Output to standard output, to a file that is replaced atomically, or to a URL.

use crate::files::{temporary, unlinked};
use crate::pipe::{is_standard_output, is_written_through};
use crate::remote::{check_upload, is_url, upload_file};
use crate::signals::on_signals;
use b2nd::sink::{self, NewFile};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

/// An output. Dropping it before [`commit`](Self::commit) leaves an existing file unchanged.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout(BufWriter<Stdout>),
    /// Devices and pipes cannot be replaced; they are written to directly.
    Device(BufWriter<File>),
    File(BufWriter<NewFile>),
    /// A temporary file, and the URL that it is uploaded to.
    Url(BufWriter<File>, PathBuf),
}

impl Output {
    /// Opens the file at the path; standard output if there is none, or for `-`.
    pub(crate) fn create(path: Option<&Path>) -> io::Result<Self> {
        let Some(path) = path.filter(|path| !is_standard_output(path)) else {
            return Ok(Self::Stdout(BufWriter::new(io::stdout())));
        };
        if is_url(path) {
            check_upload(path)?;
            return Ok(Self::Url(BufWriter::new(unlinked(&temporary())?), path.into()));
        }
        if is_written_through(path) {
            return Ok(Self::Device(BufWriter::new(OpenOptions::new().write(true).open(path)?)));
        }
        // Without a handler, what a signal leaves is removed by the next writer of the path.
        let _ = on_signals(sink::remove_temporaries);
        Ok(Self::File(BufWriter::new(NewFile::create(path)?)))
    }

    /// Completes the output: flushes it, and replaces the file.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Self::File(file) => file.into_inner()?.publish(),
            Self::Url(file, url) => upload_file(file.into_inner()?, &url),
            _ => Ok(()),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stdout) => stdout,
            Self::Device(device) => device,
            Self::File(file) => file,
            Self::Url(file, _) => file,
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs, process};

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
    fn links_are_followed_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
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
            fs::set_permissions(dir.join("data/out"), fs::Permissions::from_mode(0o640)).unwrap();
        }
        Output::create(Some(&dir.join("link"))).and_then(Output::commit).unwrap();
        assert_eq!(fs::metadata(dir.join("data/out")).unwrap().permissions().mode() & 0o777, 0o640);
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
