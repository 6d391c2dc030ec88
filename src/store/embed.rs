//! Frames that contain frames: the catalogue of a `.b2e` file (FORMAT §10.2).

use crate::base::{Error, Limits, Malformed, Result};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The attribute with the catalogue.
pub(crate) const CATALOGUE: &str = "estore_metadata";

/// The kind of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreKind {
    /// A frame with all members in it.
    Embed,
    /// A directory or archive with a flat catalogue.
    Dict,
    /// A directory or archive with groups, which may have attributes.
    Tree,
}

impl StoreKind {
    /// The kind of store whose frame of small members has these metalayers, if it is one.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/stores/embed.b2e")?;
    /// # let layers = &reader.frame().header.metalayers;
    /// use b2nd::store::StoreKind;
    /// assert_eq!(StoreKind::of(layers), Some(StoreKind::Embed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(metalayers: &[Metalayer]) -> Option<Self> {
        let has = |name: &str| metalayers.iter().any(|layer| layer.name == name.as_bytes());
        [Self::Embed, Self::Dict, Self::Tree].into_iter().find(|kind| has(kind.metalayer()))
    }

    /// The metalayer of its frame of small members.
    pub(crate) const fn metalayer(self) -> &'static str {
        match self {
            Self::Embed => "b2embed",
            Self::Dict => "b2dict",
            Self::Tree => "b2tree",
        }
    }

    /// python-blosc2's name for it.
    ///
    /// ```
    /// use b2nd::store::StoreKind;
    /// assert_eq!(StoreKind::Tree.name(), "TreeStore");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embed => "EmbedStore",
            Self::Dict => "DictStore",
            Self::Tree => "TreeStore",
        }
    }
}

/// The store as the frame of small members describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Catalogue {
    /// The kind of store.
    pub kind: StoreKind,
    /// The keys of the members, and where each is.
    pub members: Vec<(String, Entry)>,
}

/// Where a catalogue has a member.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// In these items of the super-chunk.
    Items(Range<u64>),
    /// Elsewhere, at this URL or path.
    Remote(String),
}

impl Catalogue {
    /// Reads the catalogue from the attributes of a frame with `nbytes` items.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/stores/embed.b2e")?;
    /// # let layers = &reader.frame().header.metalayers;
    /// use b2nd::{Limits, store::{Catalogue, StoreKind}};
    /// let (attributes, nbytes) = (&reader.trailer()?.attributes, reader.frame().header.nbytes);
    /// let catalogue = Catalogue::new(StoreKind::Embed, attributes, nbytes, &Limits::default())?;
    /// assert!(!catalogue.members.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if it is damaged, or a member is not in the frame; errors of [`Value::parse`].
    pub fn new(kind: StoreKind, attributes: &[Metalayer], nbytes: u64, limits: &Limits) -> Result<Self> {
        let Some(catalogue) = attributes.iter().find(|metalayer| metalayer.name == CATALOGUE.as_bytes())
        else {
            return Ok(Self { kind, members: Vec::new() });
        };
        let value = catalogue.value(limits)?;
        let Some(Value::Map(pairs)) = value.get("embed_map") else {
            return Err(wrong());
        };
        let members = pairs.iter().map(|(key, value)| {
            let key = key.as_str().filter(|key| key.starts_with('/')).ok_or_else(wrong)?;
            Ok((key.into(), place(value, nbytes)?))
        });
        let members = members.collect::<Result<Vec<_>>>()?;
        disjoint(&members)?;
        Ok(Self { kind, members })
    }
}

/// Fails if frames share items: then many could be as long as one, which is all that is there.
fn disjoint(members: &[(String, Entry)]) -> Result<()> {
    let items = |(_, entry): &(String, Entry)| match entry {
        Entry::Items(items) => Some(items.clone()),
        Entry::Remote(_) => None,
    };
    let mut ranges: Vec<_> = members.iter().filter_map(items).collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    match ranges.windows(2).find(|pair| pair[1].start < pair[0].end) {
        Some(pair) => Err(Error::mismatch("start of an embedded frame", pair[1].start, pair[0].end)),
        None => Ok(()),
    }
}

/// Where an entry of the catalogue lies: items, or a URL, whose end may be apart.
fn place(entry: &Value, nbytes: u64) -> Result<Entry> {
    let int = |name| match entry.get(name) {
        Some(Value::Int(int)) => u64::try_from(*int).map(Some).map_err(|_| wrong()),
        _ => Ok(None),
    };
    if let (Some(offset), Some(len)) = (int("offset")?, int("length")?) {
        return match offset.checked_add(len).filter(|end| *end <= nbytes) {
            Some(end) => Ok(Entry::Items(offset..end)),
            None => Err(Error::mismatch("end of an embedded frame", offset.saturating_add(len), nbytes)),
        };
    }
    let text = |name| entry.get(name).and_then(Value::as_str);
    match (text("urlbase").or_else(|| text("urlpath")), text("path")) {
        (Some(base), Some(path)) => Ok(Entry::Remote([base.trim_end_matches('/'), path].join("/"))),
        (url, path) => Ok(Entry::Remote(url.or(path).ok_or_else(wrong)?.into())),
    }
}

fn wrong() -> Error {
    Error::format(Malformed::Field { name: "catalogue of a store", value: 0 })
}
