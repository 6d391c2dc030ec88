//! Tables in Parquet files, and in files and streams of Apache Arrow: record batches, one at a time.

#[cfg(feature = "arrow")]
mod ipc;
#[cfg(not(feature = "arrow"))]
mod none;
#[cfg(feature = "arrow")]
mod read;
#[cfg(feature = "parquet")]
mod seconds;
#[cfg(feature = "arrow")]
mod write;
#[cfg(feature = "parquet")]
mod zones;

use core::fmt;

#[cfg(not(feature = "arrow"))]
pub(crate) use none::Batches;
#[cfg(feature = "arrow")]
pub(crate) use read::Batches;
#[cfg(feature = "arrow")]
pub(crate) use write::BatchWriter;

/// A format of record batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchFormat {
    /// Parquet.
    Parquet,
    /// A file of Arrow, which is also called Feather; when it is read, also a stream.
    Arrow,
}

impl fmt::Display for BatchFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        })
    }
}
