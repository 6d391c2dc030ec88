//! Logs in flash memories that drivers offer with the traits of `embedded-storage`.

use super::{Flash, Geometry};
use crate::source::Nor;
use embedded_storage::nor_flash::NorFlash;

/// Each word is written once after each time that it is erased, as `NorFlash` wants it: no `MultiwriteNorFlash` is needed.
impl<F: NorFlash> Flash for Nor<F> {
    fn geometry(&self) -> Geometry {
        Geometry { len: self.capacity(), page: F::ERASE_SIZE as u32, unit: F::WRITE_SIZE as u32 }
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), F::Error> {
        let (flash, at) = self.at(offset);
        flash.write(at, bytes)
    }

    fn erase(&mut self, offset: u32) -> Result<(), F::Error> {
        let (flash, at) = self.at(offset);
        flash.erase(at, at.saturating_add(F::ERASE_SIZE as u32))
    }
}
