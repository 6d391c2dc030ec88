//! Frames that are made or changed.

use crate::args::{Args, Storage};
use crate::failure::Failure;
use crate::info;
use crate::input::{Input, Stop};
use crate::opened::limits;
use crate::progress::Progress;
use crate::replacement::on_signals;
use crate::source::STANDARD;
use crate::values::Refused;
use b2nd::sink::{self, Editor};
use b2nd::source::ReadError;
use b2nd::{Blame, DParams, Selection};
use core::ops::Range;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, process};

/// Where a new frame goes.
pub(crate) struct Target {
    /// The file or directory.
    pub(crate) path: PathBuf,
    /// Whether it is a temporary one, which is copied to standard output.
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

    /// A folder for temporary files on the same disk.
    pub(crate) fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// An empty frame.
    pub(crate) fn create(&self, sparse: bool) -> Result<sink::File, Failure> {
        sink::File::create(&self.path, sparse).map_err(Failure::Output)
    }

    /// Shows what was written: on standard output, or by its facts if that is wished.
    pub(crate) fn finish(self, args: &Args, as_json: bool) -> Result<(), Failure> {
        if !self.is_standard {
            return finish(args, &self.path, as_json);
        }
        let mut file = File::open(&self.path).map_err(Failure::Output)?;
        let mut out = io::stdout().lock();
        io::copy(&mut file, &mut out).and_then(|_| out.flush()).map_err(Failure::Output)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.is_standard {
            // Nothing can be done if this fails.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Has the new files of this process beside a path removed before a signal ends it, and what is at the path if that is
/// temporary. Without a handler they stay, which is no reason to refuse.
fn clean_on_signals(path: &Path, is_temporary: bool) {
    let path = path.to_owned();
    let _ = on_signals(move || {
        if is_temporary {
            let _ = fs::remove_file(&path);
        }
        for new in new_files(&path) {
            let _ = if new.is_dir() { fs::remove_dir_all(&new) } else { fs::remove_file(&new) };
        }
    });
}

/// The temporary files that `sink::File` makes for a path.
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

/// The folder that a path is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Prints the facts of a frame that was written, if that is wished.
pub(crate) fn finish(args: &Args, path: &Path, as_json: bool) -> Result<(), Failure> {
    if as_json { info::run(args, path, true) } else { Ok(()) }
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

/// An error of writing, about the frame at the path.
pub(crate) fn written(path: &Path, error: ReadError<io::Error>) -> Failure {
    match error {
        ReadError::Source(error) => Failure::Output(error),
        ReadError::Blosc(error) => Failure::Blosc(path.into(), error),
    }
}

/// An error of the parameters of a new frame: the call is at fault, whatever the library says of a file.
pub(crate) fn made(path: &Path, error: ReadError<io::Error>) -> Failure {
    match error {
        ReadError::Blosc(error) if matches!(error.blame(), Blame::Format(_)) => Failure::Parameters(error),
        error => written(path, error),
    }
}

/// Sets the number of threads.
pub(crate) fn set_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // This is the only place that does so.
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

/// Writes to a part of an array what `fill` gives for boxes of it.
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
