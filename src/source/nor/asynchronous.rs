//! Flash memories that asynchronous drivers offer.

use super::check_range;
use super::words::{Part, Piece, Whole};
use crate::base::Result;
use crate::source::flash::AsyncReadFlash;
use core::ops::Range;
use embedded_storage_async::nor_flash::ReadNorFlash;

/// A flash memory with the traits of the crate `embedded-storage-async`, or a part of it such as a partition: an [`AsyncReadFlash`] for
/// [`AsyncFrame`](crate::source::flash::AsyncFrame).
///
/// Offsets count from the start of the part. It reads any bytes by whole words, just as [`Nor`](super::Nor) does.
///
/// ```
/// use b2nd::source::AsyncNor;
/// use b2nd::source::flash::AsyncReadFlash;
/// use embedded_storage_async::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
///
/// /// A driver that reads words of 4 bytes.
/// struct Driver([u8; 64]);
///
/// impl ErrorType for Driver {
///     type Error = NorFlashErrorKind;
/// }
///
/// impl ReadNorFlash for Driver {
///     const READ_SIZE: usize = 4;
///
///     async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
///         bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
///         Ok(())
///     }
///
///     fn capacity(&self) -> usize {
///         self.0.len()
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), b2nd::Error> {
/// let mut part = AsyncNor::with_range(Driver(core::array::from_fn(|at| at as u8)), 32..64)?;
/// let mut bytes = [0; 5];
/// part.read(3, &mut bytes).await.unwrap();
/// assert_eq!(bytes, [35, 36, 37, 38, 39]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct AsyncNor<F> {
    flash: F,
    range: Range<u32>,
}

impl<F: ReadNorFlash> AsyncNor<F> {
    /// All of a memory, or the first 4 GiB of it.
    pub fn new(flash: F) -> Self {
        let len = u32::try_from(flash.capacity()).unwrap_or(u32::MAX);
        Self { flash, range: 0..len }
    }

    /// The bytes `range` of a memory.
    ///
    /// # Errors
    /// `Argument` if the memory does not have these bytes.
    pub fn with_range(flash: F, range: Range<u32>) -> Result<Self> {
        check_range(&range, flash.capacity())?;
        Ok(Self { flash, range })
    }

    /// How many bytes the memory, or its part, has.
    pub const fn capacity(&self) -> u32 {
        self.range.end - self.range.start
    }

    /// The driver.
    pub fn into_inner(self) -> F {
        self.flash
    }
}

impl<F: ReadNorFlash> AsyncReadFlash for AsyncNor<F> {
    type Error = F::Error;

    async fn read(&mut self, offset: u32, dst: &mut [u8]) -> core::result::Result<(), F::Error> {
        let offset = self.range.start.saturating_add(offset);
        let Whole { skip, aligned, len } = Whole::of(F::READ_SIZE, offset, dst);
        if len > 0 {
            self.flash.read(offset.saturating_add(skip as u32), &mut dst[aligned..][..len]).await?;
            dst.copy_within(aligned..aligned + len, skip);
        }
        let (before, rest) = dst.split_at_mut(skip.min(dst.len()));
        let done = before.len() + len;
        let after = rest.get_mut(len..).unwrap_or_default();
        self.read_parts(offset, before).await?;
        self.read_parts(offset.saturating_add(done as u32), after).await
    }
}

impl<F: ReadNorFlash> AsyncNor<F> {
    /// Reads bytes with all of the words that they are in.
    async fn read_parts(
        &mut self,
        mut offset: u32,
        mut dst: &mut [u8],
    ) -> core::result::Result<(), F::Error> {
        let mut piece = const { Piece::new(F::READ_SIZE) };
        while !dst.is_empty() {
            let part = Part::of(F::READ_SIZE, offset, dst.len());
            let words = &mut piece.0[..part.words(F::READ_SIZE)];
            self.flash.read(offset - part.skip as u32, words).await?;
            let (now, later) = dst.split_at_mut(part.len);
            now.copy_from_slice(&piece.0[part.skip..][..part.len]);
            (offset, dst) = (offset.saturating_add(part.len as u32), later);
        }
        Ok(())
    }
}
