//! Opening an archive to change it, sans I/O.

use super::editor::{ArchiveEditor, Old, blosc};
use super::embed::Embed;
use crate::base::{ArgumentError, Result, Unsupported};
use crate::chunk::DParams;
use crate::frame::{Exchange, Part, Request};
use crate::sink::Memory;
use crate::source::Reader;
use crate::store::{ArchiveMember, ArchiveReading, EMBED, StoreKind};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Opens an archive to change it. Reads its directory, the headers of its members, and the frame of small members, which stays in
/// memory.
///
/// ```
/// use b2nd::{DParams, sink::{ArchiveChange, ArchiveOpening}, source::drive};
/// let bytes = std::fs::read("tests/golden/stores/tree.b2z")?;
/// let dparams = DParams::default();
/// let mut archive = drive(&bytes[..], ArchiveOpening::new(bytes.len() as u64, &dparams))?;
/// archive.make(&ArchiveChange::Rename("/group", "/images"), None)?;
/// assert!(archive.keys().contains("/images/image"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveOpening<'d> {
    dparams: &'d DParams,
    /// The directory, until it is read.
    directory: Option<ArchiveReading<'d>>,
    /// The members, in the order of their headers.
    members: Vec<ArchiveMember>,
    requests: Vec<Request>,
    files: BTreeMap<String, (Range<u64>, u32)>,
    embed: Option<Vec<u8>>,
}

impl<'d> ArchiveOpening<'d> {
    /// An archive of `len` bytes.
    ///
    /// ```
    /// use b2nd::{DParams, sink::ArchiveOpening, source::drive};
    /// // No store is here.
    /// assert!(drive(&b"text"[..], ArchiveOpening::new(4, &DParams::default())).is_err());
    /// ```
    pub const fn new(len: u64, dparams: &'d DParams) -> Self {
        Self {
            dparams,
            directory: Some(ArchiveReading::new(len, dparams)),
            members: Vec::new(),
            requests: Vec::new(),
            files: BTreeMap::new(),
            embed: None,
        }
    }

    /// Notes the members that the directory has, and asks for their headers.
    fn note(&mut self, members: Option<Vec<ArchiveMember>>) -> Result<()> {
        let members = members.ok_or(Unsupported::NoStore)?;
        if members.iter().any(|member| !member.is_stored) {
            return Err(Unsupported::CompressedMember.into());
        }
        // Of those with the same name the last one counts.
        let members: BTreeMap<_, _> =
            members.into_iter().map(|member| (member.name.clone(), member)).collect();
        self.members = members.into_values().collect();
        self.members.sort_by_key(|member| member.header);
        self.requests = self.members.iter().map(|member| request(member.header_range())).collect();
        Ok(())
    }

    /// Finds the members by their headers, and asks for the frame of small members.
    fn locate(&mut self, headers: &[&[u8]]) -> Result<()> {
        for (member, header) in core::mem::take(&mut self.members).into_iter().zip(headers) {
            let range = member.located(header)?;
            self.files.insert(member.name, (range, member.crc32));
        }
        let (embed, _) = self.files.get(EMBED).ok_or(Unsupported::NoStore)?;
        self.dparams.limits.allow_memory(embed.end - embed.start)?;
        self.requests.push(request(embed.clone()));
        Ok(())
    }
}

const fn request(range: Range<u64>) -> Request {
    Request { part: Part::Frame, range }
}

impl Exchange for ArchiveOpening<'_> {
    type Outcome = ArchiveEditor;

    fn ask(&mut self) -> Result<&[Request]> {
        if let Some(mut directory) = self.directory.take() {
            if !directory.ask()?.is_empty() {
                return self.directory.insert(directory).ask();
            }
            let members = directory.finish()?;
            self.note(members)?;
        }
        Ok(&self.requests)
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        if let Some(directory) = &mut self.directory {
            return directory.give(answers);
        }
        let asked = core::mem::take(&mut self.requests);
        match answers {
            [] => Err(ArgumentError::NotAsked.into()),
            _ if asked.len() != answers.len() => Err(ArgumentError::NotAsked.into()),
            [embed] if self.members.is_empty() => {
                self.embed = Some(embed.to_vec());
                Ok(())
            }
            headers => self.locate(headers),
        }
    }

    fn finish(self) -> Result<ArchiveEditor> {
        let embed = self.embed.ok_or(ArgumentError::Unfinished)?;
        let embed = Reader::open(Memory::from(embed), self.dparams.clone()).map_err(blosc)?;
        let kind = StoreKind::of(&embed.frame().header.metalayers).ok_or(Unsupported::NoStore)?;
        let members = Embed::read(kind, &embed).map_err(blosc)?;
        let files = self.files;
        Ok(ArchiveEditor::of(kind, Old { files, embed, members }, self.dparams.clone()))
    }
}
