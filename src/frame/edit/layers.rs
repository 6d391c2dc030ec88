//! Changes of metalayers.

use super::super::metalayers::Metalayer;
use super::super::plain;
use super::FrameEditor;
use crate::base::{ArgumentError, Result};
use crate::chunk::{CParams, Chunk, ChunkEncoder, DParams};
use crate::filter::Pipeline;
use crate::msgpack::FIXSTR;
use alloc::vec::Vec;

/// The reference's limits for metalayers in the header and for attributes.
const MAX_METALAYERS: usize = 16;
const MAX_ATTRIBUTES: usize = 8 << 10;

impl FrameEditor {
    /// The metalayers of the header.
    ///
    /// ```
    /// # use b2nd::{DParams, Limits, frame::{FrameEditor, Header}};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let header = Header::parse(&file, &Limits::default())?;
    /// # let (end, sizes) = (header.end(), [(header.nchunks().unwrap(), header.chunksize)]);
    /// # let end = &file[end.start as usize..end.end as usize];
    /// # let mut editor = FrameEditor::open(&file, end, sizes.into_iter(), &DParams::default())?;
    /// assert_eq!(editor.metalayers()[0].name(), "b2nd");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn metalayers(&self) -> &[Metalayer] {
        &self.metalayers
    }

    /// Adds a metalayer to the header, or changes its content. If the header's length changes, a contiguous frame [must be
    /// rewritten](Self::needs_move).
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// editor.set_metalayer(b"unit", b"\xa1K")?;
    /// assert_eq!(editor.metalayers()[0].value(&Default::default())?.as_str(), Some("K"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` unless the name has 1 to 31 bytes, for a 17th metalayer, and for content that does not fit into a header.
    pub fn set_metalayer(&mut self, name: &[u8], content: &[u8]) -> Result<()> {
        let is_new = self.metalayers.iter().all(|metalayer| metalayer.name != name);
        check(name, content.len(), if is_new { self.metalayers.len() } else { 0 }, MAX_METALAYERS)?;
        set(&mut self.metalayers, name, content.to_vec());
        Ok(())
    }

    /// Removes a metalayer from the header. Returns false if there is none of this name.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// editor.set_metalayer(b"unit", b"\xa1K")?;
    /// assert!(editor.remove_metalayer(b"unit") && !editor.remove_metalayer(b"unit"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_metalayer(&mut self, name: &[u8]) -> bool {
        remove(&mut self.metalayers, name)
    }

    /// Adds an attribute to the trailer, a variable-length metalayer, or changes its content.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// // MessagePack of the text `K`.
    /// editor.set_attr_bytes(b"unit", b"\xa1K")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` unless the name has 1 to 31 bytes, and for too many or too long metalayers.
    pub fn set_attr_bytes(&mut self, name: &[u8], content: &[u8]) -> Result<()> {
        let is_new = self.attributes.iter().all(|metalayer| metalayer.name != name);
        check(name, content.len(), if is_new { self.attributes.len() } else { 0 }, MAX_ATTRIBUTES)?;
        let cparams = CParams { typesize: 1, filters: Pipeline::default(), ..CParams::default() };
        let chunk = ChunkEncoder::new(cparams).encode(content)?;
        self.save_attributes();
        set(&mut self.attributes, name, chunk);
        Ok(())
    }

    /// The content of an attribute, with changes that are not committed yet; `None` if there is none of this name.
    ///
    /// ```
    /// # use b2nd::{DParams, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// editor.set_attr_bytes(b"unit", b"\xa1K")?;
    /// assert_eq!(editor.attr_bytes(b"unit", &DParams::default())?, Some(b"\xa1K".to_vec()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of decoding the attribute; its length counts as metadata.
    pub fn attr_bytes(&self, name: &[u8], dparams: &DParams) -> Result<Option<Vec<u8>>> {
        let Some(found) = self.attributes.iter().find(|metalayer| metalayer.name == name) else {
            return Ok(None);
        };
        let chunk = Chunk::new(&found.content)?;
        dparams.limits.allow_metadata(chunk.header().nbytes.into())?;
        plain(&chunk, dparams).map(Some)
    }

    /// Removes an attribute. Returns false if there is none of this name.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// editor.set_attr_bytes(b"unit", b"\xa1K")?;
    /// assert!(editor.remove_attr(b"unit") && !editor.remove_attr(b"unit"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_attr(&mut self, name: &[u8]) -> bool {
        self.save_attributes();
        remove(&mut self.attributes, name)
    }
}

fn check(name: &[u8], len: usize, others: usize, most: usize) -> Result<()> {
    let wrong = |name, value: usize| Err(ArgumentError::Parameter { name, value: value as i64 }.into());
    match () {
        () if name.is_empty() || name.len() > FIXSTR => wrong("length of the metalayer's name", name.len()),
        () if others >= most => wrong("number of metalayers", others + 1),
        () if len > i32::MAX as usize / 2 => wrong("length of the metalayer", len),
        () => Ok(()),
    }
}

fn set(metalayers: &mut Vec<Metalayer>, name: &[u8], content: Vec<u8>) {
    match metalayers.iter_mut().find(|metalayer| metalayer.name == name) {
        Some(metalayer) => metalayer.content = content,
        None => metalayers.push(Metalayer { name: name.to_vec(), content }),
    }
}

fn remove(metalayers: &mut Vec<Metalayer>, name: &[u8]) -> bool {
    let count = metalayers.len();
    metalayers.retain(|metalayer| metalayer.name != name);
    metalayers.len() < count
}
