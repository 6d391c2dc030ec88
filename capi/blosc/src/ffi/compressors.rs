//! Compressors, their names and codes.

use super::raw::{allocated, guard, store, text};
use crate::codes::{Compressor, LIBRARIES, LIST, VERSION};
use core::ffi::{CStr, c_char, c_int};
use core::ptr;

/// The version of this implementation, for all compressors.
const COMPLIB_VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!("b2nd ", env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("versions have no zeros"),
    };

/// Tells the name of a compressor, or null.
///
/// Returns the code, or -1 if there is no such compressor.
///
/// # Safety
/// `compname` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_compcode_to_compname(compcode: c_int, compname: *mut *const c_char) -> c_int {
    guard(-1, || {
        let compressor = Compressor::of_code(compcode);
        let name = compressor.map_or(ptr::null(), |compressor| compressor.name.as_ptr());
        // SAFETY: The caller promises it.
        unsafe { store(compname, name) };
        compressor.map_or(-1, |compressor| compressor.code)
    })
}

/// Returns the code of a compressor, or -1 if there is none of this name.
///
/// # Safety
/// `compname` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_compname_to_compcode(compname: *const c_char) -> c_int {
    // SAFETY: The caller promises it.
    guard(-1, || unsafe { named(compname) }.map_or(-1, |compressor| compressor.code))
}

/// Returns the names of all compressors, with commas between them. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_list_compressors() -> *const c_char {
    LIST.as_ptr()
}

/// Returns the version of C-Blosc whose interface this is. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn blosc_get_version_string() -> *const c_char {
    VERSION.as_ptr()
}

/// Tells the name of a compressor's library and its version, each a text to be freed, or null if there is no such compressor.
///
/// Returns the code of the library, or -1.
///
/// # Safety
/// `compname` is null or a text. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_get_complib_info(
    compname: *const c_char,
    complib: *mut *mut c_char,
    version: *mut *mut c_char,
) -> c_int {
    guard(-1, || {
        // SAFETY: The caller promises it.
        let compressor = unsafe { named(compname) };
        let library = compressor.map(|compressor| LIBRARIES[usize::from(compressor.format)]);
        for (pointer, value) in [(complib, library), (version, library.map(|_| COMPLIB_VERSION))] {
            if !pointer.is_null() {
                // SAFETY: The caller promises it.
                unsafe {
                    store(
                        pointer,
                        value.map_or(ptr::null_mut(), |text| allocated(text.to_bytes_with_nul()).cast()),
                    )
                };
            }
        }
        compressor.map_or(-1, |compressor| compressor.format.into())
    })
}

/// # Safety
/// `compname` is null or a text.
unsafe fn named(compname: *const c_char) -> Option<Compressor> {
    // SAFETY: The caller promises it.
    unsafe { text(compname) }.and_then(Compressor::of_name)
}
