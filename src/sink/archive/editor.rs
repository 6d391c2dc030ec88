//! The editor of an archive.

use super::change::{ArchiveChange, ArchivePreparing, MemberPlace};
use super::embed::{Embed, Place, attributes_params, embed_frame, extension};
use super::members::{Members, Staged};
use super::{ArchivePiece, Content, pieces};
use crate::base::{ArgumentError, Crc, Error, Result, Unsupported};
use crate::chunk::DParams;
use crate::frame::{Frame as OpenedFrame, Part, Request};
use crate::plan::Selection;
use crate::sink::indexes::{CATALOGUE, stale_catalogue};
use crate::sink::{Editor, Memory};
use crate::source::{ReadError, Reader};
use crate::store::key::attributes_of;
use crate::store::{EMBED, StoreKind};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;
use core::slice;

/// Creates or changes an archive (`.b2z`) without I/O, as `StoreEditor` does with files: the same keys are refused, and the archive gets
/// the same bytes.
///
/// The caller keeps the frames of new members, under numbers that [`make`](Self::make) gives them, and writes the
/// [parts](Self::into_pieces) of the new archive to a place from which it replaces the old one at once.
///
/// ```
/// use b2nd::array::ArrayParams;
/// use b2nd::sink::{ArchiveChange, ArchiveEditor, ArchivePiece, Editor, Memory, crc32};
/// use b2nd::{DParams, source::drive, store::{Store, StoreKind}, wire::Opening};
/// let mut frame = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u8>(&[3]))?;
/// frame.commit()?;
/// let frame = frame.into_sink().into_bytes();
///
/// let dparams = DParams::default();
/// let mut archive = ArchiveEditor::create(StoreKind::Tree, dparams.clone());
/// let number = archive.make(&ArchiveChange::Stage("/group/zeros"), None)?;
/// archive.complete(number, &drive(&frame[..], Opening::new(&dparams))?, crc32(0, &frame))?;
/// let pieces = archive.into_pieces()?.into_iter().map(|piece| match piece {
///     ArchivePiece::Bytes(bytes) => bytes,
///     _ => frame.clone(),
/// });
/// let bytes = pieces.collect::<Vec<_>>().concat();
/// let store = Store::open(&bytes[..], bytes.len() as u64, DParams::default())?;
/// assert_eq!(store.get("/group/zeros")?.into_array()?.read::<u8>(..)?.as_slice(), [0; 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveEditor {
    members: Members<Frames>,
    old: Option<Old>,
    dparams: DParams,
}

/// The archive that is changed.
#[derive(Debug)]
pub(super) struct Old {
    /// The range and the checksum of each file.
    pub(super) files: BTreeMap<String, (Range<u64>, u32)>,
    pub(super) embed: Reader<Memory>,
    pub(super) members: Embed,
}

/// The frames of new members.
#[derive(Debug, Default)]
struct Frames {
    count: u32,
    /// Members that are complete.
    complete: BTreeMap<u32, Frame>,
}

/// The frame of a new member.
#[derive(Debug)]
struct Frame {
    extension: &'static str,
    len: u64,
    crc32: u32,
    /// A small frame, made here.
    bytes: Option<Vec<u8>>,
}

impl Staged for Frames {
    fn is_there(&self, number: u32) -> bool {
        self.complete.contains_key(&number)
    }
}

impl ArchiveEditor {
    /// An empty archive. One of kind [`Embed`](StoreKind::Embed), which no archive has, becomes a tree.
    ///
    /// ```
    /// use b2nd::{DParams, sink::ArchiveEditor, store::StoreKind};
    /// assert_eq!(ArchiveEditor::create(StoreKind::Embed, DParams::default()).kind(), StoreKind::Tree);
    /// ```
    pub fn create(kind: StoreKind, dparams: DParams) -> Self {
        let kind = if kind == StoreKind::Embed { StoreKind::Tree } else { kind };
        Self { members: Members::new(kind, Frames::default()), old: None, dparams }
    }

    pub(super) fn of(kind: StoreKind, old: Old, dparams: DParams) -> Self {
        let mut members = Members::new(kind, Frames::default());
        members.files = old.files.keys().map(|name| (name.clone(), name.clone())).collect();
        members.files.remove(EMBED);
        members.embed = old.members.clone();
        Self { members, old: Some(old), dparams }
    }

    /// The kind of the store.
    ///
    /// ```
    /// # use b2nd::{DParams, sink::ArchiveEditor, store::StoreKind};
    /// assert_eq!(ArchiveEditor::create(StoreKind::Dict, DParams::default()).kind(), StoreKind::Dict);
    /// ```
    pub const fn kind(&self) -> StoreKind {
        self.members.kind
    }

    /// The keys of all members, with those that are complete but not in the archive yet.
    ///
    /// ```
    /// # use b2nd::{DParams, sink::ArchiveEditor, store::StoreKind};
    /// assert!(ArchiveEditor::create(StoreKind::Dict, DParams::default()).keys().is_empty());
    /// ```
    pub fn keys(&self) -> BTreeSet<String> {
        self.members.keys()
    }

    /// Where the frame of a member is.
    ///
    /// ```
    /// # use b2nd::{DParams, sink::{ArchiveOpening, MemberPlace}, source::drive};
    /// # let bytes = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let dparams = DParams::default();
    /// # let archive = drive(&bytes[..], ArchiveOpening::new(bytes.len() as u64, &dparams))?;
    /// assert!(matches!(archive.place("/group/image")?, MemberPlace::Old(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such member, `Unsupported` if it is stored elsewhere, errors of decoding it.
    pub fn place(&self, key: &str) -> Result<MemberPlace> {
        if let Some(number) = self.members.number(key) {
            let bytes = self.members.staging.complete[&number].bytes.clone();
            return Ok(bytes.map_or(MemberPlace::Staged(number), MemberPlace::Bytes));
        }
        let Some(old) = &self.old else { return Err(self.members.missing(key).into()) };
        if let Some((_, name)) = self.members.file(key) {
            return Ok(MemberPlace::Old(old.files[name].0.clone()));
        }
        match self.members.embed.members.get(key) {
            Some(Place::Items(items)) => {
                let selection = Selection::of_ranges(slice::from_ref(items));
                Ok(MemberPlace::Bytes(old.embed.get(selection).map_err(blosc)?))
            }
            Some(Place::Remote(_)) => Err(Unsupported::RemoteMember.into()),
            None => Err(self.members.missing(key).into()),
        }
    }

    /// Gets the frame that a change needs: the one with a group's attributes, or the one that describes the table of a changed column.
    /// Requests of chunks are those of staged frames, by their numbers.
    ///
    /// # Errors
    /// `Argument` for an invalid key; errors of [`place`](Self::place).
    pub fn preparing(&self, change: &ArchiveChange<'_>) -> Result<ArchivePreparing> {
        let none = ArchivePreparing { request: None, frame: None };
        let Some(key) = self.changed_frame(change)?.filter(|key| self.members.has_member(key)) else {
            return Ok(none);
        };
        let request = |part, range| Some(Request { part, range });
        Ok(match self.place(&key)? {
            MemberPlace::Old(range) => {
                self.dparams.limits.allow_memory(range.end - range.start)?;
                ArchivePreparing { request: request(Part::Frame, range), ..none }
            }
            MemberPlace::Staged(number) => {
                let len = self.members.staging.complete[&number].len;
                self.dparams.limits.allow_memory(len)?;
                ArchivePreparing { request: request(Part::Chunk(number), 0..len), ..none }
            }
            MemberPlace::Bytes(bytes) => ArchivePreparing { frame: Some(bytes), ..none },
        })
    }

    /// The key of the frame that a change changes besides.
    fn changed_frame(&self, change: &ArchiveChange<'_>) -> Result<Option<String>> {
        Ok(match change {
            ArchiveChange::Stage(key) | ArchiveChange::Remove(key) => self.members.table_of(key),
            ArchiveChange::Rename(..) => None,
            // Where no attribute can be, none is removed.
            ArchiveChange::Attr(group, _, None) => Some(attributes_of(group)),
            ArchiveChange::Attr(group, ..) => Some(self.members.attributes_key(group)?),
        })
    }

    /// Makes a change, for which [`preparing`](Self::preparing) got this frame. Returns the number of the frame that is to be staged;
    /// 0 for changes that stage none.
    ///
    /// ```
    /// # use b2nd::{DParams, sink::{ArchiveChange, ArchiveEditor}, store::StoreKind};
    /// let mut archive = ArchiveEditor::create(StoreKind::Tree, DParams::default());
    /// archive.make(&ArchiveChange::Attr("/group", "unit", Some(b"\xa1m")), None)?;
    /// assert!(archive.make(&ArchiveChange::Stage("/group"), None).is_err());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for an invalid key, one that is in use, and one that nothing has; errors of reading and changing the frame.
    pub fn make(&mut self, change: &ArchiveChange<'_>, frame: Option<Vec<u8>>) -> Result<u32> {
        match change {
            ArchiveChange::Stage(key) => self.members.must_be_free(key)?,
            ArchiveChange::Remove(key) => self.members.must_exist(key)?,
            ArchiveChange::Rename(from, to) => return self.members.rename(from, to).map(|()| 0),
            ArchiveChange::Attr(group, name, content) => {
                return self.set_attr(group, name, *content, frame).map(|()| 0);
            }
        }
        self.mark_stale(change, frame)?;
        match change {
            ArchiveChange::Stage(key) => Ok(self.stage(key)),
            ArchiveChange::Remove(key) => {
                self.members.take_out(key);
                Ok(0)
            }
            _ => Ok(0),
        }
    }

    /// Marks the indexes of a table stale if one of its columns changes.
    fn mark_stale(&mut self, change: &ArchiveChange<'_>, frame: Option<Vec<u8>>) -> Result<()> {
        let (Some(key), Some(frame)) = (self.changed_frame(change)?, frame) else { return Ok(()) };
        let reader = Reader::open(Memory::from(frame), self.dparams.clone()).map_err(blosc)?;
        let attributes = &reader.trailer().map_err(blosc)?.attributes;
        let Some(catalogue) = stale_catalogue(attributes, &self.dparams.limits)? else { return Ok(()) };
        let mut editor = self.edit(reader.into_source())?;
        editor.set_attr_bytes(CATALOGUE, &catalogue).map_err(blosc)?;
        self.stage_changed(&key, editor)
    }

    fn set_attr(
        &mut self,
        group: &str,
        name: &str,
        content: Option<&[u8]>,
        frame: Option<Vec<u8>>,
    ) -> Result<()> {
        let mut editor = match (frame, content) {
            (Some(frame), _) => self.edit(frame.into())?,
            (None, None) => return Ok(()),
            (None, Some(_)) => Editor::create(Memory::default(), &attributes_params()).map_err(blosc)?,
        };
        let key = self.members.attributes_key(group)?;
        match content {
            Some(content) => editor.set_attr_bytes(name, content).map_err(blosc)?,
            None => drop(editor.remove_attr(name)),
        }
        self.stage_changed(&key, editor)
    }

    fn edit(&self, frame: Memory) -> Result<Editor<Memory>> {
        Editor::open(frame, self.dparams.clone()).map_err(blosc)
    }

    /// Stages a frame that was changed in memory.
    fn stage_changed(&mut self, key: &str, mut editor: Editor<Memory>) -> Result<()> {
        editor.commit().map_err(blosc)?;
        let bytes = editor.into_sink().into_bytes();
        let (number, crc32) = (self.stage(key), crc32(0, &bytes));
        let frame = Frame { extension: ".b2f", len: bytes.len() as u64, crc32, bytes: Some(bytes) };
        self.members.staging.complete.insert(number, frame);
        Ok(())
    }

    fn stage(&mut self, key: &str) -> u32 {
        self.members.staging.count += 1;
        let number = self.members.staging.count;
        self.members.staged.insert(key.into(), number);
        number
    }

    /// Notes that the staged frame with this number is complete. `crc32` is the [checksum](crc32) of its `frame_len` bytes.
    ///
    /// ```
    /// # use b2nd::sink::{ArchiveChange, ArchiveEditor, crc32};
    /// # use b2nd::{DParams, source::drive, store::StoreKind, wire::Opening};
    /// let bytes = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let dparams = DParams::default();
    /// let frame = drive(&bytes[..], Opening::new(&dparams))?;
    /// let mut archive = ArchiveEditor::create(StoreKind::Tree, DParams::default());
    /// let number = archive.make(&ArchiveChange::Stage("/sample"), None)?;
    /// assert!(archive.keys().is_empty());
    /// archive.complete(number, &frame, crc32(0, &bytes))?;
    /// assert!(archive.keys().contains("/sample"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for a sparse frame, and for a chunk on its own; `Argument` for a number that `make` has not given.
    pub fn complete(&mut self, number: u32, frame: &OpenedFrame, crc32: u32) -> Result<()> {
        if frame.header.sparse || frame.is_chunk() {
            return Err(Unsupported::SparseFrame.into());
        }
        if number == 0 || number > self.members.staging.count {
            return Err(ArgumentError::NotOpened.into());
        }
        let (extension, len) = (extension(&frame.header.metalayers), frame.header.frame_len);
        self.members.staging.complete.insert(number, Frame { extension, len, crc32, bytes: None });
        Ok(())
    }

    /// Whether there is anything to commit. A new archive is to be written even if it is empty.
    ///
    /// ```
    /// # use b2nd::{DParams, sink::ArchiveEditor, store::StoreKind};
    /// assert!(ArchiveEditor::create(StoreKind::Tree, DParams::default()).is_changed());
    /// ```
    pub fn is_changed(&self) -> bool {
        let Some(old) = &self.old else { return true };
        // The frame of small members is a file as well.
        self.members.staged.values().any(|number| self.members.staging.is_there(*number))
            || self.members.files.iter().any(|(new, name)| new != name)
            || self.members.files.len() + 1 != old.files.len()
            || self.members.embed != old.members
    }

    /// The parts of the new archive. Once they are in the place of the old one, it is to be opened again.
    ///
    /// # Errors
    /// Errors of decoding small members; `Argument` for keys that are too long.
    pub fn into_pieces(mut self) -> Result<Vec<ArchivePiece>> {
        let staged = self.members.take_staged();
        let mut complete = self.members.staging.complete;
        let (old, embed, kind) = (self.old.as_ref(), &mut self.members.embed, self.members.kind);
        let embed = match old {
            Some(old) if old.members == *embed => old.content(EMBED, EMBED),
            _ => {
                let reader = old.map(|old| &old.embed);
                let frame = embed_frame(Memory::default(), kind, embed, reader).map_err(blosc)?;
                let bytes = frame.into_sink().into_bytes();
                let (len, crc32) = (bytes.len() as u64, crc32(0, &bytes));
                Content { name: EMBED.into(), len, crc32, bytes: ArchivePiece::Bytes(bytes) }
            }
        };
        let kept = self.members.files.iter();
        let mut files: Vec<_> =
            kept.filter_map(|(new, name)| old.map(|old| old.content(new, name))).collect();
        for (key, number) in staged {
            let Some(Frame { extension, len, crc32, bytes }) = complete.remove(&number) else { continue };
            let bytes = bytes.map_or(ArchivePiece::Staged(number), ArchivePiece::Bytes);
            files.push(Content { name: [&key[1..], extension].concat(), len, crc32, bytes });
        }
        pieces(files, embed)
    }
}

impl Old {
    /// A file of the old archive, under a new name.
    fn content(&self, new: &str, name: &str) -> Content {
        let (range, crc32) = &self.files[name];
        Content::old(new.into(), range.clone(), *crc32)
    }
}

/// Reads and writes in memory fail only because of what is there.
pub(super) fn blosc(error: ReadError<Infallible>) -> Error {
    match error {
        ReadError::Blosc(error) => error,
        ReadError::Source(never) => match never {},
    }
}

/// The CRC-32 of bytes that follow others, whose checksum this is; 0 for none.
///
/// ```
/// use b2nd::sink::crc32;
/// assert_eq!(crc32(0, b"123456789"), 0xCBF4_3926);
/// assert_eq!(crc32(crc32(0, b"1234"), b"56789"), 0xCBF4_3926);
/// ```
pub fn crc32(before: u32, bytes: &[u8]) -> u32 {
    Crc::after(before).with(bytes).get()
}
