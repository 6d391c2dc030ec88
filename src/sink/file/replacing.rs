//! Replacement of files and directories by a new frame.

use super::folder::{own_files, remove};
use super::system::sync_folder;
use super::temporary::collect;
use crate::source::paths::{about, aside};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The file or directory that a new frame replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Old {
    Nothing,
    File,
    /// The directory of a sparse frame.
    Folder,
}

impl Old {
    /// Looks at what is at a path where a new frame shall be. Fails for all that is neither a regular file nor a directory with
    /// nothing but a sparse frame.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        let there = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::Nothing),
            there => there?,
        };
        if there.is_dir() {
            return own_files(path).map(|_| Self::Folder);
        }
        if there.is_file() {
            return Ok(Self::File);
        }
        Err(about(
            path,
            ErrorKind::NotSeekable,
            "neither a file nor a directory: a frame cannot take its place",
        ))
    }
}

/// Moves a new frame to its path. The inner result tells whether what it replaces could be removed.
pub(super) fn replace(new: &Path, path: &Path, is_sparse: bool) -> io::Result<io::Result<()>> {
    replace_by(exchange, new, path, is_sparse)
}

fn replace_by(
    exchange: impl Fn(&Path, &Path) -> io::Result<()>,
    new: &Path,
    path: &Path,
    is_sparse: bool,
) -> io::Result<io::Result<()>> {
    let old = Old::at(path)?;
    // A file replaces a file, but a directory with files nothing.
    if old == Old::Nothing || (old == Old::File && !is_sparse) {
        fs::rename(new, path)?;
        return sync_folder(path).map(Ok);
    }
    match exchange(new, path) {
        Ok(()) => {
            sync_folder(path)?;
            Ok(remove(new))
        }
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            let old = aside(path)?;
            collect(&old);
            fs::rename(path, &old)?;
            // What happens here is mended when the path is opened next: see `found`.
            if let Err(error) = fs::rename(new, path) {
                fs::rename(&old, path)?;
                return Err(error);
            }
            sync_folder(path)?;
            Ok(remove(&old))
        }
        Err(error) => Err(error),
    }
}

/// Exchanges two paths at once. Fails as `Unsupported` or `InvalidInput` where the kernel or the file system cannot.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(new: &Path, path: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, new, CWD, path, RenameFlags::EXCHANGE)
        .map_err(|error| io::Error::from_raw_os_error(error.raw_os_error()))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::array::ArrayParams;
    use crate::plan::Selection;
    use crate::sink::{create, edit};
    use crate::source::open;
    use alloc::vec::Vec;
    use std::os::unix::process::ExitStatusExt;
    use std::path::PathBuf;
    use std::process::{Command, Stdio, abort};
    use std::{env, process};

    const KILLED: &str = "B2ND_KILLED_BETWEEN";

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(alloc::format!("b2nd-replacing-{name}-{}", process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn count(&self) -> usize {
            fs::read_dir(&self.0).unwrap().count()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn make(path: &Path, value: u8, is_sparse: bool) {
        let mut params = ArrayParams::new(&[10], "|u1");
        params.sparse = is_sparse;
        let mut editor = create(path, &params).unwrap();
        editor.fill(Selection::all(), &[value]).unwrap();
        editor.commit().unwrap();
    }

    fn value(path: &Path) -> u8 {
        let items: Vec<u8> = open(path).unwrap().get(Selection::all()).unwrap();
        items[0]
    }

    fn impossible(kind: ErrorKind) -> impl Fn(&Path, &Path) -> io::Result<()> {
        move |_, _| Err(kind.into())
    }

    #[test]
    fn a_frame_is_replaced_without_an_exchange() {
        for kind in [ErrorKind::Unsupported, ErrorKind::InvalidInput] {
            for (old, new) in [(true, true), (true, false), (false, true)] {
                let folder = Folder::new("without");
                let (path, other) = (folder.0.join("a.b2nd"), folder.0.join("b.b2nd"));
                make(&path, 1, old);
                make(&other, 2, new);
                replace_by(impossible(kind), &other, &path, new).unwrap().unwrap();
                assert_eq!((value(&path), folder.count()), (2, 1));
            }
        }
        let folder = Folder::new("denied");
        let (path, other) = (folder.0.join("a.b2nd"), folder.0.join("b.b2nd"));
        make(&path, 1, true);
        make(&other, 2, true);
        let denied = replace_by(impossible(ErrorKind::PermissionDenied), &other, &path, true);
        assert_eq!(denied.unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert_eq!((value(&path), value(&other)), (1, 2));
    }

    /// Run by the test below. It ends when nothing is at the path.
    #[test]
    #[ignore = "is killed"]
    fn ends_between_two_names() {
        let path = PathBuf::from(env::var_os(KILLED).unwrap());
        let lock = super::super::lock::lock(&path).unwrap();
        fs::rename(&path, aside(&path).unwrap()).unwrap();
        drop(lock);
        abort();
    }

    #[test]
    fn the_old_frame_gets_its_name_back() {
        for (is_sparse, how) in [(true, 0), (false, 0), (true, 1), (true, 2)] {
            let folder = Folder::new("between");
            let path = folder.0.join("a.b2nd");
            make(&path, 1, is_sparse);
            let mut child = Command::new(env::current_exe().unwrap());
            let this = "sink::file::replacing::tests::ends_between_two_names";
            child.args(["--exact", this, "--ignored"]).env(KILLED, &path).stdout(Stdio::null());
            assert!(child.stderr(Stdio::null()).status().unwrap().signal().is_some());
            assert!(!path.exists());
            match how {
                0 => assert_eq!(value(&path), 1),
                1 => drop(edit(&path).unwrap()),
                _ => make(&path, 1, is_sparse),
            }
            assert!(path.exists());
            assert_eq!((value(&path), folder.count()), (1, 1));
        }
    }

    #[test]
    fn readers_wait_for_a_living_writer() {
        let folder = Folder::new("living");
        let (path, other) = (folder.0.join("a.b2nd"), folder.0.join("b.b2nd"));
        make(&path, 1, true);
        make(&other, 2, true);
        let lock = super::super::lock::lock(&path).unwrap();
        let old = aside(&path).unwrap();
        fs::rename(&path, &old).unwrap();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| value(&path));
            std::thread::sleep(core::time::Duration::from_millis(20));
            fs::rename(&other, &path).unwrap();
            assert_eq!(reader.join().unwrap(), 2);
        });
        remove(&old).unwrap();
        drop(lock);
        assert_eq!((value(&path), folder.count()), (2, 1));
    }
}
