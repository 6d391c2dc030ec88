//! The numbers and names of `blosc2.h`: errors and compressors.

use b2nd::codec::Codec;
use b2nd::source::ReadError;
use b2nd::{Error, ErrorKind};
use core::convert::Infallible;
use core::ffi::{CStr, c_int};
use std::borrow::Cow;
use std::io;

/// Success.
pub const BLOSC2_ERROR_SUCCESS: c_int = 0;
/// Any other failure.
pub const BLOSC2_ERROR_FAILURE: c_int = -1;
/// Damaged data.
pub const BLOSC2_ERROR_DATA: c_int = -3;
/// More memory than allowed, or than there is.
pub const BLOSC2_ERROR_MEMORY_ALLOC: c_int = -4;
/// The source has fewer bytes than its header says.
pub const BLOSC2_ERROR_READ_BUFFER: c_int = -5;
/// The destination is too small.
pub const BLOSC2_ERROR_WRITE_BUFFER: c_int = -6;
/// A codec, a filter or a version that is not known.
pub const BLOSC2_ERROR_CODEC_SUPPORT: c_int = -7;
/// A header that contradicts itself.
pub const BLOSC2_ERROR_INVALID_HEADER: c_int = -11;
/// An argument that is out of range.
pub const BLOSC2_ERROR_INVALID_PARAM: c_int = -12;
/// A file cannot be read.
pub const BLOSC2_ERROR_FILE_READ: c_int = -13;
/// A file cannot be opened.
pub const BLOSC2_ERROR_FILE_OPEN: c_int = -15;
/// There is nothing of this name.
pub const BLOSC2_ERROR_NOT_FOUND: c_int = -16;
/// A pointer is null.
pub const BLOSC2_ERROR_NULL_POINTER: c_int = -32;
/// There is no metalayer of this name.
pub const BLOSC2_ERROR_METALAYER_NOT_FOUND: c_int = -34;

/// Blocks are split into a stream for each byte of an item wherever readers can undo it.
pub const BLOSC_ALWAYS_SPLIT: c_int = 1;
/// Blocks are not split.
pub const BLOSC_NEVER_SPLIT: c_int = 2;
/// Blocks are split where that is expected to help.
pub const BLOSC_AUTO_SPLIT: c_int = 3;
/// Blocks are split as old readers expect: the default.
pub const BLOSC_FORWARD_COMPAT_SPLIT: c_int = 4;

/// The version of C-Blosc2 whose interface this is.
pub(crate) const VERSION: &CStr = c"3.3.5";
/// The names of compressors, joined.
pub(crate) const LIST: &CStr = c"blosclz,lz4,lz4hc,zlib,zstd";

/// A compressor: its codec, its name, and that of its library.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compressor {
    pub(crate) codec: Codec,
    pub(crate) name: &'static CStr,
    pub(crate) library: &'static CStr,
    /// The code of the library, which chunks have.
    pub(crate) format: u8,
}

const fn compressor(codec: Codec, name: &'static CStr, library: &'static CStr, format: u8) -> Compressor {
    Compressor { codec, name, library, format }
}

/// By their codes. Those from 32 on have no library of their own.
pub(crate) const COMPRESSORS: [Compressor; 9] = [
    compressor(Codec::BLOSCLZ, c"blosclz", c"BloscLZ", 0),
    compressor(Codec::LZ4, c"lz4", c"LZ4", 1),
    compressor(Codec::LZ4HC, c"lz4hc", c"LZ4", 1),
    compressor(Codec::ZLIB, c"zlib", c"Zlib", 3),
    compressor(Codec::ZSTD, c"zstd", c"Zstd", 4),
    compressor(Codec::NDLZ, c"ndlz", c"ndlz", 6),
    compressor(Codec::ZFP_ACC, c"zfp_acc", c"zfp_acc", 6),
    compressor(Codec::ZFP_PREC, c"zfp_prec", c"zfp_prec", 6),
    compressor(Codec::ZFP_RATE, c"zfp_rate", c"zfp_rate", 6),
];

impl Compressor {
    pub(crate) fn of_code(code: c_int) -> Option<Self> {
        COMPRESSORS.into_iter().find(|compressor| c_int::from(compressor.codec.0) == code)
    }

    pub(crate) fn of_name(name: &CStr) -> Option<Self> {
        COMPRESSORS.into_iter().find(|compressor| compressor.name == name)
    }

    /// The name of the library with this code.
    pub(crate) fn library(format: u8) -> Option<&'static CStr> {
        let mut known = COMPRESSORS.into_iter().filter(|compressor| compressor.format < 6);
        known.find(|compressor| compressor.format == format).map(|compressor| compressor.library)
    }
}

/// A call that fails: the code that it returns, and why.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: c_int,
    pub(crate) reason: Cow<'static, str>,
}

/// The result of a call.
pub(crate) type Result<T> = core::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn new(code: c_int, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { code, reason: reason.into() }
    }

    pub(crate) fn null() -> Self {
        Self::new(BLOSC2_ERROR_NULL_POINTER, "a pointer is null")
    }

    pub(crate) fn argument(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(BLOSC2_ERROR_INVALID_PARAM, reason)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Format(_) => BLOSC2_ERROR_DATA,
            ErrorKind::Unsupported(_) => BLOSC2_ERROR_CODEC_SUPPORT,
            ErrorKind::Argument(_) => BLOSC2_ERROR_INVALID_PARAM,
            ErrorKind::Limit(_) => BLOSC2_ERROR_MEMORY_ALLOC,
            ErrorKind::Changed(_) => BLOSC2_ERROR_FILE_READ,
            _ => BLOSC2_ERROR_FAILURE,
        };
        Self::new(code, error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::new(BLOSC2_ERROR_FILE_READ, error.to_string())
    }
}

impl From<ReadError<io::Error>> for Failure {
    fn from(error: ReadError<io::Error>) -> Self {
        match error {
            ReadError::Source(error) => error.into(),
            ReadError::Blosc(error) => error.into(),
        }
    }
}

impl From<ReadError<Infallible>> for Failure {
    fn from(error: ReadError<Infallible>) -> Self {
        Error::from(error).into()
    }
}

/// The meaning of an error.
pub(crate) const fn message(code: c_int) -> &'static CStr {
    match code {
        BLOSC2_ERROR_SUCCESS => c"success",
        BLOSC2_ERROR_DATA => c"the data are damaged",
        BLOSC2_ERROR_MEMORY_ALLOC => c"more memory than there is or than is allowed",
        BLOSC2_ERROR_READ_BUFFER => c"the source is too short",
        BLOSC2_ERROR_WRITE_BUFFER => c"the destination is too small",
        BLOSC2_ERROR_CODEC_SUPPORT => c"a codec, a filter or a version that is not known",
        BLOSC2_ERROR_INVALID_HEADER => c"a header contradicts itself",
        BLOSC2_ERROR_INVALID_PARAM => c"an argument is out of range",
        BLOSC2_ERROR_FILE_READ => c"a file cannot be read or written",
        BLOSC2_ERROR_FILE_OPEN => c"a file cannot be opened",
        BLOSC2_ERROR_NOT_FOUND | BLOSC2_ERROR_METALAYER_NOT_FOUND => c"there is nothing of this name",
        BLOSC2_ERROR_NULL_POINTER => c"a pointer is null",
        _ => c"a failure",
    }
}
