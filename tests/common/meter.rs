//! How much memory a thread has allocated, and the most that it had at once.

#![allow(unsafe_code, reason = "an allocator is unsafe by nature")]

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use std::alloc::System;

/// The system's allocator, counting.
struct Meter;

#[global_allocator]
static METER: Meter = Meter;

thread_local! {
    /// Bytes now; negative where other threads' memory is freed.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Runs `work` and tells how many bytes more than before it there were at its worst moment.
pub(crate) fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let result = work();
    (result, (PEAK.get() - before).max(0) as usize)
}

fn count(nbytes: usize, sign: isize) {
    let now = NOW.get() + sign * nbytes as isize;
    NOW.set(now);
    PEAK.set(PEAK.get().max(now));
}

// SAFETY: all work is the system allocator's. Counting touches thread-locals that need neither a constructor nor a
// destructor, so that it allocates nothing itself.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: the caller keeps to the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: the memory came from `System` with this layout.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, len: usize) -> *mut u8 {
        // While it moves there are both.
        count(len, 1);
        count(layout.size(), -1);
        // SAFETY: the memory came from `System` with this layout, the caller keeps to the contract of `realloc`.
        unsafe { System.realloc(memory, layout, len) }
    }
}
