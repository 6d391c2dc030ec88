//! Stores: many frames under keys, in one frame (`.b2e`), in a directory (`.b2d`) or in a zip archive (`.b2z`), as
//! python-blosc2 writes them (FORMAT §10).
//!
//! Nothing is unpacked: a member of an archive is read where it is, and only the parts that a selection needs. Small members
//! are usually in the compressed chunks of the frame `embed.b2e`; they are decoded when they are opened.

#[cfg(feature = "std")]
mod asynchronous;
pub(crate) mod embed;
#[cfg(feature = "std")]
pub(crate) mod files;
#[cfg(all(feature = "std", feature = "write"))]
pub(crate) mod journal;
pub(crate) mod key;
mod member;
mod places;
#[cfg(test)]
mod tests;
pub(crate) mod zip;

#[cfg(feature = "std")]
pub use asynchronous::AsyncStore;
pub use embed::{Catalogue, Entry, StoreKind};
#[cfg(feature = "std")]
pub use files::{open, open_by, open_with};
pub use key::key_of;
pub use member::{Embedded, Member, Window};
pub use zip::{ArchiveMember, ArchiveReading};

use crate::base::{ArgumentError, Unsupported};
use crate::chunk::DParams;
use crate::frame::{Metalayer, Part, Request};
use crate::plan::Selection;
use crate::source::{ReadAt, ReadError, Reader, drive};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use key::{ATTRIBUTES, attributes_of, is_below};
use places::{Place, Placed, Places};

/// The file with small members in a directory or an archive.
pub(crate) const EMBED: &str = "embed.b2e";

type Opened<T, S> = Result<T, ReadError<<S as ReadAt>::Error>>;
type OpenFile<S> = dyn Fn(&str) -> Result<S, <S as ReadAt>::Error> + Send + Sync;

/// A store.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = b2nd::store::open("tests/golden/blosc2-4.14.1/store.b2e")?;
/// for key in store.keys() {
///     let reader = store.get(key)?;
///     println!("{key}: {} bytes", reader.frame().header.nbytes);
/// }
/// # Ok(()) }
/// ```
pub struct Store<S: ReadAt> {
    source: Arc<S>,
    dparams: DParams,
    kind: StoreKind,
    places: Places,
    /// The frame with embedded members.
    embed: Option<Arc<Reader<Member<S>>>>,
    /// Opens a file of a directory.
    open_file: Option<Box<OpenFile<S>>>,
}

/// Where a member is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Storage {
    /// In a file of its own.
    File,
    /// In an archive, as it is.
    Archive,
    /// In an archive, compressed or encrypted: it cannot be opened.
    Compressed,
    /// In the frame of small members.
    Embedded,
    /// Elsewhere: it cannot be opened.
    Remote,
}

impl<S: ReadAt> fmt::Debug for Store<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("kind", &self.kind)
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

impl<S: ReadAt> Store<S> {
    /// Opens a store in an archive or a frame of `len` bytes. Reads the end of an archive and its directory, and the frame of
    /// small members.
    ///
    /// ```
    /// let frame = std::fs::read("tests/golden/blosc2-4.14.1/store.b2e")?;
    /// let store = b2nd::store::Store::open(&frame[..], frame.len() as u64, b2nd::DParams::default())?;
    /// assert!(store.keys().eq(["/first", "/group/second"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if it cannot be read; `Blosc` of `Unsupported` if it is no store, of `Format` if its catalogue is damaged, and of
    /// `Limit` if that takes too much memory.
    pub fn open(source: S, len: u64, dparams: DParams) -> Opened<Self, S> {
        let store = Self::of(source, dparams);
        let Some(members) = drive(&*store.source, ArchiveReading::new(len, &store.dparams))? else {
            let embed = store.window(0..len)?;
            return store.with_embed(embed, Vec::new());
        };
        let embed = members.iter().rfind(|member| member.name == EMBED).ok_or(Unsupported::NoStore)?;
        if !embed.is_stored {
            return Err(Unsupported::CompressedMember.into());
        }
        let embed = store.archived(EMBED, embed.header, &embed.range)?;
        let members = members.into_iter().filter_map(Placed::archived).collect();
        store.with_embed(embed, members)
    }

    /// Opens a store in a directory with these files, named relative to it and with `/` between parts. `open` opens one of them,
    /// and is first called for `embed.b2e`.
    ///
    /// ```
    /// use b2nd::{DParams, source::File, store::Store};
    /// let open = |name: &str| File::open(format!("tests/golden/blosc2-4.14.1/{}", name.replace("embed", "store")));
    /// let store = Store::open_directory([], open, DParams::default())?;
    /// assert!(store.keys().eq(["/first", "/group/second"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`open`](Self::open).
    pub fn open_directory(
        files: impl IntoIterator<Item = String>,
        open: impl Fn(&str) -> Result<S, S::Error> + Send + Sync + 'static,
        dparams: DParams,
    ) -> Opened<Self, S> {
        let mut store = Self::of(open(EMBED).map_err(ReadError::Source)?, dparams);
        store.open_file = Some(Box::new(open));
        let embed = store.window(0..u64::MAX)?;
        store.with_embed(embed, files.into_iter().filter_map(Placed::file).collect())
    }

    /// Opens a store in a directory whose files, named likewise, are ranges of one source.
    #[cfg(feature = "std")]
    fn open_windows(source: S, files: Vec<(String, Range<u64>)>, dparams: DParams) -> Opened<Self, S> {
        let store = Self::of(source, dparams);
        let embed = files.iter().find(|(name, _)| name == EMBED).ok_or(Unsupported::NoStore)?;
        let embed = store.window(embed.1.clone())?;
        store.with_embed(embed, files.into_iter().filter_map(Placed::window).collect())
    }

    fn of(source: S, dparams: DParams) -> Self {
        let (source, places) = (Arc::new(source), Places::default());
        Self { source, dparams, kind: StoreKind::Embed, places, embed: None, open_file: None }
    }

    /// Adds these members, and those of the frame of small members that have other keys.
    fn with_embed(mut self, embed: Reader<Member<S>>, outside: Vec<Placed>) -> Opened<Self, S> {
        let header = &embed.frame().header;
        let kind = StoreKind::of(&header.metalayers).ok_or(Unsupported::NoStore)?;
        let Catalogue { members, .. } =
            Catalogue::new(kind, &embed.trailer()?.attributes, header.nbytes, &self.dparams.limits)?;
        self.places = Places::of(members.into_iter().map(Placed::embedded).collect(), outside);
        self.kind = kind;
        self.embed = Some(Arc::new(embed));
        Ok(self)
    }

    /// How members are read.
    pub(crate) const fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// The frame with embedded members.
    pub(crate) fn embed(&self) -> Option<&Reader<Member<S>>> {
        self.embed.as_deref()
    }

    /// The keys of all members, and of frames that hold attributes.
    pub(crate) fn all_keys(&self) -> impl Iterator<Item = &str> {
        self.places.keys()
    }

    /// The kind of the store.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/blosc2-4.14.1/store.b2e").unwrap();
    /// assert_eq!(store.kind(), b2nd::store::StoreKind::Embed);
    /// ```
    pub const fn kind(&self) -> StoreKind {
        self.kind
    }

    /// The keys of all members in order, without the frames that hold [attributes](Self::attributes). Keys begin with a slash.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/blosc2-4.14.1/store.b2e").unwrap();
    /// assert!(store.keys().eq(["/first", "/group/second"]));
    /// ```
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.places.keys().filter(|key| !key.ends_with(ATTRIBUTES))
    }

    /// Where a member is stored; `None` if there is none with this key.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/blosc2-4.14.1/store.b2e").unwrap();
    /// assert_eq!(store.storage("/first"), Some(b2nd::store::Storage::Embedded));
    /// ```
    pub fn storage(&self, key: &str) -> Option<Storage> {
        Some(match self.places.get(key)?.place {
            Place::File | Place::Window(_) => Storage::File,
            Place::Archive { is_stored: true, .. } => Storage::Archive,
            Place::Archive { .. } => Storage::Compressed,
            Place::Embedded(_) => Storage::Embedded,
            Place::Remote(_) => Storage::Remote,
        })
    }

    /// The URL or path of a member that is stored elsewhere, such as an array of a server; `None` of others.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/blosc2-4.14.1/store.b2e").unwrap();
    /// assert_eq!(store.url("/first"), None);
    /// ```
    pub fn url(&self, key: &str) -> Option<&str> {
        match &self.places.get(key)?.place {
            Place::Remote(url) => Some(url),
            _ => None,
        }
    }

    /// Opens a member.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/blosc2-4.14.1/store.b2e")?;
    /// assert_eq!(store.get("/first")?.into_array()?.shape(), [5, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` if there is no such key, of `Unsupported` if the member is compressed in its archive or stored
    /// elsewhere; errors of opening the frame.
    pub fn get(&self, key: &str) -> Opened<Reader<Member<S>>, S> {
        let Some(placed) = self.places.get(key) else {
            let is_group = self.places.keys().any(|member| is_below(member, key));
            return Err(if is_group { ArgumentError::IsGroup } else { ArgumentError::NoMember }.into());
        };
        match (&placed.place, &self.open_file) {
            (Place::Archive { is_stored: false, .. }, _) => Err(Unsupported::CompressedMember.into()),
            (Place::Archive { header, range, .. }, _) => self.archived(placed.name(), *header, range),
            (Place::Window(range), _) => self.window(range.clone()),
            (Place::Embedded(range), _) => self.embedded(range),
            (Place::File, Some(open)) => {
                let file = open(placed.name()).map_err(ReadError::Source)?;
                Reader::open(Member::Own(file), self.dparams.clone())
            }
            (Place::File | Place::Remote(_), _) => Err(Unsupported::RemoteMember.into()),
        }
    }

    /// The attributes of a group, or of the whole store for the empty key.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/blosc2-4.14.1/store.b2e")?;
    /// assert!(store.attributes("/group")?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading the frame that holds them.
    pub fn attributes(&self, group: &str) -> Opened<Vec<Metalayer>, S> {
        let key = attributes_of(group);
        match self.places.get(&key).is_some() {
            true => Ok(self.get(&key)?.trailer()?.attributes.clone()),
            false => Ok(Vec::new()),
        }
    }

    fn window(&self, range: Range<u64>) -> Opened<Reader<Member<S>>, S> {
        let window = Window { source: Arc::clone(&self.source), range };
        Reader::open(Member::Window(window), self.dparams.clone())
    }

    /// Opens a member of an archive, which is where its own header puts it.
    fn archived(&self, name: &str, header: u64, range: &Range<u64>) -> Opened<Reader<Member<S>>, S> {
        let mut buffer = Vec::new();
        let own = read(&*self.source, zip::header_range(header, name), &mut buffer)?;
        self.window(zip::located(name, header, range, own)?)
    }

    /// Decodes an embedded member if it is small. Of a large one only what is read is decoded: it may be a claim.
    fn embedded(&self, range: &Range<u64>) -> Opened<Reader<Member<S>>, S> {
        const SMALL: u64 = 1 << 20;
        let embed = self.embed.as_ref().ok_or(Unsupported::NoStore)?;
        if range.end - range.start <= SMALL {
            let bytes = embed.get(Selection::of_ranges(core::slice::from_ref(range)))?;
            return Reader::open(Member::Bytes(bytes), self.dparams.clone());
        }
        let member = Embedded::new(Arc::clone(embed), range.clone());
        Reader::open(Member::Embedded(member), self.dparams.clone())
    }
}

fn read<'b, S: ReadAt>(source: &'b S, range: Range<u64>, buffer: &'b mut Vec<u8>) -> Opened<&'b [u8], S> {
    source.read_at(&Request { part: Part::Frame, range }, buffer).map_err(ReadError::Source)
}
