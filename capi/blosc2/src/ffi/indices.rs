//! Positions, and boxes of items that are copied.

use super::raw::{code, destination, natural, naturals, source, store};
use crate::array::{Boxed, copy_box, product};
use crate::codes::{BLOSC2_ERROR_SUCCESS, Failure, Result};
use b2nd_c::raw::values;
use core::ffi::{c_int, c_void};
use core::ops::Range;

/// Tells the position in each dimension of item `i` of a shape.
///
/// # Safety
/// `ndim` lengths can be read at `shape`, and as many positions can be written at `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_unidim_to_multidim(ndim: u8, shape: *mut i64, i: i64, index: *mut i64) {
    code("blosc2_unidim_to_multidim", || {
        // SAFETY: The caller promises it.
        let shape = unsafe { values(shape.cast_const(), ndim.into()) }.ok_or_else(Failure::null)?;
        let mut rest = i;
        for (axis, &len) in shape.iter().enumerate().rev() {
            // SAFETY: The caller promises it.
            let place = unsafe { index.add(axis) };
            let at = if len > 0 { rest % len } else { 0 };
            // SAFETY: The caller promises it.
            unsafe { store(place, at) };
            rest = if len > 0 { rest / len } else { 0 };
        }
        Ok(BLOSC2_ERROR_SUCCESS)
    });
}

/// Tells the number of the item at a position, by the strides of the dimensions.
///
/// # Safety
/// `ndim` positions and strides can be read; `i` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_multidim_to_unidim(
    index: *const i64,
    ndim: i8,
    strides: *const i64,
    i: *mut i64,
) {
    code("blosc2_multidim_to_unidim", || {
        let ndim = natural(ndim)?;
        // SAFETY: The caller promises it.
        let index = unsafe { values(index, ndim) }.ok_or_else(Failure::null)?;
        // SAFETY: The caller promises it.
        let strides = unsafe { values(strides, ndim) }.ok_or_else(Failure::null)?;
        let number = index
            .iter()
            .zip(strides)
            .fold(0_i64, |number, (at, stride)| number.wrapping_add(at.wrapping_mul(*stride)));
        // SAFETY: The caller promises it.
        unsafe { store(i, number) };
        Ok(BLOSC2_ERROR_SUCCESS)
    });
}

/// Copies the box between `src_start` and `src_stop` of a buffer of items to the place `dst_start` of another. Returns 0, or a negative
/// number.
///
/// # Safety
/// `ndim` lengths and positions can be read at each of the pointers. The items of `src_pad_shape` can be read at `src`, those of
/// `dst_pad_shape` written at `dst`, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_copy_buffer2(
    ndim: i8,
    itemsize: i32,
    src: *const c_void,
    src_pad_shape: *const i64,
    src_start: *const i64,
    src_stop: *const i64,
    dst: *mut c_void,
    dst_pad_shape: *const i64,
    dst_start: *const i64,
) -> c_int {
    code("b2nd_copy_buffer2", || {
        let (ndim, itemsize) = (natural::<_, usize>(ndim)?, natural::<_, usize>(itemsize)?);
        // SAFETY: The caller promises it.
        let [from_shape, starts] = unsafe { both(src_pad_shape, src_start, ndim) }?;
        // SAFETY: The caller promises it.
        let [to_shape, places] = unsafe { both(dst_pad_shape, dst_start, ndim) }?;
        // SAFETY: The caller promises it.
        let stops = unsafe { naturals::<_, usize>(src_stop, ndim) }?;
        // SAFETY: The caller promises it.
        let src = unsafe { source(src, product(&from_shape)?.saturating_mul(itemsize)) }?;
        // SAFETY: The caller promises it.
        let dst = unsafe { destination(dst, product(&to_shape)?.saturating_mul(itemsize)) }?;
        let from: Vec<Range<usize>> = starts.iter().zip(&stops).map(|(&start, &stop)| start..stop).collect();
        let to: Vec<Range<usize>> = (from.iter().zip(&places))
            .map(|(range, &place)| place..place.saturating_add(range.len()))
            .collect();
        let (from, to) =
            (Boxed { shape: &from_shape, ranges: &from }, Boxed { shape: &to_shape, ranges: &to });
        copy_box(itemsize, (src, &from), (dst, &to))?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Copies as `b2nd_copy_buffer2` does.
///
/// # Safety
/// As for `b2nd_copy_buffer2`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_copy_buffer(
    ndim: i8,
    itemsize: u8,
    src: *const c_void,
    src_pad_shape: *const i64,
    src_start: *const i64,
    src_stop: *const i64,
    dst: *mut c_void,
    dst_pad_shape: *const i64,
    dst_start: *const i64,
) -> c_int {
    // SAFETY: The caller promises it.
    unsafe {
        b2nd_copy_buffer2(
            ndim,
            itemsize.into(),
            src,
            src_pad_shape,
            src_start,
            src_stop,
            dst,
            dst_pad_shape,
            dst_start,
        )
    }
}

/// # Safety
/// `ndim` numbers can be read at each of the pointers.
unsafe fn both(shape: *const i64, start: *const i64, ndim: usize) -> Result<[Vec<usize>; 2]> {
    // SAFETY: The caller promises it.
    let shape = unsafe { naturals(shape, ndim) }?;
    // SAFETY: The caller promises it.
    let start = unsafe { naturals(start, ndim) }?;
    Ok([shape, start])
}
