//! The options of automatic choices.

use b2nd::chunk::Goal;
use b2nd::codec::Codec;
use clap::ValueEnum;

/// A codec, or auto.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodecChoice {
    Auto,
    This(Codec),
}

/// The aim of an automatic choice: it minimizes this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Aim {
    /// The size
    Ratio,
    /// The time of encoding, reading and decoding
    Speed,
    /// The time times the square of the size
    Balanced,
}

impl From<Aim> for Goal {
    fn from(aim: Aim) -> Self {
        match aim {
            Aim::Ratio => Self::Ratio,
            Aim::Speed => Self::Speed,
            Aim::Balanced => Self::Balanced,
        }
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
