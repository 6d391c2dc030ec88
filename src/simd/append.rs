//! Elements at the end of a vector, in memory that nothing has initialised before.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::dispatch;
use super::kernels::Join;

/// Adds the elements of these planes to `dst`, within its capacity. Planes are as for [`join`](super::join).
pub(crate) fn append_joined(planes: &[&[u8]], dst: &mut Vec<u8>) {
    let len = planes.iter().map(|plane| plane.len()).sum();
    let room = &mut dst.spare_capacity_mut()[..len];
    dispatch::run::<Join<MaybeUninit<u8>>>(planes.len(), planes, room);
    let end = dst.len() + len;
    // SAFETY: the slice above has shown that there is room for so many, and the kernel has written all of them.
    unsafe { dst.set_len(end) }
}
