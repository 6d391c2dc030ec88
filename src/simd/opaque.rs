//! A barrier for the optimiser.
#![allow(unsafe_code)]

/// The byte, of which the compiler does not know where it came from: it is loaded where this is called, not later.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(always)]
pub(crate) fn opaque(byte: u8) -> usize {
    let mut value = usize::from(byte);
    // SAFETY: there are no instructions.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags));
    }
    // SAFETY: the register keeps its value.
    unsafe {
        core::hint::assert_unchecked(value <= 255);
    }
    value
}

/// The byte.
#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
#[inline(always)]
pub(crate) const fn opaque(byte: u8) -> usize {
    byte as usize
}
