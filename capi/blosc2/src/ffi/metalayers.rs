//! Metalayers, of fixed and of variable length.

use super::opening::give_bytes;
use super::owned::{Owned, schunk};
use super::raw::{code, int, name, source, store};
use crate::codes::{BLOSC2_ERROR_METALAYER_NOT_FOUND, Failure, Result};
use crate::types::{BLOSC2_METALAYER_NAME_MAXLEN, blosc2_cparams, blosc2_schunk};
use core::ffi::{c_char, c_int};
use core::ptr;

/// Adds a metalayer. Returns its number, or a negative number, as it does if there is one of this name.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses, `name` null or a text. `content_len` bytes at `content` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_meta_add(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
) -> c_int {
    // SAFETY: The caller promises it.
    code("blosc2_meta_add", || unsafe { set(Kind::Fixed, schunk, name, content, content_len, false) })
}

/// Changes the content of a metalayer. Returns its number, or a negative number, as it does if there is none of this name.
///
/// # Safety
/// As for `blosc2_meta_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_meta_update(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
) -> c_int {
    // SAFETY: The caller promises it.
    code("blosc2_meta_update", || unsafe { set(Kind::Fixed, schunk, name, content, content_len, true) })
}

#[derive(Clone, Copy)]
enum Kind {
    Fixed,
    Variable,
}

impl Kind {
    /// The number of the metalayer `name`, if there is one.
    fn at(self, owned: &Owned, name: &str) -> Option<usize> {
        let layers = &owned.frame.facts().metalayers;
        match self {
            Self::Fixed => layers.iter().position(|layer| layer.name == name.as_bytes()),
            Self::Variable => owned.frame.attribute(name),
        }
    }

    fn set(self, owned: &mut Owned, name: &str, content: &[u8]) -> Result<()> {
        match self {
            Self::Fixed => Ok(owned.frame.change(|editor| Ok(editor.set_metalayer(name, content)?))?),
            Self::Variable => Ok(owned.frame.set_attribute(name, content)?),
        }
    }
}

/// Adds a metalayer, or changes it if it is said to exist.
///
/// # Safety
/// As for [`blosc2_meta_add`].
unsafe fn set(
    kind: Kind,
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
    exists: bool,
) -> Result<c_int> {
    // SAFETY: The caller promises it.
    let owned = unsafe { self::schunk(schunk) }?;
    // SAFETY: The caller promises it.
    let name = unsafe { checked(name) }?;
    // SAFETY: The caller promises it.
    let content = unsafe { source(content.cast(), content_len) }?;
    must(kind.at(owned, name).is_some(), exists, name)?;
    kind.set(owned, name, content)?;
    owned.show();
    int(kind.at(owned, name).unwrap_or_default())
}

/// Returns the number of a variable-length metalayer, or a negative number if there is none of this name.
///
/// # Safety
/// `schunk` is null or a super-chunk, `name` null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_exists(schunk: *mut blosc2_schunk, name: *const c_char) -> c_int {
    code("blosc2_vlmeta_exists", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let name = unsafe { checked(name) }?;
        int(owned.frame.attribute(name).ok_or_else(|| missing(name))?)
    })
}

/// Adds a variable-length metalayer. Returns its number, or a negative number, as it does if there is one of this name.
///
/// # Safety
/// As for `blosc2_meta_add`. `cparams` is not used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_add(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
    cparams: *mut blosc2_cparams,
) -> c_int {
    let _ = cparams;
    // SAFETY: The caller promises it.
    code("blosc2_vlmeta_add", || unsafe { set(Kind::Variable, schunk, name, content, content_len, false) })
}

/// Changes the content of a variable-length metalayer. Returns its number, or a negative number.
///
/// # Safety
/// As for `blosc2_vlmeta_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_update(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
    cparams: *mut blosc2_cparams,
) -> c_int {
    let _ = cparams;
    // SAFETY: The caller promises it.
    code("blosc2_vlmeta_update", || unsafe { set(Kind::Variable, schunk, name, content, content_len, true) })
}

/// Gives the content of a variable-length metalayer, in memory that the caller frees. Returns its number, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses, `name` null or a text. The other pointers are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_get(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut *mut u8,
    content_len: *mut i32,
) -> c_int {
    code("blosc2_vlmeta_get", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        let name = unsafe { checked(name) }?;
        let at = owned.frame.attribute(name).ok_or_else(|| missing(name))?;
        let bytes = owned.frame.attribute_content(name)?;
        // SAFETY: The caller promises it.
        unsafe { give_bytes(&bytes, content, ptr::null_mut()) }?;
        // SAFETY: The caller promises it.
        unsafe { store(content_len, int(bytes.len())?) };
        int(at)
    })
}

/// Removes a variable-length metalayer. Returns the number of those that are left, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk that no other call uses, `name` null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_delete(schunk: *mut blosc2_schunk, name: *const c_char) -> c_int {
    code("blosc2_vlmeta_delete", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        // SAFETY: The caller promises it.
        owned.frame.remove_attribute(unsafe { checked(name) }?)?;
        owned.show();
        int(owned.frame.attribute_names().len())
    })
}

/// Tells the names of the variable-length metalayers: texts that are valid until one is added, changed or removed. Returns their
/// number, or a negative number.
///
/// # Safety
/// `schunk` is null or a super-chunk. As many pointers as there are metalayers can be written at `names`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_get_names(
    schunk: *mut blosc2_schunk,
    names: *mut *mut c_char,
) -> c_int {
    code("blosc2_vlmeta_get_names", || {
        // SAFETY: The caller promises it.
        let owned = unsafe { self::schunk(schunk) }?;
        let known = owned.variable_names();
        if names.is_null() && !known.is_empty() {
            return Err(Failure::null());
        }
        for (at, name) in known.iter().enumerate() {
            // SAFETY: The caller promises it.
            let to = unsafe { names.add(at) };
            // SAFETY: The caller promises it.
            unsafe { store(to, *name) };
        }
        int(known.len())
    })
}

/// # Safety
/// `name` is null or a text.
unsafe fn checked<'a>(name: *const c_char) -> Result<&'a str> {
    // SAFETY: The caller promises it.
    let name = unsafe { self::name(name) }?;
    if name.len() > BLOSC2_METALAYER_NAME_MAXLEN {
        return Err(Failure::argument(format!("a name of {} bytes is too long", name.len())));
    }
    Ok(name)
}

fn must(exists: bool, expected: bool, name: &str) -> Result<()> {
    match (exists, expected) {
        (true, false) => Err(Failure::argument(format!("there is a metalayer `{name}`"))),
        (false, true) => Err(missing(name)),
        _ => Ok(()),
    }
}

fn missing(name: &str) -> Failure {
    Failure::new(BLOSC2_ERROR_METALAYER_NOT_FOUND, format!("there is no metalayer `{name}`"))
}
