//! References as an Icechunk repository, which the program `b2nd-icechunk` makes of them.

use serde_json::{Map, Value as Json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;
use std::{fs, io};

const PROGRAM: &str = "b2nd-icechunk";

/// When files were changed last: their readers refuse what changed since.
#[derive(Default)]
pub(super) struct Times(Map<String, Json>);

impl Times {
    /// Adds a file, or the files of a sparse frame.
    pub(super) fn add(&mut self, place: &str) -> io::Result<()> {
        if !fs::metadata(place)?.is_dir() {
            return self.add_file(place);
        }
        for entry in fs::read_dir(place)? {
            self.add_file(&format!("{place}/{}", entry?.file_name().display()))?;
        }
        Ok(())
    }

    /// To the next second, since readers compare with all digits.
    fn add_file(&mut self, path: &str) -> io::Result<()> {
        let modified = fs::metadata(path)?.modified()?;
        if let Ok(since) = modified.duration_since(UNIX_EPOCH) {
            let rounded = since.as_secs() + u64::from(since.subsec_nanos() > 0);
            self.0.insert(path.into(), rounded.into());
        }
        Ok(())
    }
}

/// Lets the program write the repository.
pub(super) fn write(mut references: Json, Times(times): Times, folder: &Path) -> io::Result<()> {
    references["modified"] = times.into();
    let mut program = Command::new(PROGRAM).arg(folder).stdin(Stdio::piped()).spawn().map_err(|error| {
        match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(
                error.kind(),
                format!(
                    "Icechunk takes the program {PROGRAM}, which is not on the path: cargo install {PROGRAM}"
                ),
            ),
            _ => error,
        }
    })?;
    let written = program
        .stdin
        .take()
        .map_or(Ok(()), |input| serde_json::to_writer(io::BufWriter::new(input), &references));
    // It says itself what is wrong, and may do so before it has read everything.
    let status = program.wait()?;
    if !status.success() {
        return Err(io::Error::other(format!("{PROGRAM} failed ({status})")));
    }
    written.map_err(io::Error::from)
}
