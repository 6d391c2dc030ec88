//! `b2nd repack`: rewrites a frame with other parameters.

use crate::args::{Args, Storage};
use crate::error::CommandError;
use crate::explain;
use crate::members;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::remote::is_url;
use crate::spool::Spool;
use crate::store::has_name;
use crate::target::{self, Target, made, supply, written};
use crate::values::ValueError;
use b2nd::array::{ArrayParams, Dtype};
use b2nd::chunk::CParams;
use b2nd::frame::{FrameParams, Metalayer};
use b2nd::sink::{self, Editor};
use b2nd::{Layout, Selection};
use core::ops::Range;
use std::path::Path;

/// A frame and the parameters of its copy.
struct Repacking<'a> {
    opened: &'a Opened<'a>,
    storage: &'a Storage,
    target: &'a Target,
    output: &'a Path,
}

/// Writes the frame.
pub(crate) fn run(args: &Args, from: &Path, output: &Path, storage: &Storage) -> Result<(), CommandError> {
    target::set_threads(storage.threads);
    if members::names_store(from, args) && has_name(output) {
        if !storage.is_default() {
            return Err(ValueError::StoreParameters.into());
        }
        return copy_store(args, (from, output), storage.json);
    }
    let target = Target::new(args, output, storage)?;
    let opened = Opened::new(from, args)?;
    let repacking = Repacking { opened: &opened, storage, target: &target, output };
    let mut editor = match opened.array()? {
        Some(array) => repacking.array(array)?,
        None => repacking.schunk()?,
    };
    for layer in &storage.attr {
        editor.set_attr_bytes(&layer.name, &layer.content).map_err(|error| written(output, error))?;
    }
    target.complete(args, storage, editor, storage.auto(false))
}

/// Copies a store to a file, a directory, or a URL.
fn copy_store(args: &Args, (from, output): (&Path, &Path), as_json: bool) -> Result<(), CommandError> {
    if !is_url(output) {
        members::copy(args, from, output)?;
        return target::finish(args, output, as_json);
    }
    let spool = Spool::new(output).map_err(CommandError::Output)?;
    members::copy(args, from, spool.path())?;
    spool.deliver().map_err(CommandError::Output)?;
    target::finish(args, spool.path(), as_json)
}

impl Repacking<'_> {
    /// Copies chunks without decoding if their parameters are unchanged, and encodes the others again.
    fn array(&self, array: &Layout) -> Result<Editor<sink::File>, CommandError> {
        let Self { opened, storage, target, output } = *self;
        let failed = |error| CommandError::Blosc(opened.path.into(), error);
        let before = ArrayParams::of(opened.reader.frame(), array).map_err(failed)?;
        let mut params = before.clone();
        params.dtype = opened.dtype(None)?.to_string();
        if let Some(text) = array.dtype().filter(|text| Dtype::parse(text, &opened.limits).is_err()) {
            eprintln!("b2nd: the dtype {text} is not supported: the copy has {}", params.dtype);
        }
        params.sparse &= target.can_be_sparse();
        storage.apply(&mut params);
        params.auto = storage.auto(false);
        let mut progress = Progress::new("writing", opened.nbytes(array));
        let read = |window: &[Range<u64>], items: &mut [u8]| {
            let plan = opened.of(opened.reader.plan(Selection::of_ranges(window)))?;
            opened.of(opened.reader.get_parallel_into(&plan, items))?;
            progress.advance(items.len() as u64);
            Ok(())
        };
        let lens = |params: &ArrayParams| (params.chunkshape.clone(), params.blockshape.clone());
        let stays =
            params.cparams == before.cparams && params.auto.is_none() && lens(&params) == lens(&before);
        let sink = target.create(params.sparse)?;
        let mut editor = Editor::create_array(sink, &params).map_err(|error| made(output, error))?;
        if storage.explain {
            explain::array(&params, editor.layout());
        }
        editor.copy_attrs(&opened.reader).map_err(|error| written(output, error))?;
        if stays {
            let start = vec![0; params.shape.len()];
            editor.copy_from(&start, &opened.reader).map_err(|error| written(output, error))?;
        } else {
            supply(&mut editor, &Selection::all(), output, read)?;
        }
        Ok(editor)
    }

    /// Repacks a super-chunk chunk by chunk.
    fn schunk(&self) -> Result<Editor<sink::File>, CommandError> {
        let Self { opened, storage, target, output } = *self;
        let header = &opened.reader.frame().header;
        let before =
            CParams::of_frame(header).map_err(|error| CommandError::Blosc(opened.path.into(), error))?;
        let mut cparams = CParams { blocksize: 0, ..before.clone() };
        storage.apply_to(&mut cparams);
        let sparse = (header.sparse && target.can_be_sparse()) || storage.sparse;
        let mut metalayers = header.metalayers.clone();
        for new in &storage.metalayer {
            metalayers.retain(|old| old.name != new.name.as_bytes());
            metalayers.push(Metalayer { name: new.name.clone().into(), content: new.content.clone() });
        }
        let auto = storage.auto(false);
        let stays = auto.is_none() && cparams == CParams { blocksize: 0, ..before };
        if storage.explain {
            explain::cparams(&cparams, auto);
        }
        let chunksize = if header.is_variable() { 0 } else { header.chunksize };
        let params = FrameParams { cparams, chunksize, sparse, metalayers };
        let sink = target.create(sparse)?;
        if stays {
            return Editor::copy_schunk(sink, &params, &opened.reader).map_err(|error| made(output, error));
        }
        let mut editor = Editor::create(sink, &params).map_err(|error| made(output, error))?;
        editor.set_auto(auto);
        editor.copy_attrs(&opened.reader).map_err(|error| written(output, error))?;
        let mut progress = Progress::new("writing", header.nbytes);
        for nchunk in 0..opened.of(opened.reader.nchunks())? {
            let plain = opened.of(opened.reader.chunk(nchunk))?;
            editor.append_chunk(&plain).map_err(|error| written(output, error))?;
            progress.advance(plain.len() as u64);
        }
        Ok(editor)
    }
}
