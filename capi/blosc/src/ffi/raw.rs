//! Pointers of callers.

use crate::header::Header;
use crate::settings;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt::Display;
use core::slice;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; a panic ends as the value `failed`.
pub(super) fn guard<T>(failed: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(failed)
}

/// Prints why a call fails, if `BLOSC_WARN` asks for it, and returns the code.
pub(super) fn fail(code: c_int, function: &str, reason: &dyn Display) -> c_int {
    if settings::warns() {
        // There is no one to tell that standard error is closed.
        let _ = writeln!(stderr(), "{function}: {reason}");
    }
    code
}

/// The bytes at a pointer, or `None` if it is null though there are bytes.
///
/// # Safety
/// Unless it is null, `len` bytes at `pointer` can be read and do not change during `'a`.
pub(super) unsafe fn bytes<'a>(pointer: *const c_void, len: usize) -> Option<&'a [u8]> {
    if len == 0 {
        return Some(&[]);
    }
    if pointer.is_null() || len > isize::MAX as usize {
        return None;
    }
    // SAFETY: The caller promises it, and no object is larger.
    Some(unsafe { slice::from_raw_parts(pointer.cast(), len) })
}

/// [`bytes`] to write.
///
/// # Safety
/// Unless it is null, `len` bytes at `pointer` can be written, and no one else reads or writes them during `'a`.
pub(super) unsafe fn bytes_mut<'a>(pointer: *mut c_void, len: usize) -> Option<&'a mut [u8]> {
    if len == 0 {
        return Some(&mut []);
    }
    if pointer.is_null() || len > isize::MAX as usize {
        return None;
    }
    // SAFETY: The caller promises it, and no object is larger.
    Some(unsafe { slice::from_raw_parts_mut(pointer.cast(), len) })
}

/// The header of a chunk.
///
/// # Safety
/// Unless it is null, 16 bytes at `pointer` can be read.
pub(super) unsafe fn header(pointer: *const c_void) -> Option<Header> {
    // SAFETY: The caller promises it.
    let bytes = unsafe { bytes(pointer, Header::LEN) }?;
    Some(Header::parse(bytes.try_into().ok()?))
}

/// The header of a chunk and the whole chunk, whose length its header has.
///
/// # Safety
/// Unless it is null, as many bytes at `pointer` can be read as the header says, at least 16, and do not change during `'a`.
pub(super) unsafe fn chunk<'a>(pointer: *const c_void) -> Option<(Header, &'a [u8])> {
    // SAFETY: The caller promises it.
    let header = unsafe { header(pointer) }?;
    let cbytes = usize::try_from(header.cbytes).ok().filter(|cbytes| *cbytes >= Header::LEN)?;
    // SAFETY: The caller promises it.
    let bytes = unsafe { bytes(pointer, cbytes) }?;
    Some((header, bytes))
}

/// A text.
///
/// # Safety
/// Unless it is null, a text at `pointer` ends with a 0 and does not change during `'a`.
pub(super) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: The caller promises it.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// Stores a value, unless the pointer is null.
///
/// # Safety
/// Unless it is null, `pointer` is that of a value that can be written.
pub(super) unsafe fn store<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: The caller promises it.
        unsafe { pointer.write(value) };
    }
}
