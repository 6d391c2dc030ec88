//! Creates and changes stores.

mod archive;
mod commit;
mod embed;
mod staging;
mod tables;

use super::file::lock::{Lock, lock};
use super::indexes::{CATALOGUE, mark_stale};
use super::{Editor, File};
use crate::array::ArrayParams;
use crate::base::{ArgumentError, Unsupported};
use crate::chunk::{CParams, DParams};
use crate::frame::FrameParams;
use crate::source::paths::{about, found, must_be_no_link, resolve};
use crate::source::{self, ReadAt, ReadError, Reader, drive};
use crate::store::files::walk;
use crate::store::journal::complete_locked;
use crate::store::key::{ATTRIBUTES, attributes_of, is_below, must_be_key, names_of};
use crate::store::{ArchiveMember, ArchiveReading, EMBED, Member, Store, StoreKind, key_of};
use crate::table::{COLUMNS, META};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use embed::{Embed, renamed};
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
    kind: StoreKind,
    /// The store on disk; `None` of a new one.
    old: Option<Old>,
    /// The files of the store: the names that they get, and those that they have.
    files: BTreeMap<String, String>,
    embed: Embed,
    /// Frames that are staged, by the keys of members. One that was not committed is not there.
    staged: BTreeMap<String, u32>,
    staging: Staging,
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
        let (files, embed, staged) = (BTreeMap::new(), Embed::default(), BTreeMap::new());
        Self {
            staging: Staging::new(path.clone()),
            path,
            container,
            kind,
            old: None,
            files,
            embed,
            staged,
            dparams,
            failed: false,
        }
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
        let file = fs::File::open(&self.path).map_err(ReadError::Source)?;
        let store = crate::store::open_with(&self.path, self.dparams.clone())?;
        self.kind = store.kind();
        self.embed =
            store.embed().map(|embed| Embed::read(self.kind, embed)).transpose()?.unwrap_or_default();
        let names = self.names()?;
        self.files = names.into_iter().map(|name| (name.clone(), name)).collect();
        self.old = Some(Old { store, embed: self.embed.clone(), count: self.files.len(), file, _lock });
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
        self.kind
    }

    /// The keys of all members, in order, with those that are not committed yet. Frames with attributes of groups are not among them.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::StoreEditor};
    /// assert!(StoreEditor::create("new.b2z", StoreKind::Tree)?.keys().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keys(&self) -> BTreeSet<String> {
        self.all_keys().filter(|key| !key.ends_with(ATTRIBUTES)).collect()
    }

    fn all_keys(&self) -> impl Iterator<Item = String> {
        let files = self.files.keys().filter_map(|name| key_of(name));
        files.chain(self.embed.members.keys().cloned()).chain(self.staged_keys().map(ToString::to_string))
    }

    fn staged_keys(&self) -> impl Iterator<Item = &str> {
        self.staged.iter().filter(|(_, number)| self.is_there(**number)).map(|(key, _)| &key[..])
    }

    /// Whether a staged frame was committed.
    fn is_there(&self, number: u32) -> bool {
        self.staging.path(number).exists()
    }

    /// The present and the stored name of a member's file.
    fn file(&self, key: &str) -> Option<(&String, &String)> {
        names_of(key).find_map(|name| self.files.get_key_value(&name))
    }

    fn has_member(&self, key: &str) -> bool {
        let is_staged = || self.staged.get(key).is_some_and(|number| self.is_there(*number));
        key.len() > 1 && (self.file(key).is_some() || self.embed.members.contains_key(key) || is_staged())
    }

    /// Whether there is anything below a key.
    fn is_group(&self, key: &str) -> bool {
        fn begins<T>(map: &BTreeMap<String, T>, start: &str) -> bool {
            map.range(start.to_string()..).next().is_some_and(|(found, _)| found.starts_with(start))
        }
        let start = [key, "/"].concat();
        let is_staged =
            |(found, number): (&String, &u32)| found.starts_with(&start) && self.is_there(*number);
        begins(&self.files, &start[1..])
            || begins(&self.embed.members, &start)
            || self
                .staged
                .range(start.clone()..)
                .take_while(|(found, _)| found.starts_with(&start))
                .any(is_staged)
    }

    /// Whether a key is below one of a member.
    fn is_below_member(&self, key: &str) -> bool {
        key.match_indices('/').any(|(at, _)| self.has_member(&key[..at]))
    }

    /// Fails unless a member may have this key: nothing is below it, and no member above.
    fn must_be_free(&self, key: &str) -> Written<()> {
        must_be_key(key)?;
        match self.is_group(key) || self.is_below_member(key) {
            true => Err(ArgumentError::KeyInUse.into()),
            false => Ok(()),
        }
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
        self.must_be_free(key)?;
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
        self.must_be_free(key)?;
        self.column_changes(key)?;
        self.add_at(key, reader)
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
                    self.embed.members.insert(key.into(), place.clone());
                }
                _ => self.add_at(key, &store.get(key)?)?,
            }
        }
        self.embed.copy_registry(&embed);
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
        let Some((table, _)) = key.split_once(COLUMNS) else { return Ok(()) };
        let meta = [table, META].concat();
        if !self.has_member(key) || !self.has_member(&meta) {
            return Ok(());
        }
        let (file, dparams) = (self.member_file(&meta)?, self.dparams.clone());
        let attributes = Reader::open(&file, dparams.clone())?.trailer()?.attributes.clone();
        let Some(layer) = attributes.iter().find(|layer| layer.name == CATALOGUE.as_bytes()) else {
            return Ok(());
        };
        let mut catalogue = layer.value(&dparams.limits)?;
        if !mark_stale(&mut catalogue) {
            return Ok(());
        }
        let mut editor = Editor::open(file, dparams)?;
        editor.set_attr_bytes(CATALOGUE, &catalogue.emit())?;
        editor.commit()
    }

    /// The file of a member, where it can be changed.
    fn member_file(&mut self, key: &str) -> Written<File> {
        let path = match self.staged.get(key) {
            Some(number) => self.staging.path(*number),
            None => match self.own_file(key) {
                Some(path) => path,
                None => {
                    let reader = self.stored(key)?;
                    self.add_at(key, &reader)?;
                    self.staging.path(self.staged[key])
                }
            },
        };
        File::open(path).map_err(ReadError::Source)
    }

    /// The file of a member of a directory, which has not changed its name.
    fn own_file(&self, key: &str) -> Option<PathBuf> {
        let (new, name) = self.file(key)?;
        (matches!(self.container, Container::Directory) && new == name).then(|| self.path.join(name))
    }

    /// A member of the store on disk, under its present key.
    fn stored(&self, key: &str) -> Written<Reader<Member<source::File>>> {
        let Some(old) = &self.old else { return Err(ArgumentError::NoMember.into()) };
        if let Some((_, name)) = self.file(key) {
            return old.store.get(&key_of(name).ok_or(ArgumentError::NoMember)?);
        }
        match self.embed.members.get(key) {
            Some(embed::Place::Items(items)) => {
                let same = |place: &embed::Place| matches!(place, embed::Place::Items(old) if old == items);
                let key = old.embed.members.iter().find(|(_, place)| same(place)).map_or(key, |(key, _)| key);
                old.store.get(key)
            }
            Some(embed::Place::Remote(_)) => Err(Unsupported::RemoteMember.into()),
            None if self.is_group(key) => Err(ArgumentError::IsGroup.into()),
            None => Err(ArgumentError::NoMember.into()),
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
        if !self.has_member(key) && !self.is_group(key) {
            return Err(ArgumentError::NoMember.into());
        }
        self.column_changes(key)?;
        self.take_out(key);
        Ok(())
    }

    /// Takes out a member, or a group with all that is in it.
    fn take_out(&mut self, key: &str) {
        let is_it = |member: &str| member == key || is_below(member, key);
        self.files.retain(|name, _| !key_of(name).is_some_and(|member| is_it(&member)));
        self.staged.retain(|member, _| !is_it(member));
        self.embed.remove(key);
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
        must_be_key(to)?;
        if !self.has_member(from) && !self.is_group(from) {
            return Err(ArgumentError::NoMember.into());
        }
        if is_below(to, from) || self.has_member(to) || self.is_group(to) || self.is_below_member(to) {
            return Err(ArgumentError::KeyInUse.into());
        }
        let name = |(name, old): (String, String)| {
            let new = key_of(&name).and_then(|key| {
                let extension = &name[key.len() - 1..];
                Some([&renamed(&key, from, to)?[1..], extension].concat())
            });
            (new.unwrap_or(name), old)
        };
        self.files = core::mem::take(&mut self.files).into_iter().map(name).collect();
        let staged = core::mem::take(&mut self.staged).into_iter();
        self.staged = staged.map(|(key, number)| (renamed(&key, from, to).unwrap_or(key), number)).collect();
        self.embed.rename(from, to);
        Ok(())
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
        if !self.has_member(&attributes_of(group)) {
            return Ok(false);
        }
        let mut editor = self.edit_attributes(group)?;
        let removed = editor.remove_attr(name);
        editor.commit()?;
        Ok(removed)
    }

    /// Opens the frame with the attributes of a group: a staged copy, or a new one.
    fn edit_attributes(&mut self, group: &str) -> Written<Editor<File>> {
        let group = group.trim_end_matches('/');
        if !group.is_empty() {
            must_be_key(group)?;
            if self.has_member(group) || self.is_below_member(group) {
                return Err(ArgumentError::KeyInUse.into());
            }
        }
        let key = attributes_of(group);
        if !self.staged.contains_key(&key) {
            if !self.has_member(&key) {
                let cparams = CParams { typesize: 1, ..CParams::default() };
                let params = FrameParams { cparams, ..FrameParams::default() };
                return Editor::create(self.stage(&key)?, &params);
            }
            let reader = self.stored(&key)?;
            self.add_at(&key, &reader)?;
        }
        let path = self.staging.path(self.staged[&key]);
        Editor::open(File::open_staged(&path).map_err(ReadError::Source)?, self.dparams.clone())
    }

    fn stage(&mut self, key: &str) -> Written<File> {
        let number = self.staging.next().map_err(ReadError::Source)?;
        let file = File::create_staged(&self.staging.path(number)).map_err(ReadError::Source)?;
        self.staged.insert(key.into(), number);
        Ok(file)
    }

    fn add_at<R: ReadAt>(&mut self, key: &str, reader: &Reader<R>) -> Written<()>
    where
        R::Error: Into<io::Error>,
    {
        let number = self.staging.next().map_err(ReadError::Source)?;
        let path = self.staging.path(number);
        commit::copy_frame(reader, &path)?;
        self.staged.insert(key.into(), number);
        Ok(())
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
        (true, true) if fs::read_dir(path)?.next().is_some() => {
            Err(about(path, ErrorKind::DirectoryNotEmpty, "a directory with other files"))
        }
        _ => Ok(()),
    }
}
