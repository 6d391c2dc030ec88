//! Compressors, their names and codes.

use super::raw::{allocated, code, store, string};
use crate::codes::{Compressor, Failure, LIST};
use core::ffi::{CStr, c_char, c_int};
use core::ptr;

/// The version of this implementation, for all compressors.
const COMPLIB_VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!("b2nd ", env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("versions have no zeros"),
    };

/// Tells the name of a compressor, or null. Returns the code, or -1 if there is no such compressor.
///
/// # Safety
/// `compname` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compcode_to_compname(compcode: c_int, compname: *mut *const c_char) -> c_int {
    code("blosc2_compcode_to_compname", || {
        let compressor = Compressor::of_code(compcode);
        let name = compressor.map_or(ptr::null(), |compressor| compressor.name.as_ptr());
        // SAFETY: The caller promises it.
        unsafe { store(compname, name) };
        Ok(compressor.map_or(-1, |_| compcode))
    })
}

/// Returns the code of a compressor, or -1 if there is none of this name.
///
/// # Safety
/// `compname` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compname_to_compcode(compname: *const c_char) -> c_int {
    code("blosc2_compname_to_compcode", || {
        // SAFETY: The caller promises it.
        let name = unsafe { string(compname) };
        let compressor = name.ok().and_then(Compressor::of_name);
        Ok(compressor.map_or(-1, |compressor| compressor.codec.0.into()))
    })
}

/// Returns the names of all compressors without a library of their own, with commas between them. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_list_compressors() -> *const c_char {
    LIST.as_ptr()
}

/// Tells the name of a compressor's library and its version, each a text to be freed, or null if there is no such compressor.
///
/// Returns the code of the library, or -1.
///
/// # Safety
/// `compname` is null or a text. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_complib_info(
    compname: *const c_char,
    complib: *mut *mut c_char,
    version: *mut *mut c_char,
) -> c_int {
    code("blosc2_get_complib_info", || {
        // SAFETY: The caller promises it.
        let name = unsafe { string(compname) };
        let known = name.ok().and_then(Compressor::of_name);
        let values = known.map(|compressor| [compressor.library, COMPLIB_VERSION]);
        for (at, pointer) in [complib, version].into_iter().enumerate() {
            if pointer.is_null() {
                continue;
            }
            let text = values.map_or(ptr::null_mut(), |values| allocated(values[at].to_bytes_with_nul()));
            // SAFETY: The caller promises it.
            unsafe { store(pointer, text.cast()) };
        }
        known.map(|compressor| compressor.format.into()).ok_or_else(|| Failure::new(-1, "no such compressor"))
    })
}
