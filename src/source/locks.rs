//! Locks, by which processes see that another one writes a file or a directory.

#[cfg_attr(windows, path = "locks/names.rs")]
#[cfg_attr(not(windows), path = "locks/files.rs")]
mod system;

pub(crate) use system::{open, try_lock};

/// Whether a lock is that of a name, and not of the file that has it.
pub(crate) const OF_NAMES: bool = cfg!(any(windows, target_os = "wasi"));
