//! `b2nd create`: an array from values, in bounded memory.

use crate::args::storage::pipeline;
use crate::args::{Args, Source, Storage};
use crate::error::CommandError;
use crate::explain;
use crate::input::{Input, InputParams};
use crate::target::{self, Target, made, written};
use b2nd::Selection;
use b2nd::array::{ArrayParams, Dtype, Kind};
use b2nd::codec::Codec;
use b2nd::filter::{Filter, Pipeline, SHUFFLE};
use b2nd::sink::Editor;
use std::path::Path;

/// Creates the array.
pub(crate) fn run(
    args: &Args,
    from: &Path,
    output: &Path,
    source: &Source,
    storage: &Storage,
) -> Result<(), CommandError> {
    target::set_threads(storage.threads);
    let target = Target::new(args, output, storage)?;
    let shape = source.shape.as_ref().map(|shape| &shape.0[..]);
    let params =
        InputParams { format: source.from, shape, dtype: source.dtype.as_ref(), folder: target.folder() };
    let mut input = Input::open(from, &params)?;
    let mut params = usual_params(&input.shape, &input.dtype);
    storage.apply(&mut params);
    params.auto = storage.auto(false);
    let sink = target.create(params.sparse)?;
    let mut editor = Editor::create_array(sink, &params).map_err(|error| made(output, error))?;
    if storage.explain {
        explain::array(&params, editor.layout());
    }
    for layer in &storage.attr {
        editor.set_attr_bytes(&layer.name, &layer.content).map_err(|error| written(output, error))?;
    }
    target::write(&mut editor, &Selection::all(), (from, &mut input), output)?;
    target.complete(args, storage, editor, params.auto)
}

/// The parameters of an array unless options say others: the codec of python-blosc2, and its filters.
pub(crate) fn usual_params(shape: &[u64], dtype: &Dtype) -> ArrayParams {
    let mut params = ArrayParams::new(shape, &dtype.to_string());
    params.cparams.codec = Codec::ZSTD;
    params.cparams.filters = usual_filters(dtype);
    params
}

/// The default filters: shuffle, for text by characters.
fn usual_filters(dtype: &Dtype) -> Pipeline {
    let meta = if matches!(dtype.kind(), Kind::Str) { 4 } else { 0 };
    pipeline(&[Filter { id: SHUFFLE, meta }])
}
