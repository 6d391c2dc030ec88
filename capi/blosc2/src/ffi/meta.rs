//! The metalayer `b2nd`, built and read.

use super::arrays::shapes;
use super::opening::give_bytes;
use super::raw::{code, int, name, natural, source, store};
use crate::array::metalayer;
use crate::codes::Failure;
use b2nd::wire::WireArray;
use core::ffi::{c_char, c_int};
use core::ptr;

/// Gives the content of the metalayer `b2nd`, in memory that the caller frees. Returns its length, or a negative number.
///
/// # Safety
/// `ndim` lengths can be read at each of the shapes. `dtype` is null or a text; `smeta` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_serialize_meta(
    ndim: i8,
    shape: *const i64,
    chunkshape: *const i32,
    blockshape: *const i32,
    dtype: *const c_char,
    dtype_format: i8,
    smeta: *mut *mut u8,
) -> c_int {
    code("b2nd_serialize_meta", || {
        if dtype_format != 0 {
            return Err(Failure::argument(format!("there is no notation {dtype_format} of dtypes")));
        }
        // SAFETY: The caller promises it.
        let mut params = unsafe { shapes(ndim, shape, chunkshape, blockshape) }?;
        // SAFETY: The caller promises it.
        params.dtype = if dtype.is_null() { "|u1".into() } else { unsafe { name(dtype) }?.into() };
        let content = metalayer(&params)?;
        // SAFETY: The caller promises it.
        unsafe { give_bytes(&content, smeta, ptr::null_mut()) }?;
        int(content.len())
    })
}

/// Reads the content of a metalayer `b2nd`. The dtype, unless its pointer is null, is a text to be freed. Returns the number of bytes
/// that were read, or a negative number.
///
/// # Safety
/// `smeta_len` bytes at `smeta` can be read. 16 lengths can be written at each of the shapes. The other pointers are null or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_deserialize_meta(
    smeta: *const u8,
    smeta_len: i32,
    ndim: *mut i8,
    shape: *mut i64,
    chunkshape: *mut i32,
    blockshape: *mut i32,
    dtype: *mut *mut c_char,
    dtype_format: *mut i8,
) -> c_int {
    code("b2nd_deserialize_meta", || {
        // SAFETY: The caller promises it.
        let content = unsafe { source(smeta.cast(), smeta_len) }?;
        let wire = WireArray::parse_b2nd(content, &b2nd::Limits::default())?;
        if [ndim.cast(), shape, chunkshape.cast(), blockshape.cast::<i64>()].iter().any(|to| to.is_null()) {
            return Err(Failure::null());
        }
        // SAFETY: The caller promises it.
        unsafe { store(ndim, natural(wire.chunkshape().len())?) };
        // SAFETY: The caller promises it.
        unsafe { put(shape, wire.shape().iter()) }?;
        // SAFETY: The caller promises it.
        unsafe { put(chunkshape, wire.chunkshape().iter().copied()) }?;
        // SAFETY: The caller promises it.
        unsafe { put(blockshape, wire.blockshape().iter().copied()) }?;
        let known = wire.dtype.map_or((0, &b"|u1"[..]), |dtype| (dtype.format, dtype.text));
        // SAFETY: The caller promises it.
        unsafe { store(dtype_format, known.0 as i8) };
        if !dtype.is_null() {
            let text = [known.1, &[0]].concat();
            // SAFETY: The caller promises it.
            unsafe { give_bytes(&text, dtype.cast(), ptr::null_mut()) }?;
        }
        Ok(smeta_len)
    })
}

/// # Safety
/// As many values as there are can be written at `to`.
unsafe fn put<T, U>(to: *mut T, values: impl Iterator<Item = U>) -> crate::codes::Result<()>
where
    U: Copy + TryInto<T> + core::fmt::Display,
{
    for (at, value) in values.enumerate() {
        // SAFETY: The caller promises it.
        let place = unsafe { to.add(at) };
        // SAFETY: The caller promises it.
        unsafe { store(place, natural(value)?) };
    }
    Ok(())
}
