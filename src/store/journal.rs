//! The changes of a directory that belong together: a journal in it names them while they are made, so that whoever opens the
//! store next completes what a process began that was killed.

use super::zip::is_relative;
use crate::base::Limits;
use crate::msgpack::Value;
use crate::source::locks::try_lock;
use crate::source::paths::{about, must_be_no_link};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;
use std::fs::{self, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// The journal's file.
const NAME: &str = ".b2nd-commit";
/// The journal's file before it is complete. If its writer is killed then, it is of no use.
pub(crate) const NEW: &str = ".b2nd-commit.tmp";

/// Names that change: what is taken out of a store, then what is put in. Each pair is a name in the store and a number, whose file
/// is in the folder of staged files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Journal {
    /// The name of that folder, which is beside the store.
    pub(crate) folder: String,
    pub(crate) taken: Vec<(String, u32)>,
    pub(crate) put: Vec<(String, u32)>,
}

/// The name of a staged file.
pub(crate) fn staged(number: u32) -> String {
    format!("{number}.b2nd-staged")
}

impl Journal {
    /// Makes the changes, which nothing can leave half done after the journal is on disk.
    pub(crate) fn carry_out(mut self, store: &Path) -> io::Result<()> {
        if self.taken.len() + self.put.len() > 1 {
            self.write(store)?;
        }
        self.take(store)?;
        if !self.taken.is_empty() && !self.put.is_empty() {
            // What was taken must not be looked for again once other files have its name.
            self.taken.clear();
            self.write(store)?;
        }
        self.complete(store)
    }

    fn take(&self, store: &Path) -> io::Result<()> {
        let folder = self.folder(store)?;
        for (name, number) in &self.taken {
            let (from, to) = (store.join(name), folder.join(staged(*number)));
            if fs::symlink_metadata(&to).is_err() && fs::symlink_metadata(&from).is_ok() {
                fs::rename(&from, &to)?;
                remove_empty_groups(store, &from);
            }
        }
        Ok(())
    }

    fn complete(&self, store: &Path) -> io::Result<()> {
        let folder = self.folder(store)?;
        for (name, number) in &self.put {
            let from = folder.join(staged(*number));
            if fs::symlink_metadata(&from).is_ok() {
                make_groups(store, name)?;
                fs::rename(&from, store.join(name))?;
            }
        }
        // Names are durable before the journal goes. Some systems cannot sync directories.
        let _ = fs::File::open(store).and_then(|directory| directory.sync_all());
        match fs::remove_file(store.join(NAME)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn folder(&self, store: &Path) -> io::Result<PathBuf> {
        Ok(fs::canonicalize(store)?.with_file_name(&self.folder))
    }

    fn write(&self, store: &Path) -> io::Result<()> {
        let pairs = |pairs: &[(String, u32)]| {
            let pair = |(name, number): &(String, u32)| {
                Value::Array([Value::Str(name.clone()), Value::Int((*number).into())].into())
            };
            Value::Array(pairs.iter().map(pair).collect())
        };
        let value =
            Value::Array([Value::Str(self.folder.clone()), pairs(&self.taken), pairs(&self.put)].into());
        let new = store.join(NEW);
        // What a killed process left may be a link to another file.
        let _ = fs::remove_file(&new);
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&new)?;
        file.write_all(&value.emit())?;
        file.sync_all()?;
        fs::rename(&new, store.join(NAME))
    }

    fn read(store: &Path) -> io::Result<Option<Self>> {
        let path = store.join(NAME);
        match must_be_no_link(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            there => _ = there?,
        }
        let damaged = || about(&path, ErrorKind::InvalidData, "not the journal of a store");
        let value = Value::parse(&fs::read(&path)?, &Limits::default()).map_err(|_| damaged())?;
        Self::of(&value, store).map(Some).ok_or_else(damaged)
    }

    /// Names lead out of the store to nothing but the folder of staged files.
    fn of(value: &Value, store: &Path) -> Option<Self> {
        let Value::Array(parts) = value else { return None };
        let [Value::Str(folder), Value::Array(taken), Value::Array(put)] = &parts[..] else { return None };
        let store = fs::canonicalize(store).ok()?;
        let rest = folder.strip_prefix('.')?.strip_prefix(store.file_name()?.to_str()?)?;
        let number = rest.strip_prefix(".b2nd-")?.strip_suffix(".tmp")?;
        number.parse::<u32>().ok()?;
        let pair = |pair: &Value| match pair {
            Value::Array(pair) => match &pair[..] {
                [Value::Str(name), Value::Int(number)] if is_relative(name) => {
                    Some((name.to_string(), u32::try_from(*number).ok()?))
                }
                _ => None,
            },
            _ => None,
        };
        let pairs = |pairs: &[Value]| pairs.iter().map(pair).collect::<Option<Vec<_>>>();
        Some(Self { folder: folder.clone(), taken: pairs(taken)?, put: pairs(put)? })
    }
}

/// Completes the changes that a process began which was killed. A living one needs only a moment.
pub(crate) fn complete(store: &Path) -> io::Result<()> {
    for _ in 0..1000 {
        if fs::symlink_metadata(store.join(NAME)).is_err() {
            return Ok(());
        }
        match try_lock(store, store) {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(_lock) => return complete_locked(store),
        }
    }
    Ok(())
}

/// Recovers a store that the caller has locked.
pub(crate) fn complete_locked(store: &Path) -> io::Result<()> {
    // A journal that was never complete.
    let _ = fs::remove_file(store.join(NEW));
    match Journal::read(store)? {
        Some(journal) => journal.take(store).and_then(|()| journal.complete(store)),
        None => Ok(()),
    }
}

/// Creates the directories of a name, none of which may be a link.
fn make_groups(store: &Path, name: &str) -> io::Result<()> {
    let mut path = store.to_path_buf();
    let Some((groups, _)) = name.rsplit_once('/') else { return Ok(()) };
    for group in groups.split('/') {
        path.push(group);
        match fs::create_dir(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => _ = must_be_no_link(&path)?,
            made => made?,
        }
    }
    Ok(())
}

/// Removes the directories that have become empty with a file.
fn remove_empty_groups(store: &Path, file: &Path) {
    let groups = file.ancestors().skip(1).take_while(|group| *group != store);
    // A directory with other files stays, and ends the search.
    let _ = groups.map(fs::remove_dir).find(Result::is_err);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, process};

    struct Folder(PathBuf);

    impl Folder {
        /// A store with two files, which change places, and a staged one.
        fn new(name: &str) -> Self {
            let folder = env::temp_dir().join(format!("b2nd-journal-{name}-{}", process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("s.b2d/group")).unwrap();
            fs::create_dir_all(folder.join(".s.b2d.b2nd-0.tmp")).unwrap();
            let this = Self(folder);
            fs::write(this.store().join("group/a"), "a").unwrap();
            fs::write(this.store().join("b"), "b").unwrap();
            fs::write(this.0.join(".s.b2d.b2nd-0.tmp").join(staged(3)), "c").unwrap();
            this
        }

        fn store(&self) -> PathBuf {
            self.0.join("s.b2d")
        }

        fn texts(&self) -> [Option<String>; 4] {
            ["b", "group/a", "new/c", NAME].map(|name| fs::read_to_string(self.store().join(name)).ok())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn journal() -> Journal {
        let pair = |name: &str, number| (name.to_string(), number);
        Journal {
            folder: ".s.b2d.b2nd-0.tmp".into(),
            taken: [pair("group/a", 1), pair("b", 2)].into(),
            put: [pair("b", 1), pair("group/a", 2), pair("new/c", 3)].into(),
        }
    }

    /// Whatever was done of it when the process ended, all of it is done then.
    #[test]
    fn what_was_begun_is_completed() {
        for done in 0..=6 {
            let folder = Folder::new(&format!("{done}"));
            let (store, journal) = (folder.store(), journal());
            let staging = folder.0.join(&journal.folder);
            journal.write(&store).unwrap();
            for (name, number) in journal.taken.iter().take(done) {
                fs::rename(store.join(name), staging.join(staged(*number))).unwrap();
            }
            if done > 2 {
                Journal { taken: Vec::new(), ..self::journal() }.write(&store).unwrap();
                for (name, number) in journal.put.iter().take(done - 3) {
                    make_groups(&store, name).unwrap();
                    fs::rename(staging.join(staged(*number)), store.join(name)).unwrap();
                }
            }
            complete(&store).unwrap();
            assert_eq!(
                folder.texts(),
                [Some("a".into()), Some("b".into()), Some("c".into()), None],
                "{done}"
            );
        }
    }

    #[test]
    fn a_commit_leaves_no_journal() {
        let folder = Folder::new("whole");
        journal().carry_out(&folder.store()).unwrap();
        assert_eq!(folder.texts(), [Some("a".into()), Some("b".into()), Some("c".into()), None]);
    }

    #[test]
    fn names_do_not_lead_out_of_the_store() {
        let folder = Folder::new("hostile");
        for (folder_name, name) in [
            ("..", "x"),
            (".other.b2nd-0.tmp", "x"),
            (".s.b2d.b2nd-0.tmp", "../x"),
            (".s.b2d.b2nd-0.tmp", "/x"),
        ] {
            let put = [(name.to_string(), 3)].into();
            Journal { folder: folder_name.into(), taken: Vec::new(), put }.write(&folder.store()).unwrap();
            assert_eq!(complete(&folder.store()).unwrap_err().kind(), ErrorKind::InvalidData);
        }
        #[cfg(unix)]
        {
            fs::remove_file(folder.store().join(NAME)).unwrap();
            std::os::unix::fs::symlink("elsewhere", folder.store().join(NAME)).unwrap();
            assert_eq!(complete(&folder.store()).unwrap_err().kind(), ErrorKind::InvalidData);
        }
    }
}
