//! A file that takes its place only as a whole.
//!
//! Until then it has no name where the system can do so (Linux, on most file systems): whatever ends the process,
//! nothing is left of it. Elsewhere it has a name of its own, and signals that end the process remove it first.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
    process,
};

/// A file being written. Dropped before [`commit`](Self::commit), it leaves what is at its path as it was.
#[derive(Debug)]
pub(crate) struct Replacement {
    pub(crate) file: BufWriter<File>,
    path: PathBuf,
    /// A name in the same folder, for as long as it is not at its path.
    temporary: PathBuf,
    is_named: bool,
}

impl Replacement {
    /// A file for `path`, with the permissions of the one that is there.
    pub(crate) fn create(path: PathBuf, old: Option<&Metadata>) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let nameless = nameless(folder.unwrap_or(Path::new(".")));
        Self::with(nameless, path, old)
    }

    /// Without a nameless file, it has a name.
    fn with(nameless: Option<File>, path: PathBuf, old: Option<&Metadata>) -> io::Result<Self> {
        let mut name = OsString::from(".");
        name.push(path.file_name().ok_or(ErrorKind::IsADirectory)?);
        name.push(format!(".{}.tmp", process::id()));
        let temporary = path.with_file_name(name);
        let is_named = nameless.is_none();
        let file = match nameless {
            Some(file) => file,
            None => {
                remove_on_signals(&temporary)?;
                OpenOptions::new().write(true).create_new(true).open(&temporary)?
            }
        };
        let replacement = Self { file: BufWriter::new(file), path, temporary, is_named };
        if let Some(old) = old {
            replacement.file.get_ref().set_permissions(old.permissions())?;
        }
        Ok(replacement)
    }

    /// Puts it in its place.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        if !self.is_named {
            // Only a name can take the place of another.
            match link(self.file.get_ref(), &self.path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                done => return done,
            }
            link(self.file.get_ref(), &self.temporary)?;
            self.is_named = true;
        }
        fs::rename(&self.temporary, &self.path)?;
        self.is_named = false;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if self.is_named {
            // Nothing more can be done about a file that cannot be removed.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A file without a name in this folder, where that is possible and [`link`] can give it one.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    descriptor(&file).exists().then_some(file)
}

/// Gives the file a name that nothing has yet.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// What stands for an open file among files.
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

/// Lets signals that end the process remove the file first.
#[cfg(unix)]
fn remove_on_signals(path: &Path) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let path = path.to_owned();
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _ = fs::remove_file(&path);
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn remove_on_signals(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use core::time::Duration;
    use std::env;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};
    use std::thread::sleep;

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

    /// What the test below starts and ends.
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
