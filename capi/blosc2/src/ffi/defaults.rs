//! The start and the end of the library, and default parameters.

use crate::codes::{self, BLOSC2_ERROR_SUCCESS};
use crate::types::{blosc2_cparams, blosc2_dparams, blosc2_io, blosc2_storage};
use b2nd_c::pool;
use b2nd_c::raw::guard;
use core::ffi::{c_char, c_int};
use core::ptr;
use core::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// The number of threads of calls that are given none.
pub(super) static NTHREADS: AtomicI16 = AtomicI16::new(1);

/// Does nothing: no call needs it.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_init() {}

/// Ends the threads once they are idle. Calls may follow.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_destroy() {
    guard((), pool::end);
}

/// Ends the threads once they are idle. Returns 0.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_free_resources() -> c_int {
    blosc2_destroy();
    BLOSC2_ERROR_SUCCESS
}

/// Returns the version of C-Blosc2 whose interface this is. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_get_version_string() -> *const c_char {
    codes::VERSION.as_ptr()
}

/// Returns what an error means. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_error_string(error_code: c_int) -> *const c_char {
    codes::message(error_code).as_ptr()
}

/// Returns the number of threads of calls that are given none.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_get_nthreads() -> i16 {
    NTHREADS.load(Relaxed)
}

/// Sets the number of threads of calls that are given none, and returns the old one. One below 1 changes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_set_nthreads(nthreads: i16) -> i16 {
    if nthreads < 1 { NTHREADS.load(Relaxed) } else { NTHREADS.swap(nthreads, Relaxed) }
}

/// Returns the default compression parameters.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_get_blosc2_cparams_defaults() -> blosc2_cparams {
    blosc2_cparams::default()
}

/// Returns the default decompression parameters.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_get_blosc2_dparams_defaults() -> blosc2_dparams {
    blosc2_dparams::default()
}

/// Returns the default storage: memory.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_get_blosc2_storage_defaults() -> blosc2_storage {
    blosc2_storage::default()
}

/// Returns the default of reading and writing: files.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_get_blosc2_io_defaults() -> blosc2_io {
    blosc2_io { id: 0, name: c"filesystem".as_ptr(), params: ptr::null_mut() }
}
