//! Pointers of callers.

use crate::header::Header;
use crate::settings;
pub(super) use b2nd_c::raw::{allocated, bytes, bytes_mut, guard, store, text};
use core::ffi::{c_int, c_void};
use core::fmt::Display;
use std::io::{Write, stderr};

/// Prints why a call fails, if `BLOSC_WARN` asks for it, and returns the code.
pub(super) fn fail(code: c_int, function: &str, reason: &dyn Display) -> c_int {
    if settings::warns() {
        // There is no one to tell that standard error is closed.
        let _ = writeln!(stderr(), "{function}: {reason}");
    }
    code
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
