//! Memory for codecs that allocate.

use core::mem::MaybeUninit;
use core::ptr::addr_of_mut;
use embedded_alloc::LlffHeap;

#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();
/// Bytes that they need, to the next KiB.
const LEN: usize = if cfg!(feature = "miniz") { 332 << 10 } else { 7 << 10 };

/// Gives the allocator its memory, once.
pub fn begin() {
    static mut MEMORY: [MaybeUninit<u8>; LEN] = [MaybeUninit::uninit(); LEN];
    // SAFETY: nothing has been allocated yet, and nobody else uses the memory.
    unsafe { HEAP.init(addr_of_mut!(MEMORY) as usize, LEN) };
}
