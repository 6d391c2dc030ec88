//! The commit of a store.

use super::{Container, StoreEditor, Written, must_be_free};
use crate::array::ArrayParams;
use crate::base::{Changed, Error, Malformed};
use crate::chunk::CParams;
use crate::frame::{FrameParams, Part, Request};
use crate::sink::archive::embed::{Appending, Place, copy_members, embed_frame, extension, params};
use crate::sink::archive::{ArchivePiece, Content, pieces};
use crate::sink::file::lock::lock;
use crate::sink::{Editor, File, NewFile};
use crate::source::paths::is_at;
use crate::source::{self, ReadAt, ReadError, Reader};
use crate::store::ArchiveMember;
use crate::store::EMBED;
use crate::store::files::walk;
use crate::store::journal::Journal;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use crc32fast::Hasher;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Bytes that are copied at a time.
const PIECE: u64 = 1 << 20;

impl StoreEditor {
    /// Makes all changes visible, and durable. After an error the store on disk is the old one, and this editor commits nothing more.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-commit-store-{}.b2z", std::process::id()));
    /// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// assert!(!path.exists());
    /// store.commit()?;
    /// assert!(path.exists());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if it cannot be written; `Blosc` of `Changed` if another process has replaced the store.
    pub fn commit(&mut self) -> Written<()> {
        self.commit_with(false)
    }

    /// [`commit`](Self::commit), and frees the space that changes left unused.
    ///
    /// ```
    /// # use b2nd::sink::StoreEditor;
    /// # let path = std::env::temp_dir().join(format!("b2nd-compact-store-{}.b2e", std::process::id()));
    /// # std::fs::copy("tests/golden/stores/embed.b2e", &path)?;
    /// let mut store = StoreEditor::open(&path, b2nd::DParams::default())?;
    /// for key in store.keys() {
    ///     store.remove(&key)?;
    /// }
    /// store.compact()?;
    /// assert!(std::fs::metadata(&path)?.len() < 1000);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`commit`](Self::commit).
    pub fn compact(&mut self) -> Written<()> {
        self.commit_with(true)
    }

    fn commit_with(&mut self, compact: bool) -> Written<()> {
        if self.failed {
            return Err(Changed::Edit.into());
        }
        self.failed = true;
        let done = self.write(compact);
        self.failed = done.is_err();
        done
    }

    fn write(&mut self, compact: bool) -> Written<()> {
        if let Some(old) = &self.old
            && !is_at(&old.file, &self.path).map_err(ReadError::Source)?
        {
            return Err(Changed::Edit.into());
        }
        let staged = self.members.take_staged();
        let is_same = self.members.files.iter().all(|(new, name)| new == name) && staged.is_empty();
        if let Some(old) = &self.old
            && is_same
            && !compact
            && old.embed == self.members.embed
            && old.count == self.members.files.len()
        {
            return Ok(());
        }
        match &self.container {
            Container::Frame(_) => self.commit_frame(staged, compact)?,
            Container::Archive(..) => self.commit_archive(staged, compact)?,
            Container::Directory => self.commit_directory(staged, compact)?,
        }
        self.members.staging.clear();
        self.reopen()
    }

    /// The name that the file of a staged frame gets.
    fn name(&self, key: &str, number: u32) -> Written<String> {
        let file = source::File::open(self.members.staging.path(number)).map_err(ReadError::Source)?;
        let reader = Reader::open(file, self.dparams.clone())?;
        Ok([&key[1..], extension(&reader.frame().header.metalayers)].concat())
    }

    /// Appends new members to the frame, whose catalogue leaves out those that were removed.
    fn commit_frame(&mut self, staged: BTreeMap<String, u32>, compact: bool) -> Written<()> {
        let Container::Frame(editor) = &mut self.container else { return Ok(()) };
        let params = params(self.members.kind);
        let editor = match editor {
            Some(editor) => editor,
            None => {
                let file = File::create(&self.path, false).map_err(ReadError::Source)?;
                editor.insert(Box::new(Editor::create(file, &params)?))
            }
        };
        let nchunks = editor.frame().nchunks();
        if let Some(embed) = self.old.as_ref().and_then(|old| old.store.embed())
            && compact
        {
            // What these chunks have stays where it is until the commit.
            editor.remove_chunks(0..nchunks)?;
            self.members.embed = copy_members(&self.members.embed, editor, embed)?;
        }
        let mut appending = Appending::new(editor)?;
        for (key, number) in staged {
            let start = appending.end();
            let mut file = fs::File::open(self.members.staging.path(number)).map_err(ReadError::Source)?;
            let mut out = Collecting { appending: &mut appending, failed: None };
            let copied = io::copy(&mut file, &mut out);
            if let Some(error) = out.failed {
                return Err(error);
            }
            copied.map_err(ReadError::Source)?;
            self.members.embed.members.insert(key, Place::Items(start..appending.end()));
        }
        appending.finish()?;
        self.members.embed.write(editor)?;
        editor.commit()?;
        if compact { editor.compact() } else { Ok(()) }
    }

    /// Writes an archive and replaces the old one.
    fn commit_archive(&mut self, staged: BTreeMap<String, u32>, compact: bool) -> Written<()> {
        let embed = self.stage_embed(compact)?;
        let mut files = Vec::new();
        if let Container::Archive(_, members) = &self.container {
            for (new, name) in &self.members.files {
                files.push(self.old_file(new.clone(), &members[name])?);
            }
        }
        for (key, number) in staged {
            files.push(self.staged_file(self.name(&key, number)?, number)?);
        }
        let embed = match (embed, &self.container) {
            (None, Container::Archive(_, members)) => self.old_file(EMBED.into(), &members[EMBED])?,
            (number, _) => self.staged_file(EMBED.into(), number.unwrap_or_default())?,
        };
        let mut out = NewFile::create(&self.path).map_err(ReadError::Source)?;
        for piece in pieces(files, embed)? {
            self.write_piece(piece, &mut out)?;
        }
        out.publish_durably().map_err(ReadError::Source)
    }

    /// The bytes of the old archive.
    fn source(&self) -> Written<&source::File> {
        match &self.container {
            Container::Archive(Some(source), _) => Ok(source),
            _ => Err(Changed::Edit.into()),
        }
    }

    fn old_file(&self, name: String, member: &ArchiveMember) -> Written<Content> {
        let mut buffer = Vec::new();
        let request = Request { part: Part::Frame, range: member.header_range() };
        let header = self.source()?.read_at(&request, &mut buffer).map_err(ReadError::Source)?;
        Ok(Content::old(name, member.located(header)?, member.crc32))
    }

    fn staged_file(&self, name: String, number: u32) -> Written<Content> {
        let file = fs::File::open(self.members.staging.path(number)).map_err(ReadError::Source)?;
        let (len, crc32) = summary(file).map_err(ReadError::Source)?;
        Ok(Content { name, len, crc32, bytes: ArchivePiece::Staged(number) })
    }

    fn write_piece(&self, piece: ArchivePiece, out: &mut NewFile) -> Written<()> {
        match piece {
            ArchivePiece::Bytes(bytes) => out.write_all(&bytes).map_err(ReadError::Source),
            ArchivePiece::Old(range) => copy_range(self.source()?, range, out),
            ArchivePiece::Staged(number) => {
                let mut file =
                    fs::File::open(self.members.staging.path(number)).map_err(ReadError::Source)?;
                io::copy(&mut file, out).map(drop).map_err(ReadError::Source)
            }
        }
    }

    /// Gives files their names in a directory.
    fn commit_directory(&mut self, staged: BTreeMap<String, u32>, compact: bool) -> Written<()> {
        let mut put = Vec::new();
        if let Some(number) = self.stage_embed(compact)? {
            put.push((EMBED.to_string(), number));
        }
        for (key, number) in staged {
            put.push((self.name(&key, number)?, number));
        }
        for (_, number) in &put {
            let staged = self.members.staging.path(*number);
            // Windows wants the right to write for this.
            let file = fs::OpenOptions::new().write(true).open(staged).map_err(ReadError::Source)?;
            file.sync_all().map_err(ReadError::Source)?;
        }
        let mut taken = Vec::new();
        let mut names = Vec::new();
        if self.old.is_some() {
            walk(&self.path, "", &self.dparams.limits, &mut names).map_err(ReadError::Source)?;
        }
        let stays: BTreeMap<&str, &str> =
            self.members.files.iter().map(|(new, name)| (&name[..], &new[..])).collect();
        let new_names: BTreeSet<String> = put.iter().map(|(new, _)| new.clone()).collect();
        for name in names {
            let new = stays.get(&name[..]).copied();
            // A file replaces one of the same name at once.
            let is_replaced = new.is_none() && new_names.contains(&name) && self.path.join(&name).is_file();
            if new == Some(&name) || is_replaced {
                continue;
            }
            let number = self.members.staging.next().map_err(ReadError::Source)?;
            if let Some(new) = new {
                put.push((new.to_string(), number));
            }
            taken.push((name, number));
        }
        if put.is_empty() && taken.is_empty() {
            return Ok(());
        }
        match fs::create_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.map_err(ReadError::Source)?,
        }
        // A new directory has no lock yet, and whoever opened it now would complete this commit, too.
        let _lock = match self.old {
            None => Some(lock(&self.path).map_err(ReadError::Source)?),
            Some(_) => None,
        };
        if self.old.is_none() {
            must_be_free(&self.path, true).map_err(ReadError::Source)?;
        }
        let journal = Journal { taken, put, ..Journal::default() };
        self.members.staging.carry_out(&self.path, journal).map_err(ReadError::Source)
    }

    /// Stages the frame of small members, unless it stays as it is: without the holes of those that were removed.
    fn stage_embed(&mut self, compact: bool) -> Written<Option<u32>> {
        if !compact && self.old.as_ref().is_some_and(|old| old.embed == self.members.embed) {
            return Ok(None);
        }
        let number = self.members.staging.next().map_err(ReadError::Source)?;
        let file = File::create_staged(&self.members.staging.path(number)).map_err(ReadError::Source)?;
        let old = self.old.as_ref().and_then(|old| old.store.embed());
        embed_frame(file, self.members.kind, &mut self.members.embed, old)?;
        Ok(Some(number))
    }
}

/// Appends what is written to it, and keeps the error, which `io` cannot hold.
struct Collecting<'c, 'e> {
    appending: &'c mut Appending<'e, File>,
    failed: Option<ReadError<io::Error>>,
}

impl Write for Collecting<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.appending.write(bytes).map_err(|error| {
            self.failed = Some(error);
            io::Error::other("not written")
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies a frame to a file: its bytes, or the chunks of a sparse one. Of a single chunk it makes a frame.
pub(super) fn copy_frame<R: ReadAt>(reader: &Reader<R>, path: &Path) -> Written<()>
where
    R::Error: Into<io::Error>,
{
    let lift = |error: ReadError<R::Error>| match error {
        ReadError::Source(error) => ReadError::Source(error.into()),
        ReadError::Blosc(error) => ReadError::Blosc(error),
    };
    let header = &reader.frame().header;
    if !header.sparse && !reader.frame().is_chunk() {
        let mut file = NewFile::create(path).map_err(ReadError::Source)?;
        copy_range(reader.source(), 0..header.frame_len, &mut file).map_err(lift_io)?;
        // Until the commit nobody needs it to be durable.
        return file.publish().map_err(ReadError::Source);
    }
    let file = File::create(path, false).map_err(ReadError::Source)?;
    let mut editor = match reader.layout().map_err(lift)? {
        Some(array) => {
            let params = ArrayParams { sparse: false, ..ArrayParams::of(reader.frame(), array)? };
            Editor::copy_array(file, &params, reader)?
        }
        None => {
            let chunksize = if header.is_variable() { 0 } else { header.chunksize };
            let (cparams, metalayers) = (CParams::of_frame(header)?, header.metalayers.clone());
            let params = FrameParams { cparams, chunksize, sparse: false, metalayers };
            Editor::copy_schunk(file, &params, reader)?
        }
    };
    editor.commit()
}

fn lift_io<E: Into<io::Error>>(error: ReadError<E>) -> ReadError<io::Error> {
    match error {
        ReadError::Source(error) => ReadError::Source(error.into()),
        ReadError::Blosc(error) => ReadError::Blosc(error),
    }
}

/// Copies bytes of a source. It fails if there are fewer.
fn copy_range<R: ReadAt>(source: &R, range: Range<u64>, out: &mut impl Write) -> Written<()>
where
    R::Error: Into<io::Error>,
{
    let (mut at, mut buffer) = (range.start, Vec::new());
    while at < range.end {
        let part = at..range.end.min(at + PIECE);
        let request = Request { part: Part::Frame, range: part.clone() };
        let bytes = source.read_at(&request, &mut buffer).map_err(|error| ReadError::Source(error.into()))?;
        let (needed, available) = (part.end - part.start, bytes.len() as u64);
        if available != needed {
            return Err(Error::format_at(Malformed::Truncated { needed, available }, part.start).into());
        }
        out.write_all(bytes).map_err(ReadError::Source)?;
        at = part.end;
    }
    Ok(())
}

/// The length and the checksum of what a file has.
fn summary(mut file: impl io::Read) -> io::Result<(u64, u32)> {
    let (mut hasher, mut len, mut buffer) = (Hasher::new(), 0, vec![0; PIECE as usize]);
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
