//! The options of automatic choices.

use b2nd::chunk::CParams;
use b2nd::chunk::Goal;
use b2nd::codec::{Codec, Zfp};
use clap::ValueEnum;
use core::mem;

/// A codec, or auto.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodecChoice {
    Auto,
    This(Codec),
    Zfp(Zfp),
}

impl CodecChoice {
    /// Applies a choice that does not depend on the data.
    pub(super) fn apply_to(self, cparams: &mut CParams) {
        match self {
            Self::Auto => {}
            Self::This(codec) => cparams.codec = codec,
            Self::Zfp(mode) => *cparams = mem::take(cparams).with_zfp(mode),
        }
    }
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
    if let Some((name, parameter)) = text.split_once(':') {
        return zfp(name, parameter).map(CodecChoice::Zfp);
    }
    let codec = Codec::from_name(text).filter(|codec| needs_no_parameter(*codec)).map(CodecChoice::This);
    codec.ok_or_else(|| {
        "auto, blosclz, lz4, lz4hc, zlib, zstd, or of floats zfp_acc:1e-3, zfp_prec:16 or zfp_rate:25".into()
    })
}

fn needs_no_parameter(codec: Codec) -> bool {
    !matches!(codec, Codec::NDLZ | Codec::ZFP_ACC | Codec::ZFP_PREC | Codec::ZFP_RATE)
}

/// Parses the parameter of ZFP.
fn zfp(name: &str, parameter: &str) -> Result<Zfp, String> {
    match Codec::from_name(name) {
        Some(Codec::ZFP_ACC) => power_of_10(parameter)
            .map(Zfp::Accuracy)
            .ok_or_else(|| "zfp_acc needs the largest error, a power of 10 such as 1e-3".into()),
        Some(Codec::ZFP_PREC) => count(parameter, 64)
            .map(Zfp::Precision)
            .ok_or_else(|| "zfp_prec needs a number of bits from 1 to 64".into()),
        Some(Codec::ZFP_RATE) => count(parameter, 100)
            .map(Zfp::Rate)
            .ok_or_else(|| "zfp_rate needs a percentage of the size from 1 to 100".into()),
        _ => Err("only zfp_acc, zfp_prec and zfp_rate take a parameter".into()),
    }
}

fn count(text: &str, most: u8) -> Option<u8> {
    text.parse().ok().filter(|count| (1..=most).contains(count))
}

/// The exponent of a power of 10.
fn power_of_10(text: &str) -> Option<i8> {
    let value: f64 = text.parse().ok()?;
    (i8::MIN..=i8::MAX).find(|exponent| format!("1e{exponent}").parse() == Ok(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_have_names_and_zfp_a_parameter() {
        assert_eq!(codec("auto"), Ok(CodecChoice::Auto));
        assert_eq!(codec("zstd"), Ok(CodecChoice::This(Codec::ZSTD)));
        for (text, mode) in [
            ("zfp_acc:1e-3", Zfp::Accuracy(-3)),
            ("zfp_acc:0.01", Zfp::Accuracy(-2)),
            ("zfp_acc:1", Zfp::Accuracy(0)),
            ("zfp_acc:1e127", Zfp::Accuracy(127)),
            ("zfp_prec:64", Zfp::Precision(64)),
            ("zfp_rate:25", Zfp::Rate(25)),
        ] {
            assert_eq!(codec(text), Ok(CodecChoice::Zfp(mode)), "{text}");
        }
        for wrong in [
            "",
            "zstandard",
            "zfp_acc",
            "zfp_acc:",
            "zfp_acc:2e-3",
            "zfp_acc:0",
            "zfp_acc:nan",
            "zfp_acc:1e-129",
            "zfp_prec:0",
            "zfp_prec:65",
            "zfp_rate:101",
            "zfp_rate:1e1",
            "zstd:9",
            "ndlz",
            "auto:1",
        ] {
            assert!(codec(wrong).is_err(), "{wrong}");
        }
    }
}
