//! Blosc's names for codecs and filters, by the ids that files store.

/// Codec ids, as in the API, frame headers and extended chunk headers.
const CODECS: [(u8, &str); 15] = [
    (0, "blosclz"),
    (1, "lz4"),
    (2, "lz4hc"),
    (3, "snappy"),
    (4, "zlib"),
    (5, "zstd"),
    (32, "ndlz"),
    (33, "zfp_acc"),
    (34, "zfp_prec"),
    (35, "zfp_rate"),
    (36, "openhtj2k"),
    (37, "grok"),
    (38, "openzl"),
    (39, "j2k"),
    (40, "htj2k"),
];

/// The name of a codec.
pub(crate) fn codec_name(id: u8) -> Option<&'static str> {
    CODECS.iter().find(|(known, _)| *known == id).map(|&(_, name)| name)
}

/// The id of a codec.
pub(crate) fn codec_id(name: &str) -> Option<u8> {
    CODECS.iter().find(|(_, known)| *known == name).map(|&(id, _)| id)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_match() {
        for (id, name) in CODECS {
            assert_eq!((codec_id(name), codec_name(id)), (Some(id), Some(name)));
        }
        assert_eq!((codec_name(6), codec_id("lizard")), (None, None));
    }
}
