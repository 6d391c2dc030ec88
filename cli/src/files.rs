//! Directories, and temporary files in them.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The directory of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The directory for temporary files.
pub(crate) fn temporary() -> PathBuf {
    if !cfg!(target_os = "wasi") {
        return env::temp_dir();
    }
    // The host says which one it is.
    env::var_os("TMPDIR").unwrap_or_else(|| OsString::from("/tmp")).into()
}

/// Creates a directory for temporary files that others can neither read nor put links into.
pub(crate) fn private_folder() -> io::Result<PathBuf> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    unused(&temporary(), "b2nd", |path| builder.create(path)).map(|(path, ())| path)
}

/// Creates an empty temporary file in a directory, and unlinks it.
pub(crate) fn unlinked(folder: &Path) -> io::Result<fs::File> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let Some(file) = nameless(folder) {
        return Ok(file);
    }
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    let (path, file) = unused(folder, ".b2nd-input", |path| options.open(path))?;
    // Fails on systems that cannot remove open files; then the file remains.
    let _ = fs::remove_file(path);
    Ok(file)
}

/// Makes something that has the first unused one of the names `NAME.0.tmp`, `NAME.1.tmp` …
fn unused<T>(folder: &Path, name: &str, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    for number in 0_u32.. {
        let path = folder.join(format!("{name}.{number}.tmp"));
        match make(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|made| (path, made)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<fs::File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    open(folder, flags, Mode::from_raw_mode(0o600)).ok().map(fs::File::from)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_folder: &Path) -> Option<fs::File> {
    None
}
