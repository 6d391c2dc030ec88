//! `b2nd verify`: everything decoded, nothing kept.

use crate::args::Args;
use crate::failure::Failure;
use crate::opened::Opened;
use crate::progress::Progress;
use std::path::{Path, PathBuf};

/// Checks every file and says what is wrong with which; fails if anything is.
pub(crate) fn run(args: &Args, paths: &[PathBuf]) -> Result<(), Failure> {
    let mut wrong = 0;
    for path in paths {
        match check(args, path) {
            Ok(summary) => println!("{}: {summary}", path.display()),
            Err(failures) => {
                wrong += 1;
                failures.iter().for_each(|failure| println!("{failure}"));
            }
        }
    }
    if wrong == 0 { Ok(()) } else { Err(Failure::Verify { wrong, of: paths.len() }) }
}

/// A word about what is right, or all that is wrong.
fn check(args: &Args, path: &Path) -> Result<String, Vec<Failure>> {
    let opened = Opened::new(path, args).map_err(|failure| vec![failure])?;
    let reader = &opened.reader;
    let mut failures = Vec::new();
    failures.extend(opened.array().err());
    failures.extend(opened.of(reader.trailer()).err());
    let nchunks = match opened.of(reader.index()) {
        Ok(index) => index.nchunks(),
        Err(failure) => {
            failures.push(failure);
            return Err(failures);
        }
    };
    let mut progress = Progress::new("verifying", reader.frame().header.nbytes);
    let mut nbytes = 0;
    for nchunk in 0..nchunks {
        match reader.chunk(nchunk) {
            Ok(plain) => {
                nbytes += plain.len() as u64;
                progress.advance(plain.len() as u64);
            }
            Err(error) => failures.extend(opened.of(Err::<(), _>(error)).err()),
        }
    }
    if failures.is_empty() { Ok(format!("good, {nchunks} chunks, {nbytes} bytes")) } else { Err(failures) }
}
