//! Compression and decompression.

use super::raw::{bytes, bytes_mut, chunk, fail, guard, header, text};
use crate::codes::Compressor;
use crate::compress::compress;
use crate::decompress::{decompress, items};
use crate::header::Header;
use crate::settings::{self, NTHREADS, Settings};
use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::Ordering::Relaxed;

/// Compresses `nbytes` bytes at `src` into `dest`, which has room for `destsize` bytes.
///
/// `clevel` is from 0, which copies, to 9, which takes the most time. `doshuffle` is `BLOSC_NOSHUFFLE`, `BLOSC_SHUFFLE` or
/// `BLOSC_BITSHUFFLE`; `typesize` is the number of bytes of an item. With room for `nbytes + BLOSC_MAX_OVERHEAD` bytes it succeeds.
///
/// The variables `BLOSC_CLEVEL`, `BLOSC_SHUFFLE`, `BLOSC_TYPESIZE`, `BLOSC_COMPRESSOR`, `BLOSC_BLOCKSIZE`, `BLOSC_NTHREADS` and
/// `BLOSC_SPLITMODE` of the environment prevail over arguments and setters. `BLOSC_WARN` greater than 0 prints why a call fails.
///
/// Returns the length of the chunk in bytes; 0 if it does not fit, or if there are more than `BLOSC_MAX_BUFFERSIZE` bytes; or a
/// negative number: -10 for an argument that is out of range, -5 for an unknown compressor, -1 for anything else.
///
/// # Safety
/// `nbytes` bytes at `src` can be read, `destsize` bytes at `dest` can be written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_compress(
    clevel: c_int,
    doshuffle: c_int,
    typesize: usize,
    nbytes: usize,
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
) -> c_int {
    guard(-1, || {
        settings::INITIALIZED.store(true, Relaxed);
        match Settings::of_environment(clevel, doshuffle, typesize) {
            // SAFETY: The caller promises it.
            Ok(settings) => unsafe { compress_at(&settings, nbytes, src, dest, destsize) },
            Err(wrong) => fail(-1, "blosc_compress", &wrong),
        }
    })
}

/// Compresses as `blosc_compress` does, with the compressor, the block size in bytes and the number of threads as arguments, and
/// without regard to the environment and to setters other than that of the split mode. A block size of 0 is chosen automatically.
///
/// # Safety
/// `nbytes` bytes at `src` can be read, `destsize` bytes at `dest` can be written, and no byte is both. `compressor` is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_compress_ctx(
    clevel: c_int,
    doshuffle: c_int,
    typesize: usize,
    nbytes: usize,
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
    compressor: *const c_char,
    blocksize: usize,
    numinternalthreads: c_int,
) -> c_int {
    guard(-1, || {
        // SAFETY: The caller promises it.
        let compressor = unsafe { text(compressor) }.and_then(Compressor::of_name);
        let nthreads = numinternalthreads;
        let settings = Settings { clevel, shuffle: doshuffle, typesize, compressor, blocksize, nthreads };
        // SAFETY: The caller promises it.
        unsafe { compress_at(&settings, nbytes, src, dest, destsize) }
    })
}

/// # Safety
/// As for [`blosc_compress`].
unsafe fn compress_at(
    settings: &Settings,
    nbytes: usize,
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
) -> c_int {
    // No more than can be needed: some callers do not know how much room there is.
    let destsize = destsize.min(nbytes.saturating_add(Header::LEN));
    // SAFETY: The caller promises it.
    let src = unsafe { bytes(src, nbytes) };
    // SAFETY: The caller promises it.
    let dest = unsafe { bytes_mut(dest, destsize) };
    let (Some(src), Some(dest)) = (src, dest) else {
        return fail(-1, "blosc_compress", &"a pointer is null");
    };
    match compress(settings, src, dest) {
        Ok(len) => len as c_int,
        Err(refusal) => fail(refusal.code, "blosc_compress", &refusal.reason),
    }
}

/// Decompresses the chunk at `src` into `dest`, which has room for `destsize` bytes.
///
/// The length of the chunk is in its header: `blosc_cbuffer_validate` compares it with that of the memory, and must be called
/// before for chunks that are not to be trusted. `BLOSC_NTHREADS` of the environment sets the number of threads.
///
/// Returns the number of plain bytes, or a negative number if the chunk is damaged or does not fit. Then `dest` has nothing of use.
///
/// # Safety
/// As many bytes at `src` can be read as its header says, `destsize` bytes at `dest` can be written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_decompress(src: *const c_void, dest: *mut c_void, destsize: usize) -> c_int {
    guard(-1, || {
        settings::INITIALIZED.store(true, Relaxed);
        settings::set_nthreads_of_environment();
        // SAFETY: The caller promises it.
        unsafe { decompress_at(src, dest, destsize, NTHREADS.load(Relaxed)) }
    })
}

/// Decompresses as `blosc_decompress` does, with the number of threads as an argument, and without regard to the environment.
///
/// # Safety
/// As many bytes at `src` can be read as its header says, `destsize` bytes at `dest` can be written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_decompress_ctx(
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
    numinternalthreads: c_int,
) -> c_int {
    // SAFETY: The caller promises it.
    guard(-1, || unsafe { decompress_at(src, dest, destsize, numinternalthreads) })
}

/// # Safety
/// As for [`blosc_decompress`].
unsafe fn decompress_at(src: *const c_void, dest: *mut c_void, destsize: usize, nthreads: c_int) -> c_int {
    // SAFETY: The caller promises it.
    let Some((header, src)) = (unsafe { chunk(src) }) else {
        return fail(-1, "blosc_decompress", &"this is no chunk");
    };
    let wanted = destsize.min(usize::try_from(header.nbytes).unwrap_or(0));
    // SAFETY: The caller promises it.
    let Some(dest) = (unsafe { bytes_mut(dest, wanted) }) else {
        return fail(-1, "blosc_decompress", &"the destination is null");
    };
    match decompress(src, &header, dest, nthreads.clamp(1, 256) as usize) {
        Ok(nbytes) => nbytes as c_int,
        Err(reason) => fail(-1, "blosc_decompress", &reason),
    }
}

/// Decompresses `nitems` items of the chunk at `src`, from item `start` on, into `dest`, and no block without any of them.
///
/// Returns the number of bytes, or a negative number if the chunk is damaged or has no such items.
///
/// # Safety
/// As many bytes at `src` can be read as its header says, `nitems` items can be written at `dest`, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_getitem(
    src: *const c_void,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
) -> c_int {
    // SAFETY: The caller promises it.
    guard(-1, || unsafe { items_at(src, start, nitems, dest) })
}

/// # Safety
/// As for [`blosc_getitem`].
unsafe fn items_at(src: *const c_void, start: c_int, nitems: c_int, dest: *mut c_void) -> c_int {
    let fail = |code, reason| fail(code, "blosc_getitem", &reason);
    // SAFETY: The caller promises it.
    if unsafe { header(src) }.is_some_and(|header| !header.is_known()) {
        return fail(-9, "this is no chunk of Blosc1".to_owned());
    }
    // SAFETY: The caller promises it.
    let Some((header, src)) = (unsafe { chunk(src) }) else { return fail(-1, "this is no chunk".to_owned()) };
    let (Ok(first), Ok(count)) = (u32::try_from(start), u32::try_from(nitems)) else {
        return fail(-1, format!("there are no {nitems} items from {start} on"));
    };
    let nbytes = u64::from(header.typesize) * u64::from(count);
    if u64::from(header.typesize) * u64::from(first) + nbytes > u64::try_from(header.nbytes).unwrap_or(0) {
        return fail(-1, format!("{nitems} items from {start} on are not in {} bytes", header.nbytes));
    }
    // SAFETY: The caller promises it.
    let Some(dest) = (unsafe { bytes_mut(dest, nbytes as usize) }) else {
        return fail(-1, "the destination is null".to_owned());
    };
    match items(src, &header, first..first + count, dest) {
        Ok(()) => nbytes as c_int,
        Err(reason) => fail(-1, reason),
    }
}
