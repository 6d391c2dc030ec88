//! `b2nd verify`: decodes everything.

use crate::args::Args;
use crate::failure::Failure;
use crate::objects;
use crate::opened::{Opened, failure};
use crate::progress::Progress;
use crate::store;
use crate::table;
use crate::words;
use b2nd::objects::Objects;
use b2nd::source::ReadError;
use b2nd::{Blame, Error, Unsupported};
use std::path::{Path, PathBuf};

/// Checks every file, and every member of stores, and prints all errors. Fails if there are any, or if a file could not be checked.
pub(crate) fn run(args: &Args, paths: &[PathBuf]) -> Result<(), Failure> {
    let (mut wrong, mut unsupported) = (0, 0);
    let mut all = Vec::new();
    for path in paths {
        match members(path, args) {
            Ok(members) => all.extend(members.into_iter().map(Ok)),
            Err(failure) => all.push(Err(failure)),
        }
    }
    let of = all.len();
    for path in all {
        let (mut is_wrong, mut is_unsupported) = (false, false);
        let mut say = |failure: Failure| {
            *if failure.is_unsupported() { &mut is_unsupported } else { &mut is_wrong } = true;
            println!("{failure}");
        };
        let verified = path.and_then(|path| Ok((verify(&path, args, &mut say)?, path)));
        let verified = verified.map_err(&mut say);
        if is_wrong {
            wrong += 1;
        } else if is_unsupported {
            unsupported += 1;
        } else if let Ok((summary, path)) = verified {
            println!("{}: {summary}", path.display());
        }
    }
    if wrong + unsupported == 0 {
        return Ok(());
    }
    Err(Failure::Verify { wrong, unsupported, of })
}

/// The file, or the members of the store. A frame of frames is both.
fn members(path: &Path, args: &Args) -> Result<Vec<PathBuf>, Failure> {
    if store::is_store(path, args) {
        return store::members(path, args);
    }
    let mut all = vec![path.to_owned()];
    if args.offset == 0 && path.is_file() && path.extension().is_some_and(|name| name == "b2e") {
        match store::members(path, args) {
            Ok(members) => all.extend(members.into_iter().filter(|member| member != path)),
            // A frame of another kind.
            Err(failure) if failure.is_unsupported() => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(all)
}

/// Checks a table, or a frame and the objects in it. Returns a summary if nothing is wrong.
fn verify(path: &Path, args: &Args, say: &mut impl FnMut(Failure)) -> Result<String, Failure> {
    if let Some(summary) = table::verify(path, args)? {
        return Ok(summary);
    }
    let opened = Opened::new(path, args)?;
    let summary = check(&opened, say)?;
    Ok(match opened.of(Objects::kind_of(&opened.reader))? {
        Some(_) => format!("{summary}, {}", words::count(objects::verify(opened)?, "object")),
        None => summary,
    })
}

/// Reports all errors in chunks and metadata. Returns a summary if there are none.
fn check(opened: &Opened<'_>, say: &mut impl FnMut(Failure)) -> Result<String, Failure> {
    let reader = &opened.reader;
    opened.array().err().map(&mut *say);
    opened.of(reader.trailer()).err().map(&mut *say);
    let nchunks = opened.of(reader.index())?.nchunks();
    let mut progress = Progress::new("verifying", reader.frame().header.nbytes);
    let (mut nbytes, mut missing) = (0, 0);
    let done = reader.verify_each(|chunks, info| {
        let count = chunks.end - chunks.start;
        match info {
            Ok(info) => {
                let verified = u64::from(info.header.nbytes).saturating_mul(count);
                nbytes += verified;
                progress.advance(verified);
            }
            Err(ReadError::Blosc(error)) if is_missing(&error) => missing += count,
            Err(error) => say(failure(opened.path, error)),
        }
    });
    opened.of(done)?;
    let missing = if missing == 0 { String::new() } else { format!(" ({missing} of them not fetched)") };
    Ok(format!("good, {}{missing}, {}", words::count(nchunks, "chunk"), words::count(nbytes, "byte")))
}

/// Whether a chunk was not fetched.
fn is_missing(error: &Error) -> bool {
    matches!(error.blame(), Blame::Unsupported(Unsupported::NotFetched { .. }))
}
