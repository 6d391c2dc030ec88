//! Where the members of a store are, by their keys.

use super::embed::Entry;
use super::key::stem;
use super::zip::ArchiveMember;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Where a member is.
#[derive(Debug)]
pub(super) enum Place {
    /// In a file of this path.
    File,
    /// In a file, which is this range of the store's source.
    Window(Range<u64>),
    /// In an archive, of which it has a member of this name.
    Archive { header: u64, range: Range<u64>, is_stored: bool },
    /// In these items of the frame of small members.
    Embedded(Range<u64>),
    /// At this URL.
    Remote(String),
}

/// A member with its place.
#[derive(Debug)]
pub(super) struct Placed {
    /// The key, and the extension of a file. It begins with a slash.
    path: String,
    /// The length of the key.
    len: usize,
    pub(super) place: Place,
}

impl Placed {
    /// A file of a directory, if its name is that of a frame.
    pub(super) fn file(name: String) -> Option<Self> {
        Self::outside(name, Place::File)
    }

    /// A file of a directory that is one source, likewise.
    pub(super) fn window((name, range): (String, Range<u64>)) -> Option<Self> {
        Self::outside(name, Place::Window(range))
    }

    /// A member of an archive, likewise.
    pub(super) fn archived(
        ArchiveMember { name, header, range, is_stored, .. }: ArchiveMember,
    ) -> Option<Self> {
        Self::outside(name, Place::Archive { header, range, is_stored })
    }

    /// An entry of a catalogue.
    pub(super) fn embedded((key, entry): (String, Entry)) -> Self {
        let place = match entry {
            Entry::Items(items) => Place::Embedded(items),
            Entry::Remote(url) => Place::Remote(url),
        };
        Self { len: key.len(), path: key, place }
    }

    fn outside(mut path: String, place: Place) -> Option<Self> {
        let len = 1 + stem(&path)?.len();
        // There may be a million of them: no more than a byte longer.
        path.reserve_exact(1);
        path.insert(0, '/');
        Some(Self { path, len, place })
    }

    fn key(&self) -> &str {
        &self.path[..self.len]
    }

    /// The name of the file, or of the member of the archive.
    pub(super) fn name(&self) -> &str {
        &self.path[1..]
    }
}

/// Members in the order of their keys.
#[derive(Default)]
pub(super) struct Places(Vec<Placed>);

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|placed| (placed.key(), &placed.place))).finish()
    }
}

impl Places {
    /// Of members with the same key the last one counts, and those outside count before those in the frame of small members.
    pub(super) fn of(embedded: Vec<Placed>, mut outside: Vec<Placed>) -> Self {
        outside.reverse();
        outside.reserve_exact(embedded.len());
        outside.extend(embedded.into_iter().rev());
        outside.sort_by(|a, b| a.key().cmp(b.key()));
        outside.dedup_by(|later, first| later.key() == first.key());
        Self(outside)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Placed> {
        let at = self.0.binary_search_by(|placed| placed.key().cmp(key)).ok()?;
        self.0.get(at)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(Placed::key)
    }
}
