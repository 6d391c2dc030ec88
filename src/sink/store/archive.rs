//! Zip archives, written: members as they are, the large ones first, and the frame of small members at the end (FORMAT §10.3).

use crate::source::ReadError;
use crate::store::ArchiveMember;
use crate::store::zip::MAGIC_ENTRY;
use alloc::string::String;
use alloc::{vec, vec::Vec};
use crc32fast::Hasher;
use std::io::{self, Write};

/// The size from which a field has all bits set, and another field of 64 bits has the value.
const LARGE: u64 = u32::MAX as u64;
/// Entries from which the number is in another field, too.
const MANY: usize = u16::MAX as usize;
/// 1 January 1980, the first day that archives know: equal stores have equal bytes.
const DATE: u16 = 1 << 5 | 1;
/// The name is UTF-8.
const UTF8: u16 = 1 << 11;
/// Of readers that know large archives; of others.
const VERSIONS: [u16; 2] = [45, 20];

/// Writes an archive from its beginning to its end.
pub(super) struct ArchiveWriter<W> {
    out: W,
    at: u64,
    members: Vec<ArchiveMember>,
}

/// Bytes of fields of fixed size, one after the other.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn u16(mut self, values: &[u16]) -> Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn u32(mut self, values: &[u32]) -> Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn u64(mut self, values: &[u64]) -> Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }
}

impl<W: Write> ArchiveWriter<W> {
    pub(super) const fn new(out: W) -> Self {
        Self { out, at: 0, members: Vec::new() }
    }

    /// Writes a member of `len` bytes with this checksum. `copy` writes them.
    pub(super) fn member(
        &mut self,
        name: String,
        (len, crc32): (u64, u32),
        copy: impl FnOnce(&mut W) -> Result<(), ReadError<io::Error>>,
    ) -> Result<(), ReadError<io::Error>> {
        let header = self.at;
        let extra = large(&[len, len], len >= LARGE);
        let name_len = name_len(&name).map_err(ReadError::Source)?;
        let fields = Fields::default()
            .bytes(&MAGIC_ENTRY)
            .u16(&[version(!extra.is_empty()), flags(&name), 0, 0, DATE])
            .u32(&[crc32, narrow(len), narrow(len)])
            .u16(&[name_len, extra.len() as u16])
            .bytes(name.as_bytes())
            .bytes(&extra);
        self.write(&fields.0).map_err(ReadError::Source)?;
        copy(&mut self.out)?;
        let start = self.at;
        self.at += len;
        self.members.push(ArchiveMember { name, header, range: start..self.at, is_stored: true, crc32 });
        Ok(())
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let directory = self.at;
        let members = core::mem::take(&mut self.members);
        for member in &members {
            let len = member.range.end - member.range.start;
            let mut values = Vec::new();
            if len >= LARGE {
                values.extend([len, len]);
            }
            if member.header >= LARGE {
                values.push(member.header);
            }
            let extra = large(&values, !values.is_empty());
            let version = version(!extra.is_empty());
            // The upper byte names Unix, as do the permissions: a regular file that all may read.
            let fields = Fields::default()
                .bytes(b"PK\x01\x02")
                .u16(&[3 << 8 | version, version, flags(&member.name), 0, 0, DATE])
                .u32(&[member.crc32, narrow(len), narrow(len)])
                .u16(&[name_len(&member.name)?, extra.len() as u16, 0, 0, 0])
                .u32(&[0o100_644 << 16, narrow(member.header)]);
            self.write(&fields.bytes(member.name.as_bytes()).bytes(&extra).0)?;
        }
        self.end(directory, members.len())?;
        Ok(self.out)
    }

    /// Writes the records behind the directory.
    fn end(&mut self, directory: u64, count: usize) -> io::Result<()> {
        let (end, len) = (self.at, self.at - directory);
        if count >= MANY || directory >= LARGE || len >= LARGE {
            let fields = Fields::default()
                .bytes(b"PK\x06\x06")
                .u64(&[44])
                .u16(&[3 << 8 | VERSIONS[0], VERSIONS[0]])
                .u32(&[0, 0])
                .u64(&[count as u64, count as u64, len, directory])
                .bytes(b"PK\x06\x07")
                .u32(&[0])
                .u64(&[end])
                .u32(&[1]);
            self.write(&fields.0)?;
        }
        let count = count.min(MANY) as u16;
        let fields = Fields::default()
            .bytes(b"PK\x05\x06")
            .u16(&[0, 0, count, count])
            .u32(&[narrow(len), narrow(directory)])
            .u16(&[0]);
        self.write(&fields.0)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// The extra field with the values that do not fit into 32 bits.
fn large(values: &[u64], is_large: bool) -> Vec<u8> {
    match is_large {
        true => Fields::default().u16(&[1, 8 * values.len() as u16]).u64(values).0,
        false => Vec::new(),
    }
}

const fn version(is_large: bool) -> u16 {
    VERSIONS[if is_large { 0 } else { 1 }]
}

fn narrow(value: u64) -> u32 {
    value.min(LARGE) as u32
}

const fn flags(name: &str) -> u16 {
    if name.is_ascii() { 0 } else { UTF8 }
}

fn name_len(name: &str) -> io::Result<u16> {
    name.len().try_into().map_err(|_| io::Error::new(io::ErrorKind::InvalidFilename, "a key is too long"))
}

/// The length and the checksum of what a file has.
pub(super) fn summary(mut file: impl io::Read) -> io::Result<(u64, u32)> {
    let (mut hasher, mut len, mut buffer) = (Hasher::new(), 0, vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((len, hasher.finalize())),
            count => {
                hasher.update(&buffer[..count]);
                len += count as u64;
            }
        }
    }
}
