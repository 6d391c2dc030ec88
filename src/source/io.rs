//! Files with the traits of `embedded-io`.

use super::flash::ReadFlash;
use embedded_io::{Read, ReadExactError, Seek, SeekFrom};

/// A file that implements `Read` and `Seek` of the crate `embedded-io`, as a memory for
/// [`FetchedFrame`](super::flash::FetchedFrame): one in FAT by `embedded-sdmmc`, or in littlefs.
///
/// A `.b2nd` file as written on a computer is read where it is, without a copy in RAM.
///
/// ```
/// use b2nd::Index;
/// use b2nd::filter::SHUFFLE;
/// use b2nd::source::Io;
/// use b2nd::source::flash::{Area, FetchedFrame, Zlib, Zstd, area_len, fetch_len};
/// # use embedded_io::{ErrorType, ErrorKind, Read, Seek, SeekFrom};
/// # struct Card(Vec<u8>, u64);
/// # impl ErrorType for Card { type Error = ErrorKind; }
/// # impl Read for Card {
/// #     fn read(&mut self, dst: &mut [u8]) -> Result<usize, ErrorKind> {
/// #         let rest = self.0.get(self.1 as usize..).unwrap_or_default();
/// #         let len = rest.len().min(dst.len()).min(100);
/// #         dst[..len].copy_from_slice(&rest[..len]);
/// #         self.1 += len as u64;
/// #         Ok(len)
/// #     }
/// # }
/// # impl Seek for Card {
/// #     fn seek(&mut self, to: SeekFrom) -> Result<u64, ErrorKind> {
/// #         self.1 = match to {
/// #             SeekFrom::Start(at) => at,
/// #             SeekFrom::End(by) => self.0.len().saturating_add_signed(by as isize) as u64,
/// #             SeekFrom::Current(by) => self.1.saturating_add_signed(by),
/// #         };
/// #         Ok(self.1)
/// #     }
/// # }
/// # let file = Card(std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?, 0);
/// # const BLOCK: usize = 15360;
///
/// let mut file = Io::new(file);
/// let len = file.capacity().unwrap();
/// let mut buffer = [0; fetch_len(BLOCK, &[SHUFFLE], 4, 8, 16)];
/// let mut frame = FetchedFrame::open(file, 0..len, &mut buffer).unwrap();
///
/// let mut area: Area<{ area_len(BLOCK, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
/// let mut item = [0; 4];
/// frame.item(&[3, 20, 7], &mut area.work(), &mut item).unwrap();
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Io<T> {
    file: T,
}

impl<T: Read + Seek> Io<T> {
    /// All of a file, or the first 4 GiB of it.
    pub const fn new(file: T) -> Self {
        Self { file }
    }

    /// How many bytes the file has.
    ///
    /// # Errors
    /// The file's own.
    pub fn capacity(&mut self) -> Result<u32, T::Error> {
        Ok(u32::try_from(self.file.seek(SeekFrom::End(0))?).unwrap_or(u32::MAX))
    }

    /// The file, at any place.
    pub fn into_inner(self) -> T {
        self.file
    }
}

impl<T: Read + Seek> ReadFlash for Io<T> {
    /// `UnexpectedEof` for bytes behind the end.
    type Error = ReadExactError<T::Error>;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Self::Error> {
        self.file.seek(SeekFrom::Start(offset.into()))?;
        self.file.read_exact(dst)
    }
}
