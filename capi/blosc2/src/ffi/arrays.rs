//! Arrays created, opened, copied and freed.

use super::opening::{Storage, give_bytes};
use super::owned::{Owned, array_mut, free, free_array, give_array, schunk};
use super::raw::{code, name, natural, naturals, number, path, pointer, ranges, source, store};
use crate::array::{Plan, dtype};
use crate::codes::{BLOSC2_ERROR_SUCCESS, Failure, Result};
use crate::files::Place;
use crate::frames::Frame;
use crate::types::{
    B2ND_MAX_DIM, b2nd_array_t, b2nd_context_t, blosc2_metalayer, blosc2_schunk, blosc2_storage,
};
use b2nd::array::ArrayParams;
use b2nd::chunk::SpecialValue;
use b2nd::frame::Metalayer;
use core::ffi::{c_char, c_int, c_void};
use core::ptr;

/// Creates the parameters of arrays, or null if they are out of range. Lengths are in items. Where the dtype has another size than
/// `typesize` of the compression parameters says, arrays have one without a meaning, `|V` and the size.
///
/// # Safety
/// `b2_storage` as for `blosc2_schunk_new`. `ndim` lengths can be read at each of the shapes. `dtype` is null or a text. `nmetalayers`
/// metalayers with their contents can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_create_ctx(
    b2_storage: *const blosc2_storage,
    ndim: i8,
    shape: *const i64,
    chunkshape: *const i32,
    blockshape: *const i32,
    dtype: *const c_char,
    dtype_format: i8,
    metalayers: *const blosc2_metalayer,
    nmetalayers: i32,
) -> *mut b2nd_context_t {
    pointer("b2nd_create_ctx", || {
        if dtype_format != 0 {
            return Err(Failure::argument(format!("there is no notation {dtype_format} of dtypes")));
        }
        // SAFETY: The caller promises it.
        let storage = unsafe { Storage::of(b2_storage) }?;
        let cparams = storage.cparams.parse()?;
        // SAFETY: The caller promises it.
        let mut params = unsafe { shapes(ndim, shape, chunkshape, blockshape) }?;
        // SAFETY: The caller promises it.
        let given = if dtype.is_null() { "" } else { unsafe { name(dtype) }? };
        params.dtype = self::dtype(given, cparams.typesize);
        // SAFETY: The caller promises it.
        params.metalayers = unsafe { layers(metalayers, nmetalayers) }?;
        let (place, sparse) = (storage.place, storage.sparse);
        Ok(Box::into_raw(Box::new(Plan { params, place, sparse, cparams })))
    })
}

/// # Safety
/// `ndim` lengths can be read at each of the shapes.
pub(super) unsafe fn shapes(
    ndim: i8,
    shape: *const i64,
    chunkshape: *const i32,
    blockshape: *const i32,
) -> Result<ArrayParams> {
    let ndim = natural::<_, usize>(ndim)?;
    if ndim > B2ND_MAX_DIM {
        return Err(Failure::argument(format!("{ndim} dimensions are too many")));
    }
    // SAFETY: The caller promises it.
    let mut params = ArrayParams::new(&unsafe { naturals(shape, ndim) }?, "");
    // SAFETY: The caller promises it.
    params.chunkshape = Some(unsafe { naturals(chunkshape, ndim) }?);
    // SAFETY: The caller promises it.
    params.blockshape = Some(unsafe { naturals(blockshape, ndim) }?);
    Ok(params)
}

/// # Safety
/// `count` metalayers with their contents can be read.
unsafe fn layers(pointer: *const blosc2_metalayer, count: i32) -> Result<Vec<Metalayer>> {
    // SAFETY: The caller promises it.
    let layers = unsafe { b2nd_c::raw::values(pointer, natural(count)?) }.ok_or_else(Failure::null)?;
    let owned = layers.iter().map(|layer| {
        // SAFETY: The caller promises it.
        let name = unsafe { name(layer.name) }?.into();
        // SAFETY: The caller promises it.
        let content = unsafe { source(layer.content.cast(), layer.content_len) }?.to_vec();
        Ok(Metalayer { name, content })
    });
    owned.collect()
}

/// Frees parameters of arrays, unless they are null. Returns 0.
///
/// # Safety
/// `ctx` is null, or was created and is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_free_ctx(ctx: *mut b2nd_context_t) -> c_int {
    code("b2nd_free_ctx", || {
        if !ctx.is_null() {
            // SAFETY: The caller promises it.
            drop(unsafe { Box::from_raw(ctx) });
        }
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Creates an array of any items. Returns 0, or a negative number.
///
/// # Safety
/// `ctx` is null or was created; `array` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_uninit(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: The caller promises it.
    code("b2nd_uninit", || unsafe { create(ctx, array, |plan| plan.create(SpecialValue::Uninit)) })
}

/// Creates an array of zeros. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_empty(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: The caller promises it.
    code("b2nd_empty", || unsafe { create(ctx, array, |plan| plan.create(SpecialValue::Zeros)) })
}

/// Creates an array of zeros. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_zeros(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: The caller promises it.
    code("b2nd_zeros", || unsafe { create(ctx, array, |plan| plan.create(SpecialValue::Zeros)) })
}

/// Creates an array of NaNs, of 4 or 8 bytes. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_nans(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: The caller promises it.
    code("b2nd_nans", || unsafe { create(ctx, array, |plan| plan.create(SpecialValue::Nan)) })
}

/// Creates an array that repeats an item. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_uninit`; an item can be read at `fill_value`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_full(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    fill_value: *const c_void,
) -> c_int {
    let full = |plan: &Plan| {
        // SAFETY: The caller promises it.
        let item = unsafe { source(fill_value, plan.cparams.typesize) }?;
        let mut frame = plan.create(SpecialValue::Zeros)?;
        frame.change(|editor| Ok(editor.fill(.., item)?))?;
        Ok(frame)
    };
    // SAFETY: The caller promises it.
    code("b2nd_full", || unsafe { create(ctx, array, full) })
}

/// Creates an array of the items at `buffer`. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_uninit`; `buffersize` bytes at `buffer` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_from_cbuffer(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
) -> c_int {
    let filled = |plan: &Plan| {
        // SAFETY: The caller promises it.
        let items = unsafe { source(buffer, buffersize) }?;
        plan.filled(None, items)
    };
    // SAFETY: The caller promises it.
    code("b2nd_from_cbuffer", || unsafe { create(ctx, array, filled) })
}

/// Copies an array, with the shapes of its chunks and blocks and the parameters that are given. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_uninit`; `src` is null or an array that no other call uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_copy(
    ctx: *mut b2nd_context_t,
    src: *const b2nd_array_t,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    code("b2nd_copy", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(src.cast_mut()) }?;
        let shape = shape_of(known);
        let items = all_items(owned)?;
        // SAFETY: The caller promises it.
        unsafe { create(ctx, array, |plan| plan.filled(Some(&shape), &items)) }
    })
}

/// Creates an array of the items of a box of another one. Returns 0, or a negative number.
///
/// # Safety
/// As for `b2nd_copy`; a position for each dimension can be read at `start` and at `stop`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_get_slice(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    src: *const b2nd_array_t,
    start: *const i64,
    stop: *const i64,
) -> c_int {
    code("b2nd_get_slice", || {
        // SAFETY: The caller promises it.
        let (known, owned) = unsafe { array_mut(src.cast_mut()) }?;
        // SAFETY: The caller promises it.
        let ranges = unsafe { ranges(start, stop, known.ndim as usize) }?;
        let shape: Vec<u64> = ranges.iter().map(|range| range.end.saturating_sub(range.start)).collect();
        let nbytes = nbytes(&shape, owned)?;
        let mut items = vec![0; nbytes];
        owned.frame.read(&ranges, &mut items)?;
        // SAFETY: The caller promises it.
        unsafe { create(ctx, array, |plan| plan.filled(Some(&shape), &items)) }
    })
}

/// # Safety
/// As for [`b2nd_uninit`].
unsafe fn create(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    make: impl FnOnce(&Plan) -> Result<Frame>,
) -> Result<c_int> {
    // SAFETY: The caller promises it.
    let plan = unsafe { ctx.as_ref() }.ok_or_else(Failure::null)?;
    // SAFETY: The caller promises it.
    unsafe { give(make(plan)?, array) }
}

/// # Safety
/// `array` is null or can be written.
unsafe fn give(frame: Frame, array: *mut *mut b2nd_array_t) -> Result<c_int> {
    if array.is_null() {
        return Err(Failure::null());
    }
    let sc = Owned::give(frame, None);
    // SAFETY: It is new.
    let given = unsafe { give_array(sc) }.inspect_err(|_| {
        // SAFETY: As above.
        unsafe { free(sc) };
    })?;
    // SAFETY: The caller promises it.
    unsafe { store(array, given) };
    Ok(BLOSC2_ERROR_SUCCESS)
}

/// Makes an array of a super-chunk, which it then owns. Returns 0, or a negative number; then the super-chunk stays the caller's.
///
/// # Safety
/// `schunk` is null or a super-chunk of no array; `array` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_from_schunk(
    schunk: *mut blosc2_schunk,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    code("b2nd_from_schunk", || {
        if array.is_null() {
            return Err(Failure::null());
        }
        // SAFETY: The caller promises it.
        let given = unsafe { give_array(schunk) }?;
        // SAFETY: The caller promises it.
        unsafe { store(array, given) };
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Opens the array in `cframe_len` bytes at `cframe`, which are copied. Returns 0, or a negative number.
///
/// # Safety
/// `cframe_len` bytes at `cframe` can be read; `array` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_from_cframe(
    cframe: *mut u8,
    cframe_len: i64,
    copy: bool,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    let _ = copy;
    code("b2nd_from_cframe", || {
        // SAFETY: The caller promises it.
        let bytes = unsafe { source(cframe.cast(), cframe_len) }?;
        // SAFETY: The caller promises it.
        unsafe { give(Frame::of_bytes(bytes.to_vec())?, array) }
    })
}

/// Opens the array at a path. Returns 0, or a negative number.
///
/// # Safety
/// `urlpath` is null or a text; `array` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_open(urlpath: *const c_char, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: The caller promises it.
    unsafe { b2nd_open_offset(urlpath, array, 0) }
}

/// Opens the array that begins at a place within a file. Unless that is its start, the array is only read. Returns 0, or a
/// negative number.
///
/// # Safety
/// As for `b2nd_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_open_offset(
    urlpath: *const c_char,
    array: *mut *mut b2nd_array_t,
    offset: i64,
) -> c_int {
    code("b2nd_open_offset", || {
        // SAFETY: The caller promises it.
        let frame = Frame::open(unsafe { path(urlpath) }?, natural(offset)?)?;
        // SAFETY: The caller promises it.
        unsafe { give(frame, array) }
    })
}

/// Writes a copy of an array to a file, which must not exist. Returns 0, or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses; `urlpath` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_save(array: *const b2nd_array_t, urlpath: *mut c_char) -> c_int {
    code("b2nd_save", || {
        // SAFETY: The caller promises it.
        let (_, owned) = unsafe { array_mut(array.cast_mut()) }?;
        // SAFETY: The caller promises it.
        let path = unsafe { path(urlpath) }?;
        owned.frame.copy(Place::File(path.to_path_buf()), false, None)?;
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Gives the bytes of the frame of an array, always in memory that the caller frees. Returns 0, or a negative number.
///
/// # Safety
/// `array` is null or an array that no other call uses. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_to_cframe(
    array: *const b2nd_array_t,
    cframe: *mut *mut u8,
    cframe_len: *mut i64,
    needs_free: *mut bool,
) -> c_int {
    code("b2nd_to_cframe", || {
        // SAFETY: The caller promises it.
        let (_, owned) = unsafe { array_mut(array.cast_mut()) }?;
        let bytes = owned.frame.bytes()?;
        // SAFETY: The caller promises it.
        unsafe { give_bytes(&bytes, cframe, needs_free) }?;
        // SAFETY: The caller promises it.
        unsafe { store(cframe_len, natural(bytes.len())?) };
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Frees an array and its super-chunk, unless it is null. Returns 0.
///
/// # Safety
/// `array` is null or an array that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_free(array: *mut b2nd_array_t) -> c_int {
    code("b2nd_free", || {
        // SAFETY: The caller promises it.
        unsafe { free_array(array) };
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Tells the numbers of the chunks that a box of an array, or a range of items of a super-chunk, touches, in memory that the caller
/// frees. Returns how many there are, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk. A position for each dimension, or one, can be read at `start` and at `stop`. `chunks_idx` is null
/// or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_slice_nchunks(
    schunk: *mut blosc2_schunk,
    start: *mut i64,
    stop: *mut i64,
    chunks_idx: *mut *mut i64,
) -> i64 {
    number("blosc2_get_slice_nchunks", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let ndim = owned.frame.facts().layout.as_ref().map_or(1, |layout| layout.shape().len());
        // SAFETY: The caller promises it.
        let ranges = unsafe { ranges(start, stop, ndim) }?;
        let numbers = owned.frame.touched(&ranges)?;
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        // SAFETY: The caller promises it.
        unsafe { give_bytes(&bytes, chunks_idx.cast(), ptr::null_mut()) }?;
        natural(numbers.len())
    })
}

/// The shape of an array.
pub(super) fn shape_of(array: &b2nd_array_t) -> Vec<u64> {
    array.shape[..array.ndim.clamp(0, B2ND_MAX_DIM as i8) as usize].iter().map(|&len| len as u64).collect()
}

/// Bytes of the items that a shape has.
pub(super) fn nbytes(shape: &[u64], owned: &Owned) -> Result<usize> {
    let typesize = u64::from(owned.frame.facts().cparams.typesize);
    let nbytes = shape.iter().try_fold(typesize, |nbytes, &len| nbytes.checked_mul(len));
    let nbytes = nbytes.ok_or_else(|| Failure::argument(format!("the shape {shape:?} is too large")))?;
    Ok(b2nd::Limits::default().allow_memory(nbytes)?)
}

fn all_items(owned: &mut Owned) -> Result<Vec<u8>> {
    let shape = owned.frame.facts().layout.as_ref().map(|layout| layout.shape().to_vec()).unwrap_or_default();
    let mut items = vec![0; nbytes(&shape, owned)?];
    let ranges: Vec<_> = shape.iter().map(|&len| 0..len).collect();
    owned.frame.read(&ranges, &mut items)?;
    Ok(items)
}
