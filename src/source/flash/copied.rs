//! Frames copied to streams.

use super::{FetchedFrame, ReadFlash};
use crate::source::ReadError;
use core::fmt;
use embedded_io::Write;

/// Copying failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CopyError<R, W> {
    /// The frame could not be read.
    Read(R),
    /// The stream could not be written.
    Write(W),
}

impl<R: fmt::Display, W: fmt::Display> fmt::Display for CopyError<R, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl<R: core::error::Error, W: core::error::Error> core::error::Error for CopyError<R, W> {
    /// The cause of the error: its own text is the text of this error.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) => error.source(),
            Self::Write(error) => error.source(),
        }
    }
}

impl<M: ReadFlash> FetchedFrame<'_, M> {
    /// Writes the frame as it is stored to a stream of the crate `embedded-io`, such as a UART or a file: its bytes are a `.b2nd` file.
    /// They go through the buffer, as many at once as it has.
    ///
    /// ```
    /// use b2nd::source::flash::FetchedFrame;
    /// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let (mut buffer, mut sent) = ([0; 512], Vec::new());
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// frame.write_to(&mut sent)?;
    /// assert_eq!(sent, file);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Read` if the memory fails, `Write` if the stream does.
    pub fn write_to<W: Write>(&mut self, to: &mut W) -> Result<(), CopyError<ReadError<M::Error>, W::Error>> {
        let (mut at, len) = (0, self.source.len());
        while at < len {
            let end = len.min(at.saturating_add(u32::try_from(self.buffer.len()).unwrap_or(u32::MAX)));
            let fetched = self.source.fetch(at..end, &mut &mut *self.buffer);
            let bytes = self.source.told(fetched).map_err(CopyError::Read)?;
            to.write_all(bytes).map_err(CopyError::Write)?;
            at = end;
        }
        to.flush().map_err(CopyError::Write)
    }
}
