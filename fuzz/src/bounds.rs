//! Bounds for the cost of reading, and which errors it may give.

use super::meter;
use b2nd::{DParams, Error, ErrorKind, Limits, ReadError};
use core::fmt::Display;

/// The memory that each call may allocate.
pub(super) const LIMITS: Limits =
    Limits { memory: 16 << 20, metadata: 1 << 20, expansion: 16 << 20, depth: 32 };

/// Memory that a call may take besides: the tables of zstd and zlib decoders, vectors that have grown by doubling.
const BESIDES: usize = 1 << 20;

pub(super) fn dparams() -> DParams {
    DParams { limits: LIMITS, ..DParams::default() }
}

/// An error that tells whose fault it is.
pub(super) trait Blamed: Display {
    fn blamed(&self) -> Option<ErrorKind>;
}

impl Blamed for Error {
    fn blamed(&self) -> Option<ErrorKind> {
        Some(self.kind())
    }
}

impl<E: Display> Blamed for ReadError<E> {
    fn blamed(&self) -> Option<ErrorKind> {
        match self {
            Self::Source(_) => None,
            Self::Blosc(error) => Some(error.kind()),
        }
    }
}

/// The result of a call whose arguments are right: it takes no more memory than the limits allow, and the caller is not to blame.
pub(super) fn tried<T, E: Blamed>(what: &str, call: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let (result, peak) = meter::peak(call);
    assert!(peak <= LIMITS.memory as usize + BESIDES, "{what} took {peak} bytes");
    if let Err(error) = &result {
        assert!(!matches!(error.blamed(), Some(ErrorKind::Argument(_))), "{what} blames the caller: {error}");
    }
    result
}

/// Makes the call as `tried` does, and drops the error.
pub(super) fn call<T, E: Blamed>(what: &str, call: impl FnOnce() -> Result<T, E>) -> Option<T> {
    tried(what, call).ok()
}

/// Whether something failed, but neither for want of memory nor of support.
pub(super) fn is_wrong<T, E: Blamed>(result: &Result<T, E>) -> bool {
    let Err(error) = result else { return false };
    matches!(error.blamed(), Some(ErrorKind::Format(_)))
}
