//! Output frames: new ones, and existing ones that are changed.

use crate::args::{Args, Storage};
use crate::error::CommandError;
use crate::explain::{self, Choices};
use crate::info;
use crate::input::{Input, InputError};
use crate::permissions::restrict_as;
use crate::pipe::{is_standard_output, is_written_through};
use crate::progress::Progress;
use crate::remote::is_url;
use crate::signals::on_signals;
use crate::spool::Spool;
use crate::store;
use crate::values::ValueError;
use b2nd::chunk::Auto;
use b2nd::sink::{self, Editor, StoreEditor};
use b2nd::source::ReadError;
use b2nd::store::StoreKind;
use b2nd::{DParams, ErrorKind, Selection};
use core::cell::RefCell;
use core::ops::Range;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The destination of a new frame.
pub(crate) struct Target {
    /// The file or directory that is written.
    pub(crate) path: PathBuf,
    /// A temporary file, if the frame cannot be written in place.
    spool: Option<Spool>,
    /// The store that gets the frame, and its key.
    member: Option<(RefCell<StoreEditor>, String)>,
}

impl Target {
    pub(crate) fn new(args: &Args, output: &Path, storage: &Storage) -> Result<Self, CommandError> {
        if !Spool::suits(output) {
            return Self::in_place(args, output, storage);
        }
        if storage.sparse && !is_url(output) {
            return Err(ValueError::SparseStream.into());
        }
        store::refuse_remote_store(output)?;
        let spool = Spool::new(output).map_err(CommandError::Output)?;
        Ok(Self { path: spool.path().into(), spool: Some(spool), member: None })
    }

    fn in_place(args: &Args, output: &Path, storage: &Storage) -> Result<Self, CommandError> {
        store::refuse_store(output)?;
        let member = store::destination(output);
        if member.is_some() && storage.sparse {
            return Err(ValueError::SparseMember.into());
        }
        clean_on_signals();
        let member = match member {
            Some((store, key)) => Some((RefCell::new(edit_store(args, &store)?), key)),
            None => None,
        };
        Ok(Self { path: output.into(), spool: None, member })
    }

    /// A directory for temporary files on the same disk.
    pub(crate) fn folder(&self) -> &Path {
        // The directories of a member need not be there.
        self.path.ancestors().skip(1).find(|path| path.is_dir()).unwrap_or(Path::new("."))
    }

    /// Whether a sparse frame can go there.
    pub(crate) fn can_be_sparse(&self) -> bool {
        self.member.is_none() && self.spool.as_ref().is_none_or(|spool| is_url(spool.destination()))
    }

    /// Creates an empty frame.
    pub(crate) fn create(&self, sparse: bool) -> Result<sink::File, CommandError> {
        if let Some((store, key)) = &self.member {
            return store.borrow_mut().new_member(key).map_err(|error| written(&self.path, error));
        }
        sink::File::create(&self.path, sparse).map_err(CommandError::Output)
    }

    /// Completes the output: commits, and copies it to a stream, or prints its description if requested.
    pub(crate) fn complete(
        self,
        args: &Args,
        storage: &Storage,
        mut editor: Editor<sink::File>,
        auto: Option<Auto>,
    ) -> Result<(), CommandError> {
        let path = self.spool.as_ref().map_or(&*self.path, Spool::destination);
        editor.commit().map_err(|error| written(path, error))?;
        if storage.explain {
            explain::choices(&editor);
        }
        let auto = Choices::of(&editor, auto).filter(|_| storage.explain);
        drop(editor);
        if let Some((store, _)) = &self.member {
            store.borrow_mut().commit().map_err(|error| written(path, error))?;
        }
        let Some(spool) = &self.spool else {
            return if storage.json { info::json(args, &self.path, auto) } else { Ok(()) };
        };
        spool.deliver().map_err(CommandError::Output)?;
        if storage.json && is_url(path) { info::json(args, &self.path, auto) } else { Ok(()) }
    }
}

/// A file that a new frame is put into as it is made, without a copy of it.
pub(crate) fn new_file(output: &Path) -> Result<sink::File, CommandError> {
    store::refuse_member(output)?;
    if is_standard_output(output) || is_written_through(output) {
        return Err(CommandError::Output(io::ErrorKind::Unsupported.into()));
    }
    clean_on_signals();
    sink::File::create(output, false).map_err(CommandError::Output)
}

/// Installs a handler that removes this process's temporary files before a signal ends it. If no handler can be installed, the
/// files may remain, but the command still runs.
fn clean_on_signals() {
    let _ = on_signals(sink::remove_temporaries);
}

/// Prints the description of a written frame if requested.
pub(crate) fn finish(args: &Args, path: &Path, as_json: bool) -> Result<(), CommandError> {
    if as_json { info::json(args, path, None) } else { Ok(()) }
}

/// A frame that is changed: a file, or a member of a store.
pub(crate) struct Editing {
    pub(crate) editor: Editor<sink::File>,
    store: Option<StoreEditor>,
    path: PathBuf,
}

impl Editing {
    /// Makes the change visible.
    pub(crate) fn commit(self) -> Result<(), CommandError> {
        self.complete(Editor::commit)
    }

    /// Frees unused space.
    pub(crate) fn compact(self) -> Result<(), CommandError> {
        self.complete(Editor::compact)
    }

    fn complete(
        self,
        commit: impl FnOnce(&mut Editor<sink::File>) -> Result<(), ReadError<io::Error>>,
    ) -> Result<(), CommandError> {
        let Self { mut editor, store, path } = self;
        let done = commit(&mut editor);
        drop(editor);
        let done = done.and_then(|()| store.map_or(Ok(()), |mut store| store.commit()));
        done.map_err(|error| written(&path, error))
    }
}

/// Opens a frame to change it.
pub(crate) fn edit(args: &Args, path: &Path) -> Result<Editing, CommandError> {
    if args.offset != 0 {
        return Err(ValueError::Offset.into());
    }
    refuse_url(path)?;
    clean_on_signals();
    if let Some((root, key)) = store::split(path) {
        let mut store = edit_store(args, root)?;
        let editor = store.edit(&key).map_err(|error| written(path, error))?;
        return Ok(Editing { editor, store: Some(store), path: path.into() });
    }
    let file = sink::File::open(path).map_err(|error| CommandError::Input(path.into(), error))?;
    let dparams = DParams { limits: args.limits(), ..DParams::default() };
    let editor = Editor::open(file, dparams).map_err(|error| written(path, error))?;
    Ok(Editing { editor, store: None, path: path.into() })
}

/// Opens a store to change it, or creates one if nothing is at the path.
pub(crate) fn edit_store(args: &Args, path: &Path) -> Result<StoreEditor, CommandError> {
    refuse_url(path)?;
    clean_on_signals();
    let is_new = match path.is_dir() {
        true => fs::read_dir(path).is_ok_and(|mut files| files.next().is_none()),
        false => !path.exists(),
    };
    let dparams = DParams { limits: args.limits(), ..DParams::default() };
    let opened = match is_new {
        true => StoreEditor::create(path, StoreKind::Tree),
        false => {
            restrict_as(path);
            StoreEditor::open(path, dparams)
        }
    };
    opened.map_err(|error| written(path, error))
}

/// Objects are written as a whole.
fn refuse_url(path: &Path) -> Result<(), ValueError> {
    if is_url(path) { Err(ValueError::RemoteChange) } else { Ok(()) }
}

/// Adds the path to an error of writing.
pub(crate) fn written(path: &Path, error: ReadError<io::Error>) -> CommandError {
    match error {
        ReadError::Source(error) => CommandError::Output(error),
        ReadError::Blosc(error) => CommandError::Blosc(path.into(), error),
    }
}

/// Converts an error of creating a frame. Its parameters come from the command line, so the call is at fault.
pub(crate) fn made(path: &Path, error: ReadError<io::Error>) -> CommandError {
    match error {
        ReadError::Blosc(error) if matches!(error.kind(), ErrorKind::Format(_)) => {
            CommandError::Parameters(error)
        }
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
) -> Result<(), CommandError> {
    let (from, input) = input;
    let mut progress = Progress::new("writing", input.nbytes());
    let fill = |window: &[Range<u64>], items: &mut [u8]| {
        progress.advance(items.len() as u64);
        input.fill(window, items).map_err(|stop: InputError| stop.at(from))
    };
    supply(editor, selection, path, fill)
}

/// Writes to a part of an array the items that `fill` provides box by box.
pub(crate) fn supply(
    editor: &mut Editor<sink::File>,
    selection: &Selection,
    path: &Path,
    mut fill: impl FnMut(&[Range<u64>], &mut [u8]) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut failed = None;
    let result = editor.set_with(selection, &mut |window, items| {
        fill(window, items).map_err(|error| {
            failed = Some(error);
            ReadError::Source(io::Error::other("no values"))
        })
    });
    match failed {
        Some(error) => Err(error),
        None => result.map_err(|error| written(path, error)),
    }
}
