//! The HDF5 filter Blosc2 (32026) as a plugin: what HDF5 looks for in a library in `HDF5_PLUGIN_PATH`.
#![allow(non_snake_case, reason = "libraries and functions have the names that HDF5 looks for")]
#![expect(unsafe_code, reason = "HDF5 finds functions by their names")]

use b2nd_hdf5::{BLOSC2, Class};
use core::ffi::c_int;

/// The kind of plugin: a filter.
#[unsafe(no_mangle)]
pub extern "C" fn H5PLget_plugin_type() -> c_int {
    0
}

/// The filter.
#[unsafe(no_mangle)]
pub extern "C" fn H5PLget_plugin_info() -> *const Class {
    &raw const BLOSC2
}
