//! Logs copied to streams.

use super::{Flash, LogError, Logger};
use crate::source::ReadError;
use crate::source::flash::{CopyError, FetchedFrame};
use embedded_io::Write;

impl<F: Flash> Logger<'_, F> {
    /// Writes the frame of the last commit to a stream of the crate `embedded-io`, such as a UART, or a file on a card: its bytes are a
    /// `.b2nd` file. They go through the area.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// # let mut uart = Vec::new();
    /// logger.append(&[1, 0, 2, 0, 3, 0])?;
    /// logger.commit()?;
    /// logger.write_frame(&mut uart)?;
    /// let frame = b2nd::Reader::open(&uart[..], b2nd::DParams::default())?;
    /// assert_eq!(frame.get("0")?, [1, 0, 2, 0, 3, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Read` if the memory fails, `Write` if the stream does.
    pub fn write_frame<W: Write>(
        &mut self,
        to: &mut W,
    ) -> Result<(), CopyError<LogError<F::Error>, W::Error>> {
        let told = |error| match error {
            ReadError::Source(error) => LogError::Flash(error),
            ReadError::Blosc(error) => LogError::Blosc(error),
        };
        let place = self.frame()..self.store.geometry.len;
        let frame = FetchedFrame::open(&mut self.store.flash, place, &mut *self.store.stage);
        let mut frame = frame.map_err(|error| CopyError::Read(told(error)))?;
        frame.write_to(to).map_err(|error| match error {
            CopyError::Read(error) => CopyError::Read(told(error)),
            CopyError::Write(error) => CopyError::Write(error),
        })
    }
}
