//! Fragments of error messages.

use super::names::{codec_name, filter_name};
use core::fmt;

/// A number of bytes: `1 byte`, `2 bytes`.
pub(super) struct Bytes(pub(super) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} byte{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

/// A codec or a filter, with its name if known: `codec zfp_acc (33)`, `filter 200`.
pub(super) struct Named {
    kind: &'static str,
    id: u8,
    name: Option<&'static str>,
}

impl Named {
    pub(super) fn codec(id: u8) -> Self {
        Self { kind: "codec", id, name: codec_name(id) }
    }

    pub(super) const fn filter(id: u8) -> Self {
        Self { kind: "filter", id, name: filter_name(id) }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, id, name } = self;
        match name {
            Some(name) => write!(f, "{kind} {name} ({id})"),
            None => write!(f, "{kind} {id}"),
        }
    }
}
