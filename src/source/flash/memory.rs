//! Memories that are read by copying.

use crate::base::{Error, slice_at};
use core::future::Future;

/// A memory that is read by copying, such as a flash behind a serial bus, an EEPROM or a card.
///
/// ```
/// use b2nd::source::flash::ReadFlash;
///
/// /// An EEPROM, simulated.
/// struct Eeprom([u8; 256]);
///
/// impl ReadFlash for Eeprom {
///     /// The bus failed, or there are no such bytes.
///     type Error = ();
///
///     fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), ()> {
///         let start = offset as usize;
///         dst.copy_from_slice(self.0.get(start..start + dst.len()).ok_or(())?);
///         Ok(())
///     }
/// }
///
/// let mut dst = [1; 3];
/// Eeprom([7; 256]).read(250, &mut dst).unwrap();
/// assert_eq!(dst, [7; 3]);
/// ```
pub trait ReadFlash {
    /// The error of an operation.
    type Error;

    /// Reads the bytes from `offset` on, as many as `dst` has, whatever their alignment.
    ///
    /// # Errors
    /// The memory's own, such as for bytes that it does not have.
    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Self::Error>;
}

impl<M: ReadFlash + ?Sized> ReadFlash for &mut M {
    type Error = M::Error;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), M::Error> {
        (**self).read(offset, dst)
    }
}

/// A copy of a memory, for tests. Bytes that it does not have are missing, as in a file.
impl ReadFlash for &[u8] {
    type Error = Error;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Error> {
        dst.copy_from_slice(slice_at(self, offset as usize, dst.len())?);
        Ok(())
    }
}

/// A memory that is read by copying, asynchronously: the processor does something else, or sleeps, until the bytes have arrived.
///
/// ```
/// use b2nd::source::flash::AsyncReadFlash;
///
/// /// An EEPROM, simulated.
/// struct Eeprom([u8; 256]);
///
/// impl AsyncReadFlash for Eeprom {
///     type Error = ();
///
///     async fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), ()> {
///         let start = offset as usize;
///         dst.copy_from_slice(self.0.get(start..start + dst.len()).ok_or(())?);
///         Ok(())
///     }
/// }
/// ```
pub trait AsyncReadFlash {
    /// The error of an operation.
    type Error;

    /// Reads the bytes from `offset` on, as many as `dst` has, whatever their alignment.
    ///
    /// # Errors
    /// The memory's own, such as for bytes that it does not have.
    fn read(&mut self, offset: u32, dst: &mut [u8]) -> impl Future<Output = Result<(), Self::Error>>;
}

impl<M: AsyncReadFlash + ?Sized> AsyncReadFlash for &mut M {
    type Error = M::Error;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> impl Future<Output = Result<(), M::Error>> {
        (**self).read(offset, dst)
    }
}
