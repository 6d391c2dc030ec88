//! Bytes that kernels write: those of a buffer, or of a vector's spare capacity.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;

/// A byte to be written.
///
/// # Safety
/// It has the layout of a `u8`, and all of these are valid.
pub(super) unsafe trait Byte: Copy {
    /// An initialised one.
    fn new(value: u8) -> Self;
}

// SAFETY: it is a `u8`.
unsafe impl Byte for u8 {
    #[inline(always)]
    fn new(value: u8) -> Self {
        value
    }
}

// SAFETY: `MaybeUninit<u8>` has the layout of a `u8`, and any bits are valid.
unsafe impl Byte for MaybeUninit<u8> {
    #[inline(always)]
    fn new(value: u8) -> Self {
        Self::new(value)
    }
}
