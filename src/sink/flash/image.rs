//! Flash in memory: for tests, and for images of a flash.

use super::layout::LogLayout;
use super::store::{SLOT, Store};
use super::{Flash, Geometry, LogError, Logger, divide, stage_len};
use crate::base::{Error, Limits, Result};
use crate::chunk::EncodeWork;
use crate::codec::BloscLzTable;
use crate::filter::MAX_FILTERS;
use crate::frame::Header;
use crate::source::flash::ReadFlash;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

/// A flash memory that is simulated, or the content of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    bytes: Vec<u8>,
    page: u32,
    unit: u32,
}

impl Image {
    /// An erased memory.
    ///
    /// ```
    /// use b2nd::sink::flash::{Geometry, Image};
    /// let flash = Image::new(Geometry { len: 8192, page: 4096, unit: 8 });
    /// assert!(flash.bytes().iter().all(|byte| *byte == 0xFF));
    /// ```
    #[must_use]
    pub fn new(geometry: Geometry) -> Self {
        let Geometry { len, page, unit } = geometry;
        Self { bytes: vec![0xFF; len as usize], page, unit }
    }

    /// The content of a memory with these pages and units.
    ///
    /// ```
    /// use b2nd::sink::flash::{Flash, Image};
    /// let flash = Image::of_bytes(vec![0xFF; 8192], 4096, 8);
    /// assert_eq!(flash.geometry().len, 8192);
    /// ```
    #[must_use]
    pub const fn of_bytes(bytes: Vec<u8>, page: u32, unit: u32) -> Self {
        Self { bytes, page, unit }
    }

    /// The content.
    ///
    /// ```
    /// # use b2nd::sink::flash::Image;
    /// assert_eq!(Image::of_bytes(vec![0xFF; 8192], 4096, 8).bytes().len(), 8192);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The content.
    ///
    /// ```
    /// # use b2nd::sink::flash::Image;
    /// assert_eq!(Image::of_bytes(vec![0xFF; 8192], 4096, 8).into_bytes().len(), 8192);
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl ReadFlash for Image {
    type Error = Infallible;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Infallible> {
        dst.copy_from_slice(&self.bytes[offset as usize..][..dst.len()]);
        Ok(())
    }
}

impl Flash for Image {
    fn geometry(&self) -> Geometry {
        Geometry { len: self.bytes.len() as u32, page: self.page, unit: self.unit }
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Infallible> {
        self.bytes[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn erase(&mut self, offset: u32) -> Result<(), Infallible> {
        self.bytes[offset as usize..][..self.page as usize].fill(0xFF);
        Ok(())
    }
}

/// The log in an image of a flash, as a frame: all rows that were confirmed, including those after the last commit, and
/// whole chunks. The flash is as it was when the power failed, or the logger had no room or time for a commit.
///
/// Only rows whose checksums hold are taken. If a bit of the flash has changed, the frame ends before the record with it. All rows after that
/// are left out, even if a frame in the image has them: readers of a frame check nothing.
///
/// # Errors
/// `NoLog` if there is none; `Blosc` for sizes that do not fit, and for codecs and filters that this build cannot write.
pub fn recover(image: Image) -> Result<Vec<u8>, LogError<Infallible>> {
    let Image { mut bytes, page, unit } = image;
    let layout = layout(Image::of_bytes(bytes.clone(), page, unit))?;
    let chunk = Limits::default().allow_memory(layout.chunk_len.into())?;
    // An index takes eight bytes for each record, which has at least 48.
    let stage = stage_len(chunk, unit as usize);
    let more = (bytes.len() / 2 + 8 * stage + 4096).next_multiple_of(page as usize);
    bytes.resize(bytes.len() + more, 0xFF);
    let mut image = Image::of_bytes(bytes, page, unit);
    let mut area = vec![0; stage + chunk * (2 + MAX_FILTERS / 2)];
    let mut tables = tables();
    let (area, tables) = EncodeWork::new(&mut area, &mut tables).into_parts();
    let mut store = Store::new(&mut image, area)?;
    let commit = store.newest()?.ok_or(LogError::NoLog)?.without_rows(store.next);
    let (plain, work) = divide(&mut store, &layout, tables)?;
    let mut logger = Logger::new(store, layout, work, plain, commit);
    logger.replay()?;
    // Even of no rows: there may be a frame of some that do not count.
    logger.program_frame(logger.commit.next)?;
    logger.finish()?;
    let mut bytes = image.into_bytes();
    let header = Header::parse(&bytes, &Limits::default())?;
    bytes.truncate(header.frame_len as usize);
    Ok(bytes)
}

/// The array of the newest log.
fn layout(image: Image) -> Result<LogLayout, LogError<Infallible>> {
    let mut slot = [0; SLOT];
    let mut store = Store::new(image, &mut slot)?;
    let commit = store.newest()?.ok_or(LogError::NoLog)?;
    store.load_slot(commit.slot)?;
    Ok::<_, Error>(LogLayout::parse(store.stage)?).map_err(LogError::from)
}

#[cfg(feature = "lz4")]
const fn tables() -> (BloscLzTable<8192>, crate::codec::Lz4Table<8192>) {
    (BloscLzTable::new(), crate::codec::Lz4Table::new())
}

#[cfg(not(feature = "lz4"))]
const fn tables() -> BloscLzTable<8192> {
    BloscLzTable::new()
}
