//! Permissions of new files.

use std::path::Path;

/// Makes new files, which are made of what is at a path, readable to nobody who cannot read that. In Node.js the host does so.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(crate) fn restrict_as(path: &Path) {
    use rustix::fs::Mode;
    use rustix::process::umask;
    use std::os::unix::fs::MetadataExt;
    let Ok(there) = path.metadata() else { return };
    if !there.is_file() && !there.is_dir() {
        return;
    }
    let mut mask = Mode::empty();
    for (read, all) in [(Mode::RGRP, Mode::RWXG), (Mode::ROTH, Mode::RWXO)] {
        if !Mode::from_raw_mode(there.mode()).contains(read) {
            mask |= all;
        }
    }
    // The former mask is only known from its replacement.
    umask(mask | umask(mask));
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(crate) fn restrict_as(_: &Path) {}
