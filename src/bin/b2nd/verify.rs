//! `b2nd verify`: everything decoded, nothing kept.

use crate::args::Args;
use crate::failure::Failure;
use crate::opened::Opened;
use crate::progress::Progress;
use b2nd::Blame;
use b2nd::frame::Run;
use std::path::PathBuf;

/// Checks every file and says what is wrong with which; fails if anything is.
pub(crate) fn run(args: &Args, paths: &[PathBuf]) -> Result<(), Failure> {
    let mut wrong = 0;
    for path in paths {
        let mut failures = 0;
        let mut say = |failure: Failure| {
            failures += 1;
            println!("{failure}");
        };
        let summary = Opened::new(path, args).and_then(|opened| check(&opened, &mut say));
        match summary {
            Ok(summary) if failures == 0 => println!("{}: {summary}", path.display()),
            Ok(_) => wrong += 1,
            Err(failure) => {
                println!("{failure}");
                wrong += 1;
            }
        }
    }
    if wrong == 0 { Ok(()) } else { Err(Failure::Verify { wrong, of: paths.len() }) }
}

/// Says all that is wrong with chunks and metadata, and hands back a word about what is right.
fn check(opened: &Opened<'_>, say: &mut impl FnMut(Failure)) -> Result<String, Failure> {
    let reader = &opened.reader;
    opened.array().err().map(&mut *say);
    opened.of(reader.trailer()).err().map(&mut *say);
    let index = opened.of(reader.index())?;
    let mut progress = Progress::new("verifying", reader.frame().header.nbytes);
    let (mut nbytes, mut missing) = (0, 0);
    for Run { chunks, location } in index.runs() {
        if location.is_err_and(|error| matches!(error.blame(), Blame::Unsupported(_))) {
            missing += chunks.end - chunks.start;
            continue;
        }
        // They are the same chunk, but the last of a frame may be shorter.
        let last = chunks.end - 1;
        for (nchunk, count) in [(chunks.start, last - chunks.start), (last, 1)] {
            if count == 0 {
                continue;
            }
            match opened.of(reader.verify(nchunk)) {
                Ok(info) => {
                    let verified = u64::from(info.header.nbytes).saturating_mul(count);
                    nbytes += verified;
                    progress.advance(verified);
                }
                Err(failure) => say(failure),
            }
        }
    }
    let missing = if missing == 0 { String::new() } else { format!(" ({missing} of them not fetched)") };
    Ok(format!("good, {} chunks{missing}, {nbytes} bytes", index.nchunks()))
}
