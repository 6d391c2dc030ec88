//! Lock files, where the system has no locks: in Node.js. `.NAME.b2nd-lock` beside NAME has the process id and the host.

use crate::source::paths::beside;
use alloc::format;
use alloc::string::String;
use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
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
                let owner = format!("process {}", owner.replace(' ', " on "));
                return Err(busy(&owner, &lock));
            }
            collect(&lock);
        }
        let Some(process) = this_process() else { return Ok(None) };
        // This follows no link.
        let mut file = match OpenOptions::new().write(true).create_new(true).open(&lock) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            file => file?,
        };
        let taken = LockFile(lock);
        file.write_all(process.as_bytes())?;
        if is_locked_natively(path) {
            return Err(io::Error::new(ErrorKind::WouldBlock, "another process is writing this frame"));
        }
        return Ok(Some(taken));
    }
    Err(busy("another process", &lock))
}

/// Whether a process has locked the file itself, as far as Linux tells. WebAssembly cannot try.
#[cfg(target_os = "wasi")]
fn is_locked_natively(path: &Path) -> bool {
    let (Ok(there), Ok(locks)) = (rustix::fs::stat(path), fs::read_to_string("/proc/locks")) else {
        return false;
    };
    let (major, minor) = (there.st_dev >> 8 & 0xfff, there.st_dev & 0xff | there.st_dev >> 12 & 0xf_ff00);
    let place = format!(" {major:02x}:{minor:02x}:{} ", there.st_ino);
    locks.lines().any(|lock| lock.contains(" FLOCK ") && lock.contains(&place))
}

#[cfg(not(target_os = "wasi"))]
const fn is_locked_natively(_: &Path) -> bool {
    false
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
    let who = format!("{owner} is writing this frame: see {}", lock.display());
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
