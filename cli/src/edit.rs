//! `b2nd set`, `resize` and `append`: change arrays in place.

use crate::args::{Args, Source};
use crate::error::CommandError;
use crate::files::folder;
use crate::input::{Input, InputParams, InvalidInput, parse_item};
use crate::target::{self, Editing, written};
use crate::values::ValueError;
use b2nd::array::{Dtype, Kind};
use b2nd::sink::{self, Editor};
use b2nd::{Layout, Limits, Selection};
use std::path::Path;

/// The values to write.
pub(crate) enum Values<'a> {
    /// The values of an input.
    Input(&'a Path, &'a Source),
    /// The text of one value for all items.
    One(&'a str),
}

/// Writes to a part of an array.
pub(crate) fn set(args: &Args, path: &Path, text: &str, values: &Values<'_>) -> Result<(), CommandError> {
    let part: Selection = text.parse().map_err(|error| CommandError::Blosc(path.into(), error))?;
    let (mut editing, dtype) = open(args, path)?;
    let editor = &mut editing.editor;
    let failed = |error| CommandError::Blosc(path.into(), error);
    let wanted = part.shape(&array(editor)?.shape()).map_err(failed)?;
    match values {
        Values::One(text) => {
            editor.fill(&part, &item(text, &dtype)?).map_err(|error| written(path, error))?;
        }
        Values::Input(from, source) => {
            let mut input = input(from, source, &dtype, Some(&wanted), path)?;
            check(&input, &dtype, &wanted)
                .map_err(|what| CommandError::InvalidInput((*from).into(), what))?;
            target::write(editor, &part, (from, &mut input), path)?;
        }
    }
    editing.commit()
}

/// Changes the shape of an array.
pub(crate) fn resize(
    args: &Args,
    path: &Path,
    shape: &[u64],
    fill: Option<&str>,
) -> Result<(), CommandError> {
    let (mut editing, dtype) = open(args, path)?;
    let editor = &mut editing.editor;
    let resized = match fill {
        Some(text) => editor.resize_with(shape, &item(text, &dtype)?),
        None => editor.resize(shape),
    };
    resized.map_err(|error| written(path, error))?;
    editing.commit()
}

/// Appends values along an axis.
pub(crate) fn append(
    args: &Args,
    path: &Path,
    axis: usize,
    from: &Path,
    source: &Source,
) -> Result<(), CommandError> {
    let (mut editing, dtype) = open(args, path)?;
    let editor = &mut editing.editor;
    let mut shape = array(editor)?.shape().to_vec();
    let mut input = input(from, source, &dtype, None, path)?;
    let unusable = |what| CommandError::InvalidInput(from.into(), what);
    if axis >= shape.len() {
        let (given, ndim) = (axis + 1, shape.len());
        let error = b2nd::ArgumentError::Dimensions { given, ndim };
        return Err(CommandError::Blosc(path.into(), error.into()));
    }
    let mut wanted = shape.clone();
    wanted[axis] = match (input.shape.len() == shape.len(), input.shape.get(axis)) {
        (true, Some(&len)) => len,
        // The number of items determines the length along the axis.
        _ => {
            let across = shape.iter().enumerate().filter(|(other, _)| *other != axis);
            let across: u64 = across.map(|(_, len)| len).product();
            let count: u64 = input.shape.iter().product();
            count.checked_div(across).unwrap_or(0)
        }
    };
    if input.shape.len() == 1 && shape.len() > 1 {
        input = input.reshape(&wanted).map_err(|stop| stop.at(from))?;
    }
    check(&input, &dtype, &wanted).map_err(unusable)?;
    let mut part: Vec<_> = wanted.iter().map(|&len| 0..len).collect();
    part[axis] = shape[axis]..shape[axis] + wanted[axis];
    shape[axis] = part[axis].end;
    editor.resize(&shape).map_err(|error| written(path, error))?;
    target::write(editor, &Selection::of_ranges(&part), (from, &mut input), path)?;
    editing.commit()
}

/// Opens an array to change it. Returns its dtype as well.
fn open(args: &Args, path: &Path) -> Result<(Editing, Dtype), CommandError> {
    let editing = target::edit(args, path)?;
    let dtype = dtype(array(&editing.editor)?);
    Ok((editing, dtype))
}

/// The dtype of an array's items; bytes without a meaning if it is unknown.
pub(crate) fn dtype(array: &Layout) -> Dtype {
    let itemsize = array.itemsize() as usize;
    let known = array.dtype().and_then(|text| Dtype::parse(text, &Limits::default()).ok());
    known.filter(|dtype| dtype.itemsize() == itemsize).unwrap_or(Dtype::void(itemsize))
}

fn array(editor: &Editor<sink::File>) -> Result<&Layout, CommandError> {
    editor.layout().ok_or(ValueError::NotAnArray.into())
}

/// Opens values. Their dtype is the array's unless the input or the caller specifies another.
fn input(
    from: &Path,
    source: &Source,
    dtype: &Dtype,
    shape: Option<&[u64]>,
    path: &Path,
) -> Result<Input, CommandError> {
    let params = InputParams {
        format: source.from,
        shape: source.shape.as_ref().map(|shape| &shape.0[..]),
        dtype: source.dtype.as_ref(),
        folder: folder(path),
    };
    Input::open_for(from, &params, dtype, shape)
}

/// Checks the dtype and the shape of values. Arrays without a dtype accept any dtype of the same size.
fn check(input: &Input, dtype: &Dtype, shape: &[u64]) -> Result<(), InvalidInput> {
    let any = matches!(dtype.kind(), Kind::Void) && input.dtype.itemsize() == dtype.itemsize();
    input.must_be(if any { &input.dtype } else { dtype }, shape)
}

/// Parses an item.
pub(crate) fn item(text: &str, dtype: &Dtype) -> Result<Vec<u8>, CommandError> {
    let mut item = vec![0; dtype.itemsize()];
    if parse_item(text, dtype, &mut item) {
        return Ok(item);
    }
    Err(ValueError::Value { text: text.into(), dtype: dtype.to_string() }.into())
}
