//! Fragments of error messages.

use super::names::{codec_label, filter_name};
use core::fmt;

/// A number of bytes: `1 byte`, `2 bytes`.
pub(super) struct Bytes(pub(super) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} byte{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

/// A codec: `codec zfp_acc (33)`, `codec 200`.
pub(super) struct Codec(pub(super) u8);

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match codec_label(self.0) {
            Some(label) => write!(f, "codec {label}"),
            None => write!(f, "codec {}", self.0),
        }
    }
}

/// A filter: `filter ndcell (32)`, `filter 200`.
pub(super) struct Filter(pub(super) u8);

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match filter_name(self.0) {
            Some(name) => write!(f, "filter {name} ({})", self.0),
            None => write!(f, "filter {}", self.0),
        }
    }
}
