//! Named blobs: in the frame's header as they are, in its trailer compressed (FORMAT §7.1, §7.3, §8).

use crate::base::{Error, Limits, Result};
use crate::msgpack::{Reader, Value};
use alloc::string::String;
use alloc::vec::Vec;

/// A named piece of metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metalayer {
    /// The name; bytes that are not UTF-8 stand as U+FFFD.
    pub name: String,
    /// The content: MessagePack by custom, anything by right.
    pub content: Vec<u8>,
}

impl Metalayer {
    /// The content as MessagePack.
    ///
    /// # Errors
    /// Those of [`Value::parse`].
    pub fn value(&self, limits: &Limits) -> Result<Value> {
        Value::parse(&self.content, limits)
    }
}

/// Reads a map of names and offsets and, where the offsets point, the contents. Offsets count from `base` in
/// `bytes`.
pub(super) fn parse(
    reader: &mut Reader<'_>,
    bytes: &[u8],
    base: usize,
    limits: &Limits,
) -> Result<Vec<Metalayer>> {
    let mut used = 0;
    let mut metalayers = Vec::new();
    for _ in 0..reader.map16()? {
        let name = reader.fixstr()?;
        let at = reader.position();
        let offset = reader.i32()?;
        let start = usize::try_from(offset)
            .ok()
            .and_then(|offset| base.checked_add(offset))
            .ok_or_else(|| Error::field("metalayer offset", offset.into(), at as u64))?;
        let content = Reader::at(bytes, start).bin32(limits)?;
        // Many names may point to one content.
        used += (size_of::<Metalayer>() + 3 * name.len() + content.len()) as u64;
        limits.allow_metadata(used)?;
        metalayers
            .push(Metalayer { name: String::from_utf8_lossy(name).into_owned(), content: content.to_vec() });
    }
    Ok(metalayers)
}
