//! Atomic replacement of a file.
//!
//! The new file is unnamed if the system supports that (Linux, on most file systems). Then no file remains, however the process
//! ends. Elsewhere it has a temporary name, and a handler removes it when a signal ends the process.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// A new file. Dropping it before [`commit`](Self::commit) leaves the file at its path unchanged.
#[derive(Debug)]
pub(crate) struct Replacement {
    pub(crate) file: BufWriter<File>,
    path: PathBuf,
    /// A temporary name in the same directory, if it has one.
    temporary: Option<PathBuf>,
}

impl Replacement {
    /// Creates a file for `path`, with the permissions of the existing one.
    pub(crate) fn create(path: PathBuf, old: Option<&Metadata>) -> io::Result<Self> {
        let nameless = nameless(folder(&path));
        Self::with(nameless, path, old)
    }

    /// Uses the unnamed file, or creates one with a temporary name.
    fn with(nameless: Option<File>, path: PathBuf, old: Option<&Metadata>) -> io::Result<Self> {
        let (file, temporary) = match nameless {
            Some(file) => (file, None),
            None => {
                let make = |new: &Path| OpenOptions::new().write(true).create_new(true).open(new);
                let (file, new) = temporary(&path, make)?;
                let left = new.clone();
                on_signals(move || drop(fs::remove_file(left)))?;
                (file, Some(new))
            }
        };
        // Others see that it is in use. Some file systems do not support locks.
        let _ = file.try_lock();
        let replacement = Self { file: BufWriter::new(file), path, temporary };
        if let Some(old) = old {
            replacement.file.get_ref().set_permissions(old.permissions())?;
        }
        Ok(replacement)
    }

    /// Moves the file to its path.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        if self.temporary.is_none() {
            // Renaming replaces a file, linking does not.
            match link(self.file.get_ref(), &self.path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                done => return done,
            }
            self.temporary = Some(temporary(&self.path, |new| link(self.file.get_ref(), new))?.1);
        }
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.path)?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // A destructor cannot report errors.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// The directory of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a file with a temporary name, one of those that `sink::File` has. What a killed process left there, which has no lock
/// any more, is removed.
fn temporary<T>(path: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    let name = path.file_name().ok_or(ErrorKind::IsADirectory)?;
    for number in 0_u32..1000 {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".b2nd-{number}.tmp"));
        let new = path.with_file_name(hidden);
        if fs::symlink_metadata(&new).is_ok_and(|left| left.is_file())
            && File::open(&new).is_ok_and(|left| left.try_lock().is_ok())
        {
            fs::remove_file(&new)?;
        }
        match make(&new) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|made| (made, new)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Creates an unnamed file in this directory, if that is possible and [`link`] can name it.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    descriptor(&file).exists().then_some(file)
}

/// Gives the file a new name.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// The path of an open file descriptor.
#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

#[cfg(not(target_os = "linux"))]
fn nameless(_folder: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _path: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Installs a handler that runs `action` before a signal ends the process.
#[cfg(unix)]
pub(crate) fn on_signals(action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            action();
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn on_signals(_action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use core::time::Duration;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::{env, process};

    const FOLDER: &str = "B2ND_TEST_FOLDER";

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("b2nd-{name}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn keeps_permissions_with_and_without_a_name() {
        let folder = folder("permissions");
        let path = folder.join("out");
        for is_nameless in [true, false] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            let nameless = is_nameless.then(|| nameless(&folder)).flatten();
            let mut replacement =
                Replacement::with(nameless, path.clone(), fs::metadata(&path).ok().as_ref()).unwrap();
            replacement.file.write_all(b"new").unwrap();
            replacement.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    /// Run and killed by the test below.
    #[test]
    #[ignore = "waits to be killed"]
    fn writes_until_it_is_killed() {
        let path = PathBuf::from(env::var_os(FOLDER).unwrap()).join("out");
        let _replacement = Replacement::with(None, path, None).unwrap();
        sleep(Duration::from_secs(60));
    }

    #[test]
    fn signals_remove_what_has_a_name() {
        let folder = folder("signals");
        let files = || fs::read_dir(&folder).unwrap().count();
        let this = "replacement::tests::writes_until_it_is_killed";
        for signal in ["INT", "TERM"] {
            let mut child = Command::new(env::current_exe().unwrap())
                .args(["--exact", this, "--ignored"])
                .env(FOLDER, &folder)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            while files() == 0 {
                sleep(Duration::from_millis(5));
            }
            let kill = format!("kill -{signal} {}", child.id());
            assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
            assert!(!child.wait().unwrap().success());
            assert_eq!(files(), 0);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
