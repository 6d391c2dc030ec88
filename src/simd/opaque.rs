//! A barrier for the optimiser.
#![allow(unsafe_code)]

/// The byte, of which the compiler does not know where it came from: it is loaded where this is called, not later.
#[inline(always)]
pub(crate) fn opaque(byte: u8) -> usize {
    let mut value = usize::from(byte);
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    // SAFETY: there are no instructions, and the register keeps its value.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags));
        core::hint::assert_unchecked(value <= 255);
    }
    value
}
