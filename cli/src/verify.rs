//! `b2nd verify`: decodes everything.

use crate::args::Args;
use crate::failure::{Failure, failure};
use crate::objects;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::store;
use crate::table;
use crate::words;
use b2nd::objects::Objects;
use b2nd::source::ReadError;
use b2nd::{Blame, Error, Unsupported};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::{Path, PathBuf};

/// Paths that are checked at a time, for each thread.
const AT_ONCE: usize = 4;
/// Errors of a path that wait for those of the paths before it.
const MOST_WAITING: usize = 1000;

/// Checks every file, and every member of stores, and prints all errors. Fails if there are any, or if a file could not be checked.
pub(crate) fn run(args: &Args, paths: &[PathBuf]) -> Result<(), Failure> {
    let mut all = Vec::new();
    for path in paths {
        match members(path, args) {
            Ok(members) => all.extend(members.into_iter().map(Ok)),
            Err(failure) => all.push(Err(failure)),
        }
    }
    let of = all.len();
    let (mut wrong, mut unsupported) = (0, 0);
    let mut count = |verdict| match verdict {
        Verdict::Good => {}
        Verdict::Unsupported => unsupported += 1,
        Verdict::Wrong => wrong += 1,
    };
    let threads = rayon::current_num_threads();
    let at_once = if threads > 1 { AT_ONCE * threads } else { 1 };
    for paths in all.chunks(at_once) {
        if let [path] = paths {
            count(verdict(path, args, true, &mut |line| println!("{line}")));
            continue;
        }
        for (path, (found, lines)) in paths.iter().zip(silently(paths, args)) {
            if lines.len() > MOST_WAITING {
                // Too many to wait in memory: they are found again.
                count(verdict(path, args, true, &mut |line| println!("{line}")));
                continue;
            }
            lines.iter().for_each(|line| println!("{line}"));
            count(found);
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

/// A path to check, or why the members of a store are unknown.
type Listed = Result<PathBuf, Failure>;

/// What is true of a file.
#[derive(Debug, Clone, Copy)]
enum Verdict {
    Good,
    Unsupported,
    Wrong,
}

/// Checks several paths at the same time. Returns the lines to print, or one more than may wait.
fn silently(paths: &[Listed], args: &Args) -> Vec<(Verdict, Vec<String>)> {
    let one = |path: &Listed| {
        let mut lines = Vec::new();
        let verdict = verdict(path, args, false, &mut |line| {
            if lines.len() <= MOST_WAITING {
                lines.push(line);
            }
        });
        (verdict, lines)
    };
    paths.par_iter().map(one).collect()
}

/// Checks a path, and prints what is wrong, or that it is good. Progress is shown if it is checked alone.
fn verdict(listed: &Listed, args: &Args, alone: bool, print: &mut dyn FnMut(String)) -> Verdict {
    let path = match listed {
        Ok(path) => path,
        Err(failure) => {
            print(failure.to_string());
            return if failure.is_unsupported() { Verdict::Unsupported } else { Verdict::Wrong };
        }
    };
    let mut verdict = Verdict::Good;
    let mut say = |failure: Failure| {
        verdict = match verdict {
            Verdict::Good | Verdict::Unsupported if failure.is_unsupported() => Verdict::Unsupported,
            _ => Verdict::Wrong,
        };
        print(failure.to_string());
    };
    let summary = verify(path, args, alone, &mut say).map_err(say);
    if let (Verdict::Good, Ok(summary)) = (verdict, summary) {
        print(format!("{}: {summary}", path.display()));
    }
    verdict
}

/// Checks a table, or a frame and the objects in it. Returns a summary if nothing is wrong.
fn verify(path: &Path, args: &Args, alone: bool, say: &mut impl FnMut(Failure)) -> Result<String, Failure> {
    if let Some(summary) = table::verify(path, args)? {
        return Ok(summary);
    }
    let opened = Opened::new(path, args)?;
    let summary = check(&opened, alone, say)?;
    Ok(match opened.of(Objects::kind_of(&opened.reader))? {
        Some(_) => format!("{summary}, {}", words::count(objects::verify(opened)?, "object")),
        None => summary,
    })
}

/// Reports all errors in chunks and metadata. Returns a summary if there are none.
fn check(opened: &Opened<'_>, alone: bool, say: &mut impl FnMut(Failure)) -> Result<String, Failure> {
    let reader = &opened.reader;
    opened.array().err().map(&mut *say);
    opened.of(reader.trailer()).err().map(&mut *say);
    let nchunks = opened.of(reader.index())?.nchunks();
    let mut progress = alone.then(|| Progress::new("verifying", reader.frame().header.nbytes));
    let (mut nbytes, mut missing) = (0, 0);
    let done = reader.verify_each_parallel(|chunks, info| {
        let count = chunks.end - chunks.start;
        match info {
            Ok(info) => {
                let verified = u64::from(info.header.nbytes).saturating_mul(count);
                nbytes += verified;
                if let Some(progress) = &mut progress {
                    progress.advance(verified);
                }
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
