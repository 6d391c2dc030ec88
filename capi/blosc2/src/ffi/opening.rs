//! Super-chunks created, opened, copied and freed.

use super::owned::{Owned, free, schunk};
use super::raw::{allocated, code, natural, number, path, pointer, source, store, string};
use crate::codes::{BLOSC2_ERROR_FAILURE, BLOSC2_ERROR_MEMORY_ALLOC, BLOSC2_ERROR_SUCCESS, Failure, Result};
use crate::files::Place;
use crate::frames::Frame;
use crate::types::{blosc2_cparams, blosc2_schunk, blosc2_storage};
use core::ffi::{c_char, c_int};
use std::ffi::CString;

/// Where a new frame goes, and how its chunks are compressed.
pub(super) struct Storage {
    pub(super) place: Place,
    pub(super) sparse: bool,
    pub(super) cparams: blosc2_cparams,
    pub(super) path: Option<CString>,
}

impl Storage {
    /// # Safety
    /// `storage` is null, for defaults, or all that it points to can be read.
    pub(super) unsafe fn of(storage: *const blosc2_storage) -> Result<Self> {
        // SAFETY: The caller promises it.
        let storage = unsafe { storage.as_ref() }.copied().unwrap_or_default();
        // SAFETY: The caller promises it.
        let cparams = unsafe { storage.cparams.as_ref() }.copied().unwrap_or_default();
        // SAFETY: The caller promises it.
        let io = unsafe { storage.io.as_ref() }.map_or(0, |io| io.id);
        if io > 1 {
            return Err(Failure::argument(format!("there is no way {io} of reading and writing")));
        }
        // SAFETY: The caller promises it.
        let text = unsafe { string(storage.urlpath) }.ok().map(ToOwned::to_owned);
        let place = match storage.urlpath.is_null() {
            true => Place::Memory,
            // SAFETY: The caller promises it.
            false => Place::File(unsafe { path(storage.urlpath) }?.to_path_buf()),
        };
        Ok(Self { place, sparse: !storage.contiguous, cparams, path: text })
    }
}

/// Creates a super-chunk in memory or at a path, where there must be nothing.
///
/// Returns null if that cannot be, to be freed with `blosc2_schunk_free`.
///
/// # Safety
/// `storage` is null, for defaults, or all that it points to can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_new(storage: *mut blosc2_storage) -> *mut blosc2_schunk {
    pointer("blosc2_schunk_new", || {
        // SAFETY: The caller promises it.
        let storage = unsafe { Storage::of(storage) }?;
        let frame = Frame::create(storage.place, storage.sparse, storage.cparams.parse()?, None)?;
        Ok(Owned::give(frame, storage.path.as_deref()))
    })
}

/// Copies a super-chunk or the one of an array, with the storage and the compression parameters that are given.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses; `storage` as for `blosc2_schunk_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_copy(
    schunk: *mut blosc2_schunk,
    storage: *mut blosc2_storage,
) -> *mut blosc2_schunk {
    pointer("blosc2_schunk_copy", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let storage = unsafe { Storage::of(storage) }?;
        let cparams =
            blosc2_cparams { typesize: owned.frame.facts().cparams.typesize as i32, ..storage.cparams };
        let frame = owned.frame.copy(storage.place, storage.sparse, Some(cparams.parse()?))?;
        Ok(Owned::give(frame, storage.path.as_deref()))
    })
}

/// Opens the frame in `len` bytes at `cframe`, which are copied, whatever `copy` says, and stay the caller's.
///
/// Returns null if it is none.
///
/// # Safety
/// `len` bytes at `cframe` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_from_buffer(
    cframe: *mut u8,
    len: i64,
    copy: bool,
) -> *mut blosc2_schunk {
    let _ = copy;
    pointer("blosc2_schunk_from_buffer", || {
        // SAFETY: The caller promises it.
        let bytes = unsafe { source(cframe.cast(), len) }?;
        Ok(Owned::give(Frame::of_bytes(bytes.to_vec())?, None))
    })
}

/// Does nothing: bytes of the caller's are never freed.
///
/// # Safety
/// Any pointer will do.
#[unsafe(no_mangle)]
pub const unsafe extern "C" fn blosc2_schunk_avoid_cframe_free(
    schunk: *mut blosc2_schunk,
    avoid_cframe_free: bool,
) {
    let _ = (schunk, avoid_cframe_free);
}

/// Opens the frame at a path. Returns null if there is none.
///
/// # Safety
/// `urlpath` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_open(urlpath: *const c_char) -> *mut blosc2_schunk {
    // SAFETY: The caller promises it.
    unsafe { blosc2_schunk_open_offset(urlpath, 0) }
}

/// Opens the frame that begins at a place within a file. Unless that is its start, the frame is only read.
///
/// # Safety
/// `urlpath` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_open_offset(
    urlpath: *const c_char,
    offset: i64,
) -> *mut blosc2_schunk {
    pointer("blosc2_schunk_open_offset", || {
        // SAFETY: The caller promises it.
        let frame = Frame::open(unsafe { path(urlpath) }?, natural(offset)?)?;
        // SAFETY: The caller promises it.
        Ok(Owned::give(frame, unsafe { string(urlpath) }.ok()))
    })
}

/// Frees a super-chunk, unless it is null. Returns 0.
///
/// # Safety
/// `schunk` is null, or a super-chunk that is not freed and of no array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_free(schunk: *mut blosc2_schunk) -> c_int {
    code("blosc2_schunk_free", || {
        // SAFETY: The caller promises it.
        unsafe { free(schunk) };
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Gives the bytes of the frame, always in memory that the caller frees. Returns their number, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_to_buffer(
    schunk: *mut blosc2_schunk,
    cframe: *mut *mut u8,
    needs_free: *mut bool,
) -> i64 {
    number("blosc2_schunk_to_buffer", || {
        // SAFETY: The caller promises it.
        let bytes = unsafe { self::schunk(schunk) }?.frame.bytes()?;
        // SAFETY: The caller promises it.
        unsafe { give_bytes(&bytes, cframe, needs_free) }?;
        natural(bytes.len())
    })
}

/// Gives bytes to the caller, who frees them.
///
/// # Safety
/// The pointers are null or can be written.
pub(super) unsafe fn give_bytes(bytes: &[u8], to: *mut *mut u8, needs_free: *mut bool) -> Result<()> {
    if to.is_null() {
        return Err(Failure::null());
    }
    let copy = allocated(bytes);
    if copy.is_null() {
        return Err(Failure::new(BLOSC2_ERROR_MEMORY_ALLOC, format!("no memory for {} bytes", bytes.len())));
    }
    // SAFETY: The caller promises it.
    unsafe { store(to, copy) };
    // SAFETY: The caller promises it.
    unsafe { store(needs_free, true) };
    Ok(())
}

/// Writes a copy of the frame to a file, which must not exist. Returns its length, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses; `urlpath` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_to_file(schunk: *mut blosc2_schunk, urlpath: *const c_char) -> i64 {
    number("blosc2_schunk_to_file", || {
        // SAFETY: The caller promises it.
        let path = unsafe { path(urlpath) }?;
        // SAFETY: The caller promises it.
        let frame = &mut unsafe { self::schunk(schunk) }?.frame;
        let mut copy = frame.copy(Place::File(path.to_path_buf()), false, None)?;
        natural(copy.reader()?.frame().header.frame_len)
    })
}

/// Returns the bytes of the frame, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_frame_len(schunk: *mut blosc2_schunk) -> i64 {
    number("blosc2_schunk_frame_len", || {
        // SAFETY: The caller promises it.
        natural(unsafe { self::schunk(schunk) }?.frame.reader()?.frame().header.frame_len)
    })
}

/// Removes the frame at a path, a file or the folder of a sparse frame. Returns 0, also if there is nothing, or a negative number.
///
/// # Safety
/// `path` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_remove_urlpath(path: *const c_char) -> c_int {
    code("blosc2_remove_urlpath", || {
        // SAFETY: The caller promises it.
        let path = unsafe { self::path(path) }?;
        let removed = match b2nd::sink::remove_frame(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        };
        removed.map_err(|error| Failure::new(BLOSC2_ERROR_FAILURE, error.to_string()))?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}
