//! Chips with the traits of `embedded-storage`, which drivers implement.

use crate::expect;
use crate::flash::{Chip, PAGE, PowerFailure, UNIT};
use b2nd::sink::flash::Flash;
use b2nd::source::flash::ReadFlash;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

impl NorFlashError for PowerFailure {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl<const N: usize> ErrorType for Chip<N> {
    type Error = PowerFailure;
}

impl<const N: usize> ReadNorFlash for Chip<N> {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), PowerFailure> {
        expect(check_read(self, offset, bytes.len()));
        ReadFlash::read(self, offset, bytes)
    }

    fn capacity(&self) -> usize {
        N
    }
}

impl<const N: usize> NorFlash for Chip<N> {
    const WRITE_SIZE: usize = UNIT;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), PowerFailure> {
        expect(check_erase(self, from, to));
        (from..to).step_by(PAGE).try_for_each(|page| Flash::erase(self, page))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), PowerFailure> {
        expect(check_write(self, offset, bytes.len()));
        self.program(offset, bytes)
    }
}

/// A file in a chip behind a serial bus, which reads words of 4 bytes to addresses that DMA reaches.
pub struct Rom(pub &'static [u8]);

impl ErrorType for Rom {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Rom {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        if bytes.as_ptr().align_offset(4) != 0 {
            return Err(NorFlashErrorKind::NotAligned);
        }
        // The last word goes on after the file.
        bytes.fill(0xFF);
        bytes.iter_mut().zip(self.0.iter().skip(offset as usize)).for_each(|(to, from)| *to = *from);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len().next_multiple_of(4096)
    }
}
