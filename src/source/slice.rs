//! Frames that lie in memory: nothing is copied.

use super::ReadAt;
use crate::frame::{Part, Request};
use alloc::vec::Vec;
use core::convert::Infallible;

impl ReadAt for [u8] {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, _: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        let within = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.len());
        Ok(match request.part {
            Part::Frame => &self[within(request.range.start)..within(request.range.end)],
            Part::Chunk(_) => &[],
        })
    }
}

impl ReadAt for Vec<u8> {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        self.as_slice().read_at(request, buffer)
    }
}
