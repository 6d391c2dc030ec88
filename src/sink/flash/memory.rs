//! Flash memories, and cards.

use crate::source::flash::ReadFlash;

/// Sizes of a flash memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Geometry {
    /// The whole memory, or the part of it that the log may use: a multiple of `page`.
    pub len: u32,
    /// Bytes that are erased at once: a power of two. For cards, 512.
    pub page: u32,
    /// Bytes that are programmed at once: a power of two, at most 512 and at most `page`. A unit is programmed once after each time it is
    /// erased.
    pub unit: u32,
}

/// A flash memory, or a card, to log to.
///
/// For drivers with the traits of the crate `embedded-storage` the wrapper `source::Nor` implements it (feature
/// `embedded-storage`). It is a trait of its own all the same:
///
/// - Its sizes are known when the program runs. Those of `NorFlash` are constants of the type, which cards and chips that are asked for their sizes do
///   not have.
/// - It has no dependencies, and its errors can be of any type.
/// - A part of a memory, such as a partition, is a memory.
///
/// Nor is it implemented for all that is a `NorFlash`. The feature would then take something away: a driver with both traits, and
/// `&mut` of it, would have two implementations.
pub trait Flash: ReadFlash {
    /// The sizes.
    fn geometry(&self) -> Geometry;

    /// Programs whole units, which are erased and lie in one page, from the first to the last.
    ///
    /// # Errors
    /// The memory's own.
    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Erases the page at `offset`, so that nothing is left of what it had. On a card it writes zeros.
    ///
    /// # Errors
    /// The memory's own.
    fn erase(&mut self, offset: u32) -> Result<(), Self::Error>;
}

impl<F: Flash + ?Sized> Flash for &mut F {
    fn geometry(&self) -> Geometry {
        (**self).geometry()
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), F::Error> {
        (**self).program(offset, bytes)
    }

    fn erase(&mut self, offset: u32) -> Result<(), F::Error> {
        (**self).erase(offset)
    }
}
