//! The first bytes of a chunk, as they are.

/// The header of a chunk of Blosc1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) version: u8,
    pub(crate) versionlz: u8,
    pub(crate) flags: u8,
    pub(crate) typesize: u8,
    pub(crate) nbytes: i32,
    pub(crate) blocksize: i32,
    pub(crate) cbytes: i32,
}

impl Header {
    pub(crate) const LEN: usize = 16;
    /// The bits of the flags that name the filters and what is copied.
    pub(crate) const FILTERS: u8 = 7;
    /// A bit that no release of C-Blosc 1 sets.
    pub(crate) const FUTURE: u8 = 8;
    /// The format of the codec is above.
    pub(crate) const FORMAT_SHIFT: u8 = 5;

    pub(crate) fn parse(bytes: &[u8; Self::LEN]) -> Self {
        let int = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let [version, versionlz, flags, typesize, ..] = *bytes;
        Self { version, versionlz, flags, typesize, nbytes: int(4), blocksize: int(8), cbytes: int(12) }
    }

    /// Whether this is the format of Blosc1.
    pub(crate) const fn is_known(&self) -> bool {
        self.version == 2
    }
}
