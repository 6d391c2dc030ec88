//! Codec ids, and the codec bits of chunk headers.

use crate::base::{Error, Malformed, Result, UnknownName, Unsupported, codec_id, codec_label, codec_name};
use core::fmt;
use core::str::FromStr;

/// A codec, by its id in the API, frame headers and extended chunk headers (Blosc's "compcode"). Any number is valid,
/// whether this build can decode it or not.
///
/// ```
/// use b2nd::codec::Codec;
/// assert_eq!(Codec::from_name("zstd"), Some(Codec(5)));
/// assert_eq!(Codec(36).name(), Some("openhtj2k"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Codec(pub u8);

impl Codec {
    /// Blosc's own LZ77 codec.
    pub const BLOSCLZ: Self = Self(0);
    /// LZ4.
    pub const LZ4: Self = Self(1);
    /// LZ4HC: a slower encoder for LZ4 streams.
    pub const LZ4HC: Self = Self(2);
    /// Snappy, in Blosc1 only: C-Blosc reads it, C-Blosc2 does not.
    pub const SNAPPY: Self = Self(3);
    /// zlib.
    pub const ZLIB: Self = Self(4);
    /// zstd.
    pub const ZSTD: Self = Self(5);
    /// Lizard, which only beta releases of Blosc2 had.
    const LIZARD: Self = Self(6);
    /// The first id of plugins.
    pub const FIRST_PLUGIN: Self = Self(32);
    /// Blosc's plugin for two-dimensional bytes.
    pub const NDLZ: Self = Self(32);
    /// ZFP, up to an absolute error of 10 to the power of its parameter.
    pub const ZFP_ACC: Self = Self(33);
    /// ZFP, with a number of bit planes.
    pub const ZFP_PREC: Self = Self(34);
    /// ZFP, with a number of bits per value.
    pub const ZFP_RATE: Self = Self(35);

    /// Whether this is ZFP, in any mode, and built in.
    pub(crate) const fn is_zfp(self) -> bool {
        cfg!(feature = "zfp") && matches!(self, Self::ZFP_ACC | Self::ZFP_PREC | Self::ZFP_RATE)
    }

    /// Blosc's name for the codec, if it has one.
    ///
    /// ```
    /// use b2nd::codec::Codec;
    /// assert_eq!((Codec::ZSTD.name(), Codec(200).name()), (Some("zstd"), None));
    /// ```
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        codec_name(self.0)
    }

    /// The name with the id, for messages. Of a plugin that only a Python package implements, it says what that is.
    ///
    /// ```
    /// # use b2nd::codec::Codec;
    /// assert_eq!(Codec::ZSTD.label(), Some("zstd (5)"));
    /// assert_eq!(Codec(38).label(), Some("openzl (38: OpenZL, of the package blosc2_openzl)"));
    /// assert_eq!(Codec(200).label(), None);
    /// ```
    #[must_use]
    pub fn label(self) -> Option<&'static str> {
        codec_label(self.0)
    }

    /// The codec with this name.
    ///
    /// ```
    /// use b2nd::codec::Codec;
    /// assert_eq!((Codec::from_name("lz4hc"), Codec::from_name("lzma")), (Some(Codec::LZ4HC), None));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        codec_id(name).map(Self)
    }

    /// The codec of a chunk: `format` is the high three bits of its flags, `byte` the codec byte of its extended
    /// header, which old releases left zero.
    pub(crate) fn from_format(format: u8, byte: u8) -> Result<Self> {
        match format {
            0 => Ok(Self::BLOSCLZ),
            // The streams are the same; only this byte distinguishes them, if it was written.
            1 if byte == Self::LZ4HC.0 => Ok(Self::LZ4HC),
            1 => Ok(Self::LZ4),
            2 => Ok(Self::SNAPPY),
            3 => Ok(Self::ZLIB),
            4 => Ok(Self::ZSTD),
            5 => Err(Unsupported::Codec(Self::LIZARD.0).into()),
            6 => Ok(Self(byte)),
            _ => Err(Error::format(Malformed::Field { name: "codec format", value: format.into() })),
        }
    }

    /// The three high bits of a chunk's flags, which tell the codec; the reverse of [`from_format`](Self::from_format).
    pub(crate) const fn format(self) -> u8 {
        match self {
            Self::BLOSCLZ => 0,
            Self::LZ4 | Self::LZ4HC => 1,
            Self::SNAPPY => 2,
            Self::ZLIB => 3,
            Self::ZSTD => 4,
            _ => 6,
        }
    }
}

/// Reads Blosc's name, or the id of a codec that has none.
///
/// ```
/// use b2nd::codec::Codec;
/// assert_eq!("zstd".parse(), Ok(Codec::ZSTD));
/// assert_eq!("200".parse(), Ok(Codec(200)));
/// # Ok::<(), b2nd::Error>(())
/// ```
impl FromStr for Codec {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = Self::from_name(text).or_else(|| text.parse().ok().map(Self));
        named.ok_or(UnknownName("no codec has this name"))
    }
}

/// Blosc's name, or the id of a codec that has none: what [`FromStr`] reads.
impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.pad(name),
            None => self.0.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn names_and_ids_are_read_again() {
        for id in 0..=u8::MAX {
            let text = alloc::string::ToString::to_string(&Codec(id));
            assert_eq!(text.parse(), Ok(Codec(id)), "{text}");
        }
        assert!("256".parse::<Codec>().is_err() && "".parse::<Codec>().is_err());
    }

    #[test]
    fn formats_lead_back_to_codecs() {
        for (format, byte, id) in
            [(0, 0, 0), (1, 0, 1), (1, 2, 2), (2, 0, 3), (3, 0, 4), (4, 5, 5), (6, 32, 32)]
        {
            assert_eq!(Codec::from_format(format, byte), Ok(Codec(id)));
            assert_eq!(Codec(id).format(), format);
        }
        assert_eq!(Codec::from_format(5, 0), Err(Unsupported::Codec(6).into()));
        assert!(matches!(Codec::from_format(7, 0).unwrap_err().kind(), ErrorKind::Format(_)));
    }
}
