//! Section sizes of 32-bit ELF programs.

/// Static memory of a program.
pub struct Sizes {
    pub flash: u32,
    /// Initialised and zeroed data.
    pub ram: u32,
}

const NOBITS: u32 = 8;
const WRITE: u32 = 1;
const ALLOC: u32 = 2;

/// The sizes, if these bytes are a 32-bit ELF file.
pub fn sizes(bytes: &[u8]) -> Option<Sizes> {
    let (table, entry, count) = (word(bytes, 32)? as usize, half(bytes, 46)?, half(bytes, 48)?);
    let mut sizes = Sizes { flash: 0, ram: 0 };
    for section in 0..count {
        let header = bytes.get(table + section * entry..)?;
        let (kind, flags, size) = (word(header, 4)?, word(header, 8)?, word(header, 20)?);
        if flags & ALLOC == 0 {
            continue;
        }
        if kind != NOBITS {
            sizes.flash += size;
        }
        if flags & WRITE != 0 {
            sizes.ram += size;
        }
    }
    Some(sizes)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes).into())
}
