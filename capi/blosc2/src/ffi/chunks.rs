//! Compression and decompression without contexts, and chunks of one value.

use super::defaults::NTHREADS;
use super::raw::{code, destination, int, natural, source};
use crate::chunk::Decoder;
use crate::codes::Failure;
use crate::context::Context;
use crate::special;
use crate::types::{BLOSC2_MAX_FILTERS, blosc2_cparams};
use b2nd::chunk::SpecialValue;
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering::Relaxed;

/// Filters by the numbers of Blosc1: none, shuffle, bitshuffle.
const SHUFFLES: [u8; 3] = [0, 1, 2];

/// Compresses `srcsize` bytes at `src` into `dest` with BloscLZ and so many threads as were set.
///
/// Returns the length of the chunk in bytes; 0 if it does not fit; or a negative number.
///
/// # Safety
/// `srcsize` bytes at `src` can be read, `destsize` bytes at `dest` can be written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compress(
    clevel: c_int,
    doshuffle: c_int,
    typesize: i32,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    code("blosc2_compress", || {
        let filter = usize::try_from(doshuffle).ok().and_then(|at| SHUFFLES.get(at));
        let filter = filter.ok_or_else(|| Failure::argument(format!("there is no filter {doshuffle}")))?;
        let mut cparams = blosc2_cparams {
            clevel: natural(clevel)?,
            typesize,
            nthreads: NTHREADS.load(Relaxed),
            ..blosc2_cparams::default()
        };
        cparams.filters[BLOSC2_MAX_FILTERS - 1] = *filter;
        // SAFETY: The caller promises it.
        let src = unsafe { source(src, srcsize) }?;
        // SAFETY: The caller promises it.
        let dest = unsafe { destination(dest, destsize) }?;
        int(Context::compression(&cparams)?.compress(src, dest)?)
    })
}

/// Decompresses the chunk in `srcsize` bytes at `src` into `dest`, with so many threads as were set.
///
/// Returns the number of plain bytes, or a negative number.
///
/// # Safety
/// `srcsize` bytes at `src` can be read, `destsize` bytes at `dest` can be written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_decompress(
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    code("blosc2_decompress", || {
        // SAFETY: The caller promises it.
        let src = unsafe { source(src, srcsize) }?;
        // SAFETY: The caller promises it.
        let dest = unsafe { destination(dest, destsize) }?;
        int(Decoder::new(0, NTHREADS.load(Relaxed).max(1) as usize).decompress(src, dest)?)
    })
}

/// Decompresses `nitems` items of a chunk, from item `start` on. Returns the number of bytes, or a negative number.
///
/// # Safety
/// As for `blosc2_decompress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_getitem(
    src: *const c_void,
    srcsize: i32,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    code("blosc2_getitem", || {
        // SAFETY: The caller promises it.
        let src = unsafe { source(src, srcsize) }?;
        // SAFETY: The caller promises it.
        let dest = unsafe { destination(dest, destsize) }?;
        int(Decoder::new(0, 1).items(src, natural(start)?, natural(nitems)?, dest)?)
    })
}

/// Makes a chunk of `nbytes` zeros, of 32 bytes. Returns its length, or a negative number.
///
/// # Safety
/// `destsize` bytes at `dest` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_zeros(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: The caller promises it.
    code("blosc2_chunk_zeros", || unsafe {
        chunk(&cparams, nbytes, (SpecialValue::Zeros, &[]), dest, destsize)
    })
}

/// Makes a chunk of `nbytes` bytes of NaNs, of 32 bytes. Returns its length, or a negative number.
///
/// # Safety
/// `destsize` bytes at `dest` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_nans(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: The caller promises it.
    code("blosc2_chunk_nans", || unsafe { chunk(&cparams, nbytes, (SpecialValue::Nan, &[]), dest, destsize) })
}

/// Makes a chunk of `nbytes` bytes of any value, of 32 bytes. Returns its length, or a negative number.
///
/// # Safety
/// `destsize` bytes at `dest` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_uninit(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: The caller promises it.
    code("blosc2_chunk_uninit", || unsafe {
        chunk(&cparams, nbytes, (SpecialValue::Uninit, &[]), dest, destsize)
    })
}

/// Makes a chunk of `nbytes` bytes that repeats an item, of 32 bytes and the item. Returns its length, or a negative number.
///
/// # Safety
/// An item can be read at `repeatval`, `destsize` bytes at `dest` can be written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_repeatval(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
    repeatval: *const c_void,
) -> c_int {
    code("blosc2_chunk_repeatval", || {
        // SAFETY: The caller promises it.
        let item = unsafe { source(repeatval, cparams.typesize) }?;
        let value = SpecialValue::Repeat { width: natural(cparams.typesize)? };
        // SAFETY: The caller promises it.
        unsafe { chunk(&cparams, nbytes, (value, item), dest, destsize) }
    })
}

/// # Safety
/// `destsize` bytes at `dest` can be written.
unsafe fn chunk(
    cparams: &blosc2_cparams,
    nbytes: i32,
    value: (SpecialValue, &[u8]),
    dest: *mut c_void,
    destsize: i32,
) -> crate::codes::Result<c_int> {
    // SAFETY: The caller promises it.
    let dest = unsafe { destination(dest, destsize) }?;
    int(special::store(&cparams.parse()?, natural(nbytes)?, value, dest)?)
}
