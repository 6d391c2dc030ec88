//! `b2nd repack`: a frame anew, with other parameters.

use crate::args::storage::Filters;
use crate::args::{Args, Storage};
use crate::create::{best_filters, explain};
use crate::failure::Failure;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::target::{self, Target, made, supply, written};
use b2nd::array::ArrayParams;
use b2nd::chunk::CParams;
use b2nd::frame::{FrameParams, Metalayer};
use b2nd::sink::{self, Editor};
use b2nd::{Array, Index, Selection};
use core::ops::Range;
use std::path::Path;

/// Writes the frame.
pub(crate) fn run(args: &Args, from: &Path, output: &Path, storage: &Storage) -> Result<(), Failure> {
    target::set_threads(storage.threads);
    let target = Target::new(output, storage)?;
    let opened = Opened::new(from, args)?;
    let header = &opened.reader.frame().header;
    let mut cparams = CParams::of_frame(header).map_err(|error| Failure::Blosc(from.into(), error))?;
    cparams.blocksize = 0;
    let mut editor = match opened.array()? {
        Some(array) => array_of(&opened, array, cparams, storage, &target, output)?,
        None => schunk_of(&opened, cparams, storage, &target, output)?,
    };
    let layers = opened.of(opened.reader.trailer())?.vlmetalayers.iter();
    for layer in layers.filter(|layer| storage.vlmeta.iter().all(|new| new.name.as_bytes() != layer.name)) {
        set_vlmetalayer(&mut editor, &layer.name(), &layer.content, output)?;
    }
    for layer in &storage.vlmeta {
        set_vlmetalayer(&mut editor, &layer.name, &layer.content, output)?;
    }
    editor.commit().map_err(|error| written(output, error))?;
    drop(editor);
    target.finish(args, storage.json)
}

fn set_vlmetalayer(
    editor: &mut Editor<sink::File>,
    name: &str,
    content: &[u8],
    output: &Path,
) -> Result<(), Failure> {
    editor.set_vlmetalayer(name, content).map_err(|error| written(output, error))
}

/// The metalayers of the header that do not describe an array.
fn metalayers(opened: &Opened<'_>) -> Vec<Metalayer> {
    let layers = opened.reader.frame().header.metalayers.iter();
    layers.filter(|layer| !matches!(&layer.name[..], b"b2nd" | b"caterva")).cloned().collect()
}

fn array_of(
    opened: &Opened<'_>,
    array: &Array,
    cparams: CParams,
    storage: &Storage,
    target: &Target,
    output: &Path,
) -> Result<Editor<sink::File>, Failure> {
    let mut params = ArrayParams::new(&array.shape(), &opened.dtype(None)?.to_string());
    params.cparams = cparams;
    let is_usable = |lens: &&[u32]| lens.iter().all(|len| *len > 0);
    params.chunkshape = Some(array.chunkshape()).filter(is_usable).map(<[u32]>::to_vec);
    params.blockshape = array.blockshape().filter(is_usable).map(<[u32]>::to_vec);
    let header = &opened.reader.frame().header;
    params.sparse = header.sparse && output.as_os_str() != crate::source::STANDARD;
    params.caterva = header.metalayer("b2nd").is_none();
    params.metalayers = metalayers(opened);
    storage.apply(&mut params);
    let mut progress = Progress::new("writing", opened.nbytes(array));
    let mut read = |window: &[Range<u64>], items: &mut [u8]| {
        let plan = opened.of(opened.reader.plan(&selection(window)))?;
        opened.of(opened.reader.get_parallel_into(&plan, items))?;
        progress.advance(items.len() as u64);
        Ok(())
    };
    if storage.filters == Some(Filters::Auto) {
        params.cparams.filters = best_filters(&params, storage.explain, output, &mut read)?;
    }
    let sink = target.create(params.sparse)?;
    let mut editor = Editor::create_array(sink, &params).map_err(|error| made(output, error))?;
    if storage.explain {
        explain(&params, editor.array());
    }
    supply(&mut editor, &Selection::all(), output, read)?;
    Ok(editor)
}

/// Copies the chunks of a super-chunk.
fn schunk_of(
    opened: &Opened<'_>,
    mut cparams: CParams,
    storage: &Storage,
    target: &Target,
    output: &Path,
) -> Result<Editor<sink::File>, Failure> {
    storage.apply_to(&mut cparams);
    let header = &opened.reader.frame().header;
    let sparse = (header.sparse && output.as_os_str() != crate::source::STANDARD) || storage.sparse;
    let mut metalayers = metalayers(opened);
    for new in &storage.meta {
        metalayers.retain(|old| old.name != new.name.as_bytes());
        metalayers.push(Metalayer { name: new.name.clone().into(), content: new.content.clone() });
    }
    let chunksize = if header.is_variable() { 0 } else { header.chunksize };
    let params = FrameParams { cparams, chunksize, sparse, metalayers };
    let mut editor = Editor::create(target.create(sparse)?, &params).map_err(|error| made(output, error))?;
    let mut progress = Progress::new("writing", header.nbytes);
    for nchunk in 0..opened.of(opened.reader.nchunks())? {
        let plain = opened.of(opened.reader.chunk(nchunk))?;
        editor.append_chunk(&plain).map_err(|error| written(output, error))?;
        progress.advance(plain.len() as u64);
    }
    Ok(editor)
}

/// Selects a box.
pub(crate) fn selection(window: &[Range<u64>]) -> Selection {
    let bound = |at: u64| Some(at as i64);
    let index =
        |range: &Range<u64>| Index::Range { start: bound(range.start), stop: bound(range.end), step: 1 };
    Selection(window.iter().map(index).collect())
}
