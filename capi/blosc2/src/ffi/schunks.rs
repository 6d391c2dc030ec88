//! The chunks and the items of super-chunks.

use super::opening::give_bytes;
use super::owned::{Owned, schunk};
use super::raw::{code, destination, int, natural, naturals, number, source, store};
use crate::chunk::Decoder;
use crate::codes::{BLOSC2_ERROR_INVALID_HEADER, BLOSC2_ERROR_SUCCESS, Failure, Result};
use crate::types::{blosc2_cparams, blosc2_dparams, blosc2_schunk};
use b2nd::chunk::{Header, SpecialValue};
use core::ffi::{c_int, c_void};

/// Compresses `nbytes` bytes at `src` and appends them as a chunk. Returns the number of chunks, or a negative number.
///
/// All chunks have the length of the first one, but for the last, which may be shorter.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. `nbytes` bytes at `src` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_append_buffer(
    schunk: *mut blosc2_schunk,
    src: *const c_void,
    nbytes: i32,
) -> i64 {
    number("blosc2_schunk_append_buffer", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let plain = unsafe { source(src, nbytes) }?;
        owned.frame.change(|editor| Ok(editor.append_chunk(plain)?))?;
        count(owned)
    })
}

/// Appends a chunk as it is. Returns the number of chunks, or a negative number. The caller keeps the chunk, whatever `copy` says.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. As many bytes at `chunk` can be read as its header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_append_chunk(
    schunk: *mut blosc2_schunk,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    let _ = copy;
    number("blosc2_schunk_append_chunk", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let chunk = unsafe { stored(chunk) }?;
        owned.frame.change(|editor| Ok(editor.append_encoded(chunk)?))?;
        count(owned)
    })
}

/// Replaces a chunk. Returns the number of chunks, or a negative number. In a super-chunk the new one is compressed with the
/// parameters of the frame; in an array it stays as it is.
///
/// # Safety
/// As for `blosc2_schunk_append_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_update_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    let _ = copy;
    number("blosc2_schunk_update_chunk", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let chunk = unsafe { stored(chunk) }?;
        let nchunk = natural(nchunk)?;
        if owned.frame.facts().layout.is_some() {
            owned.frame.change(|editor| Ok(editor.put_chunk(nchunk, chunk)?))?;
        } else {
            let plain = decoded(owned, chunk)?;
            owned.frame.change(|editor| Ok(editor.replace_chunk(nchunk, &plain)?))?;
        }
        count(owned)
    })
}

/// Inserts a chunk before another one, compressed with the parameters of the frame. Returns the number of chunks, or a negative
/// number.
///
/// # Safety
/// As for `blosc2_schunk_append_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_insert_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    let _ = copy;
    number("blosc2_schunk_insert_chunk", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let chunk = unsafe { stored(chunk) }?;
        let nchunk = natural(nchunk)?;
        let plain = decoded(owned, chunk)?;
        owned.frame.change(|editor| Ok(editor.insert_chunk(nchunk, &plain)?))?;
        count(owned)
    })
}

/// Removes a chunk. Returns the number of chunks, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_delete_chunk(schunk: *mut blosc2_schunk, nchunk: i64) -> i64 {
    number("blosc2_schunk_delete_chunk", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let nchunk = natural::<_, u64>(nchunk)?;
        owned.frame.change(|editor| Ok(editor.remove_chunks(nchunk..nchunk.saturating_add(1))?))?;
        count(owned)
    })
}

/// Puts the chunks in another order. Returns 0, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. As many numbers can be read as there are chunks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_reorder_offsets(
    schunk: *mut blosc2_schunk,
    offsets_order: *mut i64,
) -> c_int {
    code("blosc2_schunk_reorder_offsets", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let nchunks = natural(owned.frame.facts().nchunks)?;
        // SAFETY: The caller promises it.
        let order = unsafe { naturals(offsets_order.cast_const(), nchunks) }?;
        owned.frame.change(|editor| Ok(editor.reorder_chunks(&order)?))?;
        count(owned).map(|_| BLOSC2_ERROR_SUCCESS)
    })
}

/// Fills an empty super-chunk with `nitems` items of a special value, in chunks of `chunksize` bytes. Returns the number of chunks,
/// or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_fill_special(
    schunk: *mut blosc2_schunk,
    nitems: i64,
    special_value: c_int,
    chunksize: i32,
) -> i64 {
    number("blosc2_schunk_fill_special", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let value = match special_value {
            1 => SpecialValue::Zeros,
            2 => SpecialValue::Nan,
            4 => SpecialValue::Uninit,
            other => return Err(Failure::argument(format!("there is no special value {other}"))),
        };
        let facts = owned.frame.facts();
        let (nitems, chunksize) = (natural::<_, u64>(nitems)?, natural::<_, u32>(chunksize)?);
        if facts.nchunks > 0 || chunksize == 0 {
            return Err(Failure::argument("the super-chunk must be empty, and chunks must not be"));
        }
        let nbytes = nitems.saturating_mul(facts.cparams.typesize.into());
        let (whole, rest) = (nbytes / u64::from(chunksize), (nbytes % u64::from(chunksize)) as u32);
        owned.frame.change(|editor| {
            editor.append_special(value, chunksize, whole)?;
            if rest > 0 { Ok(editor.append_special(value, rest, 1)?) } else { Ok(()) }
        })?;
        count(owned)
    })
}

/// Decompresses a chunk into `dest`, which has room for `nbytes` bytes. Returns the number of plain bytes, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. `nbytes` bytes at `dest` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_decompress_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    dest: *mut c_void,
    nbytes: i32,
) -> c_int {
    code("blosc2_schunk_decompress_chunk", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let dest = unsafe { destination(dest, nbytes) }?;
        let plain = owned.frame.chunk(natural(nchunk)?)?;
        let reason =
            || Failure::argument(format!("the chunk has {} bytes, there is room for {nbytes}", plain.len()));
        dest.get_mut(..plain.len()).ok_or_else(reason)?.copy_from_slice(&plain);
        int(plain.len())
    })
}

/// Gives a chunk as it is stored, always in memory that the caller frees. Returns its length, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut *mut u8,
    needs_free: *mut bool,
) -> c_int {
    code("blosc2_schunk_get_chunk", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        unsafe { store(needs_free, false) };
        let stored = owned.frame.stored_chunk(natural(nchunk)?)?;
        // SAFETY: The caller promises it.
        unsafe { give_bytes(&stored, chunk, needs_free) }?;
        int(stored.len())
    })
}

/// Gives a chunk as `blosc2_schunk_get_chunk` does: all of it.
///
/// # Safety
/// As for `blosc2_schunk_get_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_lazychunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut *mut u8,
    needs_free: *mut bool,
) -> c_int {
    // SAFETY: The caller promises it.
    unsafe { blosc2_schunk_get_chunk(schunk, nchunk, chunk, needs_free) }
}

/// Reads the items from `start` up to and without `stop`. Returns 0, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. Their bytes at `buffer` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_slice_buffer(
    schunk: *mut blosc2_schunk,
    start: i64,
    stop: i64,
    buffer: *mut c_void,
) -> c_int {
    code("blosc2_schunk_get_slice_buffer", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let (range, nbytes) = items(owned, start, stop)?;
        // SAFETY: The caller promises it.
        let out = unsafe { destination(buffer, nbytes) }?;
        owned.frame.read(&[range], out)?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Reads single items by their positions. Returns 0, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. `ncoords` numbers can be read, and as many items can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_sparse_buffer(
    schunk: *mut blosc2_schunk,
    ncoords: i64,
    coords: *const i64,
    buffer: *mut c_void,
) -> c_int {
    code("blosc2_schunk_get_sparse_buffer", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let count = natural::<_, usize>(ncoords)?;
        // SAFETY: The caller promises it.
        let positions = unsafe { naturals::<_, i64>(coords, count) }?;
        let nbytes = count.saturating_mul(owned.frame.facts().cparams.typesize as usize);
        // SAFETY: The caller promises it.
        let out = unsafe { destination(buffer, nbytes) }?;
        owned.frame.read_points(1, positions, out)?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Writes the items from `start` up to and without `stop`. Returns 0, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses. Their bytes at `buffer` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_set_slice_buffer(
    schunk: *mut blosc2_schunk,
    start: i64,
    stop: i64,
    buffer: *mut c_void,
) -> c_int {
    code("blosc2_schunk_set_slice_buffer", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let (_, nbytes) = items(owned, start, stop)?;
        let typesize = i64::from(owned.frame.facts().cparams.typesize);
        // SAFETY: The caller promises it.
        let src = unsafe { source(buffer.cast_const(), nbytes) }?;
        owned.frame.write(natural(start * typesize)?, src)?;
        count(owned).map(|_| BLOSC2_ERROR_SUCCESS)
    })
}

/// Gives the compression parameters, in memory that the caller frees. Returns 0, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk; `cparams` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_cparams(
    schunk: *mut blosc2_schunk,
    cparams: *mut *mut blosc2_cparams,
) -> c_int {
    code("blosc2_schunk_get_cparams", || {
        // SAFETY: The caller promises it.
        let known = blosc2_cparams::of(&unsafe { self::schunk(schunk) }?.frame.facts().cparams);
        // SAFETY: The caller promises it.
        unsafe { give_struct(known, cparams) }
    })
}

/// Gives the decompression parameters, in memory that the caller frees. Returns 0, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk; `dparams` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_dparams(
    schunk: *mut blosc2_schunk,
    dparams: *mut *mut blosc2_dparams,
) -> c_int {
    code("blosc2_schunk_get_dparams", || {
        // SAFETY: The caller promises it.
        let typesize = natural(unsafe { self::schunk(schunk) }?.frame.facts().cparams.typesize)?;
        // SAFETY: The caller promises it.
        unsafe { give_struct(blosc2_dparams { typesize, ..blosc2_dparams::default() }, dparams) }
    })
}

/// # Safety
/// `to` is null or can be written.
unsafe fn give_struct<T>(value: T, to: *mut *mut T) -> Result<c_int> {
    let mut room = core::ptr::null_mut();
    // SAFETY: It can be written.
    unsafe { give_bytes(&vec![0; size_of::<T>()], &raw mut room, core::ptr::null_mut()) }?;
    let room = room.cast::<T>();
    // SAFETY: It is new memory of this size, which `malloc` aligns for any value.
    unsafe { store(room, value) };
    // SAFETY: The caller promises it.
    unsafe { store(to, room) };
    Ok(BLOSC2_ERROR_SUCCESS)
}

/// A range of items, and its bytes.
fn items(owned: &Owned, start: i64, stop: i64) -> Result<(core::ops::Range<u64>, u64)> {
    let facts = owned.frame.facts();
    let typesize = u64::from(facts.cparams.typesize);
    let (start, stop) = (natural::<_, u64>(start)?, natural::<_, u64>(stop)?);
    if start > stop || stop > facts.nbytes / typesize {
        return Err(Failure::argument(format!("there are no items from {start} to {stop}")));
    }
    Ok((start..stop, (stop - start) * typesize))
}

/// Shows a change to the caller. The number of chunks.
fn count(owned: &mut Owned) -> Result<i64> {
    owned.show();
    natural(owned.frame.facts().nchunks)
}

/// # Safety
/// Unless it is null, as many bytes at `chunk` can be read as its header says.
unsafe fn stored<'a>(chunk: *const u8) -> Result<&'a [u8]> {
    let wrong = |error: b2nd::Error| Failure::new(BLOSC2_ERROR_INVALID_HEADER, error.to_string());
    // SAFETY: The caller promises it.
    let start = unsafe { source(chunk.cast(), 16_i32) }?;
    let cbytes = i32::from_le_bytes([start[12], start[13], start[14], start[15]]);
    // SAFETY: The caller promises it.
    let bytes = unsafe { source(chunk.cast(), cbytes) }?;
    Header::parse(bytes).map_err(wrong)?;
    Ok(bytes)
}

fn decoded(owned: &Owned, chunk: &[u8]) -> Result<Vec<u8>> {
    let header = Header::parse(chunk)?;
    let nbytes = b2nd::Limits::default().allow_memory(header.nbytes.into())?;
    let mut plain = vec![0; nbytes];
    Decoder::new(owned.frame.facts().cparams.typesize, 1).decompress(chunk, &mut plain)?;
    Ok(plain)
}
