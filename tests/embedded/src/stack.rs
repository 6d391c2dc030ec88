//! How deep the stack gets: painted below where it is, and looked at afterwards.

use core::ptr;

const PAINT: u32 = 0xA5A5_A5A5;
/// Room for the painter itself.
const MARGIN: usize = 128;

unsafe extern "C" {
    /// The first byte after all statics, by the linker script of cortex-m-rt.
    static mut __sheap: u32;
}

/// Bytes of stack that `run` takes beyond what is taken here.
#[inline(never)]
pub fn depth<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let here = cortex_m::register::msp::read() as usize;
    let bottom = &raw mut __sheap as usize;
    let top = (here - MARGIN) & !3;
    // A long way down on machines with megabytes; more than 64 KiB is a fault of its own.
    let low = bottom.max(top.saturating_sub(64 << 10));
    for at in (low..top).step_by(4) {
        // SAFETY: from the end of the statics to below the stack pointer no memory is in use: there is no heap here, or
        // it is a static.
        unsafe { ptr::write_volatile(at as *mut u32, PAINT) };
    }
    let result = run();
    let untouched = (low..top)
        .step_by(4)
        // SAFETY: as above, and it has been written.
        .take_while(|&at| unsafe { ptr::read_volatile(at as *const u32) } == PAINT)
        .count();
    (result, here - (low + 4 * untouched))
}
