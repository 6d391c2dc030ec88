//! Where symbols of each library are found by themselves.

use core::ffi::{CStr, c_int, c_void};
use core::ptr;
use std::ffi::CString;

/// The program and the libraries that are loaded. Handles stay valid: HDF5 does not unload itself while it calls a plugin.
pub(super) fn handles() -> Vec<*mut c_void> {
    names().iter().map(|name| handle(name)).filter(|handle| !handle.is_null()).collect()
}

fn handle(name: &CStr) -> *mut c_void {
    // The program's name is empty.
    let name = if name.is_empty() { ptr::null() } else { name.as_ptr() };
    // SAFETY: The name is null or a text; nothing is loaded, so that no code runs.
    let handle = unsafe { libc::dlopen(name, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if !handle.is_null() {
        // SAFETY: The library was loaded before, and stays so.
        unsafe { libc::dlclose(handle) };
    }
    handle
}

fn names() -> Vec<CString> {
    let mut names: Vec<CString> = Vec::new();
    // SAFETY: `add` gets the list, and lives as long as the call.
    unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut names).cast()) };
    names
}

unsafe extern "C" fn add(info: *mut libc::dl_phdr_info, _: usize, names: *mut c_void) -> c_int {
    // SAFETY: The linker passes a record that can be read.
    let name = unsafe { (*info).dlpi_name };
    // SAFETY: `names` is the list, to which nothing else refers during the call.
    let names = unsafe { &mut *names.cast::<Vec<CString>>() };
    if !name.is_null() {
        // SAFETY: Names are texts.
        names.push(unsafe { CStr::from_ptr(name) }.to_owned());
    }
    0
}
