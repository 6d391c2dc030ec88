//! Arrays that change their shape.

use super::owned::{Owned, array_mut, show_array};
use super::raw::{code, natural, naturals, source};
use crate::codes::{BLOSC2_ERROR_SUCCESS, Failure, Result};
use crate::files::Sink;
use crate::types::b2nd_array_t;
use b2nd::Editor;
use core::ffi::{c_int, c_void};

/// Changes the lengths of an array. Items are added at `start` of each dimension, or removed from there on; null stands for its end.
/// New ones are zeros. Returns 0, or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses. A length for each dimension can be read at `new_shape`, and a position at
/// `start`, unless it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_resize(
    array: *mut b2nd_array_t,
    new_shape: *const i64,
    start: *const i64,
) -> c_int {
    code("b2nd_resize", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array) }?;
        let ndim = known.ndim as usize;
        // SAFETY: The caller promises it.
        let shape = unsafe { naturals::<_, u64>(new_shape, ndim) }?;
        if !start.is_null() {
            // SAFETY: The caller promises it.
            let starts = unsafe { naturals::<_, i64>(start, ndim) }?;
            let lens = known.shape.iter().zip(&shape);
            let at_end = starts.iter().zip(lens).all(|(&at, (&old, &new))| at >= old.min(new as i64));
            if !at_end {
                return Err(Failure::argument("items are added and removed only at the end"));
            }
        }
        change(known, owned, |editor| Ok(editor.resize(&shape)?))
    })
}

/// Appends items along an axis. Returns 0, or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses. `buffersize` bytes at `buffer` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_append(
    array: *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
    axis: i8,
) -> c_int {
    code("b2nd_append", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array) }?;
        // SAFETY: The caller promises it.
        let items = unsafe { source(buffer, buffersize) }?;
        let axis = natural(axis)?;
        change(known, owned, |editor| {
            editor.append(axis, items)?;
            Ok(editor.flush()?)
        })
    })
}

/// Inserts items along an axis before position `insert_start`. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_append`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_insert(
    array: *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
    axis: i8,
    insert_start: i64,
) -> c_int {
    code("b2nd_insert", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array) }?;
        // SAFETY: The caller promises it.
        let items = unsafe { source(buffer, buffersize) }?;
        let (axis, at) = (natural(axis)?, natural(insert_start)?);
        change(known, owned, |editor| Ok(editor.insert(axis, at, items)?))
    })
}

/// Removes `delete_len` positions of an axis, from `delete_start` on. Returns 0, or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_delete(
    array: *mut b2nd_array_t,
    axis: i8,
    delete_start: i64,
    delete_len: i64,
) -> c_int {
    code("b2nd_delete", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(array) }?;
        let (axis, start) = (natural(axis)?, natural::<_, u64>(delete_start)?);
        let len = natural::<_, u64>(delete_len)?;
        change(known, owned, |editor| Ok(editor.delete(axis, start..start.saturating_add(len))?))
    })
}

fn change(
    known: &mut b2nd_array_t,
    owned: &mut Owned,
    change: impl FnOnce(&mut Editor<Sink>) -> Result<()>,
) -> Result<c_int> {
    owned.frame.change(change)?;
    owned.show();
    if let Some(layout) = &owned.frame.facts().layout {
        show_array(known, layout);
    }
    Ok(BLOSC2_ERROR_SUCCESS)
}
