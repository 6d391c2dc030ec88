//! The facts in the header of a chunk.

use super::raw::{guard, header, store};
use crate::codes::LIBRARIES;
use crate::header::Header;
use core::ffi::{c_char, c_int, c_void};
use core::ptr;

/// Tells the plain bytes of a chunk, the bytes of the chunk, and those of a block, of which the first 16 bytes are enough. Of
/// other versions of the format all are 0. Pointers that are null are left alone.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut usize,
    cbytes: *mut usize,
    blocksize: *mut usize,
) {
    guard((), || {
        // SAFETY: The caller promises it.
        let known = unsafe { known(cbuffer) };
        let sizes = known.map_or([0; 3], |header| [header.nbytes, header.cbytes, header.blocksize]);
        for (pointer, size) in [nbytes, cbytes, blocksize].into_iter().zip(sizes) {
            // SAFETY: The caller promises it. A negative size becomes a huge one, as in C, which nothing accepts.
            unsafe { store(pointer, size as usize) };
        }
    });
}

/// Checks that `cbytes` bytes at `cbuffer` may be a chunk, so that decompressing it reads no byte after them, and tells its plain
/// bytes.
///
/// Returns 0, or -1 if they cannot; then there are 0 plain bytes.
///
/// # Safety
/// `cbytes` bytes at `cbuffer` can be read. `nbytes` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_cbuffer_validate(
    cbuffer: *const c_void,
    cbytes: usize,
    nbytes: *mut usize,
) -> c_int {
    guard(-1, || {
        // SAFETY: The caller promises it.
        let known = if cbytes < Header::LEN { None } else { unsafe { known(cbuffer) } };
        let fits = |header: &Header| usize::try_from(header.cbytes) == Ok(cbytes);
        let plain = known.filter(fits).and_then(|header| usize::try_from(header.nbytes).ok());
        // SAFETY: The caller promises it.
        unsafe { store(nbytes, plain.unwrap_or(0)) };
        if plain.is_some() { 0 } else { -1 }
    })
}

/// Tells the bytes of an item of a chunk, and its flags: `BLOSC_DOSHUFFLE`, `BLOSC_MEMCPYED`, `BLOSC_DOBITSHUFFLE`. Of other
/// versions of the format both are 0.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_cbuffer_metainfo(
    cbuffer: *const c_void,
    typesize: *mut usize,
    flags: *mut c_int,
) {
    guard((), || {
        // SAFETY: The caller promises it.
        let known = unsafe { known(cbuffer) };
        let filters = known.map_or(0, |header| header.flags & Header::FILTERS);
        // SAFETY: The caller promises it.
        unsafe { store(typesize, known.map_or(0, |header| header.typesize.into())) };
        // SAFETY: The caller promises it.
        unsafe { store(flags, filters.into()) };
    });
}

/// Tells the version of a chunk's format, and that of its compressor's format.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_cbuffer_versions(
    cbuffer: *const c_void,
    version: *mut c_int,
    compversion: *mut c_int,
) {
    guard((), || {
        // SAFETY: The caller promises it.
        let header = unsafe { header(cbuffer) };
        // SAFETY: The caller promises it.
        unsafe { store(version, header.map_or(0, |header| header.version.into())) };
        // SAFETY: The caller promises it.
        unsafe { store(compversion, header.map_or(0, |header| header.versionlz.into())) };
    });
}

/// Returns the name of the library of a chunk's compressor, or null for an unknown one. Not to be freed.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_cbuffer_complib(cbuffer: *const c_void) -> *const c_char {
    guard(ptr::null(), || {
        // SAFETY: The caller promises it.
        let format = unsafe { header(cbuffer) }.map(|header| header.flags >> Header::FORMAT_SHIFT);
        format.and_then(|format| LIBRARIES.get(usize::from(format))).map_or(ptr::null(), |name| name.as_ptr())
    })
}

/// The header of a chunk of Blosc1.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read.
unsafe fn known(cbuffer: *const c_void) -> Option<Header> {
    // SAFETY: The caller promises it.
    unsafe { header(cbuffer) }.filter(Header::is_known)
}
