//! Blosc's names for codecs and filters, by the ids that files store.

/// Codec ids, as in the API, frame headers and extended chunk headers, with the labels of messages: they begin with the name,
/// and say of plugins that only Python packages implement what they are.
const CODECS: [(u8, &str); 15] = [
    (0, "blosclz (0)"),
    (1, "lz4 (1)"),
    (2, "lz4hc (2)"),
    (3, "snappy (3)"),
    (4, "zlib (4)"),
    (5, "zstd (5)"),
    (32, "ndlz (32)"),
    (33, "zfp_acc (33)"),
    (34, "zfp_prec (34)"),
    (35, "zfp_rate (35)"),
    (36, "openhtj2k (36: images in HTJ2K, of the package blosc2_openhtj2k)"),
    (37, "grok (37: images in JPEG 2000, of the package blosc2_grok)"),
    (38, "openzl (38: OpenZL, of the package blosc2_openzl)"),
    (39, "j2k (39: images in JPEG 2000, of the package blosc2_j2k)"),
    (40, "htj2k (40: images in HTJ2K, of the package blosc2_htj2k)"),
];

/// The part of a label before the id.
fn name(label: &'static str) -> &'static str {
    label.split_once(' ').map_or(label, |(name, _)| name)
}

/// The name of a codec with its id and, if it is a plugin that only a Python package implements, what it is.
pub(crate) fn codec_label(id: u8) -> Option<&'static str> {
    CODECS.iter().find(|(known, _)| *known == id).map(|&(_, label)| label)
}

/// The name of a codec.
pub(crate) fn codec_name(id: u8) -> Option<&'static str> {
    codec_label(id).map(name)
}

/// The id of a codec.
pub(crate) fn codec_id(wanted: &str) -> Option<u8> {
    CODECS.iter().find(|(_, label)| name(label) == wanted).map(|&(id, _)| id)
}

/// The name of a filter.
pub(crate) const fn filter_name(id: u8) -> Option<&'static str> {
    Some(match id {
        0 => "nofilter",
        1 => "shuffle",
        2 => "bitshuffle",
        3 => "delta",
        4 => "trunc_prec",
        32 => "ndcell",
        33 => "ndmean",
        34 => "bytedelta_buggy",
        35 => "bytedelta",
        36 => "int_trunc",
        _ => return None,
    })
}

/// The id of a filter.
pub(crate) fn filter_id(wanted: &str) -> Option<u8> {
    (0..=u8::MAX).find(|id| filter_name(*id) == Some(wanted))
}

/// A text that names no codec, or no filter.
///
/// ```
/// use b2nd::{codec::Codec, filter::Filter};
/// assert_eq!("zstandard".parse::<Codec>().unwrap_err().to_string(), "no codec has this name");
/// assert_eq!("shuffle:x".parse::<Filter>().unwrap_err().to_string(), "no filter has this name and parameter");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownName(pub(crate) &'static str);

impl core::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for UnknownName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_match() {
        for (id, label) in CODECS {
            let name = codec_name(id).unwrap();
            assert_eq!(codec_id(name), Some(id));
            assert!(label.starts_with(&alloc::format!("{name} ({id}")), "{label}");
        }
        assert_eq!((codec_name(6), codec_id("lizard")), (None, None));
    }
}
