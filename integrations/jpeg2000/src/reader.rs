//! Bytes in order, most significant first, as JPEG 2000 has its numbers.

use b2nd::codec::Corrupt;

/// The rest of a slice.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    /// The next `len` bytes.
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Corrupt> {
        let (start, rest) = self.0.split_at_checked(len).ok_or(Corrupt)?;
        self.0 = rest;
        Ok(start)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Corrupt> {
        let (start, rest) = self.0.split_first_chunk().ok_or(Corrupt)?;
        self.0 = rest;
        Ok(*start)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Corrupt> {
        self.array().map(u8::from_be_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Corrupt> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Corrupt> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Corrupt> {
        self.array().map(u64::from_be_bytes)
    }
}
