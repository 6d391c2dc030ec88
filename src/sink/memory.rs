//! Frames in memory.

use super::WriteAt;
use crate::frame::{Part, Request};
use crate::source::ReadAt;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::convert::Infallible;

/// A frame in memory.
///
/// ```
/// use b2nd::array::ArrayParams;
/// use b2nd::sink::{Editor, Memory};
/// use b2nd::{DParams, Reader, Selection};
/// let items: Vec<u8> = (0..600_u16).flat_map(u16::to_le_bytes).collect();
/// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::new(&[20, 30], "<u2"))?;
/// editor.set(&Selection::all(), &items)?;
/// editor.commit()?;
/// let bytes = editor.into_sink().into_bytes();
/// assert_eq!(Reader::open(&bytes[..], DParams::default())?.get(&Selection::all())?, items);
/// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    frame: Vec<u8>,
    chunks: BTreeMap<u32, Vec<u8>>,
}

impl Memory {
    /// Returns the bytes of a contiguous frame, or of the file `chunks.b2frame` of a sparse one.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.commit()?;
    /// assert_eq!(b2nd::Array::from_source(editor.into_sink().into_bytes())?.shape(), [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_bytes(self) -> Vec<u8> {
        self.frame
    }

    /// The chunk files of a sparse frame, by their numbers.
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4])).unwrap();
    /// assert!(editor.into_sink().chunks().is_empty());
    /// ```
    pub const fn chunks(&self) -> &BTreeMap<u32, Vec<u8>> {
        &self.chunks
    }
}

/// A contiguous frame.
impl From<Vec<u8>> for Memory {
    fn from(frame: Vec<u8>) -> Self {
        Self { frame, chunks: BTreeMap::new() }
    }
}

impl ReadAt for Memory {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        let bytes = match request.part {
            Part::Frame => &self.frame[..],
            Part::Chunk(file) => self.chunks.get(&file).map_or(&[][..], |bytes| bytes),
        };
        bytes.read_at(&Request { part: Part::Frame, range: request.range.clone() }, buffer)
    }
}

impl WriteAt for Memory {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Infallible> {
        let file = match part {
            Part::Frame => &mut self.frame,
            Part::Chunk(file) => self.chunks.entry(file).or_default(),
        };
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        if file.len() < end {
            file.resize(end, 0);
        }
        file[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn replace(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.frame = bytes.to_vec();
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn truncate(&mut self, len: u64) -> Result<(), Infallible> {
        self.frame.truncate(len as usize);
        Ok(())
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> Result<(), Infallible> {
        self.chunks.retain(|&file, _| !unused(file));
        Ok(())
    }

    fn successor(&self) -> Result<Self, Infallible> {
        Ok(Self::default())
    }

    fn publish(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
