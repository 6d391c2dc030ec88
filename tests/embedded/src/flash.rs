//! A flash memory that is simulated in RAM, with pages of 1 KiB and units of 8 bytes.

use b2nd::sink::flash::{Flash, Geometry};
use b2nd::source::flash::ReadFlash;

pub const PAGE: usize = 1024;
pub const UNIT: usize = 8;

/// The power failed.
#[derive(Debug)]
pub struct PowerFailure;

/// `N` bytes of NOR flash.
pub struct Chip<const N: usize> {
    pub bytes: [u8; N],
    /// Units to program and pages to erase before the power fails; 0 if it does not.
    pub budget: u32,
    /// The sectors that were.
    pub spent: u32,
}

impl<const N: usize> Chip<N> {
    /// The left-overs of a program before. Zeros take no room in the flash of the machine.
    pub const fn new() -> Self {
        Self { bytes: [0; N], budget: 0, spent: 0 }
    }

    /// Counts a step; false if the power fails during it.
    fn step(&mut self) -> bool {
        self.spent += 1;
        self.budget == 0 || self.spent < self.budget
    }
}

impl<const N: usize> Default for Chip<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> ReadFlash for Chip<N> {
    type Error = PowerFailure;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), PowerFailure> {
        let bytes = self.bytes.get(offset as usize..).filter(|bytes| bytes.len() >= dst.len());
        dst.iter_mut().zip(bytes.ok_or(PowerFailure)?).for_each(|(to, from)| *to = *from);
        Ok(())
    }
}

impl<const N: usize> Flash for Chip<N> {
    fn geometry(&self) -> Geometry {
        Geometry { len: N as u32, page: PAGE as u32, unit: UNIT as u32 }
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), PowerFailure> {
        for (at, from) in (offset as usize..).step_by(UNIT).zip(bytes.chunks(UNIT)) {
            let goes_on = self.step();
            // Half of the unit that is programmed when the power fails.
            let len = if goes_on { UNIT } else { UNIT / 2 };
            let bytes = self.bytes.get_mut(at..).ok_or(PowerFailure)?;
            bytes.iter_mut().zip(from).take(len).for_each(|(to, from)| *to &= from);
            if !goes_on {
                return Err(PowerFailure);
            }
        }
        Ok(())
    }

    fn erase(&mut self, offset: u32) -> Result<(), PowerFailure> {
        let goes_on = self.step();
        let len = if goes_on { PAGE } else { PAGE / 2 };
        self.bytes.iter_mut().skip(offset as usize).take(len).for_each(|byte| *byte = 0xFF);
        if goes_on { Ok(()) } else { Err(PowerFailure) }
    }
}
