//! The constants of `blosc.h`, and the compressors with their codes and names.

use b2nd::codec::Codec;
use core::ffi::{CStr, c_int};

/// The major version of C-Blosc whose interface this is.
pub const BLOSC_VERSION_MAJOR: c_int = 1;
/// The minor version.
pub const BLOSC_VERSION_MINOR: c_int = 21;
/// The release.
pub const BLOSC_VERSION_RELEASE: c_int = 6;

/// The version of the chunk format.
pub const BLOSC_VERSION_FORMAT: c_int = 2;
/// Bytes of a chunk's header.
pub const BLOSC_MIN_HEADER_LENGTH: c_int = 16;
/// Bytes by which a chunk may be longer than the plain data.
pub const BLOSC_MAX_OVERHEAD: c_int = 16;
/// The most plain bytes of a chunk.
pub const BLOSC_MAX_BUFFERSIZE: c_int = 2_147_483_631;
/// The largest item size; data of larger items are compressed as single bytes.
pub const BLOSC_MAX_TYPESIZE: c_int = 255;
/// The most bytes of a block.
pub const BLOSC_MAX_BLOCKSIZE: c_int = 536_866_816;
/// The most threads.
pub const BLOSC_MAX_THREADS: c_int = 256;

/// No filter.
pub const BLOSC_NOSHUFFLE: c_int = 0;
/// Bytes of items are transposed.
pub const BLOSC_SHUFFLE: c_int = 1;
/// Bits of items are transposed.
pub const BLOSC_BITSHUFFLE: c_int = 2;

/// A flag of `blosc_cbuffer_metainfo`: bytes are transposed.
pub const BLOSC_DOSHUFFLE: c_int = 1;
/// A flag of `blosc_cbuffer_metainfo`: the data are copied.
pub const BLOSC_MEMCPYED: c_int = 2;
/// A flag of `blosc_cbuffer_metainfo`: bits are transposed.
pub const BLOSC_DOBITSHUFFLE: c_int = 4;

/// The code of the compressor BloscLZ.
pub const BLOSC_BLOSCLZ: c_int = 0;
/// The code of LZ4.
pub const BLOSC_LZ4: c_int = 1;
/// The code of LZ4HC.
pub const BLOSC_LZ4HC: c_int = 2;
/// The code of Snappy.
pub const BLOSC_SNAPPY: c_int = 3;
/// The code of zlib.
pub const BLOSC_ZLIB: c_int = 4;
/// The code of zstd.
pub const BLOSC_ZSTD: c_int = 5;

/// The code of BloscLZ's library, which is that of its format.
pub const BLOSC_BLOSCLZ_LIB: c_int = 0;
/// The code of the library of LZ4 and LZ4HC.
pub const BLOSC_LZ4_LIB: c_int = 1;
/// The code of Snappy's library.
pub const BLOSC_SNAPPY_LIB: c_int = 2;
/// The code of zlib's library.
pub const BLOSC_ZLIB_LIB: c_int = 3;
/// The code of zstd's library.
pub const BLOSC_ZSTD_LIB: c_int = 4;

/// The code of BloscLZ's format.
pub const BLOSC_BLOSCLZ_FORMAT: c_int = 0;
/// The code of the format of LZ4.
pub const BLOSC_LZ4_FORMAT: c_int = 1;
/// The code of the format of LZ4HC, which is that of LZ4.
pub const BLOSC_LZ4HC_FORMAT: c_int = 1;
/// The code of Snappy's format.
pub const BLOSC_SNAPPY_FORMAT: c_int = 2;
/// The code of zlib's format.
pub const BLOSC_ZLIB_FORMAT: c_int = 3;
/// The code of zstd's format.
pub const BLOSC_ZSTD_FORMAT: c_int = 4;

/// The version of BloscLZ's format.
pub const BLOSC_BLOSCLZ_VERSION_FORMAT: c_int = 1;
/// The version of the format of LZ4.
pub const BLOSC_LZ4_VERSION_FORMAT: c_int = 1;
/// The version of the format of LZ4HC.
pub const BLOSC_LZ4HC_VERSION_FORMAT: c_int = 1;
/// The version of Snappy's format.
pub const BLOSC_SNAPPY_VERSION_FORMAT: c_int = 1;
/// The version of zlib's format.
pub const BLOSC_ZLIB_VERSION_FORMAT: c_int = 1;
/// The version of zstd's format.
pub const BLOSC_ZSTD_VERSION_FORMAT: c_int = 1;

/// Blocks are split into a stream for each byte of an item wherever readers can undo it.
pub const BLOSC_ALWAYS_SPLIT: c_int = 1;
/// Blocks are not split.
pub const BLOSC_NEVER_SPLIT: c_int = 2;
/// Blocks are split for BloscLZ and Snappy.
pub const BLOSC_AUTO_SPLIT: c_int = 3;
/// Blocks are split for all compressors but zstd: the default.
pub const BLOSC_FORWARD_COMPAT_SPLIT: c_int = 4;

/// A compressor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compressor {
    pub(crate) code: c_int,
    pub(crate) name: &'static CStr,
    pub(crate) format: u8,
    pub(crate) codec: Codec,
}

/// By their codes.
pub(crate) const COMPRESSORS: [Compressor; 6] = [
    Compressor { code: 0, name: c"blosclz", format: 0, codec: Codec::BLOSCLZ },
    Compressor { code: 1, name: c"lz4", format: 1, codec: Codec::LZ4 },
    Compressor { code: 2, name: c"lz4hc", format: 1, codec: Codec::LZ4HC },
    Compressor { code: 3, name: c"snappy", format: 2, codec: Codec::SNAPPY },
    Compressor { code: 4, name: c"zlib", format: 3, codec: Codec::ZLIB },
    Compressor { code: 5, name: c"zstd", format: 4, codec: Codec::ZSTD },
];
/// Their names, joined.
pub(crate) const LIST: &CStr = c"blosclz,lz4,lz4hc,snappy,zlib,zstd";
/// The version of C-Blosc whose interface this is.
pub(crate) const VERSION: &CStr = c"1.21.6";
/// The names of libraries, by the codes of formats.
pub(crate) const LIBRARIES: [&CStr; 5] = [c"BloscLZ", c"LZ4", c"Snappy", c"Zlib", c"Zstd"];

impl Compressor {
    pub(crate) fn of_code(code: c_int) -> Option<Self> {
        COMPRESSORS.into_iter().find(|compressor| compressor.code == code)
    }

    pub(crate) fn of_name(name: &CStr) -> Option<Self> {
        COMPRESSORS.into_iter().find(|compressor| compressor.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_the_header() {
        let names: Vec<_> = COMPRESSORS.iter().map(|compressor| compressor.name.to_str().unwrap()).collect();
        assert_eq!(names.join(",").as_bytes(), LIST.to_bytes());
        assert_eq!((COMPRESSORS[3].code, names[3]), (BLOSC_SNAPPY, "snappy"));
        assert_eq!(LIBRARIES[COMPRESSORS[2].format as usize], c"LZ4");
        assert_eq!(c_int::from(COMPRESSORS[5].format), BLOSC_ZSTD_FORMAT);
    }
}
