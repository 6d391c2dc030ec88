//! Lock files, where the system has no locks: in Node.js. `.NAME.b2nd-lock` beside NAME has the process id and the host.

use crate::source::paths::beside;
use alloc::format;
use alloc::string::String;
use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The variable by which a host of WebAssembly, which has no processes, says in which one it runs: `PID HOST`.
const PROCESS: &str = "B2ND_PROCESS";
/// Longer files are no lock files.
const MAX_BYTES: u64 = 1024;
/// Lock files of processes that have ended which are removed, one after the other.
const ATTEMPTS: u32 = 8;

/// The lock file of this process, which is removed when this is dropped.
#[derive(Debug)]
pub(super) struct LockFile(PathBuf);

impl Drop for LockFile {
    fn drop(&mut self) {
        // A destructor cannot report errors.
        let _ = fs::remove_file(&self.0);
    }
}

/// Creates the lock file of the frame at a path if other processes need one to see that it is in use. Fails as `WouldBlock` if a
/// running process has one.
pub(super) fn take(path: &Path) -> io::Result<Option<LockFile>> {
    let Ok(lock) = beside(path, ".b2nd-lock") else { return Ok(None) };
    for _ in 0..ATTEMPTS {
        if let Some(owner) = owner(&lock) {
            if !is_gone(&owner) {
                return Err(busy(&owner, &lock));
            }
            collect(&lock);
        }
        let Some(process) = this_process() else { return Ok(None) };
        // Under its name it is complete at once.
        let new = beside(&lock, &format!(".{}.tmp", process.replace(' ', "@")))?;
        fs::write(&new, &process)?;
        let made = fs::hard_link(&new, &lock);
        fs::remove_file(&new)?;
        match made {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|()| Some(LockFile(lock))),
        }
    }
    Err(busy("another process", &lock))
}

/// Whether a process that has ended left this with a lock file.
pub(super) fn is_left(path: &Path) -> bool {
    let owner = beside(path, ".b2nd-lock").ok().and_then(|lock| owner(&lock));
    owner.is_some_and(|owner| is_gone(&owner))
}

/// This process, where the system has no locks.
pub(super) fn this_process() -> Option<String> {
    if cfg!(target_os = "wasi") { env::var(PROCESS).ok() } else { None }
}

fn busy(owner: &str, lock: &Path) -> io::Error {
    let who = format!("process {} is writing this frame: see {}", owner.replace(' ', " on "), lock.display());
    io::Error::new(ErrorKind::WouldBlock, who)
}

/// The process of a lock file, if there is one.
fn owner(lock: &Path) -> Option<String> {
    let there = fs::symlink_metadata(lock).ok()?;
    if !there.is_file() || there.len() > MAX_BYTES {
        return None;
    }
    let text = fs::read_to_string(lock).ok()?;
    let mut words = text.split_whitespace();
    let (process, host) = (words.next()?.parse::<u32>().ok()?, words.next()?);
    Some(format!("{process} {host}"))
}

/// Whether a process has ended, where that can be told: on the same host, if it is Linux.
fn is_gone(owner: &str) -> bool {
    let Some((process, host)) = owner.split_once(' ') else { return false };
    fs::read_to_string("/proc/sys/kernel/hostname").is_ok_and(|here| here.trim_end() == host)
        && !Path::new(&format!("/proc/{process}")).exists()
}

/// Removes the lock file of a process that has ended, unless another process has just taken its place.
fn collect(lock: &Path) {
    let Ok(aside) = beside(lock, ".left.tmp") else { return };
    if fs::rename(lock, &aside).is_err() {
        return;
    }
    if owner(&aside).is_some_and(|owner| !is_gone(&owner)) {
        let _ = fs::hard_link(&aside, lock);
    }
    let _ = fs::remove_file(&aside);
}
