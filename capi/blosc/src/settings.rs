//! Settings of the setters and the environment. Each setting is an atomic: no function waits for another.

use crate::codes::{
    BLOSC_ALWAYS_SPLIT, BLOSC_AUTO_SPLIT, BLOSC_FORWARD_COMPAT_SPLIT, BLOSC_NEVER_SPLIT, Compressor,
};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::Relaxed};
use std::env;
use std::ffi::CString;

/// Whether the library was initialised and not destroyed since.
pub(crate) static INITIALIZED: AtomicBool = AtomicBool::new(false);
pub(crate) static NTHREADS: AtomicI32 = AtomicI32::new(1);
/// A code of a compressor, or -1 after an unknown name.
pub(crate) static COMPRESSOR: AtomicI32 = AtomicI32::new(0);
pub(crate) static BLOCKSIZE: AtomicUsize = AtomicUsize::new(0);
pub(crate) static SPLITMODE: AtomicI32 = AtomicI32::new(BLOSC_FORWARD_COMPAT_SPLIT);

/// The parameters of one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) clevel: c_int,
    pub(crate) shuffle: c_int,
    pub(crate) typesize: usize,
    pub(crate) compressor: Option<Compressor>,
    pub(crate) blocksize: usize,
    pub(crate) nthreads: c_int,
}

/// A variable of the environment has a value that is not known.
#[derive(Debug)]
pub(crate) struct BadVariable(String);

impl core::fmt::Display for BadVariable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Settings {
    /// The arguments, with what the setters chose.
    pub(crate) fn chosen(clevel: c_int, shuffle: c_int, typesize: usize) -> Self {
        Self {
            clevel,
            shuffle,
            typesize,
            compressor: Compressor::of_code(COMPRESSOR.load(Relaxed)),
            blocksize: BLOCKSIZE.load(Relaxed),
            nthreads: NTHREADS.load(Relaxed),
        }
    }

    /// The arguments, with what the environment and else the setters chose.
    ///
    /// # Errors
    /// For a compressor or a split mode that does not exist.
    pub(crate) fn of_environment(
        mut clevel: c_int,
        mut shuffle: c_int,
        mut typesize: usize,
    ) -> Result<Self, BadVariable> {
        if let Some(level) = number("BLOSC_CLEVEL").filter(|level| *level >= 0) {
            clevel = c_int::try_from(level).unwrap_or(c_int::MAX);
        }
        shuffle = match text("BLOSC_SHUFFLE").as_deref() {
            Some("NOSHUFFLE") => 0,
            Some("SHUFFLE") => 1,
            Some("BITSHUFFLE") => 2,
            _ => shuffle,
        };
        if let Some(size) = positive("BLOSC_TYPESIZE") {
            typesize = size;
        }
        set_compressor_of_environment()?;
        if let Some(size) = positive("BLOSC_BLOCKSIZE") {
            BLOCKSIZE.store(size, Relaxed);
        }
        set_nthreads_of_environment();
        set_splitmode_of_environment()?;
        Ok(Self::chosen(clevel, shuffle, typesize))
    }
}

fn set_compressor_of_environment() -> Result<(), BadVariable> {
    let Some(name) = text("BLOSC_COMPRESSOR") else { return Ok(()) };
    let known = CString::new(name.as_str()).ok().and_then(|name| Compressor::of_name(&name));
    COMPRESSOR.store(known.map_or(-1, |compressor| compressor.code), Relaxed);
    known.map(drop).ok_or_else(|| BadVariable(format!("BLOSC_COMPRESSOR: there is no compressor `{name}`")))
}

/// Takes the number of threads from the environment.
pub(crate) fn set_nthreads_of_environment() {
    if let Some(nthreads) = positive("BLOSC_NTHREADS") {
        NTHREADS.store(c_int::try_from(nthreads).unwrap_or(c_int::MAX), Relaxed);
    }
}

fn set_splitmode_of_environment() -> Result<(), BadVariable> {
    let Some(name) = text("BLOSC_SPLITMODE") else { return Ok(()) };
    let mode = match name.as_str() {
        "FORWARD_COMPAT" => BLOSC_FORWARD_COMPAT_SPLIT,
        "AUTO" => BLOSC_AUTO_SPLIT,
        "ALWAYS" => BLOSC_ALWAYS_SPLIT,
        "NEVER" => BLOSC_NEVER_SPLIT,
        _ => return Err(BadVariable(format!("BLOSC_SPLITMODE: there is no mode `{name}`"))),
    };
    SPLITMODE.store(mode, Relaxed);
    Ok(())
}

/// Whether to print why a call fails.
pub(crate) fn warns() -> bool {
    number("BLOSC_WARN").is_some_and(|level| level > 0)
}

fn text(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

fn positive(name: &str) -> Option<usize> {
    number(name).filter(|value| *value > 0).and_then(|value| value.try_into().ok())
}

/// A number as C's `strtol` reads it: what follows the digits does not matter, and no digits are 0.
fn number(name: &str) -> Option<i64> {
    Some(leading(&text(name)?))
}

fn leading(text: &str) -> i64 {
    let text = text.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.bytes().take_while(u8::is_ascii_digit);
    let value =
        digits.fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add((digit - b'0').into()));
    if negative { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::leading;

    #[test]
    fn numbers_are_read_as_by_strtol() {
        for (text, value) in
            [("5", 5), (" +12x", 12), ("-3", -3), ("", 0), ("all", 0), ("99999999999999999999", i64::MAX)]
        {
            assert_eq!(leading(text), value, "{text}");
        }
    }
}
