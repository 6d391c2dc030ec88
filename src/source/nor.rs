//! Flash memories that drivers offer with the traits of `embedded-storage`.

#[cfg(feature = "embedded-storage-async")]
mod asynchronous;
#[cfg(feature = "alloc")]
mod reading;
mod words;

use super::flash::ReadFlash;
use crate::base::{ArgumentError, Result, move_within};
use core::cell::RefCell;
use core::ops::Range;
use embedded_storage::nor_flash::ReadNorFlash;
use words::{Part, Piece, Whole};

#[cfg(feature = "embedded-storage-async")]
pub use asynchronous::AsyncNor;

/// A flash memory with the traits of the crate `embedded-storage`, or a part of it such as a partition.
///
/// | the driver implements | the memory is | for |
/// |---|---|---|
/// | `ReadNorFlash` | [`ReadFlash`] | [`FetchedFrame`](super::flash::FetchedFrame), without an allocator |
/// | `ReadNorFlash` | `ReadAt`, with the feature `alloc` | `Reader` and `Array` |
/// | `NorFlash` | `Flash`, with the feature `encode` | `Logger` |
///
/// Offsets count from the start of the part. Any bytes can be read, whatever the driver's `READ_SIZE`: whole words are read
/// straight to where they are wanted, and parts of words through a buffer. Where words have several bytes, the driver gets
/// addresses in RAM that are multiples of the word or of 4, as DMA needs them.
///
/// ```
/// use b2nd::source::Nor;
/// use b2nd::source::flash::ReadFlash;
/// use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash, check_read};
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
///     fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
///         check_read(self, offset, bytes.len())?;
///         bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
///         Ok(())
///     }
///
///     fn capacity(&self) -> usize {
///         self.0.len()
///     }
/// }
///
/// let mut part = Nor::with_range(Driver(core::array::from_fn(|at| at as u8)), 32..64)?;
/// let mut bytes = [0; 5];
/// part.read(3, &mut bytes).unwrap();
/// assert_eq!(bytes, [35, 36, 37, 38, 39]);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug)]
pub struct Nor<F> {
    /// A source is read through a shared reference, a driver not.
    flash: RefCell<F>,
    range: Range<u32>,
}

impl<F: ReadNorFlash> Nor<F> {
    /// All of a memory, or the first 4 GiB of it.
    ///
    /// ```
    /// # use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
    /// # struct Driver;
    /// # impl ErrorType for Driver { type Error = NorFlashErrorKind; }
    /// # impl ReadNorFlash for Driver {
    /// #     const READ_SIZE: usize = 1;
    /// #     fn read(&mut self, _: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> { bytes.fill(7); Ok(()) }
    /// #     fn capacity(&self) -> usize { 65_536 }
    /// # }
    /// use b2nd::source::Nor;
    /// assert_eq!(Nor::new(Driver).capacity(), 65_536);
    /// ```
    pub fn new(flash: F) -> Self {
        let len = u32::try_from(flash.capacity()).unwrap_or(u32::MAX);
        Self { flash: RefCell::new(flash), range: 0..len }
    }

    /// The bytes `range` of a memory. To log there, let it begin and end where pages do.
    ///
    /// ```
    /// # use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
    /// # struct Driver;
    /// # impl ErrorType for Driver { type Error = NorFlashErrorKind; }
    /// # impl ReadNorFlash for Driver {
    /// #     const READ_SIZE: usize = 1;
    /// #     fn read(&mut self, _: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> { bytes.fill(7); Ok(()) }
    /// #     fn capacity(&self) -> usize { 65_536 }
    /// # }
    /// use b2nd::source::Nor;
    /// assert_eq!(Nor::with_range(Driver, 4096..8192)?.capacity(), 4096);
    /// assert!(Nor::with_range(Driver, 0..65_537).is_err());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the memory does not have these bytes.
    pub fn with_range(flash: F, range: Range<u32>) -> Result<Self> {
        check_range(&range, flash.capacity())?;
        Ok(Self { flash: RefCell::new(flash), range })
    }

    /// How many bytes the memory, or its part, has.
    ///
    /// ```
    /// # use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
    /// # struct Driver;
    /// # impl ErrorType for Driver { type Error = NorFlashErrorKind; }
    /// # impl ReadNorFlash for Driver {
    /// #     const READ_SIZE: usize = 1;
    /// #     fn read(&mut self, _: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> { bytes.fill(7); Ok(()) }
    /// #     fn capacity(&self) -> usize { 65_536 }
    /// # }
    /// use b2nd::source::Nor;
    /// assert_eq!(Nor::new(Driver).capacity(), 65_536);
    /// ```
    pub const fn capacity(&self) -> u32 {
        self.range.end - self.range.start
    }

    /// The driver.
    ///
    /// ```
    /// # use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
    /// # struct Driver;
    /// # impl ErrorType for Driver { type Error = NorFlashErrorKind; }
    /// # impl ReadNorFlash for Driver {
    /// #     const READ_SIZE: usize = 1;
    /// #     fn read(&mut self, _: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> { bytes.fill(7); Ok(()) }
    /// #     fn capacity(&self) -> usize { 65_536 }
    /// # }
    /// use b2nd::source::Nor;
    /// let driver: Driver = Nor::new(Driver).into_inner();
    /// ```
    pub fn into_inner(self) -> F {
        self.flash.into_inner()
    }

    /// The driver, and where it has the byte at `offset`.
    pub(crate) fn at(&mut self, offset: u32) -> (&mut F, u32) {
        // Beyond the last offset no driver has bytes.
        (self.flash.get_mut(), self.range.start.saturating_add(offset))
    }
}

/// Checks that a memory has these bytes.
fn check_range(range: &Range<u32>, capacity: usize) -> Result<()> {
    let wrong = |name, value: u32| Err(ArgumentError::Parameter { name, value: value.into() }.into());
    if range.start > range.end {
        return wrong("start", range.start);
    }
    if range.end as usize > capacity {
        return wrong("end", range.end);
    }
    Ok(())
}

impl<F: ReadNorFlash> ReadFlash for Nor<F> {
    type Error = F::Error;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), F::Error> {
        let (flash, at) = self.at(offset);
        read(flash, at, dst)
    }
}

/// Reads any bytes.
fn read<F: ReadNorFlash>(flash: &mut F, offset: u32, dst: &mut [u8]) -> Result<(), F::Error> {
    let Whole { skip, aligned, len } = Whole::of(F::READ_SIZE, offset, dst);
    let mut whole = 0;
    if let Some(words) = dst.get_mut(aligned..).and_then(|dst| dst.get_mut(..len)).filter(|_| len > 0) {
        flash.read(offset.saturating_add(skip as u32), words)?;
        if move_within(dst, aligned, skip, len).is_ok() {
            whole = len;
        }
    }
    let (before, rest) = dst.split_at_mut(skip.min(dst.len()));
    let done = before.len() + whole;
    let after = rest.get_mut(whole..).unwrap_or_default();
    read_parts(flash, offset, before)?;
    read_parts(flash, offset.saturating_add(done as u32), after)
}

/// Reads bytes with all of the words that they are in.
fn read_parts<F: ReadNorFlash>(flash: &mut F, mut offset: u32, mut dst: &mut [u8]) -> Result<(), F::Error> {
    let mut piece = const { Piece::new(F::READ_SIZE) };
    while !dst.is_empty() {
        let part = Part::of(F::READ_SIZE, offset, dst.len());
        let words = &mut piece.0[..part.words(F::READ_SIZE)];
        flash.read(offset - part.skip as u32, words)?;
        let (now, later) = dst.split_at_mut(part.len.min(dst.len()));
        now.iter_mut().zip(words.iter().skip(part.skip)).for_each(|(byte, read)| *byte = *read);
        (offset, dst) = (offset.saturating_add(part.len as u32), later);
    }
    Ok(())
}
