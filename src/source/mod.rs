//! Sources of bytes, and the readers that wait for them. This is the only layer that does I/O.

#[cfg(feature = "alloc")]
mod array;
#[cfg(feature = "std")]
mod async_ahead;
#[cfg(feature = "std")]
mod async_array;
#[cfg(feature = "std")]
mod async_driving;
#[cfg(feature = "std")]
mod async_fetched;
#[cfg(feature = "std")]
mod async_read;
#[cfg(feature = "std")]
mod async_reader;
#[cfg(feature = "rayon")]
mod async_shares;
#[cfg(all(feature = "std", not(feature = "rayon")))]
#[path = "async_shares/none.rs"]
mod async_shares;
#[cfg(feature = "object_store")]
mod async_stream;
#[cfg(feature = "alloc")]
mod block;
#[cfg(feature = "embedded-sdmmc")]
mod card;
#[cfg(feature = "alloc")]
mod current;
#[cfg(feature = "alloc")]
mod driving;
mod error;
#[cfg(feature = "std")]
mod file;
pub mod flash;
#[cfg(feature = "std")]
mod hidden;
#[cfg(feature = "embedded-io")]
mod io;
#[cfg(feature = "expression")]
mod lazy;
#[cfg(feature = "std")]
pub(crate) mod locks;
#[cfg(feature = "alloc")]
mod memory;
#[cfg(feature = "embedded-storage")]
mod nor;
#[cfg(feature = "object_store_013")]
pub mod object_store_013;
#[cfg(feature = "object_store")]
mod objects;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "std")]
pub(crate) mod paths;
#[cfg(feature = "alloc")]
mod reader;
#[cfg(feature = "alloc")]
mod slice;
#[cfg(feature = "expression")]
mod statistics;
#[cfg(feature = "alloc")]
mod typed;
#[cfg(feature = "alloc")]
mod verify;
#[cfg(feature = "indexing")]
mod view;
#[cfg(feature = "alloc")]
mod whole;

pub use self::error::ReadError;
#[cfg(feature = "alloc")]
pub use self::{
    array::Array,
    driving::drive,
    reader::{ChunkInfo, Reader},
    whole::decode_into,
};
#[cfg(feature = "std")]
pub use self::{
    async_array::AsyncArray,
    async_fetched::{Fetched, Missing},
    async_read::AsyncReadAt,
    async_reader::AsyncReader,
};
#[cfg(all(feature = "std", feature = "store", target_has_atomic = "ptr"))]
pub(crate) use async_driving::Fetching;
#[cfg(feature = "embedded-sdmmc")]
pub use card::Card;
#[cfg(all(feature = "std", feature = "write"))]
pub(crate) use file::read_once;
#[cfg(feature = "std")]
pub use file::{File, is_sparse_frame, open, open_with};
#[cfg(feature = "embedded-io")]
pub use io::Io;
#[cfg(feature = "expression")]
pub use lazy::LazyArray;
#[cfg(feature = "embedded-storage-async")]
pub use nor::AsyncNor;
#[cfg(feature = "embedded-storage")]
pub use nor::Nor;
#[cfg(feature = "object_store")]
pub use objects::{ObjectFolder, ObjectSource, Traffic};
#[cfg(feature = "store")]
pub(crate) use reader::Once;
#[cfg(feature = "expression")]
pub use statistics::{Statistics, StatisticsError};
#[cfg(feature = "indexing")]
pub use view::ArrayView;

use crate::frame::Request;
#[cfg(feature = "alloc")]
use crate::reading::Merge;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Something that a frame can be read from.
///
/// Sources are [`File`], bytes in memory (slices, arrays, `Vec<u8>`, `Cow<[u8]>`, `Bytes` with the feature `bytes`, and `Mmap`
/// with the feature `memmap2`), and what leads to a source (`&`, `Box`, `Rc`, `Arc`). For others this is all there is to
/// write:
///
/// ```
/// use b2nd::{ReadAt, wire::Request};
///
/// struct Flash(&'static [u8]);
///
/// impl ReadAt for Flash {
///     type Error = core::convert::Infallible;
///
///     fn read_at<'b>(&'b self, request: &Request, _: &'b mut Vec<u8>) -> Result<&'b [u8], Self::Error> {
///         self.0.read_at(request, &mut Vec::new()).map(|bytes| &self.0[..bytes.len()])
///     }
/// }
/// ```
#[cfg(feature = "alloc")]
pub trait ReadAt {
    /// The error of reading, besides bytes that are not there.
    type Error;

    /// The requested bytes; those that there are if the part ends earlier, and none if there is no such part.
    /// `buffer` is memory to reuse for sources that must copy; no more of it should be taken than there are bytes.
    ///
    /// # Errors
    /// The source's own.
    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Self::Error>;

    /// The requested bytes of [`Part::Frame`](crate::wire::Part::Frame) as they are now, from no cache. `None` if they cannot change
    /// while there is a reader, which is the default: then readers compare nothing.
    ///
    /// A reader compares a few bytes after each read, and returns [`Changed`](crate::Changed) if they are others. A source whose
    /// bytes are written by editors returns those of [`read_at`](Self::read_at), or none if the source is no longer at its place.
    ///
    /// # Errors
    /// The source's own.
    fn current<'b>(
        &'b self,
        _request: &Request,
        _buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Self::Error> {
        Ok(None)
    }

    /// Goes on with what is at the source's place now, such as the file of a path. By default the source stays as it is.
    ///
    /// # Errors
    /// The source's own. Then the source is as before.
    fn reopen(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The error because of which bytes are missing in what was read, if they had to be made of others first: a reader returns it.
    fn error(&self) -> Option<crate::Error> {
        None
    }

    /// Tells which requests come next, so that a source may get them at the same time. By default nothing happens.
    ///
    /// # Errors
    /// The source's own, if it is known already that the requests will fail.
    fn prefetch(&self, _requests: &[Request]) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The price of a request: [`Merge::NETWORK`] where one takes much longer than some bytes do.
    fn merge(&self) -> Merge {
        Merge::LOCAL
    }
}
