//! Contexts, and what they compress and decompress.

use super::owned::schunk;
use super::raw::{code, destination, int, natural, pointer, source, store};
use crate::codes::{BLOSC2_ERROR_SUCCESS, Failure};
use crate::context::{Context, Kind};
use crate::types::{blosc2_context, blosc2_cparams, blosc2_dparams};
use core::ffi::{c_int, c_void};

/// Creates a context of compression, or null for parameters that are out of range and for prefilters.
#[unsafe(no_mangle)]
pub extern "C" fn blosc2_create_cctx(cparams: blosc2_cparams) -> *mut blosc2_context {
    pointer("blosc2_create_cctx", || Ok(Box::into_raw(Box::new(Context::compression(&cparams)?))))
}

/// Creates a context of decompression, or null for postfilters.
///
/// # Safety
/// `dparams.schunk` is null or a super-chunk of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_create_dctx(dparams: blosc2_dparams) -> *mut blosc2_context {
    pointer("blosc2_create_dctx", || {
        let itemsize = match dparams.schunk.is_null() {
            true => natural(dparams.typesize)?,
            // SAFETY: The caller promises it.
            false => unsafe { schunk(dparams.schunk.cast()) }?.frame.facts().cparams.typesize,
        };
        Ok(Box::into_raw(Box::new(Context::decompression(&dparams, itemsize)?)))
    })
}

/// Frees a context, unless it is null.
///
/// # Safety
/// `context` is null, or was created and is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_free_ctx(context: *mut blosc2_context) {
    code("blosc2_free_ctx", || {
        if !context.is_null() {
            // SAFETY: The caller promises it.
            drop(unsafe { Box::from_raw(context) });
        }
        Ok(BLOSC2_ERROR_SUCCESS)
    });
}

/// Tells the parameters of a context of compression.
///
/// # Safety
/// `ctx` is null or a context; `cparams` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_ctx_get_cparams(
    ctx: *mut blosc2_context,
    cparams: *mut blosc2_cparams,
) -> c_int {
    code("blosc2_ctx_get_cparams", || {
        // SAFETY: The caller promises it.
        let context = unsafe { ctx.as_ref() }.ok_or_else(Failure::null)?;
        let Kind::Compression { cparams: known, .. } = &context.0 else {
            return Err(Failure::argument("this context decompresses"));
        };
        // SAFETY: The caller promises it.
        unsafe { store(cparams, *known) };
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Tells the parameters of a context of decompression.
///
/// # Safety
/// `ctx` is null or a context; `dparams` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_ctx_get_dparams(
    ctx: *mut blosc2_context,
    dparams: *mut blosc2_dparams,
) -> c_int {
    code("blosc2_ctx_get_dparams", || {
        // SAFETY: The caller promises it.
        let context = unsafe { ctx.as_ref() }.ok_or_else(Failure::null)?;
        let Kind::Decompression { dparams: known, .. } = &context.0 else {
            return Err(Failure::argument("this context compresses"));
        };
        // SAFETY: The caller promises it.
        unsafe { store(dparams, *known) };
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Compresses `srcsize` bytes at `src` into `dest`. With room for `srcsize + BLOSC2_MAX_OVERHEAD` bytes it succeeds.
///
/// Returns the length of the chunk in bytes; 0 if it does not fit; or a negative number.
///
/// # Safety
/// `context` is null or a context that no other call uses. `srcsize` bytes at `src` can be read, `destsize` bytes at `dest` can be
/// written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compress_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    code("blosc2_compress_ctx", || {
        // SAFETY: The caller promises it.
        let context = unsafe { context.as_mut() }.ok_or_else(Failure::null)?;
        // SAFETY: The caller promises it.
        let src = unsafe { source(src, srcsize) }?;
        // SAFETY: The caller promises it.
        let dest = unsafe { destination(dest, destsize) }?;
        int(context.compress(src, dest)?)
    })
}

/// Decompresses the chunk in `srcsize` bytes at `src` into `dest`. Returns the number of plain bytes, or a negative number.
///
/// # Safety
/// `context` is null or a context that no other call uses. `srcsize` bytes at `src` can be read, `destsize` bytes at `dest` can be
/// written, and no byte is both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_decompress_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    code("blosc2_decompress_ctx", || {
        // SAFETY: The caller promises it.
        let context = unsafe { context.as_mut() }.ok_or_else(Failure::null)?;
        // SAFETY: The caller promises it.
        let src = unsafe { source(src, srcsize) }?;
        // SAFETY: The caller promises it.
        let dest = unsafe { destination(dest, destsize) }?;
        int(context.decoder()?.decompress(src, dest)?)
    })
}

/// Decompresses `nitems` items, from item `start` on, and no block without any of them. Returns the number of bytes, or a negative
/// number.
///
/// # Safety
/// As for `blosc2_decompress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_getitem_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    code("blosc2_getitem_ctx", || {
        // SAFETY: The caller promises it.
        let context = unsafe { context.as_mut() }.ok_or_else(Failure::null)?;
        // SAFETY: The caller promises it.
        let src = unsafe { source(src, srcsize) }?;
        // SAFETY: The caller promises it.
        let dest = unsafe { destination(dest, destsize) }?;
        int(context.decoder()?.items(src, natural(start)?, natural(nitems)?, dest)?)
    })
}
