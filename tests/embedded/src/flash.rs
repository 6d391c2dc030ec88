//! A flash memory that is simulated in RAM, with pages of 1 KiB and units of 8 bytes.

use b2nd::sink::flash::{Flash, Geometry};

pub const PAGE: usize = 1024;
pub const UNIT: usize = 8;

/// The power failed.
pub struct PowerFailure;

/// `N` bytes of NOR flash.
pub struct Nor<const N: usize> {
    pub bytes: [u8; N],
    /// Units to program and pages to erase before the power fails.
    pub left: u32,
}

impl<const N: usize> Nor<N> {
    /// Erased.
    pub const fn new() -> Self {
        Self { bytes: [0xFF; N], left: u32::MAX }
    }

    fn step(&mut self) -> Result<(), PowerFailure> {
        self.left = self.left.checked_sub(1).ok_or(PowerFailure)?;
        Ok(())
    }
}

impl<const N: usize> Default for Nor<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Flash for Nor<N> {
    type Error = PowerFailure;

    fn geometry(&self) -> Geometry {
        Geometry { len: N as u32, page: PAGE as u32, unit: UNIT as u32 }
    }

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), PowerFailure> {
        dst.copy_from_slice(&self.bytes[offset as usize..][..dst.len()]);
        Ok(())
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), PowerFailure> {
        let place = &mut self.bytes[offset as usize..][..bytes.len()];
        for (to, from) in place.chunks_mut(UNIT).zip(bytes.chunks(UNIT)) {
            // Half of the unit that is programmed when the power fails.
            let half = if self.left == 0 { UNIT / 2 } else { UNIT };
            to.iter_mut().zip(&from[..half]).for_each(|(to, from)| *to &= from);
            self.left = self.left.checked_sub(1).ok_or(PowerFailure)?;
        }
        Ok(())
    }

    fn erase(&mut self, offset: u32) -> Result<(), PowerFailure> {
        self.step()?;
        self.bytes[offset as usize..][..PAGE].fill(0xFF);
        Ok(())
    }
}
