//! Functions that HDF5 calls.
#![expect(unsafe_code, reason = "HDF5 passes pointers")]

use crate::filter::{DEFAULTS, Filter, MAX_NDIM, Stored, Values};
use crate::library::{Id, Library, Set};
use core::ffi::{c_char, c_int, c_uint, c_void};
use core::slice;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The description of a filter, HDF5's `H5Z_class2_t`.
#[repr(C)]
#[derive(Debug)]
pub struct Class {
    version: c_int,
    id: c_int,
    encodes: c_uint,
    decodes: c_uint,
    name: *const c_char,
    can_apply: Option<unsafe extern "C" fn(Id, Id, Id) -> c_int>,
    set_local: Option<unsafe extern "C" fn(Id, Id, Id) -> c_int>,
    filter: Option<
        unsafe extern "C" fn(c_uint, usize, *const c_uint, usize, *mut usize, *mut *mut c_void) -> usize,
    >,
}

// SAFETY: Nothing changes it, and its name is a constant.
unsafe impl Sync for Class {}

/// The filter 32001.
pub static BLOSC: Class = Class {
    version: 1,
    id: 32001,
    encodes: 1,
    decodes: 1,
    name: c"blosc".as_ptr(),
    can_apply: None,
    set_local: Some(set_local),
    filter: Some(filter),
};

/// The filter 32026.
pub static BLOSC2: Class = Class {
    id: 32026,
    name: c"blosc2".as_ptr(),
    set_local: Some(set_local2),
    filter: Some(filter2),
    ..BLOSC
};

/// The flag of a filter whose failure leaves the chunk as it is.
const OPTIONAL: c_uint = 1;
/// The flag of reading.
const REVERSE: c_uint = 0x100;
/// The versions that datasets name: of the filters, and of the format of Blosc1.
const VERSIONS: (c_uint, c_uint) = (2, 1);
const BLOSC_FORMAT: c_uint = 2;

unsafe extern "C" fn set_local(list: Id, datatype: Id, _: Id) -> c_int {
    local(&BLOSC, Filter::Blosc, list, datatype)
}

unsafe extern "C" fn set_local2(list: Id, datatype: Id, _: Id) -> c_int {
    local(&BLOSC2, Filter::Blosc2, list, datatype)
}

fn local(class: &Class, filter: Filter, list: Id, datatype: Id) -> c_int {
    let set = || {
        let room = 8 + MAX_NDIM;
        let libraries = Library::all();
        let own = libraries.iter().find_map(|library| Some((library, library.filter(list, class.id, room)?)));
        let Some((library, mut set)) = own else { return Err("the HDF5 that calls is not found".into()) };
        describe(filter, library, list, datatype, &mut set)?;
        library
            .set_filter(list, class.id, &set)
            .then_some(())
            .ok_or_else(|| "HDF5 refuses the values".to_owned())
    };
    if told(set).is_some() { 1 } else { -1 }
}

/// Adds what the dataset determines to the values of a filter.
fn describe(filter: Filter, library: &Library, list: Id, datatype: Id, set: &mut Set) -> Result<(), String> {
    let shape = library.chunk(list).ok_or("the dataset has no chunks")?;
    let (size, item) = library.sizes(datatype).ok_or("the datatype has no size")?;
    let nbytes = shape.iter().try_fold(size as u64, |nbytes, &len| nbytes.checked_mul(len));
    let nbytes = nbytes.and_then(|nbytes| u32::try_from(nbytes).ok()).ok_or("a chunk has 4 GiB or more")?;
    let values = &mut set.values;
    values.resize(values.len().max(4), 0);
    values[3] = nbytes;
    let item = u32::try_from(item).map_err(|_| "an item has 4 GiB or more")?;
    match filter {
        Filter::Blosc => {
            values[..2].copy_from_slice(&[VERSIONS.0, BLOSC_FORMAT]);
            values[2] = if item > 255 { 1 } else { item };
        }
        Filter::Blosc2 => {
            values[0] = VERSIONS.1;
            values[2] = item;
            if (2..=MAX_NDIM).contains(&shape.len()) {
                let given = values.len() - 4;
                values.extend_from_slice(DEFAULTS.get(given..).unwrap_or(&[]));
                values.truncate(7);
                values.push(shape.len() as u32);
                values.extend(shape.iter().map(|&len| len as u32));
            }
        }
    }
    Ok(())
}

unsafe extern "C" fn filter(
    flags: c_uint,
    len: usize,
    values: *const c_uint,
    nbytes: usize,
    room: *mut usize,
    buffer: *mut *mut c_void,
) -> usize {
    // SAFETY: HDF5 promises it.
    unsafe { run(Filter::Blosc, flags, (values, len), nbytes, room, buffer) }
}

unsafe extern "C" fn filter2(
    flags: c_uint,
    len: usize,
    values: *const c_uint,
    nbytes: usize,
    room: *mut usize,
    buffer: *mut *mut c_void,
) -> usize {
    // SAFETY: HDF5 promises it.
    unsafe { run(Filter::Blosc2, flags, (values, len), nbytes, room, buffer) }
}

/// Replaces the buffer by its filtered content, and returns the length of that, or 0 if the filter fails.
///
/// # Safety
/// There are `values.1` values at `values.0`. `room` and `buffer` can be written. The buffer is one of `malloc`, with `nbytes` bytes.
unsafe fn run(
    filter: Filter,
    flags: c_uint,
    values: (*const c_uint, usize),
    nbytes: usize,
    room: *mut usize,
    buffer: *mut *mut c_void,
) -> usize {
    if buffer.is_null() || room.is_null() {
        return 0;
    }
    // SAFETY: The caller promises it.
    let old = unsafe { *buffer };
    let work = || {
        // SAFETY: The caller promises it.
        let values = unsafe { slice_of(values.0, values.1) };
        // SAFETY: The caller promises it, and nothing else uses the memory during the call.
        let bytes = unsafe { slice_of(old.cast_const().cast::<u8>(), nbytes) };
        let values = Values(values);
        if flags & REVERSE == 0 { encoded(filter, flags, values, bytes) } else { decoded(values, bytes) }
    };
    let Some(Some(new)) = told(work) else { return 0 };
    // SAFETY: The caller promises it; the old buffer is not used any more.
    unsafe { libc::free(old) };
    // SAFETY: The caller promises it.
    unsafe { buffer.write(new.pointer) };
    // SAFETY: The caller promises it.
    unsafe { room.write(new.len) };
    new.len
}

/// # Safety
/// Unless it is null, `len` values at `pointer` can be read and do not change during `'a`.
unsafe fn slice_of<'a, T>(pointer: *const T, len: usize) -> &'a [T] {
    // SAFETY: The caller promises it.
    if pointer.is_null() { &[] } else { unsafe { slice::from_raw_parts(pointer, len) } }
}

/// Nothing if the chunk does not become shorter and may stay as it is.
fn encoded(
    filter: Filter,
    flags: c_uint,
    values: Values<'_>,
    plain: &[u8],
) -> Result<Option<Buffer>, String> {
    let stored = filter.encode(values, plain)?;
    if stored.len() > plain.len() && flags & OPTIONAL != 0 {
        return Ok(None);
    }
    let buffer = Buffer::of(stored.len())?;
    buffer.fill(|bytes| bytes.copy_from_slice(&stored));
    Ok(Some(buffer))
}

fn decoded(values: Values<'_>, bytes: &[u8]) -> Result<Option<Buffer>, String> {
    let stored = Stored::open(values, bytes)?;
    let buffer = Buffer::of(stored.nbytes())?;
    match buffer.fill(|plain| stored.decode_into(plain)) {
        Ok(()) => Ok(Some(buffer)),
        Err(reason) => {
            // SAFETY: It is of `calloc`, and not used any more.
            unsafe { libc::free(buffer.pointer) };
            Err(reason)
        }
    }
}

/// Memory that HDF5 frees.
struct Buffer {
    pointer: *mut c_void,
    len: usize,
}

impl Buffer {
    /// Zeros.
    fn of(len: usize) -> Result<Self, String> {
        // SAFETY: Any size may be asked for.
        let pointer = unsafe { libc::calloc(len.max(1), 1) };
        if pointer.is_null() {
            Err(format!("there is no memory for {len} bytes"))
        } else {
            Ok(Self { pointer, len })
        }
    }

    fn fill<T>(&self, fill: impl FnOnce(&mut [u8]) -> T) -> T {
        // SAFETY: There are so many bytes, which nothing else uses.
        fill(unsafe { slice::from_raw_parts_mut(self.pointer.cast(), self.len) })
    }
}

/// The result of `work`, or `None` after a failure, which HDF5 is told about, or after a panic.
fn told<T>(work: impl FnOnce() -> Result<T, String>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(|| match work() {
        Ok(done) => Some(done),
        Err(reason) => {
            let reason = CString::new(reason).unwrap_or_default();
            Library::all().iter().for_each(|library| library.push(&reason));
            None
        }
    }))
    .unwrap_or(None)
}

#[cfg(test)]
#[expect(clippy::multiple_unsafe_ops_per_block, reason = "one promise covers several calls")]
mod tests {
    use super::*;
    use core::ptr;

    fn call(class: &Class, flags: c_uint, values: &[c_uint], bytes: &[u8]) -> Option<Vec<u8>> {
        let old = Buffer::of(bytes.len()).unwrap();
        old.fill(|to| to.copy_from_slice(bytes));
        let (mut pointer, mut room) = (old.pointer, old.len);
        // SAFETY: The buffer is one of `calloc` with so many bytes.
        let len = unsafe {
            class.filter.unwrap()(
                flags,
                values.len(),
                values.as_ptr(),
                bytes.len(),
                &raw mut room,
                &raw mut pointer,
            )
        };
        // SAFETY: There are as many bytes in the buffer, and it is not used after it is freed.
        unsafe {
            let content = slice_of(pointer.cast_const().cast::<u8>(), room).to_vec();
            libc::free(pointer);
            (len > 0).then_some(content)
        }
    }

    #[test]
    fn buffers_are_replaced() {
        let plain: Vec<u8> = (0..512_u16).flat_map(|item| (item / 3).to_le_bytes()).collect();
        for (class, values) in [(&BLOSC, &[2, 2, 2, 1024, 5, 1, 0][..]), (&BLOSC2, &[1, 0, 2, 1024, 5, 1, 0])]
        {
            let stored = call(class, OPTIONAL, values, &plain).unwrap();
            assert!(stored.len() < plain.len());
            assert_eq!(call(class, REVERSE, values, &stored).unwrap(), plain);
            // Miri knows no libraries, which are told of failures.
            if !cfg!(miri) {
                assert_eq!(call(class, REVERSE, values, &stored[..stored.len() / 2]), None, "cut off");
            }
        }
    }

    #[test]
    fn what_grows_is_left_alone_if_it_may_be() {
        let noise: Vec<u8> = (0..200_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let values = [2, 2, 1, 200, 5, 1, 1];
        assert_eq!(call(&BLOSC, OPTIONAL, &values, &noise), None);
        let stored = call(&BLOSC, 0, &values, &noise).unwrap();
        assert_eq!((stored.len(), call(&BLOSC, REVERSE, &values, &stored).unwrap()), (216, noise));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri knows no libraries, which are told of failures")]
    fn pointers_may_be_null() {
        let mut pointer = ptr::null_mut();
        let mut room = 0;
        // SAFETY: There are no bytes and no values.
        unsafe {
            assert_eq!(filter(REVERSE, 0, ptr::null(), 0, &raw mut room, &raw mut pointer), 0);
            assert_eq!(filter2(REVERSE, 0, ptr::null(), 0, ptr::null_mut(), ptr::null_mut()), 0);
        }
        assert!(pointer.is_null());
    }
}
