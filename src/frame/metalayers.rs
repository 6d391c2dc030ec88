//! Metalayers: named metadata, as is in the frame's header, compressed in its trailer (FORMAT §7.1, §7.3, §8).

use crate::base::{Limits, Result};
#[cfg(feature = "alloc")]
use crate::msgpack::{FIXSTR, Value, Writer};
use crate::msgpack::{Reader, marker};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

/// A named piece of metadata.
#[cfg(feature = "alloc")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Metalayer {
    /// The name, at most 31 bytes; usually UTF-8.
    pub name: Vec<u8>,
    /// The content; usually MessagePack.
    pub content: Vec<u8>,
}

#[cfg(feature = "alloc")]
impl Metalayer {
    /// The name as text, with U+FFFD in place of invalid UTF-8.
    ///
    /// ```
    /// use b2nd::{Limits, frame::Metalayer};
    /// let unit = Metalayer { name: b"unit".into(), content: b"\xa1K".into() };
    /// assert_eq!(unit.name(), "unit");
    /// ```
    pub fn name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }

    /// The content as MessagePack.
    ///
    /// ```
    /// use b2nd::{Limits, frame::Metalayer};
    /// let unit = Metalayer { name: b"unit".into(), content: b"\xa1K".into() };
    /// assert_eq!(unit.value(&Limits::default())?.as_str(), Some("K"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Value::parse`]; the content counts as metadata as well.
    pub fn value(&self, limits: &Limits) -> Result<Value> {
        Value::parse_counted(&self.content, limits, &mut (self.content.len() as u64))
    }
}

/// The part of the frame that holds a list of metalayers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Header,
    Trailer,
}

/// The MessagePack array of a list: its length, the map of offsets, the contents.
const LIST: u8 = 0x93;

/// Writes a list with the reference's layout: the contents follow the map, in the same order, without gaps.
#[cfg(feature = "alloc")]
pub(super) fn emit(writer: &mut Writer, metalayers: &[Metalayer], section: Section) {
    // Six bytes per entry for the name's marker and the offset; three for the map's marker and length.
    let map = 3 + metalayers.iter().map(|metalayer| 6 + metalayer.name.len().min(FIXSTR)).sum::<usize>();
    writer.raw(&[LIST]);
    // In the header, the length counts from the marker of the list; in the trailer, from its own.
    let len = 3 + map + usize::from(section == Section::Header);
    writer.int(marker::U16, len as i64);
    let mut offset = writer.bytes.len() + map + 3;
    writer.len16(marker::MAP16, metalayers.len() as u16);
    for metalayer in metalayers {
        writer.fixstr(&metalayer.name);
        writer.int(marker::I32, offset as i64);
        offset += 5 + metalayer.content.len();
    }
    writer.len16(marker::ARRAY16, metalayers.len() as u16);
    for metalayer in metalayers {
        writer.bytes32(marker::BIN32, &metalayer.content);
    }
}

/// Borrowed names and contents, in the order of the map.
#[derive(Debug, Clone)]
pub struct Metalayers<'a> {
    /// At the next entry of the map.
    reader: Reader<'a>,
    left: u16,
    /// The bytes that offsets refer to.
    bytes: &'a [u8],
    limits: Limits,
}

impl<'a> Metalayers<'a> {
    /// Parses a list: its length, a map from names to offsets in `bytes`, and the contents at these offsets.
    pub(super) fn new(mut reader: Reader<'a>, bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        reader.marker(LIST);
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

    /// Copies all of them.
    #[cfg(feature = "alloc")]
    pub(super) fn into_owned(self) -> Result<Vec<Metalayer>> {
        let mut used = 0;
        let mut metalayers = Vec::new();
        let limits = self.limits;
        for entry in self {
            let (name, content) = entry?;
            // Several names may share one content.
            used += (size_of::<Metalayer>() + name.len() + content.len()) as u64;
            limits.allow_metadata(used)?;
            metalayers.push(Metalayer { name: name.to_vec(), content: content.to_vec() });
        }
        Ok(metalayers)
    }
}

impl<'a> Iterator for Metalayers<'a> {
    /// Name and content. Ends after an error.
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

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    #[test]
    fn contents_are_found_behind_names_that_are_cut() {
        let names = [&[b'a'; 40][..], b"b"];
        let metalayers = names.map(|name| Metalayer { name: name.to_vec(), content: name.to_vec() });
        let mut writer = Writer::default();
        emit(&mut writer, &metalayers, Section::Trailer);
        let bytes = &writer.bytes[..];
        let parsed = Metalayers::new(Reader::new(bytes), bytes, &Limits::default()).unwrap();
        let parsed = parsed.into_owned().unwrap();
        assert_eq!((&parsed[0].name[..], &parsed[0].content[..]), (&[b'a'; 31][..], &[b'a'; 40][..]));
        assert_eq!(parsed[1], metalayers[1]);
    }
}
