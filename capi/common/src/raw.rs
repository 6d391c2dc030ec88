//! Pointers of callers.
#![expect(unsafe_code, reason = "callers in C pass pointers")]

use core::ffi::{CStr, c_char, c_void};
use core::{ptr, slice};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; a panic ends as the value `failed`.
pub fn guard<T>(failed: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(failed)
}

/// The bytes at a pointer, or `None` if it is null though there are bytes.
///
/// # Safety
/// Unless it is null, `len` bytes at `pointer` can be read and do not change during `'a`.
pub unsafe fn bytes<'a>(pointer: *const c_void, len: usize) -> Option<&'a [u8]> {
    // SAFETY: The caller promises it, for bytes, which are aligned anywhere.
    unsafe { values(pointer.cast(), len) }
}

/// The values at a pointer, or `None` if it is null though there are any.
///
/// # Safety
/// Unless it is null, `len` values at `pointer` are aligned, can be read and do not change during `'a`.
pub unsafe fn values<'a, T>(pointer: *const T, len: usize) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    if pointer.is_null() || len.checked_mul(size_of::<T>()).is_none_or(|len| len > isize::MAX as usize) {
        return None;
    }
    // SAFETY: The caller promises it, and no object is larger.
    Some(unsafe { slice::from_raw_parts(pointer, len) })
}

/// [`bytes`] to write.
///
/// # Safety
/// Unless it is null, `len` bytes at `pointer` can be written, and no one else reads or writes them during `'a`.
pub unsafe fn bytes_mut<'a>(pointer: *mut c_void, len: usize) -> Option<&'a mut [u8]> {
    if len == 0 {
        return Some(&mut []);
    }
    if pointer.is_null() || len > isize::MAX as usize {
        return None;
    }
    // SAFETY: The caller promises it, and no object is larger.
    Some(unsafe { slice::from_raw_parts_mut(pointer.cast(), len) })
}

/// A text.
///
/// # Safety
/// Unless it is null, a text at `pointer` ends with a 0 and does not change during `'a`.
pub unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: The caller promises it.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// Stores a value, unless the pointer is null.
///
/// # Safety
/// Unless it is null, `pointer` is that of a value that can be written.
pub unsafe fn store<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: The caller promises it.
        unsafe { pointer.write(value) };
    }
}

/// A copy for which the caller calls `free`, or null if there is no memory. It has a byte even if there are none.
#[must_use]
pub fn allocated(bytes: &[u8]) -> *mut u8 {
    // SAFETY: `malloc` takes any size.
    let copy = unsafe { libc::malloc(bytes.len().max(1)) }.cast::<u8>();
    if !copy.is_null() {
        // SAFETY: The new memory has as many bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), copy, bytes.len()) };
    }
    copy
}
