//! Flash memories as sources.

use super::{Nor, read};
use crate::frame::{Part, Request};
use crate::source::ReadAt;
use alloc::vec::Vec;
use embedded_storage::nor_flash::ReadNorFlash;

impl<F: ReadNorFlash> ReadAt for Nor<F> {
    type Error = F::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], F::Error> {
        let within = |at: u64| at.min(self.capacity().into()) as u32;
        let (start, end) = match request.part {
            Part::Frame => (within(request.range.start), within(request.range.end)),
            Part::Chunk(_) => (0, 0),
        };
        buffer.resize(end.saturating_sub(start) as usize, 0);
        // Nothing that a driver does reads from here again.
        read(&mut *self.flash.borrow_mut(), self.range.start + start, buffer)?;
        Ok(buffer)
    }
}
