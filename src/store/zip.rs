//! Zip archives: the directory at their end. Members are read where they are, so only those stored without compression can be.

use super::key::key_of;
use crate::base::{ArgumentError, Error, Limits, Malformed, Result, array_at, slice_at};
use crate::chunk::DParams;
use crate::frame::{Exchange, Part, Request};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// How the header of a member begins.
pub(crate) const MAGIC_ENTRY: [u8; 4] = *b"PK\x03\x04";
/// How archives with and without members begin.
const MAGIC: [[u8; 4]; 2] = [MAGIC_ENTRY, *b"PK\x05\x06"];
/// The most bytes that the records at the end take.
const TAIL: u64 = END as u64 + 0xffff + LOCATOR as u64 + END_64 as u64;
/// Bytes of a member's header before its name.
const LOCAL: u64 = 30;
const END: usize = 22;
const LOCATOR: usize = 20;
const END_64: usize = 56;
const ENTRY: usize = 46;

/// Where the directory is in the archive.
pub(super) fn directory(tail: &[u8], len: u64) -> Result<Range<u64>> {
    let start = len.saturating_sub(tail.len() as u64);
    let is_end = |at: &usize| {
        let comment = || u16_at(tail, *at + 20).is_ok_and(|len| at + END + usize::from(len) == tail.len());
        tail[*at..].starts_with(b"PK\x05\x06") && comment()
    };
    let Some(at) = (0..tail.len()).rev().find(is_end) else {
        return Err(Error::format_at(Malformed::Truncated { needed: END as u64, available: 0 }, len));
    };
    let [size, offset] = [u32_at(tail, at + 12)?, u32_at(tail, at + 16)?];
    let (size, offset, end) = match large_end(tail, at, start)? {
        None => (size.into(), offset.into(), at),
        Some(end) => {
            let wide = |at: usize, narrow: u32| match u64_at(tail, end + at)? {
                wide if narrow == u32::MAX || u64::from(narrow) == wide => Ok(wide),
                wide => Err(Error::mismatch("zip directory", narrow.into(), wide)),
            };
            (wide(40, size)?, wide(48, offset)?, end)
        }
    };
    // In another place there may be the directory of another archive.
    let end = start + end as u64;
    match offset.checked_add(size) {
        Some(stop) if stop == end => Ok(offset..stop),
        _ => Err(Error::mismatch("end of the zip directory", offset.saturating_add(size), end)),
    }
}

/// Where the end record of a large archive is in the tail, which begins at byte `start`: before its locator, which says so.
fn large_end(tail: &[u8], at: usize, start: u64) -> Result<Option<usize>> {
    let before = |at: usize, len: usize, magic: &[u8; 4]| {
        at.checked_sub(len).filter(|at| tail[*at..].starts_with(magic))
    };
    let Some(locator) = before(at, LOCATOR, b"PK\x06\x07") else { return Ok(None) };
    let place = u64_at(tail, locator + 8)?;
    match before(locator, END_64, b"PK\x06\x06") {
        Some(end) if place == start + end as u64 => Ok(Some(end)),
        _ => Err(Error::field("zip locator", place as i64, start + locator as u64)),
    }
}

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveMember {
    /// The name, with slashes.
    pub name: String,
    /// The offset of its header.
    pub header: u64,
    /// As many bytes as it has, up to what follows it. Its [header](Self::located) tells where they are.
    pub range: Range<u64>,
    /// Whether it is neither compressed nor encrypted.
    pub is_stored: bool,
    /// The CRC-32 of its bytes, as the directory has it.
    pub crc32: u32,
}

impl ArchiveMember {
    /// The part of its header that [`located`](Self::located) needs.
    ///
    /// ```
    /// # use b2nd::{DParams, source::drive, store::ArchiveReading};
    /// # let archive = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let members = drive(&archive, ArchiveReading::new(archive.len() as u64, &DParams::default()))?.unwrap();
    /// let member = members.iter().find(|member| member.name == "embed.b2e").expect("a member");
    /// assert_eq!(member.header_range().start, member.header);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn header_range(&self) -> Range<u64> {
        header_range(self.header, &self.name)
    }

    /// The key of the member, if its name is that of a frame.
    ///
    /// ```
    /// # use b2nd::{DParams, source::drive, store::ArchiveReading};
    /// # let archive = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let members = drive(&archive, ArchiveReading::new(archive.len() as u64, &DParams::default()))?.unwrap();
    /// let member = members.iter().find(|member| member.name == "group/image.b2nd").expect("a member");
    /// assert_eq!(member.key().as_deref(), Some("/group/image"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key(&self) -> Option<String> {
        key_of(&self.name)
    }

    /// The bytes of the member by its own header.
    ///
    /// ```
    /// # use b2nd::{DParams, source::drive, store::ArchiveReading};
    /// # let archive = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let members = drive(&archive, ArchiveReading::new(archive.len() as u64, &DParams::default()))?.unwrap();
    /// let member = members.iter().find(|member| member.name == "embed.b2e").expect("a member");
    /// let header = member.header_range();
    /// let bytes = member.located(&archive[header.start as usize..header.end as usize])?;
    /// assert!(b2nd::frame::is_frame(&archive[bytes.start as usize..bytes.end as usize]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if it is no header, or that of another member, or if the bytes would overlap what follows.
    pub fn located(&self, header: &[u8]) -> Result<Range<u64>> {
        located(&self.name, self.header, &self.range, header)
    }
}

/// Reads the directory of an archive: the members; `None` of what is no archive.
///
/// ```
/// use b2nd::{DParams, source::drive, store::ArchiveReading};
/// let archive = std::fs::read("tests/golden/stores/tree.b2z")?;
/// let members = drive(&archive, ArchiveReading::new(archive.len() as u64, &DParams::default()));
/// assert!(members?.expect("an archive").iter().any(|member| member.name == "embed.b2e"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveReading<'d> {
    len: u64,
    limits: &'d Limits,
    wanted: Wanted,
    /// For the bytes that are wanted.
    request: Option<Request>,
    members: Option<Vec<ArchiveMember>>,
}

#[derive(Debug)]
enum Wanted {
    Start,
    Tail,
    Directory,
}

impl<'d> ArchiveReading<'d> {
    /// For a source of this length.
    ///
    /// ```
    /// use b2nd::{DParams, source::drive, store::ArchiveReading};
    /// // What is no archive has no members.
    /// assert!(drive(&b"text"[..], ArchiveReading::new(4, &DParams::default()))?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(len: u64, dparams: &'d DParams) -> Self {
        let request = Some(request(0..4));
        Self { len, limits: &dparams.limits, wanted: Wanted::Start, request, members: None }
    }
}

const fn request(range: Range<u64>) -> Request {
    Request { part: Part::Frame, range }
}

impl Exchange for ArchiveReading<'_> {
    type Outcome = Option<Vec<ArchiveMember>>;

    fn ask(&mut self) -> Result<&[Request]> {
        Ok(self.request.as_slice())
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        let (Some(Request { range, .. }), [bytes]) = (self.request.take(), answers) else {
            return Err(ArgumentError::NotAsked.into());
        };
        match self.wanted {
            Wanted::Start if MAGIC.iter().any(|magic| bytes == magic) => {
                self.wanted = Wanted::Tail;
                self.request = Some(request(self.len.saturating_sub(TAIL)..self.len));
            }
            Wanted::Start => {}
            Wanted::Tail => {
                let range = directory(bytes, self.len)?;
                self.limits.allow_metadata(range.end - range.start)?;
                self.wanted = Wanted::Directory;
                self.request = Some(request(range));
            }
            Wanted::Directory => self.members = Some(members(bytes, range.start, self.limits)?),
        }
        Ok(())
    }

    fn finish(self) -> Result<Self::Outcome> {
        if self.request.is_some() { Err(ArgumentError::Unfinished.into()) } else { Ok(self.members) }
    }
}

/// Parses the directory, which begins at byte `start` of the archive. The members are in its order: of those with the same name
/// the last one counts.
pub(super) fn members(mut bytes: &[u8], start: u64, limits: &Limits) -> Result<Vec<ArchiveMember>> {
    let most = bytes.len() / ENTRY;
    limits.allow_memory((most * size_of::<ArchiveMember>()) as u64)?;
    let mut members = Vec::with_capacity(most);
    while !bytes.is_empty() {
        let at = start;
        let (member, len) = entry(bytes).map_err(|error| error.shifted(at))?;
        members.extend(member);
        bytes = &bytes[len..];
    }
    let mut places: Vec<usize> = (0..members.len()).collect();
    places.sort_unstable_by_key(|at| members[*at].header);
    let mut end = start;
    for at in places.into_iter().rev() {
        let member: &mut ArchiveMember = &mut members[at];
        // For now, the range begins at the data's earliest place.
        let len = member.range.end - member.range.start;
        if member.range.end > end {
            return Err(Error::mismatch("end of a zip member", member.range.end, end));
        }
        member.range = end - len..end;
        end = member.header;
    }
    Ok(members)
}

/// Parses an entry and returns its length; no member for a folder.
fn entry(bytes: &[u8]) -> Result<(Option<ArchiveMember>, usize)> {
    let signature = u32_at(bytes, 0)?;
    if !bytes.starts_with(b"PK\x01\x02") {
        return Err(Error::field("zip signature", signature.into(), 0));
    }
    let u16_at = |at| u16_at(bytes, at).map(usize::from);
    let u32_at = |at| u32_at(bytes, at).map(u64::from);
    let [name, extra, comment] = [u16_at(28)?, u16_at(30)?, u16_at(32)?];
    let len = ENTRY + name + extra + comment;
    slice_at(bytes, 0, len)?;
    let mut sizes = [u32_at(24)?, u32_at(20)?, u32_at(42)?];
    large(&bytes[ENTRY + name..][..extra], &mut sizes)?;
    let [plain, stored, header] = sizes;
    let name = &bytes[ENTRY..][..name];
    if name.ends_with(b"/") {
        return Ok((None, len));
    }
    let data = header.checked_add(LOCAL + name.len() as u64);
    let end = data
        .and_then(|data| data.checked_add(stored))
        .ok_or_else(|| Error::mismatch("zip size", stored, plain))?;
    let is_stored = u16_at(10)? == 0 && u16_at(8)? & 1 == 0;
    if is_stored && stored != plain {
        return Err(Error::mismatch("zip size", stored, plain));
    }
    let name = core::str::from_utf8(name).ok().filter(|name| is_relative(name));
    let name = name.ok_or_else(|| Error::field("zip name", 0, ENTRY as u64))?.into();
    let crc32 = u32_at(16)? as u32;
    Ok((Some(ArchiveMember { name, header, range: end - stored..end, is_stored, crc32 }), len))
}

/// Replaces sizes that do not fit in 32 bits by those of the extra field for them, which has only these.
fn large(mut extra: &[u8], sizes: &mut [u64; 3]) -> Result<()> {
    const LARGE: u64 = u32::MAX as u64;
    let mut given: &[[u8; 8]] = &[];
    while extra.len() >= 4 {
        let (kind, len) = (u16_at(extra, 0)?, usize::from(u16_at(extra, 2)?));
        let Some(field) = extra[4..].get(..len) else { break };
        if kind == 1 {
            given = field.as_chunks().0;
            break;
        }
        extra = &extra[4 + len..];
    }
    let wanted = sizes.iter().filter(|size| **size == LARGE).count();
    if given.len() < wanted {
        return Err(Error::mismatch("number of large zip sizes", given.len() as u64, wanted as u64));
    }
    let wanted = sizes.iter_mut().filter(|size| **size == LARGE);
    wanted.zip(given).for_each(|(size, bytes)| *size = u64::from_le_bytes(*bytes));
    Ok(())
}

/// Whether a name stays in its folder. Members are not unpacked, but others may do that.
pub(crate) fn is_relative(name: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    !name.contains('\0') && name.split(['/', '\\']).all(is_plain)
}

/// The bytes that [`located`] needs of the header at byte `place`.
pub(super) const fn header_range(place: u64, name: &str) -> Range<u64> {
    place..place.saturating_add(LOCAL + name.len() as u64)
}

/// The bytes of a member by its own header, which is that of `name` at byte `place`. `range` is as [`members`] finds it.
pub(super) fn located(name: &str, place: u64, range: &Range<u64>, header: &[u8]) -> Result<Range<u64>> {
    if header.len() < LOCAL as usize || !header.starts_with(&MAGIC[0]) {
        return Err(Error::field("zip signature", 0, place));
    }
    let [names, extra] = [u16_at(header, 26)?, u16_at(header, 28)?].map(u64::from);
    if names != name.len() as u64 || !header[LOCAL as usize..].starts_with(name.as_bytes()) {
        return Err(Error::field("zip name", 0, place + LOCAL));
    }
    let start = place + LOCAL + names + extra;
    match start + (range.end - range.start) {
        end if end <= range.end => Ok(start..end),
        end => Err(Error::mismatch("end of a zip member", end, range.end)),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Result<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}
