//! Lock files of editors in Node.js, which has no other locks: `.NAME.b2nd-lock` beside NAME, with the process id and the host.

use crate::source::paths::beside;
use alloc::format;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Longer files are no lock files.
const LONGEST: u64 = 1024;

/// Fails if a running process has the lock file of the frame at a path.
pub(super) fn must_be_free(path: &Path) -> io::Result<()> {
    let Ok(lock) = beside(path, ".b2nd-lock") else { return Ok(()) };
    if !fs::symlink_metadata(&lock).is_ok_and(|there| there.is_file() && there.len() <= LONGEST) {
        return Ok(());
    }
    let owner = fs::read_to_string(&lock).unwrap_or_default();
    let mut words = owner.split_whitespace();
    let (Some(Ok(process)), Some(host)) = (words.next().map(str::parse::<u32>), words.next()) else {
        return Ok(());
    };
    if is_gone(process, host) {
        return Ok(());
    }
    let who = format!("process {process} on {host} is writing this frame: see {}", lock.display());
    Err(io::Error::new(ErrorKind::WouldBlock, who))
}

/// Whether a process has ended, where that can be told: on the same host, if it is Linux.
fn is_gone(process: u32, host: &str) -> bool {
    fs::read_to_string("/proc/sys/kernel/hostname").is_ok_and(|here| here.trim_end() == host)
        && !Path::new(&format!("/proc/{process}")).exists()
}
