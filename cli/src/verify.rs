//! `b2nd verify`: decodes everything.

use crate::args::Args;
use crate::error::{CommandError, read_error};
use crate::objects;
use crate::opened::Opened;
use crate::origin::Origin;
use crate::progress::Progress;
use crate::remote::read_ahead;
use crate::store;
use crate::table;
use crate::words;
use b2nd::objects::Objects;
use b2nd::source::ReadError;
use b2nd::store::Store;
use b2nd::{Error, ErrorKind, Unsupported};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Paths that are checked at a time, for each thread.
const AT_ONCE: usize = 4;
/// Errors of a path that wait for those of the paths before it.
const MOST_WAITING: usize = 1000;

/// Checks every file, and every member of stores, and prints all errors. Fails if there are any, or if a file could not be checked.
pub(crate) fn run(args: &Args, paths: &[PathBuf]) -> Result<(), CommandError> {
    read_ahead();
    let mut all = Vec::new();
    for path in paths {
        if let Err(error) = list(path, args, &mut all) {
            all.push(Listed::Failed(error));
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
    for some in all.chunks(at_once) {
        let mut printed = Ok(());
        let mut print = |line: String| {
            if printed.is_ok() {
                printed = writeln!(io::stdout(), "{line}");
            }
        };
        if let [listed] = some {
            count(verdict(listed, args, true, &mut print));
        } else {
            for (listed, (found, lines)) in some.iter().zip(silently(some, args)) {
                if lines.len() > MOST_WAITING {
                    // Too many to wait in memory: they are found again.
                    count(verdict(listed, args, true, &mut print));
                } else {
                    lines.into_iter().for_each(&mut print);
                    count(found);
                }
            }
        }
        printed.map_err(CommandError::Output)?;
    }
    if wrong + unsupported == 0 {
        return Ok(());
    }
    Err(CommandError::Verify { wrong, unsupported, of })
}

/// An entry of the list to be checked.
enum Listed {
    Path(PathBuf),
    /// A member of a store, which is opened once for all of them, or the table that a group is.
    Member(Arc<Stored>, String),
    /// The members of a store are unknown.
    Failed(CommandError),
}

/// A store.
struct Stored {
    path: PathBuf,
    store: Store<Origin>,
    /// The store as its tables see it, if it has any.
    tables: OnceLock<Option<Store<Origin>>>,
}

impl Stored {
    /// Decodes all cells of the table that a key stands for, if it is one.
    fn verify_table(&self, path: &Path, key: &str, args: &Args) -> Result<Option<String>, CommandError> {
        if !table::is_table(&self.store, key) {
            return table::verify_within(path, &self.store, key, args);
        }
        let open = || store::open_with(&self.path, table::verifying(args));
        match self.tables.get_or_init(|| open().ok()) {
            Some(store) => table::verify_in(path, store, key).map(Some),
            None => table::verify_in(path, &open()?, key).map(Some),
        }
    }
}

impl Listed {
    /// The path for messages.
    fn path(&self) -> PathBuf {
        match self {
            Self::Path(path) => path.clone(),
            Self::Member(stored, key) => stored.path.join(key.trim_start_matches('/')),
            Self::Failed(_) => PathBuf::new(),
        }
    }
}

/// Lists the file, or the members of the store. A frame of frames is both.
fn list(path: &Path, args: &Args, all: &mut Vec<Listed>) -> Result<(), CommandError> {
    let is_store = store::is_store(path, args);
    let store =
        match (is_store || store::may_be_frame(path, args)).then(|| store::open(path, args)).transpose() {
            // A frame of another kind.
            Err(error) if !is_store && error.is_unsupported() => None,
            opened => opened?,
        };
    if !is_store || store.as_ref().is_some_and(|store| table::is_table(store, "")) {
        all.push(Listed::Path(path.to_owned()));
    }
    let Some(store) = store else { return Ok(()) };
    let stored = Arc::new(Stored { path: path.to_owned(), store, tables: OnceLock::new() });
    all.extend(store::keys(&stored.store).map(|key| Listed::Member(Arc::clone(&stored), key.to_owned())));
    Ok(())
}

/// The result of a check.
#[derive(Debug, Clone, Copy)]
enum Verdict {
    Good,
    Unsupported,
    Wrong,
}

/// Checks several paths at the same time. Returns the lines to print, or one more than may wait.
fn silently(some: &[Listed], args: &Args) -> Vec<(Verdict, Vec<String>)> {
    let one = |listed: &Listed| {
        let mut lines = Vec::new();
        let verdict = verdict(listed, args, false, &mut |line| {
            if lines.len() <= MOST_WAITING {
                lines.push(line);
            }
        });
        (verdict, lines)
    };
    some.par_iter().map(one).collect()
}

/// Checks a path, and prints what is wrong, or that it is good. Progress is shown if it is checked alone.
fn verdict(listed: &Listed, args: &Args, alone: bool, print: &mut dyn FnMut(String)) -> Verdict {
    if let Listed::Failed(error) = listed {
        print(error.to_string());
        return if error.is_unsupported() { Verdict::Unsupported } else { Verdict::Wrong };
    }
    let path = listed.path();
    let mut verdict = Verdict::Good;
    let mut say = |error: CommandError| {
        verdict = match verdict {
            Verdict::Good | Verdict::Unsupported if error.is_unsupported() => Verdict::Unsupported,
            _ => Verdict::Wrong,
        };
        print(error.to_string());
    };
    let summary = verify(listed, &path, args, alone, &mut say).map_err(say);
    if let (Verdict::Good, Ok(summary)) = (verdict, summary) {
        print(format!("{}: {summary}", path.display()));
    }
    verdict
}

/// Checks a table, or a frame and the objects in it. Returns a summary if nothing is wrong.
fn verify(
    listed: &Listed,
    path: &Path,
    args: &Args,
    alone: bool,
    say: &mut impl FnMut(CommandError),
) -> Result<String, CommandError> {
    let table = match listed {
        Listed::Member(stored, key) => stored.verify_table(path, key, args)?,
        _ => table::verify(path, args)?,
    };
    if let Some(summary) = table {
        return Ok(summary);
    }
    let opened = match listed {
        Listed::Member(stored, key) => Opened::member(path, &stored.store, key, args)?,
        _ => Opened::new(path, args)?,
    };
    let summary = check(&opened, alone, say)?;
    Ok(match opened.of(Objects::kind_of(&opened.reader))? {
        Some(_) => format!("{summary}, {}", words::count(objects::verify(opened)?, "object")),
        None => summary,
    })
}

/// Reports all errors in chunks and metadata. Returns a summary if there are none.
fn check(
    opened: &Opened<'_>,
    alone: bool,
    say: &mut impl FnMut(CommandError),
) -> Result<String, CommandError> {
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
            Err(error) => say(read_error(opened.path, error)),
        }
    });
    opened.of(done)?;
    let missing = if missing == 0 { String::new() } else { format!(" ({missing} of them not fetched)") };
    Ok(format!("good, {}{missing}, {}", words::count(nchunks, "chunk"), words::count(nbytes, "byte")))
}

/// Whether a chunk was not fetched.
fn is_missing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported(Unsupported::NotFetched { .. }))
}
