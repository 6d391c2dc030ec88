//! Positions that are read from a file: masks and points.

use crate::error::CommandError;
use crate::input::{Input, InputParams, InvalidInput};
use b2nd::Limits;
use b2nd::array::{Dtype, Element};
use b2nd::plan::Points;
use std::path::Path;

/// The positions at which a mask is true.
pub(crate) fn of_mask(path: &Path, limits: &Limits) -> Result<Points, CommandError> {
    let (shape, dtype, bytes) = read(path, &bool::dtype(), limits)?;
    let mask: Vec<bool> = dtype.decode(&bytes).map_err(|_| differs(path, &dtype, "|b1"))?;
    Points::of_mask(&shape, &mask).map_err(|error| CommandError::Blosc(path.into(), error))
}

/// The points in the rows of a table of integers, which has a column for each axis; or of a list of positions along one axis.
pub(crate) fn of_table(path: &Path, limits: &Limits) -> Result<Points, CommandError> {
    let (shape, dtype, bytes) = read(path, &i64::dtype(), limits)?;
    let positions = integers(&dtype, &bytes).ok_or_else(|| differs(path, &dtype, "<i8"))?;
    let ndim = match shape[..] {
        [_] => 1,
        [_, ndim] => ndim as usize,
        _ => {
            let what = InvalidInput::Differs {
                what: "shape",
                found: format!("{shape:?}"),
                wanted: "[n, axes]".into(),
            };
            return Err(CommandError::InvalidInput(path.into(), what));
        }
    };
    Points::new(ndim, positions).map_err(|error| CommandError::Blosc(path.into(), error))
}

fn differs(path: &Path, found: &Dtype, wanted: &str) -> CommandError {
    let what = InvalidInput::Differs { what: "dtype", found: found.to_string(), wanted: wanted.into() };
    CommandError::InvalidInput(path.into(), what)
}

/// All items of a file; of tables as items of this dtype.
fn read(path: &Path, dtype: &Dtype, limits: &Limits) -> Result<(Vec<u64>, Dtype, Vec<u8>), CommandError> {
    let folder = crate::files::temporary();
    let params = InputParams { format: None, shape: None, dtype: None, folder: &folder };
    let mut input = Input::open_for(path, &params, dtype, None)?;
    let len = limits.allow_memory(input.nbytes()).map_err(|error| CommandError::Blosc(path.into(), error))?;
    let mut bytes = vec![0; len];
    let window: Vec<_> = input.shape.iter().map(|&len| 0..len).collect();
    input.fill(&window, &mut bytes).map_err(|stop| stop.at(path))?;
    Ok((input.shape, input.dtype, bytes))
}

/// Integers of any width.
fn integers(dtype: &Dtype, bytes: &[u8]) -> Option<Vec<i64>> {
    fn of<T: Element + TryInto<i64>>(dtype: &Dtype, bytes: &[u8]) -> Option<Vec<i64>> {
        let values: Vec<T> = dtype.decode(bytes).ok()?;
        values.into_iter().map(|value| value.try_into().ok()).collect()
    }
    [of::<i64>, of::<i32>, of::<i16>, of::<i8>, of::<u64>, of::<u32>, of::<u16>, of::<u8>]
        .iter()
        .find_map(|of| of(dtype, bytes))
}
