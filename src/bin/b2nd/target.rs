//! Output frames: new ones, and existing ones that are changed.

use crate::args::{Args, Storage};
use crate::explain;
use crate::failure::Failure;
use crate::info;
use crate::input::{Input, Stop};
use crate::opened::limits;
use crate::progress::Progress;
use crate::replacement::on_signals;
use crate::source::STANDARD;
use crate::values::Refused;
use b2nd::chunk::Auto;
use b2nd::sink::{self, Editor};
use b2nd::source::ReadError;
use b2nd::{Blame, DParams, Selection};
use core::ops::Range;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, process};

/// The destination of a new frame.
pub(crate) struct Target {
    /// The file or directory.
    pub(crate) path: PathBuf,
    /// Whether it is a temporary file that is copied to standard output.
    is_standard: bool,
}

impl Target {
    pub(crate) fn new(output: &Path, storage: &Storage) -> Result<Self, Failure> {
        let is_standard = output.as_os_str() == STANDARD;
        if is_standard && storage.sparse {
            return Err(Refused::SparseStream.into());
        }
        let temporary = || env::temp_dir().join(format!("b2nd-{}.b2nd", process::id()));
        let path = if is_standard { temporary() } else { output.to_owned() };
        clean_on_signals(&path, is_standard);
        Ok(Self { path, is_standard })
    }

    /// A directory for temporary files on the same disk.
    pub(crate) fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// Creates an empty frame.
    pub(crate) fn create(&self, sparse: bool) -> Result<sink::File, Failure> {
        sink::File::create(&self.path, sparse).map_err(Failure::Output)
    }

    /// Completes the output: commits, and copies it to standard output if requested, or prints its description if requested.
    pub(crate) fn complete(
        self,
        args: &Args,
        storage: &Storage,
        mut editor: Editor<sink::File>,
        auto: Option<Auto>,
    ) -> Result<(), Failure> {
        let path = if self.is_standard { Path::new(STANDARD) } else { &self.path };
        editor.commit().map_err(|error| written(path, error))?;
        if storage.explain {
            explain::choices(&editor);
        }
        let auto = explain::json(&editor, auto).filter(|_| storage.explain);
        drop(editor);
        if !self.is_standard {
            return if storage.json { info::json(args, &self.path, auto) } else { Ok(()) };
        }
        let mut file = File::open(&self.path).map_err(Failure::Output)?;
        let mut out = io::stdout().lock();
        io::copy(&mut file, &mut out).and_then(|_| out.flush()).map_err(Failure::Output)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.is_standard {
            // A destructor cannot report errors.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Installs a handler that removes this process's temporary files for a path before a signal ends it, and the file at the path
/// if that is temporary. If no handler can be installed, the files may remain, but the command still runs.
fn clean_on_signals(path: &Path, is_temporary: bool) {
    let path = path.to_owned();
    let _ = on_signals(move || {
        if is_temporary {
            let _ = fs::remove_file(&path);
        }
        // The command may add files to a directory while it is being removed.
        for _ in 0..100 {
            let files = new_files(&path);
            if files.is_empty() {
                break;
            }
            for new in files {
                let _ = if new.is_dir() { fs::remove_dir_all(&new) } else { fs::remove_file(&new) };
            }
        }
    });
}

/// The temporary files that `sink::File` creates for a path.
fn new_files(path: &Path) -> Vec<PathBuf> {
    let (folder, Some(name)) = (folder(path), path.file_name()) else { return Vec::new() };
    let start = format!(".{}.{}.", name.display(), process::id());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_new = |entry: &fs::DirEntry| {
        let name = entry.file_name().display().to_string();
        name.starts_with(&start) && name.ends_with(".tmp")
    };
    entries.filter(is_new).map(|entry| entry.path()).collect()
}

/// The parent directory of a path.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Prints the description of a written frame if requested.
pub(crate) fn finish(args: &Args, path: &Path, as_json: bool) -> Result<(), Failure> {
    if as_json { info::json(args, path, None) } else { Ok(()) }
}

/// Opens a frame to change it.
pub(crate) fn edit(args: &Args, path: &Path) -> Result<Editor<sink::File>, Failure> {
    if args.offset != 0 {
        return Err(Refused::Offset.into());
    }
    clean_on_signals(path, false);
    let file = sink::File::open(path).map_err(|error| Failure::Input(path.into(), error))?;
    let dparams = DParams { limits: limits(args.max_memory), ..DParams::default() };
    Editor::open(file, dparams).map_err(|error| written(path, error))
}

/// Adds the path to an error of writing.
pub(crate) fn written(path: &Path, error: ReadError<io::Error>) -> Failure {
    match error {
        ReadError::Source(error) => Failure::Output(error),
        ReadError::Blosc(error) => Failure::Blosc(path.into(), error),
    }
}

/// Converts an error of creating a frame. Its parameters come from the command line, so the call is at fault.
pub(crate) fn made(path: &Path, error: ReadError<io::Error>) -> Failure {
    match error {
        ReadError::Blosc(error) if matches!(error.blame(), Blame::Format(_)) => Failure::Parameters(error),
        error => written(path, error),
    }
}

/// Sets the number of threads.
pub(crate) fn set_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // Fails only if the pool exists already, and no other code creates it.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
}

/// Writes an input to a part of an array.
pub(crate) fn write(
    editor: &mut Editor<sink::File>,
    selection: &Selection,
    input: (&Path, &mut Input),
    path: &Path,
) -> Result<(), Failure> {
    let (from, input) = input;
    let mut progress = Progress::new("writing", input.nbytes());
    let fill = |window: &[Range<u64>], items: &mut [u8]| {
        progress.advance(items.len() as u64);
        input.fill(window, items).map_err(|stop: Stop| stop.at(from))
    };
    supply(editor, selection, path, fill)
}

/// Writes to a part of an array the items that `fill` provides box by box.
pub(crate) fn supply(
    editor: &mut Editor<sink::File>,
    selection: &Selection,
    path: &Path,
    mut fill: impl FnMut(&[Range<u64>], &mut [u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut failed = None;
    let result = editor.set_with(selection, &mut |window, items| {
        fill(window, items).map_err(|failure| {
            failed = Some(failure);
            ReadError::Source(io::Error::other("no values"))
        })
    });
    match failed {
        Some(failure) => Err(failure),
        None => result.map_err(|error| written(path, error)),
    }
}
