//! Blocks that are written and erased.

use super::Card;
use core::slice;
use embedded_sdmmc_types::blockdevice::BlockDevice;

impl<D: BlockDevice> Card<D> {
    /// Takes the place of a block.
    pub(crate) fn write(&mut self, number: u32, bytes: &[u8]) -> Result<(), D::Error> {
        if self.number != Some(number) {
            self.finish_erase()?;
        }
        // Until it is written.
        (self.number, self.erased) = (None, false);
        self.block.contents.copy_from_slice(bytes);
        self.device.write(slice::from_ref(&self.block), self.index(number))?;
        self.number = Some(number);
        Ok(())
    }

    /// Erases a block: writes zeros, unless it is written next.
    pub(crate) fn erase(&mut self, number: u32) -> Result<(), D::Error> {
        self.finish_erase()?;
        self.block.contents.fill(0);
        (self.number, self.erased) = (Some(number), true);
        Ok(())
    }
}
