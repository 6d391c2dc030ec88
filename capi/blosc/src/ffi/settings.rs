//! The beginning, the end, and what holds for all calls between them.

use super::raw::{guard, text};
use crate::codes::Compressor;
use crate::settings::{BLOCKSIZE, COMPRESSOR, INITIALIZED, NTHREADS, SPLITMODE};
use crate::{compress, decompress};
use b2nd_c::pool;
use core::ffi::{c_char, c_int};
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

/// Initialises the library. Other functions do so themselves.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_init() {
    INITIALIZED.store(true, Relaxed);
}

/// Ends the threads, and frees the memory that the calling thread keeps. Settings stay.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_destroy() {
    if INITIALIZED.swap(false, Relaxed) {
        free();
    }
}

/// Ends the threads, and frees the memory that the calling thread keeps.
///
/// Returns 0, or -1 if the library is not initialised.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_free_resources() -> c_int {
    if !INITIALIZED.load(Relaxed) {
        return -1;
    }
    free();
    0
}

fn free() {
    guard((), || {
        pool::end();
        compress::free();
        decompress::free();
    });
}

/// Returns the number of threads.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_get_nthreads() -> c_int {
    NTHREADS.load(Relaxed)
}

/// Sets the number of threads, at most `BLOSC_MAX_THREADS`; 1 at first. They are started when a chunk of several blocks needs them.
///
/// Returns the number until then.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_set_nthreads(nthreads: c_int) -> c_int {
    INITIALIZED.store(true, Relaxed);
    NTHREADS.swap(nthreads, Relaxed)
}

/// Returns the name of the compressor, or null after an unknown one was set. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_get_compressor() -> *const c_char {
    let compressor = Compressor::of_code(COMPRESSOR.load(Relaxed));
    compressor.map_or(ptr::null(), |compressor| compressor.name.as_ptr())
}

/// Sets the compressor; `blosclz` at first.
///
/// Returns its code, or -1 if there is none of this name. Compression then fails until another is set.
///
/// # Safety
/// `compname` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_set_compressor(compname: *const c_char) -> c_int {
    guard(-1, || {
        INITIALIZED.store(true, Relaxed);
        // SAFETY: The caller promises it.
        let compressor = unsafe { text(compname) }.and_then(Compressor::of_name);
        let code = compressor.map_or(-1, |compressor| compressor.code);
        COMPRESSOR.store(code, Relaxed);
        code
    })
}

/// Returns the bytes of a block, or 0 if they are chosen automatically.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_get_blocksize() -> c_int {
    BLOCKSIZE.load(Relaxed) as c_int
}

/// Sets the bytes of a block; 0, the value at first, chooses automatically. Blocks that are split become larger.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_set_blocksize(blocksize: usize) {
    BLOCKSIZE.store(blocksize, Relaxed);
}

/// Sets the split mode, one of the constants `BLOSC_…_SPLIT`; `BLOSC_FORWARD_COMPAT_SPLIT` at first, and for other values.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_set_splitmode(splitmode: c_int) {
    SPLITMODE.store(splitmode, Relaxed);
}
