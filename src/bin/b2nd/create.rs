//! `b2nd create`: an array from values, in bounded memory.

use crate::args::storage::{Filters, describe, pipeline};
use crate::args::{Args, Source, Storage};
use crate::failure::Failure;
use crate::input::{Input, InputParams};
use crate::target::{self, Target, made, written};
use b2nd::array::{ArrayParams, Dtype, Kind};
use b2nd::codec::Codec;
use b2nd::filter::{BITSHUFFLE, BYTEDELTA, DELTA, Filter, Pipeline, SHUFFLE};
use b2nd::sink::{Editor, Memory};
use b2nd::source::ReadError;
use b2nd::{Array, Selection};
use core::convert::Infallible;
use core::ops::Range;
use std::path::Path;

/// The candidates for `--filters auto`.
const CHOICE: [&[u8]; 6] =
    [&[], &[SHUFFLE], &[BITSHUFFLE], &[SHUFFLE, BYTEDELTA], &[DELTA, SHUFFLE], &[DELTA, BITSHUFFLE]];

/// Creates the array.
pub(crate) fn run(
    args: &Args,
    from: &Path,
    output: &Path,
    source: &Source,
    storage: &Storage,
) -> Result<(), Failure> {
    target::set_threads(storage.threads);
    let target = Target::new(output, storage)?;
    let shape = source.shape.as_ref().map(|shape| &shape.0[..]);
    let params =
        InputParams { format: source.from, shape, dtype: source.dtype.as_ref(), folder: target.folder() };
    let mut input = Input::open(from, &params)?;
    let mut params = ArrayParams::new(&input.shape, &input.dtype.to_string());
    // The default of python-blosc2.
    params.cparams.codec = Codec::ZSTD;
    params.cparams.filters = usual_filters(&input.dtype);
    storage.apply(&mut params);
    if storage.filters == Some(Filters::Auto) {
        let sample =
            |window: &[Range<u64>], items: &mut [u8]| input.fill(window, items).map_err(|stop| stop.at(from));
        params.cparams.filters = best_filters(&params, storage.explain, output, sample)?;
    }
    let sink = target.create(params.sparse)?;
    let mut editor = Editor::create_array(sink, &params).map_err(|error| made(output, error))?;
    if storage.explain {
        explain(&params, editor.array());
    }
    for layer in &storage.vlmeta {
        editor.set_vlmetalayer(&layer.name, &layer.content).map_err(|error| written(output, error))?;
    }
    target::write(&mut editor, &Selection::all(), (from, &mut input), output)?;
    editor.commit().map_err(|error| written(output, error))?;
    drop(editor);
    target.finish(args, storage.json)
}

/// The default filters: shuffle, for text by characters.
fn usual_filters(dtype: &Dtype) -> Pipeline {
    let meta = if matches!(dtype.kind(), Kind::Str) { 4 } else { 0 };
    pipeline(&[Filter { id: SHUFFLE, meta }])
}

/// Prints how an array is stored.
pub(crate) fn explain(params: &ArrayParams, array: Option<&Array>) {
    let cparams = &params.cparams;
    if let Some(array) = array {
        let blocks = array.blockshape().unwrap_or_default();
        eprintln!("shape {:?}, chunks {:?}, blocks {blocks:?}", array.shape(), array.chunkshape());
    }
    let codec = cparams.codec.name().unwrap_or("?");
    let (filters, split) = (describe(&cparams.filters), cparams.splitmode.name());
    eprintln!(
        "dtype {}, codec {codec}, clevel {}, filters {filters}, split {split}",
        params.dtype, cparams.clevel
    );
}

/// The filters with which the first chunk is smallest.
pub(crate) fn best_filters(
    params: &ArrayParams,
    explain: bool,
    output: &Path,
    mut sample: impl FnMut(&[Range<u64>], &mut [u8]) -> Result<(), Failure>,
) -> Result<Pipeline, Failure> {
    let failed = |error: ReadError<Infallible>| match error {
        ReadError::Source(never) => match never {},
        ReadError::Blosc(error) => Failure::Blosc(output.into(), error),
    };
    let whole = Editor::create_array(Memory::default(), params).map_err(failed)?;
    let first = whole.array().and_then(|array| Some((array.chunks().next()?, array)));
    let Some((chunk, array)) = first else { return Ok(params.cparams.filters) };
    let mut part = params.clone();
    (part.shape, part.metalayers) = (chunk.shape(), Vec::new());
    (part.chunkshape, part.blockshape) =
        (Some(array.chunkshape().to_vec()), array.blockshape().map(<[u32]>::to_vec));
    let count: u64 = part.shape.iter().product();
    let mut items = vec![0; count as usize * array.itemsize() as usize];
    sample(&chunk.items, &mut items)?;
    let mut best: Option<(usize, Pipeline)> = None;
    for ids in CHOICE {
        let filters: Vec<Filter> = ids.iter().map(|&id| Filter { id, meta: 0 }).collect();
        part.cparams.filters = pipeline(&filters);
        let mut trial = Editor::create_array(Memory::default(), &part).map_err(failed)?;
        // Some filters do not support all item sizes.
        if trial.set(&Selection::all(), &items).and_then(|()| trial.commit()).is_err() {
            continue;
        }
        let memory = trial.into_sink();
        let len = memory.chunks().values().map(Vec::len).sum::<usize>() + memory.into_bytes().len();
        if explain {
            eprintln!(
                "the first chunk takes {len} of {} bytes with filters {}",
                items.len(),
                describe(&part.cparams.filters)
            );
        }
        if best.is_none_or(|(least, _)| len < least) {
            best = Some((len, part.cparams.filters));
        }
    }
    Ok(best.map_or(params.cparams.filters, |(_, filters)| filters))
}
