//! Golden files by their names, lists that tell what files hold, and refusals.

use b2nd::ErrorKind;
use b2nd::source::ReadError;
use core::fmt::Debug;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a golden file.
pub(crate) fn golden(name: &str) -> PathBuf {
    super::manifest::folder().join(name)
}

/// The files of a list, with what they hold.
pub(crate) fn listed(list: &Path) -> Vec<(PathBuf, Value)> {
    let text = fs::read_to_string(list).expect("a list");
    let line = |line| {
        let facts: Value = serde_json::from_str(line).expect("a line of JSON");
        (list.with_file_name(facts["path"].as_str().expect("a path")), facts)
    };
    text.lines().map(line).collect()
}

/// Whose fault it is that something is refused.
#[track_caller]
pub(crate) fn refused<T, E: Debug>(result: Result<T, ReadError<E>>) -> ErrorKind {
    match result {
        Err(ReadError::Blosc(error)) => error.kind(),
        Err(ReadError::Source(error)) => panic!("{error:?}"),
        Ok(_) => panic!("not refused"),
    }
}
