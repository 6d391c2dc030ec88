//! The options of automatic choices.

use super::storage::{Filters, Storage};
use b2nd::chunk::{Auto, Goal};
use b2nd::codec::Codec;
use clap::ValueEnum;

/// A codec, or auto.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodecChoice {
    Auto,
    This(Codec),
}

/// What an automatic choice minimizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Aim {
    /// The size
    Ratio,
    /// The time of encoding, reading and decoding
    Speed,
    /// The time times the square of the size
    Balanced,
}

impl Storage {
    /// What is chosen by the data; filters also if none are named and `filters` is true.
    pub(crate) fn auto(&self, filters: bool) -> Option<Auto> {
        let filters =
            self.filters.as_ref().map_or(filters || self.goal.is_some(), |filters| *filters == Filters::Auto);
        let codec = self.codec == Some(CodecChoice::Auto);
        let goal = match self.goal {
            None => Goal::default(),
            Some(Aim::Ratio) => Goal::Ratio,
            Some(Aim::Speed) => Goal::Speed,
            Some(Aim::Balanced) => Goal::Balanced,
        };
        (filters || codec).then_some(Auto { goal, filters, codec, compatible: false })
    }
}

/// Parses a codec.
pub(super) fn codec(text: &str) -> Result<CodecChoice, String> {
    if text == "auto" {
        return Ok(CodecChoice::Auto);
    }
    let codec = Codec::from_name(text).map(CodecChoice::This);
    codec.ok_or_else(|| "auto, blosclz, lz4, lz4hc, zlib or zstd".into())
}
