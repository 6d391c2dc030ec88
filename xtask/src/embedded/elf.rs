//! Sections and symbols of 32-bit ELF programs.

use core::ops::Range;

/// Static memory of a program.
pub struct Sizes {
    pub flash: u32,
    /// Initialised and zeroed data.
    pub ram: u32,
}

const SYMBOLS: u32 = 2;
const NOBITS: u32 = 8;
const WRITE: u32 = 1;
const ALLOC: u32 = 2;
const CODE: u32 = 4;
/// Bytes of a symbol.
const SYMBOL: usize = 16;

/// A section of a program.
pub struct Section {
    kind: u32,
    flags: u32,
    pub address: u32,
    offset: u32,
    size: u32,
    /// The section with the names of symbols.
    link: u32,
}

impl Section {
    /// Whether it has instructions.
    pub fn is_code(&self) -> bool {
        self.flags & CODE != 0
    }

    /// Where it is in the file.
    pub fn range(&self) -> Range<usize> {
        self.offset as usize..self.offset as usize + self.size as usize
    }
}

/// The sections, if these bytes are a 32-bit ELF file.
pub fn sections(bytes: &[u8]) -> Option<impl Iterator<Item = Section> + '_> {
    let (table, entry, count) = (word(bytes, 32)? as usize, half(bytes, 46)?, half(bytes, 48)?);
    let section = move |number| {
        let header = bytes.get(table + number * entry..)?;
        let [kind, flags, address, offset, size, link] = [4, 8, 12, 16, 20, 24].map(|at| word(header, at));
        let [kind, flags, address] = [kind?, flags?, address?];
        Some(Section { kind, flags, address, offset: offset?, size: size?, link: link? })
    };
    Some((0..count).map_while(section))
}

/// The sizes, if these bytes are a 32-bit ELF file.
pub fn sizes(bytes: &[u8]) -> Option<Sizes> {
    let mut sizes = Sizes { flash: 0, ram: 0 };
    for section in sections(bytes)?.filter(|section| section.flags & ALLOC != 0) {
        if section.kind != NOBITS {
            sizes.flash += section.size;
        }
        if section.flags & WRITE != 0 {
            sizes.ram += section.size;
        }
    }
    Some(sizes)
}

/// The addresses and names of symbols, if these bytes are a 32-bit ELF file that has some.
pub fn symbols(bytes: &[u8]) -> Option<impl Iterator<Item = (u32, &str)>> {
    let table = sections(bytes)?.find(|section| section.kind == SYMBOLS)?;
    let names = sections(bytes)?.nth(table.link as usize)?;
    let (table, names) = (bytes.get(table.range())?, bytes.get(names.range())?);
    Some(table.as_chunks::<SYMBOL>().0.iter().filter_map(move |symbol| {
        let name = names.get(word(symbol, 0)? as usize..)?.split(|byte| *byte == 0).next()?;
        Some((word(symbol, 4)?, str::from_utf8(name).ok()?))
    }))
}

pub fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

pub fn half(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes).into())
}
