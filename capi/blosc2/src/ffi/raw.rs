//! Calls, their failures, and pointers of callers.

use crate::codes::{BLOSC2_ERROR_FAILURE, Failure, Result};
pub(super) use b2nd_c::raw::{allocated, store};
use b2nd_c::raw::{bytes, bytes_mut, guard, text, values};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ops::Range;
use core::ptr;
use std::ffi::OsStr;
use std::io::{Write, stderr};
use std::path::Path;

/// Runs a call that returns a code or a length.
pub(super) fn code(function: &str, work: impl FnOnce() -> Result<c_int>) -> c_int {
    run(function, |code| code, work)
}

/// Runs a call that returns a number.
pub(super) fn number(function: &str, work: impl FnOnce() -> Result<i64>) -> i64 {
    run(function, i64::from, work)
}

/// Runs a call that returns a pointer, null if it fails.
pub(super) fn pointer<T>(function: &str, work: impl FnOnce() -> Result<*mut T>) -> *mut T {
    run(function, |_| ptr::null_mut(), work)
}

/// A panic is a failure; the reason of one is printed if `BLOSC_TRACE` is in the environment.
fn run<T>(function: &str, failed: impl FnOnce(c_int) -> T, work: impl FnOnce() -> Result<T>) -> T {
    let done = guard(Err(Failure::new(BLOSC2_ERROR_FAILURE, "a panic")), work);
    done.unwrap_or_else(|failure| {
        if std::env::var_os("BLOSC_TRACE").is_some() {
            // There is no one to tell that standard error is closed.
            let _ = writeln!(stderr(), "[error] - {function}: {}", failure.reason);
        }
        failed(failure.code)
    })
}

/// A length as a C type has it.
pub(super) fn int<T: TryFrom<usize>>(len: usize) -> Result<T> {
    T::try_from(len).map_err(|_| Failure::argument(format!("{len} bytes are too many")))
}

/// A length or a position, which must not be negative.
pub(super) fn natural<T: Copy + TryInto<U> + core::fmt::Display, U>(value: T) -> Result<U> {
    value.try_into().map_err(|_| Failure::argument(format!("{value} is out of range")))
}

/// The bytes at a pointer.
///
/// # Safety
/// Unless it is null, `len` bytes at `pointer` can be read and do not change during `'a`.
pub(super) unsafe fn source<'a, T: Copy + TryInto<usize> + core::fmt::Display>(
    pointer: *const c_void,
    len: T,
) -> Result<&'a [u8]> {
    // SAFETY: The caller promises it.
    unsafe { bytes(pointer, natural(len)?) }.ok_or_else(Failure::null)
}

/// The bytes at a pointer, to write.
///
/// # Safety
/// Unless it is null, `len` bytes at `pointer` can be written, and no one else reads or writes them during `'a`.
pub(super) unsafe fn destination<'a, T: Copy + TryInto<usize> + core::fmt::Display>(
    pointer: *mut c_void,
    len: T,
) -> Result<&'a mut [u8]> {
    // SAFETY: The caller promises it.
    unsafe { bytes_mut(pointer, natural(len)?) }.ok_or_else(Failure::null)
}

/// The lengths or positions at a pointer, none of them negative.
///
/// # Safety
/// Unless it is null, `len` values at `pointer` can be read.
pub(super) unsafe fn naturals<T: Copy + TryInto<U> + core::fmt::Display, U>(
    pointer: *const T,
    len: usize,
) -> Result<Vec<U>> {
    // SAFETY: The caller promises it, for values of C, which are aligned.
    let values = unsafe { values(pointer, len) }.ok_or_else(Failure::null)?;
    values.iter().map(|&value| natural(value)).collect()
}

/// The ranges between the positions at two pointers.
///
/// # Safety
/// Unless it is null, `ndim` values at each of the pointers can be read.
pub(super) unsafe fn ranges(start: *const i64, stop: *const i64, ndim: usize) -> Result<Vec<Range<u64>>> {
    // SAFETY: The caller promises it.
    let starts = unsafe { naturals::<_, u64>(start, ndim) }?;
    // SAFETY: The caller promises it.
    let stops = unsafe { naturals::<_, u64>(stop, ndim) }?;
    Ok(starts.into_iter().zip(stops).map(|(start, stop)| start..stop).collect())
}

/// A text.
///
/// # Safety
/// Unless it is null, a text at `pointer` ends with a 0 and does not change during `'a`.
pub(super) unsafe fn string<'a>(pointer: *const c_char) -> Result<&'a CStr> {
    // SAFETY: The caller promises it.
    unsafe { text(pointer) }.ok_or_else(Failure::null)
}

/// A text of UTF-8: the name of a metalayer, a dtype.
///
/// # Safety
/// As for [`string`].
pub(super) unsafe fn name<'a>(pointer: *const c_char) -> Result<&'a str> {
    // SAFETY: The caller promises it.
    let text = unsafe { string(pointer) }?;
    text.to_str().map_err(|_| Failure::argument("a name is not UTF-8"))
}

/// A path. C-Blosc2 takes URLs of files, too.
///
/// # Safety
/// As for [`string`].
pub(super) unsafe fn path<'a>(pointer: *const c_char) -> Result<&'a Path> {
    // SAFETY: The caller promises it.
    let text = unsafe { string(pointer) }?.to_bytes();
    let text = text.strip_prefix(b"file://").unwrap_or(text);
    Ok(Path::new(os_str(text)?))
}

#[cfg(unix)]
fn os_str(text: &[u8]) -> Result<&OsStr> {
    Ok(std::os::unix::ffi::OsStrExt::from_bytes(text))
}

#[cfg(not(unix))]
fn os_str(text: &[u8]) -> Result<&OsStr> {
    core::str::from_utf8(text).map(OsStr::new).map_err(|_| Failure::argument("a path is not UTF-8"))
}
