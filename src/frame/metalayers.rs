//! Named blobs: in the frame's header as they are, in its trailer compressed (FORMAT §7.1, §7.3, §8).

use crate::base::{Limits, Result};
#[cfg(feature = "alloc")]
use crate::msgpack::Value;
use crate::msgpack::{Reader, marker};
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A named piece of metadata.
#[cfg(feature = "alloc")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metalayer {
    /// The name; bytes that are not UTF-8 stand as U+FFFD.
    pub name: String,
    /// The content: MessagePack by custom, anything by right.
    pub content: Vec<u8>,
}

#[cfg(feature = "alloc")]
impl Metalayer {
    /// The content as MessagePack.
    ///
    /// # Errors
    /// Those of [`Value::parse`].
    pub fn value(&self, limits: &Limits) -> Result<Value> {
        Value::parse(&self.content, limits)
    }
}

/// Names and contents where they lie: those of one map, in its order.
#[derive(Debug, Clone)]
pub struct Metalayers<'a> {
    /// At the next entry of the map.
    reader: Reader<'a>,
    left: u16,
    /// What offsets count from.
    bytes: &'a [u8],
    limits: Limits,
}

impl<'a> Metalayers<'a> {
    /// Reads a list: a length, a map of names and offsets in `bytes` and, where these point, the contents.
    pub(super) fn new(mut reader: Reader<'a>, bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        reader.marker(0x93);
        reader.int(marker::U16);
        let left = reader.map16();
        reader.check()?;
        Ok(Self { reader, left, bytes, limits: *limits })
    }

    fn read(&mut self) -> Result<(&'a [u8], &'a [u8])> {
        let name = self.reader.fixstr();
        let offset = self.reader.field("metalayer offset", marker::I32, 0) as usize;
        self.reader.check()?;
        let mut pointed = Reader::at(self.bytes, offset);
        let content = pointed.bin32(&self.limits);
        pointed.check()?;
        Ok((name, content))
    }

    /// All of them, copied.
    #[cfg(feature = "alloc")]
    pub(super) fn into_owned(self) -> Result<Vec<Metalayer>> {
        let mut used = 0;
        let mut metalayers = Vec::new();
        let limits = self.limits;
        for entry in self {
            let (name, content) = entry?;
            // Many names may point to one content.
            used += (size_of::<Metalayer>() + 3 * name.len() + content.len()) as u64;
            limits.allow_metadata(used)?;
            let name = crate::base::text(name);
            metalayers.push(Metalayer { name, content: content.to_vec() });
        }
        Ok(metalayers)
    }
}

impl<'a> Iterator for Metalayers<'a> {
    /// Name and content. Nothing comes after an error.
    type Item = Result<(&'a [u8], &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let entry = self.read();
        if entry.is_err() {
            self.left = 0;
        }
        Some(entry)
    }
}
