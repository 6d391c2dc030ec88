//! Frames that contain frames: the catalogue of a `.b2e` file (FORMAT §10.2).

use crate::base::{Error, Limits, Malformed, Result};
use crate::frame::{Header, Trailer};
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The variable-length metalayer with the catalogue.
const CATALOGUE: &[u8] = b"estore_metadata";

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
    /// The kind of store whose frame has this header, if it is one.
    pub(super) fn of(header: &Header) -> Option<Self> {
        let kinds = [("b2embed", Self::Embed), ("b2dict", Self::Dict), ("b2tree", Self::Tree)];
        kinds.into_iter().find(|(name, _)| header.metalayer(name).is_some()).map(|(_, kind)| kind)
    }

    /// python-blosc2's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embed => "EmbedStore",
            Self::Dict => "DictStore",
            Self::Tree => "TreeStore",
        }
    }
}

/// Where a member is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Items of the frame's super-chunk.
    Items(Range<u64>),
    /// Somewhere else.
    Remote,
}

/// The members in a frame with `nbytes` items, by their keys.
pub(super) fn members(trailer: &Trailer, nbytes: u64, limits: &Limits) -> Result<Vec<(String, Place)>> {
    let Some(catalogue) = trailer.vlmetalayers.iter().find(|metalayer| metalayer.name == CATALOGUE) else {
        return Ok(Vec::new());
    };
    let value = catalogue.value(limits)?;
    let Some(Value::Map(pairs)) = value.get("embed_map") else {
        return Err(wrong());
    };
    let member = |(key, value): &(Value, Value)| {
        let key = key.as_str().filter(|key| key.starts_with('/')).ok_or_else(wrong)?;
        let int = |name| match value.get(name) {
            Some(Value::Int(int)) => u64::try_from(*int).map(Some).map_err(|_| wrong()),
            _ => Ok(None),
        };
        let place = match (int("offset")?, int("length")?) {
            (Some(offset), Some(len)) => match offset.checked_add(len).filter(|end| *end <= nbytes) {
                Some(end) => Place::Items(offset..end),
                None => {
                    return Err(Error::mismatch(
                        "end of an embedded frame",
                        offset.saturating_add(len),
                        nbytes,
                    ));
                }
            },
            _ if value.get("urlbase").is_some() || value.get("urlpath").is_some() => Place::Remote,
            _ => return Err(wrong()),
        };
        Ok((key.into(), place))
    };
    pairs.iter().map(member).collect()
}

fn wrong() -> Error {
    Error::format(Malformed::Field { name: "catalogue of a store", value: 0 })
}
