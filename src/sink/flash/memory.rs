//! Flash memories, and cards.

/// Sizes of a flash memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
pub trait Flash {
    /// The error of an operation.
    type Error;

    /// The sizes.
    fn geometry(&self) -> Geometry;

    /// Reads any bytes.
    ///
    /// # Errors
    /// The memory's own.
    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Self::Error>;

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
    type Error = F::Error;

    fn geometry(&self) -> Geometry {
        (**self).geometry()
    }

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), F::Error> {
        (**self).read(offset, dst)
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), F::Error> {
        (**self).program(offset, bytes)
    }

    fn erase(&mut self, offset: u32) -> Result<(), F::Error> {
        (**self).erase(offset)
    }
}
