//! The HDF5 that has loaded the plugin. It is found among the libraries of the process: a program may have several.
#![expect(unsafe_code, reason = "functions of C are found by name")]

#[cfg_attr(any(target_os = "linux", target_os = "android", target_os = "freebsd"), path = "library/each.rs")]
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android", target_os = "freebsd")),
    path = "library/all.rs"
)]
mod handles;

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::ptr;

/// An identifier of HDF5, from 1.10 on.
pub(crate) type Id = i64;

/// The class of types that are arrays.
const ARRAY: c_int = 10;

/// Functions of one HDF5.
pub(crate) struct Library {
    id_type: unsafe extern "C" fn(Id) -> c_int,
    get_filter: unsafe extern "C" fn(
        Id,
        c_int,
        *mut c_uint,
        *mut usize,
        *mut c_uint,
        usize,
        *mut c_char,
        *mut c_uint,
    ) -> c_int,
    modify_filter: unsafe extern "C" fn(Id, c_int, c_uint, usize, *const c_uint) -> c_int,
    get_chunk: unsafe extern "C" fn(Id, c_int, *mut u64) -> c_int,
    type_size: unsafe extern "C" fn(Id) -> usize,
    type_class: unsafe extern "C" fn(Id) -> c_int,
    type_super: unsafe extern "C" fn(Id) -> Id,
    type_close: unsafe extern "C" fn(Id) -> c_int,
    push: unsafe extern "C" fn(
        Id,
        *const c_char,
        *const c_char,
        c_uint,
        Id,
        Id,
        Id,
        *const c_char,
        ...
    ) -> c_int,
    /// The error class, the major and the minor number of errors in filters.
    error: [Id; 3],
}

/// A filter of a property list: its flags and values.
pub(crate) struct Set {
    pub(crate) flags: c_uint,
    pub(crate) values: Vec<c_uint>,
}

impl Library {
    /// All of the process.
    pub(crate) fn all() -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for handle in handles::handles() {
            let library = Self::of(handle);
            let is_new =
                |library: &Self| found.iter().all(|other| !ptr::fn_addr_eq(other.push, library.push));
            found.extend(library.filter(is_new));
        }
        found
    }

    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "the names promise the types of all")]
    fn of(handle: *mut c_void) -> Option<Self> {
        // SAFETY: Functions of these names have these types in all releases from 1.10 on, and variables are identifiers, which are
        // set since the library is initialised when it loads a plugin.
        unsafe {
            Some(Self {
                id_type: function(handle, c"H5Iget_type")?,
                get_filter: function(handle, c"H5Pget_filter_by_id2")?,
                modify_filter: function(handle, c"H5Pmodify_filter")?,
                get_chunk: function(handle, c"H5Pget_chunk")?,
                type_size: function(handle, c"H5Tget_size")?,
                type_class: function(handle, c"H5Tget_class")?,
                type_super: function(handle, c"H5Tget_super")?,
                type_close: function(handle, c"H5Tclose")?,
                push: function(handle, c"H5Epush2")?,
                error: [
                    variable(handle, c"H5E_ERR_CLS_g")?,
                    variable(handle, c"H5E_PLINE_g")?,
                    variable(handle, c"H5E_CALLBACK_g")?,
                ],
            })
        }
    }

    /// A filter of a property list, if this library has made the list.
    pub(crate) fn filter(&self, list: Id, filter: c_int, room: usize) -> Option<Set> {
        let (mut flags, mut len, mut values) = (0, room, vec![0; room]);
        // SAFETY: Any number may be asked about.
        if unsafe { (self.id_type)(list) } < 0 {
            return None;
        }
        // SAFETY: There is room for `len` values; the name and the configuration are not wanted.
        let done = unsafe {
            let (flags, len) = (&raw mut flags, &raw mut len);
            (self.get_filter)(
                list,
                filter,
                flags,
                len,
                values.as_mut_ptr(),
                0,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        // The length is that of all values, which may be more.
        values.truncate(len);
        (done >= 0).then_some(Set { flags, values })
    }

    /// Changes a filter of a property list. Returns whether that worked.
    pub(crate) fn set_filter(&self, list: Id, filter: c_int, set: &Set) -> bool {
        // SAFETY: There are so many values.
        unsafe { (self.modify_filter)(list, filter, set.flags, set.values.len(), set.values.as_ptr()) >= 0 }
    }

    /// The shape of the chunks of a property list, in items.
    pub(crate) fn chunk(&self, list: Id) -> Option<Vec<u64>> {
        let mut shape = [0; 32];
        // SAFETY: There is room for 32 dimensions.
        let ndim = unsafe { (self.get_chunk)(list, 32, shape.as_mut_ptr()) };
        usize::try_from(ndim).ok().and_then(|ndim| shape.get(..ndim)).map(<[u64]>::to_vec)
    }

    /// The bytes of an item of a type and, if it is an array, of an item of that.
    pub(crate) fn sizes(&self, datatype: Id) -> Option<(usize, usize)> {
        // SAFETY: Any identifier may be asked about.
        let size = unsafe { (self.type_size)(datatype) };
        // SAFETY: Any identifier may be asked about.
        if unsafe { (self.type_class)(datatype) } != ARRAY {
            return Some((size, size)).filter(|sizes| sizes.0 > 0);
        }
        // SAFETY: Any identifier may be asked about.
        let base = unsafe { (self.type_super)(datatype) };
        // SAFETY: Any identifier may be asked about.
        let item = unsafe { (self.type_size)(base) };
        // SAFETY: It was opened above and is not used any more.
        unsafe { (self.type_close)(base) };
        Some((size, item)).filter(|sizes| sizes.0 > 0 && sizes.1 > 0)
    }

    /// Tells why a filter fails.
    pub(crate) fn push(&self, reason: &CStr) {
        let [class, major, minor] = self.error;
        // SAFETY: 0 is the error stack of the thread, and the format takes one text.
        unsafe {
            let (file, name) = (c"b2nd".as_ptr(), c"filter".as_ptr());
            (self.push)(0, file, name, 0, class, major, minor, c"%s".as_ptr(), reason.as_ptr());
        }
    }
}

/// # Safety
/// `F` is the type of the function of this name.
unsafe fn function<F: Copy>(handle: *mut c_void, name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: The name is a text.
    let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) };
    // SAFETY: The caller promises the type, and functions are not null.
    (!symbol.is_null()).then(|| unsafe { core::mem::transmute_copy(&symbol) })
}

/// # Safety
/// The variable of this name is an identifier.
unsafe fn variable(handle: *mut c_void, name: &CStr) -> Option<Id> {
    // SAFETY: The name is a text.
    let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) }.cast::<Id>();
    // SAFETY: The caller promises it.
    (!symbol.is_null()).then(|| unsafe { symbol.read() })
}
