//! Creates and changes stores.

mod commit;
mod staging;
mod tables;

use super::archive::embed::{self, Embed, attributes_params};
use super::archive::members::Members;
use super::file::lock::{Lock, lock};
use super::indexes::{CATALOGUE, stale_catalogue};
use super::{Editor, File};
use crate::array::ArrayParams;
use crate::base::{ArgumentError, Unsupported};
use crate::chunk::DParams;
use crate::frame::FrameParams;
use crate::source::locks;
use crate::source::paths::{about, found, must_be_no_link, resolve};
use crate::source::{self, ReadAt, ReadError, Reader, drive};
use crate::store::files::walk;
use crate::store::journal::{NEW, complete_locked};
use crate::store::key::attributes_of;
use crate::store::{ArchiveMember, ArchiveReading, EMBED, Member, Store, StoreKind, key_of};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use staging::Staging;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

type Written<T> = Result<T, ReadError<io::Error>>;

/// Creates a store or changes one: a zip archive (`.b2z`), a frame (`.b2e`) or a directory (any other name, usually `.b2d`), as
/// python-blosc2 has them (FORMAT §10).
///
/// Changes are staged beside the store until [`commit`](Self::commit) makes them visible: all of them, or none if the process is
/// killed. An archive is then written anew and replaced at once; its members are copied as they are. In a directory, members get their
/// names one after the other; whoever opens it next completes what was interrupted. To a frame, members are appended.
///
/// While an editor has it, other processes cannot change the store. Readers go on with the one that they have opened.
///
/// ```
/// use b2nd::array::ArrayParams;
/// use b2nd::{store::StoreKind, sink::StoreEditor};
/// # let folder = std::env::temp_dir().join(format!("b2nd-store-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("run.b2z");
/// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
/// let mut image = store.create_array("/group/image", &ArrayParams::of_type::<u8>(&[480, 640]))?;
/// image.fill_value("100:200", 7_u8)?;
/// image.commit()?;
/// store.set_attr_bytes("/group", "note", b"\xa5first")?;
/// store.commit()?;
/// let store = b2nd::store::open(&path)?;
/// assert!(store.keys().eq(["/group/image"]));
/// assert_eq!(store.get("/group/image")?.get("150, 0")?, [7]);
/// # drop(store);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StoreEditor {
    path: PathBuf,
    container: Container,
    /// The store on disk; `None` of a new one.
    old: Option<Old>,
    members: Members<Staging>,
    dparams: DParams,
    /// Whether a commit has failed, so that nobody knows what is staged.
    failed: bool,
}

/// The container of the members.
#[derive(Debug)]
enum Container {
    /// An archive on disk, if there is one, and what it has.
    Archive(Option<source::File>, BTreeMap<String, ArchiveMember>),
    Directory,
    Frame(Option<Box<Editor<File>>>),
}

/// A store on disk.
#[derive(Debug)]
struct Old {
    store: Store<source::File>,
    embed: Embed,
    /// The number of its files.
    count: usize,
    /// The file, or the directory, and what keeps others from changing it. The editor of a frame has its own.
    file: fs::File,
    _lock: Option<Arc<Lock>>,
}

/// How a new store is kept, by its name.
fn container_of(path: &Path) -> Container {
    match path.extension().and_then(|name| name.to_str()) {
        Some("b2z") => Container::Archive(None, BTreeMap::new()),
        Some("b2e") => Container::Frame(None),
        _ => Container::Directory,
    }
}

impl StoreEditor {
    /// Creates an empty store: an archive if the name ends with `.b2z`, a frame with `.b2e`, or else a directory. The first commit puts
    /// it at `path`, where an archive or a frame replaces a file; a directory must be empty. A frame has no kind but
    /// [`Embed`](StoreKind::Embed), which the others cannot have: they are [trees](StoreKind::Tree) then.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-new-store-{}.b2d", std::process::id()));
    /// StoreEditor::create(&path, StoreKind::Dict)?.commit()?;
    /// assert_eq!(b2nd::store::open(&path)?.kind(), StoreKind::Dict);
    /// # std::fs::remove_dir_all(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source`: `IsADirectory` for a directory in place of a file, `DirectoryNotEmpty`, `NotADirectory` for a file in place of a directory.
    pub fn create(path: impl AsRef<Path>, kind: StoreKind) -> Written<Self> {
        let path = resolve(path.as_ref()).map_err(ReadError::Source)?;
        let container = container_of(&path);
        must_be_free(&path, matches!(container, Container::Directory)).map_err(ReadError::Source)?;
        let kind = match (&container, kind) {
            (Container::Frame(_), _) => StoreKind::Embed,
            (_, StoreKind::Embed) => StoreKind::Tree,
            (_, kind) => kind,
        };
        Ok(Self::of(path, container, kind, DParams::default()))
    }

    /// Opens a store to change it.
    ///
    /// ```
    /// # use b2nd::sink::StoreEditor;
    /// # let path = std::env::temp_dir().join(format!("b2nd-open-store-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/stores/tree.b2z", &path)?;
    /// let mut store = StoreEditor::open(&path, b2nd::DParams::default())?;
    /// store.rename("/group", "/images")?;
    /// store.commit()?;
    /// assert!(b2nd::store::open(&path)?.keys().any(|key| key == "/images/image"));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if it cannot be read, and `WouldBlock` if another process is changing it; `Blosc` as for
    /// [`Store::open`], and of `Unsupported` for an archive with compressed members.
    pub fn open(path: impl AsRef<Path>, dparams: DParams) -> Written<Self> {
        let (path, there) = found(path.as_ref()).map_err(ReadError::Source)?;
        let path = resolve(&path).map_err(ReadError::Source)?;
        let mut editor = Self::of(path, Container::Directory, StoreKind::Tree, dparams);
        editor.container = match there.is_dir() {
            true => Container::Directory,
            false => editor.file_container()?,
        };
        editor.reopen()?;
        Ok(editor)
    }

    fn of(path: PathBuf, container: Container, kind: StoreKind, dparams: DParams) -> Self {
        let members = Members::new(kind, Staging::new(path.clone()));
        Self { path, container, old: None, members, dparams, failed: false }
    }

    /// Whether a file is an archive or a frame.
    fn file_container(&self) -> Written<Container> {
        let (source, len) = self.open_source()?;
        let is_archive = drive(&source, ArchiveReading::new(len, &self.dparams))?.is_some();
        Ok(if is_archive { Container::Archive(None, BTreeMap::new()) } else { Container::Frame(None) })
    }

    fn open_source(&self) -> Written<(source::File, u64)> {
        let len = fs::metadata(&self.path).map_err(ReadError::Source)?.len();
        Ok((source::File::open(&self.path).map_err(ReadError::Source)?, len))
    }

    /// Reads the store that is at the path now, and locks it.
    fn reopen(&mut self) -> Written<()> {
        self.old = None;
        let mut _lock = None;
        match &mut self.container {
            Container::Frame(editor) => {
                *editor = None;
                let file = File::open(&self.path).map_err(ReadError::Source)?;
                *editor = Some(Box::new(Editor::open(file, self.dparams.clone())?));
            }
            _ => _lock = Some(lock(&self.path).map_err(ReadError::Source)?),
        }
        if matches!(self.container, Container::Directory) {
            complete_locked(&self.path).map_err(ReadError::Source)?;
        }
        let file = locks::open(&self.path).map_err(ReadError::Source)?;
        let store = crate::store::open_with(&self.path, self.dparams.clone())?;
        let kind = store.kind();
        let embed = store.embed().map(|embed| Embed::read(kind, embed)).transpose()?.unwrap_or_default();
        let names = self.names()?;
        (self.members.kind, self.members.embed) = (kind, embed.clone());
        self.members.files = names.into_iter().map(|name| (name.clone(), name)).collect();
        self.old = Some(Old { store, embed, count: self.members.files.len(), file, _lock });
        Ok(())
    }

    /// The names of the store's files. Those of an archive need not be frames.
    fn names(&mut self) -> Written<Vec<String>> {
        let mut names = Vec::new();
        match &self.container {
            Container::Frame(_) => {}
            Container::Directory => {
                walk(&self.path, "", &self.dparams.limits, &mut names).map_err(ReadError::Source)?;
            }
            Container::Archive(..) => {
                let (source, len) = self.open_source()?;
                let members = drive(&source, ArchiveReading::new(len, &self.dparams))?.unwrap_or_default();
                if members.iter().any(|member| !member.is_stored) {
                    return Err(Unsupported::CompressedMember.into());
                }
                let members: BTreeMap<_, _> =
                    members.into_iter().map(|member| (member.name.clone(), member)).collect();
                names.extend(members.keys().filter(|name| *name != EMBED).cloned());
                self.container = Container::Archive(Some(source), members);
            }
        }
        Ok(names)
    }

    /// The kind of the store.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// assert_eq!(StoreEditor::create("new.b2e", StoreKind::Tree)?.kind(), StoreKind::Embed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn kind(&self) -> StoreKind {
        self.members.kind
    }

    /// The keys of all members, in order, with those that are not committed yet. Frames with attributes of groups are not among them.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// assert!(StoreEditor::create("new.b2z", StoreKind::Tree)?.keys().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keys(&self) -> BTreeSet<String> {
        self.members.keys()
    }

    /// An empty frame for a new member, which an [`Editor`] makes. It takes the place of the member with this key, once the editor is
    /// committed, and the store after it.
    ///
    /// ```
    /// # use b2nd::{Editor, array::ArrayParams, store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-new-member-{}.b2z", std::process::id()));
    /// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// let file = store.new_member("/image")?;
    /// Editor::create_array(file, &ArrayParams::of_type::<u8>(&[480, 640]))?.commit()?;
    /// assert!(store.keys().contains("/image"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` for an invalid key, or one that is in use by a group or below a member; `Source` if the directory that the
    /// store is in cannot be written to.
    pub fn new_member(&mut self, key: &str) -> Written<File> {
        self.members.must_be_free(key)?;
        self.column_changes(key)?;
        self.stage(key)
    }

    /// Creates an array under a key. It takes the place of the member with this key, once it is committed, and the store after it.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-create-array-{}.b2e", std::process::id()));
    /// let mut store = StoreEditor::create(&path, StoreKind::Embed)?;
    /// store.create_array("/zeros", &ArrayParams::of_type::<f64>(&[3]))?.commit()?;
    /// store.commit()?;
    /// assert_eq!(b2nd::store::open(&path)?.get("/zeros")?.read::<f64>(..)?.as_slice(), [0.0; 3]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`new_member`](Self::new_member), and of [`Editor::create_array`].
    pub fn create_array(&mut self, key: &str, params: &ArrayParams) -> Written<Editor<File>> {
        let params = ArrayParams { sparse: false, ..params.clone() };
        Editor::create_array(self.new_member(key)?, &params)
    }

    /// Creates a super-chunk under a key, as [`create_array`](Self::create_array) creates an array.
    ///
    /// ```
    /// # use b2nd::{frame::FrameParams, store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-create-schunk-{}.b2e", std::process::id()));
    /// let mut store = StoreEditor::create(&path, StoreKind::Embed)?;
    /// let mut bytes = store.create_schunk("/bytes", &FrameParams::default())?;
    /// bytes.append_chunk(b"bytes")?;
    /// bytes.commit()?;
    /// drop(bytes);
    /// store.commit()?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`create_array`](Self::create_array).
    pub fn create_schunk(&mut self, key: &str, params: &FrameParams) -> Written<Editor<File>> {
        let params = FrameParams { sparse: false, ..params.clone() };
        Editor::create(self.new_member(key)?, &params)
    }

    /// Adds a frame as it is, under a key: one in a file, in memory, or a member of another store. Only a sparse frame is copied chunk
    /// by chunk.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-add-{}.b2z", std::process::id()));
    /// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// store.add("/sample", &b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?)?;
    /// store.commit()?;
    /// assert!(b2nd::store::open(&path)?.keys().eq(["/sample"]));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`create_array`](Self::create_array) and of reading; `Argument` also for a chunk that is no frame.
    pub fn add<R: ReadAt>(&mut self, key: &str, reader: &Reader<R>) -> Written<()>
    where
        R::Error: Into<io::Error>,
    {
        self.members.must_be_free(key)?;
        self.column_changes(key)?;
        self.add_at(key, reader).map(drop)
    }

    /// Adds all members of a store, with the attributes of its groups and with the list of its tables.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-add-store-{}.b2d", std::process::id()));
    /// let archive = b2nd::store::open("tests/golden/stores/tree.b2z")?;
    /// let mut store = StoreEditor::create(&path, archive.kind())?;
    /// store.add_store(&archive)?;
    /// store.commit()?;
    /// assert!(b2nd::store::open(&path)?.keys().eq(archive.keys()));
    /// # std::fs::remove_dir_all(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`add`](Self::add), and of opening its members.
    pub fn add_store<S: ReadAt<Error = io::Error>>(&mut self, store: &Store<S>) -> Written<()> {
        let embed =
            store.embed().map(|embed| Embed::read(store.kind(), embed)).transpose()?.unwrap_or_default();
        for key in store.all_keys() {
            match embed.members.get(key) {
                Some(place @ embed::Place::Remote(_)) if store.url(key).is_some() => {
                    self.members.embed.members.insert(key.into(), place.clone());
                }
                _ => drop(self.add_at(key, &store.get(key)?)?),
            }
        }
        self.members.embed.copy_registry(&embed);
        Ok(())
    }

    /// Opens a member to change it. The change is in the store once it is committed, and the store after it; in a directory at once, since
    /// the member is a file of its own.
    ///
    /// ```
    /// # use b2nd::sink::StoreEditor;
    /// # let path = std::env::temp_dir().join(format!("b2nd-edit-member-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/stores/tree.b2z", &path)?;
    /// let mut store = StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut image = store.edit("/group/image")?;
    /// image.resize(&[10, 10])?;
    /// image.commit()?;
    /// drop(image);
    /// store.commit()?;
    /// assert_eq!(b2nd::store::open(&path)?.get("/group/image")?.into_array()?.shape(), [10, 10]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` if there is no such member; errors of opening it and of copying.
    pub fn edit(&mut self, key: &str) -> Written<Editor<File>> {
        self.column_changes(key)?;
        Editor::open(self.member_file(key)?, self.dparams.clone())
    }

    /// Marks the indexes of a table stale if this is one of its columns: what is read by them would be of the old values.
    fn column_changes(&mut self, key: &str) -> Written<()> {
        let Some(meta) = self.members.table_of(key) else { return Ok(()) };
        let (file, dparams) = (self.member_file(&meta)?, self.dparams.clone());
        let reader = Reader::open(&file, dparams.clone())?;
        let Some(catalogue) = stale_catalogue(&reader.trailer()?.attributes, &dparams.limits)? else {
            return Ok(());
        };
        drop(reader);
        let mut editor = Editor::open(file, dparams)?;
        editor.set_attr_bytes(CATALOGUE, &catalogue)?;
        editor.commit()
    }

    /// The file of a member, where it can be changed.
    fn member_file(&mut self, key: &str) -> Written<File> {
        let path = match (self.members.staged.get(key), self.own_file(key)) {
            (Some(number), _) => self.members.staging.path(*number),
            (None, Some(path)) => path,
            (None, None) => {
                let reader = self.stored(key)?;
                let number = self.add_at(key, &reader)?;
                self.members.staging.path(number)
            }
        };
        File::open(path).map_err(ReadError::Source)
    }

    /// The file of a member of a directory, which has not changed its name.
    fn own_file(&self, key: &str) -> Option<PathBuf> {
        let (new, name) = self.members.file(key)?;
        (matches!(self.container, Container::Directory) && new == name).then(|| self.path.join(name))
    }

    /// A member of the store on disk, under its present key.
    fn stored(&self, key: &str) -> Written<Reader<Member<source::File>>> {
        let Some(old) = &self.old else { return Err(ArgumentError::NoMember.into()) };
        if let Some((_, name)) = self.members.file(key) {
            return old.store.get(&key_of(name).ok_or(ArgumentError::NoMember)?);
        }
        match self.members.embed.members.get(key) {
            Some(embed::Place::Items(items)) => {
                let same = |place: &embed::Place| matches!(place, embed::Place::Items(old) if old == items);
                let key = old.embed.members.iter().find(|(_, place)| same(place)).map_or(key, |(key, _)| key);
                old.store.get(key)
            }
            Some(embed::Place::Remote(_)) => Err(Unsupported::RemoteMember.into()),
            None => Err(self.members.missing(key).into()),
        }
    }

    /// Removes a member, or a group with all members and attributes.
    ///
    /// ```
    /// # use b2nd::sink::StoreEditor;
    /// # let path = std::env::temp_dir().join(format!("b2nd-remove-member-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/stores/tree.b2z", &path)?;
    /// let mut store = StoreEditor::open(&path, b2nd::DParams::default())?;
    /// store.remove("/group")?;
    /// store.commit()?;
    /// assert!(b2nd::store::open(&path)?.get("/group/image").is_err());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` if nothing has this key.
    pub fn remove(&mut self, key: &str) -> Written<()> {
        self.members.must_exist(key)?;
        self.column_changes(key)?;
        self.members.take_out(key);
        Ok(())
    }

    /// Gives a member another key, or a group with all that is in it.
    ///
    /// ```
    /// # use b2nd::sink::StoreEditor;
    /// # let path = std::env::temp_dir().join(format!("b2nd-rename-member-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/stores/tree.b2z", &path)?;
    /// let mut store = StoreEditor::open(&path, b2nd::DParams::default())?;
    /// store.rename("/group/image", "/picture")?;
    /// store.commit()?;
    /// assert!(b2nd::store::open(&path)?.get("/picture").is_ok());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` if nothing has the first key, if the second is invalid, and if something has that, or is above or below it.
    pub fn rename(&mut self, from: &str, to: &str) -> Written<()> {
        Ok(self.members.rename(from, to)?)
    }

    /// Sets an attribute of a group, or of the store for the empty key, to MessagePack.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// # let path = std::env::temp_dir().join(format!("b2nd-set-attr-{}.b2z", std::process::id()));
    /// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// store.set_attr_bytes("", "author", b"\xa3Ada")?;
    /// store.commit()?;
    /// assert_eq!(b2nd::store::open(&path)?.attributes("")?[0].name(), "author");
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Editor::set_attr_bytes`], and of an invalid key.
    pub fn set_attr_bytes(&mut self, group: &str, name: &str, content: &[u8]) -> Written<()> {
        let mut editor = self.edit_attributes(group)?;
        editor.set_attr_bytes(name, content)?;
        editor.commit()
    }

    /// Removes an attribute of a group. Returns whether there was one.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// let mut store = StoreEditor::create("new.b2z", StoreKind::Tree)?;
    /// assert!(!store.remove_attr("", "author")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`set_attr_bytes`](Self::set_attr_bytes).
    pub fn remove_attr(&mut self, group: &str, name: &str) -> Written<bool> {
        if !self.members.has_member(&attributes_of(group)) {
            return Ok(false);
        }
        let mut editor = self.edit_attributes(group)?;
        let removed = editor.remove_attr(name);
        editor.commit()?;
        Ok(removed)
    }

    /// Opens the frame with the attributes of a group: a staged copy, or a new one.
    fn edit_attributes(&mut self, group: &str) -> Written<Editor<File>> {
        let key = self.members.attributes_key(group)?;
        if !self.members.staged.contains_key(&key) {
            if !self.members.has_member(&key) {
                return Editor::create(self.stage(&key)?, &attributes_params());
            }
            let reader = self.stored(&key)?;
            self.add_at(&key, &reader)?;
        }
        let path = self.members.staging.path(self.members.staged[&key]);
        Editor::open(File::open_staged(&path).map_err(ReadError::Source)?, self.dparams.clone())
    }

    fn stage(&mut self, key: &str) -> Written<File> {
        let number = self.members.staging.next().map_err(ReadError::Source)?;
        let file = File::create_staged(&self.members.staging.path(number)).map_err(ReadError::Source)?;
        self.members.staged.insert(key.into(), number);
        Ok(file)
    }

    /// Stages a copy of a frame, and returns its number.
    fn add_at<R: ReadAt>(&mut self, key: &str, reader: &Reader<R>) -> Written<u32>
    where
        R::Error: Into<io::Error>,
    {
        let number = self.members.staging.next().map_err(ReadError::Source)?;
        commit::copy_frame(reader, &self.members.staging.path(number))?;
        self.members.staged.insert(key.into(), number);
        Ok(number)
    }
}

/// Fails if a new store cannot be at a path.
fn must_be_free(path: &Path, is_directory: bool) -> io::Result<()> {
    let there = match must_be_no_link(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        there => there?,
    };
    match (is_directory, there.is_dir()) {
        (true, false) => Err(about(path, ErrorKind::NotADirectory, "a file, which no directory replaces")),
        (false, true) => Err(about(path, ErrorKind::IsADirectory, "the path is that of a directory")),
        (true, true)
            if fs::read_dir(path)?.any(|entry| !entry.is_ok_and(|entry| entry.file_name() == NEW)) =>
        {
            Err(about(path, ErrorKind::DirectoryNotEmpty, "a directory with other files"))
        }
        _ => Ok(()),
    }
}
