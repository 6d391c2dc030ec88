//! The facts in the header of a chunk.

use super::raw::{code, source, store};
use crate::codes::{BLOSC2_ERROR_INVALID_HEADER, BLOSC2_ERROR_SUCCESS, Compressor, Failure, Result};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

/// Bytes of the header that all versions have.
const HEADER_BYTES: usize = 16;

/// The first bytes of a chunk.
struct Head<'a>(&'a [u8]);

impl<'a> Head<'a> {
    /// # Safety
    /// Unless it is null, 16 bytes at `cbuffer` can be read.
    unsafe fn of(cbuffer: *const c_void) -> Result<Self> {
        // SAFETY: The caller promises it.
        Ok(Self(unsafe { source(cbuffer, HEADER_BYTES) }?))
    }

    fn int(&self, at: usize) -> i32 {
        i32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }

    /// Plain bytes, those of a block, and those of the chunk.
    fn sizes(&self) -> Result<[i32; 3]> {
        let [nbytes, blocksize, cbytes] = [self.int(4), self.int(8), self.int(12)];
        let possible = nbytes >= 0 && cbytes >= HEADER_BYTES as i32 && (nbytes == 0 || blocksize >= 0);
        if !possible || blocksize > nbytes.max(1) {
            let reason = format!("{cbytes} bytes for {nbytes} in blocks of {blocksize}");
            return Err(Failure::new(BLOSC2_ERROR_INVALID_HEADER, reason));
        }
        Ok([nbytes, blocksize, cbytes])
    }

    fn library(&self) -> Option<&'a CStr> {
        Compressor::library(self.0[2] >> 5)
    }
}

/// Tells the plain bytes of a chunk, its bytes, and those of a block. Pointers that are null are left alone.
///
/// Returns 0, or a negative number if this cannot be a chunk; then all sizes are 0.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut i32,
    cbytes: *mut i32,
    blocksize: *mut i32,
) -> c_int {
    code("blosc2_cbuffer_sizes", || {
        // SAFETY: The caller promises it.
        let sizes = unsafe { Head::of(cbuffer) }.and_then(|head| head.sizes());
        let known = sizes.as_ref().copied().unwrap_or_default();
        for (pointer, size) in [nbytes, blocksize, cbytes].into_iter().zip(known) {
            // SAFETY: The caller promises it.
            unsafe { store(pointer, size) };
        }
        sizes.map(|_| BLOSC2_ERROR_SUCCESS)
    })
}

/// Tells the sizes as `blosc2_cbuffer_sizes` does.
///
/// # Safety
/// As for `blosc2_cbuffer_sizes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut usize,
    cbytes: *mut usize,
    blocksize: *mut usize,
) {
    code("blosc1_cbuffer_sizes", || {
        // SAFETY: The caller promises it.
        let sizes = unsafe { Head::of(cbuffer) }.and_then(|head| head.sizes()).unwrap_or_default();
        for (pointer, size) in [nbytes, blocksize, cbytes].into_iter().zip(sizes) {
            // SAFETY: The caller promises it.
            unsafe { store(pointer, size as usize) };
        }
        Ok(0)
    });
}

/// Checks that `cbytes` bytes at `cbuffer` may be a chunk, and tells its plain bytes. Returns 0, or a negative number.
///
/// # Safety
/// `cbytes` bytes at `cbuffer` can be read. `nbytes` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_cbuffer_validate(
    cbuffer: *const c_void,
    cbytes: usize,
    nbytes: *mut usize,
) -> c_int {
    code("blosc1_cbuffer_validate", || {
        // SAFETY: The caller promises it.
        unsafe { store(nbytes, 0) };
        let short = || Failure::new(BLOSC2_ERROR_INVALID_HEADER, format!("{cbytes} bytes are no chunk"));
        if cbytes < HEADER_BYTES {
            return Err(short());
        }
        // SAFETY: The caller promises it.
        let [plain, _, stored] = unsafe { Head::of(cbuffer) }?.sizes()?;
        if usize::try_from(stored) != Ok(cbytes) {
            return Err(short());
        }
        // SAFETY: The caller promises it.
        unsafe { store(nbytes, plain as usize) };
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Tells the bytes of an item of a chunk, and its flags: 1 for shuffle, 2 for a copy, 4 for bitshuffle.
///
/// # Safety
/// 32 bytes at `cbuffer` can be read, or 16 of a chunk of Blosc1. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_cbuffer_metainfo(
    cbuffer: *const c_void,
    typesize: *mut usize,
    flags: *mut c_int,
) {
    code("blosc1_cbuffer_metainfo", || {
        // SAFETY: The caller promises it.
        let head = unsafe { Head::of(cbuffer) }?;
        // SAFETY: The caller promises it.
        unsafe { store(typesize, head.0[3].into()) };
        // SAFETY: The caller promises it.
        unsafe { store(flags, (head.0[2] & 7).into()) };
        Ok(0)
    });
}

/// Tells the version of a chunk's format, and that of its compressor's format.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_cbuffer_versions(
    cbuffer: *const c_void,
    version: *mut c_int,
    versionlz: *mut c_int,
) {
    code("blosc2_cbuffer_versions", || {
        // SAFETY: The caller promises it.
        let head = unsafe { Head::of(cbuffer) }?;
        for (pointer, at) in [(version, 0), (versionlz, 1)] {
            // SAFETY: The caller promises it.
            unsafe { store(pointer, head.0[at].into()) };
        }
        Ok(0)
    });
}

/// Returns the name of the library of a chunk's compressor, or null for an unknown one. Not to be freed.
///
/// # Safety
/// 16 bytes at `cbuffer` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_cbuffer_complib(cbuffer: *const c_void) -> *const c_char {
    super::raw::pointer("blosc2_cbuffer_complib", || {
        // SAFETY: The caller promises it.
        let head = unsafe { Head::of(cbuffer) }?;
        Ok(head.library().map_or(ptr::null_mut(), |name| name.as_ptr().cast_mut()))
    })
}
