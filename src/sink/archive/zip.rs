//! Zip archives, written: members as they are, the large ones first, and the frame of small members at the end (FORMAT §10.3).

use crate::base::{ArgumentError, Result};
use crate::store::ArchiveMember;
use crate::store::zip::MAGIC_ENTRY;
use alloc::string::String;
use alloc::vec::Vec;

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

/// The records around the members of an archive, from its beginning to its end.
#[derive(Default)]
pub(super) struct ArchiveWriter {
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

impl ArchiveWriter {
    /// The bytes before a member of `len` bytes with this checksum.
    pub(super) fn member(&mut self, name: String, len: u64, crc32: u32) -> Result<Vec<u8>> {
        let header = self.at;
        let extra = large(&[len, len], len >= LARGE);
        let fields = Fields::default()
            .bytes(&MAGIC_ENTRY)
            .u16(&[version(!extra.is_empty()), flags(&name), 0, 0, DATE])
            .u32(&[crc32, narrow(len), narrow(len)])
            .u16(&[name_len(&name)?, extra.len() as u16])
            .bytes(name.as_bytes())
            .bytes(&extra);
        let start = header + fields.0.len() as u64;
        self.at = start + len;
        self.members.push(ArchiveMember { name, header, range: start..self.at, is_stored: true, crc32 });
        Ok(fields.0)
    }

    /// The directory, and the records behind it.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        let directory = self.at;
        let mut fields = Fields::default();
        for member in &self.members {
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
            fields = fields
                .bytes(b"PK\x01\x02")
                .u16(&[3 << 8 | version, version, flags(&member.name), 0, 0, DATE])
                .u32(&[member.crc32, narrow(len), narrow(len)])
                .u16(&[name_len(&member.name)?, extra.len() as u16, 0, 0, 0])
                .u32(&[0o100_644 << 16, narrow(member.header)])
                .bytes(member.name.as_bytes())
                .bytes(&extra);
        }
        Ok(end(fields, directory, self.members.len()).0)
    }
}

/// Adds the records behind the directory, which begins at this byte.
fn end(mut fields: Fields, directory: u64, count: usize) -> Fields {
    let len = fields.0.len() as u64;
    if count >= MANY || directory >= LARGE || len >= LARGE {
        fields = fields
            .bytes(b"PK\x06\x06")
            .u64(&[44])
            .u16(&[3 << 8 | VERSIONS[0], VERSIONS[0]])
            .u32(&[0, 0])
            .u64(&[count as u64, count as u64, len, directory])
            .bytes(b"PK\x06\x07")
            .u32(&[0])
            .u64(&[directory + len])
            .u32(&[1]);
    }
    let count = count.min(MANY) as u16;
    fields.bytes(b"PK\x05\x06").u16(&[0, 0, count, count]).u32(&[narrow(len), narrow(directory)]).u16(&[0])
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

fn name_len(name: &str) -> Result<u16> {
    name.len().try_into().map_err(|_| ArgumentError::Key.into())
}
