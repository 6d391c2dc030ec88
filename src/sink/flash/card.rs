//! Logs on cards.

use super::{Flash, Geometry};
use crate::source::Card;
use embedded_sdmmc_types::blockdevice::{Block, BlockDevice};

/// Bytes that a log can have.
const MAX_BYTES: u32 = i32::MAX as u32 / Block::LEN_U32 * Block::LEN_U32;

/// Pages and units are blocks. A log takes the first 2 GiB at most.
impl<D: BlockDevice> Flash for Card<D> {
    fn geometry(&self) -> Geometry {
        Geometry { len: self.capacity().min(MAX_BYTES), page: Block::LEN_U32, unit: Block::LEN_U32 }
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), D::Error> {
        (offset / Block::LEN_U32..)
            .zip(bytes.chunks(Block::LEN))
            .try_for_each(|(number, bytes)| self.write(number, bytes))
    }

    fn erase(&mut self, offset: u32) -> Result<(), D::Error> {
        Self::erase(self, offset / Block::LEN_U32)
    }
}
