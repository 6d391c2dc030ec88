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

#[cfg(not(feature = "arrow"))]
pub(crate) use none::Batches;
#[cfg(feature = "arrow")]
pub(crate) use read::Batches;
#[cfg(feature = "arrow")]
pub(crate) use write::BatchWriter;
