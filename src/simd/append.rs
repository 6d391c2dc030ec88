//! Elements at the end of a vector, in memory that nothing has initialised before.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::dispatch;
use super::kernels::Join;

/// Adds the elements of these planes to `dst`, within its capacity. Planes are as for [`join`](super::join).
pub(crate) fn append_joined(planes: &[&[u8]], dst: &mut Vec<u8>) {
    let len = planes.len() * planes.first().map_or(0, |plane| plane.len());
    let room = &mut dst.spare_capacity_mut()[..len];
    dispatch::run::<Join<MaybeUninit<u8>>>(planes.len(), planes, room);
    let end = dst.len() + len;
    // SAFETY: the slice above has shown that there is room for so many. They are whole elements, all of which the kernel has written:
    // it panics if a plane is shorter than the first.
    unsafe { dst.set_len(end) }
}
