//! Items of arrays, read and written.

use super::arrays::shape_of;
use super::owned::array_mut;
use super::raw::{code, destination, natural, naturals, ranges, source};
use crate::array::{Boxed, copy_box, product};
use crate::codes::{BLOSC2_ERROR_SUCCESS, Result};
use crate::types::b2nd_array_t;
use core::ffi::{c_int, c_void};
use core::ops::Range;

/// Reads all items to `buffer`, of `buffersize` bytes. Returns 0, or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses. `buffersize` bytes at `buffer` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_to_cbuffer(
    array: *const b2nd_array_t,
    buffer: *mut c_void,
    buffersize: i64,
) -> c_int {
    code("b2nd_to_cbuffer", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array.cast_mut()) }?;
        // SAFETY: The caller promises it.
        let out = unsafe { destination(buffer, buffersize) }?;
        let all: Vec<Range<u64>> = shape_of(known).into_iter().map(|len| 0..len).collect();
        owned.frame.read(&all, out)?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Reads the items between `start` and `stop` to the start of a buffer of the shape `buffershape` and `buffersize` bytes. Returns 0,
/// or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses. A position for each dimension can be read at `start` and at `stop`, a length
/// at `buffershape`. `buffersize` bytes at `buffer` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_get_slice_cbuffer(
    array: *const b2nd_array_t,
    start: *const i64,
    stop: *const i64,
    buffer: *mut c_void,
    buffershape: *const i64,
    buffersize: i64,
) -> c_int {
    code("b2nd_get_slice_cbuffer", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array.cast_mut()) }?;
        // SAFETY: The caller promises it.
        let ranges = unsafe { ranges(start, stop, known.ndim as usize) }?;
        // SAFETY: The caller promises it.
        let shape = unsafe { naturals::<_, usize>(buffershape, ranges.len()) }?;
        // SAFETY: The caller promises it.
        let out = unsafe { destination(buffer, buffersize) }?;
        let lens = lens(&ranges)?;
        if lens == shape {
            owned.frame.read(&ranges, out)?;
            return Ok(BLOSC2_ERROR_SUCCESS);
        }
        let itemsize = owned.frame.facts().cparams.typesize as usize;
        let mut items = vec![0; checked(&lens, itemsize, out.len())?];
        owned.frame.read(&ranges, &mut items)?;
        checked(&shape, itemsize, out.len())?;
        let all = whole(&lens);
        let from = Boxed { shape: &lens, ranges: &all };
        copy_box(itemsize, (&items, &from), (out, &Boxed { shape: &shape, ranges: &all }))?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Writes items from the start of a buffer of the shape `buffershape` and `buffersize` bytes to those between `start` and `stop`.
/// Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_get_slice_cbuffer`, but that `buffersize` bytes at `buffer` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_set_slice_cbuffer(
    buffer: *const c_void,
    buffershape: *const i64,
    buffersize: i64,
    start: *const i64,
    stop: *const i64,
    array: *mut b2nd_array_t,
) -> c_int {
    code("b2nd_set_slice_cbuffer", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array) }?;
        // SAFETY: The caller promises it.
        let ranges = unsafe { ranges(start, stop, known.ndim as usize) }?;
        // SAFETY: The caller promises it.
        let shape = unsafe { naturals::<_, usize>(buffershape, ranges.len()) }?;
        // SAFETY: The caller promises it.
        let src = unsafe { source(buffer, buffersize) }?;
        let itemsize = owned.frame.facts().cparams.typesize as usize;
        let lens = lens(&ranges)?;
        let mut items = vec![0; checked(&lens, itemsize, src.len())?];
        checked(&shape, itemsize, src.len())?;
        let all = whole(&lens);
        let to = Boxed { shape: &lens, ranges: &all };
        copy_box(itemsize, (src, &Boxed { shape: &shape, ranges: &all }), (&mut items, &to))?;
        owned.frame.change(|editor| Ok(editor.set(b2nd::Selection::of_ranges(&ranges), &items)?))?;
        owned.show();
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Reads single items by their positions in each dimension. Returns 0, or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses. A position for each dimension of `ncoords` points can be read at `coords`.
/// `buffersize` bytes at `buffer` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_get_sparse_cbuffer(
    array: *const b2nd_array_t,
    ncoords: i64,
    coords: *const i64,
    buffer: *mut c_void,
    buffersize: i64,
) -> c_int {
    code("b2nd_get_sparse_cbuffer", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array.cast_mut()) }?;
        let ndim = known.ndim as usize;
        let count = natural::<_, usize>(ncoords)?.saturating_mul(ndim);
        // SAFETY: The caller promises it.
        let positions = unsafe { naturals::<_, i64>(coords, count) }?;
        // SAFETY: The caller promises it.
        let out = unsafe { destination(buffer, buffersize) }?;
        owned.frame.read_points(ndim, positions, out)?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// The lengths of ranges.
fn lens(ranges: &[Range<u64>]) -> Result<Vec<usize>> {
    ranges.iter().map(|range| natural(range.end.saturating_sub(range.start))).collect()
}

/// All of a buffer.
fn whole(shape: &[usize]) -> Vec<Range<usize>> {
    shape.iter().map(|&len| 0..len).collect()
}

/// Bytes of the items that a shape has, which must not be more than those of a buffer.
fn checked(shape: &[usize], itemsize: usize, room: usize) -> Result<usize> {
    let nbytes = product(shape)?.saturating_mul(itemsize);
    if nbytes > room {
        let reason = format!("{nbytes} bytes do not fit into {room}");
        return Err(crate::codes::Failure::argument(reason));
    }
    Ok(nbytes)
}
