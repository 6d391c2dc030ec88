//! Sources that answer later.

use super::ReadError;
use crate::frame::{Part, Request};
use crate::reading::Merge;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::future::Future;

/// Something that a frame can be read from asynchronously: the counterpart of [`ReadAt`](super::ReadAt).
///
/// A source of this kind is `ObjectSource`, with the feature `object_store`. For others this is all there is to write:
///
/// ```
/// use b2nd::{ReadError, source::AsyncReadAt, wire::Request};
/// use std::convert::Infallible;
///
/// struct Slow(Vec<u8>);
///
/// impl AsyncReadAt for Slow {
///     type Error = Infallible;
///
///     fn nbytes(&self) -> u64 {
///         self.0.len() as u64
///     }
///
///     async fn read_at(&self, requests: &[Request]) -> Result<Vec<Vec<u8>>, ReadError<Infallible>> {
///         tokio::time::sleep(std::time::Duration::from_millis(1)).await;
///         self.0.read_at(requests).await
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let slow = Slow(std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?);
/// let array = b2nd::source::AsyncArray::from_source(slow).await?;
/// assert_eq!(array.shape(), [12, 30, 40]);
/// # Ok(()) }
/// ```
///
/// Futures of readers are `Send` if those of the source are.
pub trait AsyncReadAt {
    /// The error of reading, besides bytes that are not there.
    type Error;

    /// The number of bytes of [`Part::Frame`](crate::wire::Part::Frame).
    fn nbytes(&self) -> u64;

    /// The bytes of each request, in the order of the requests; those that there are if the part ends earlier, and none if there is
    /// no such part. Requests are sorted and do not overlap. All of them may be under way at the same time. No more should be
    /// allocated than there are bytes.
    ///
    /// All answers are of one state of the source, which is that of its creation.
    ///
    /// # Errors
    /// The source's own; [`Changed`](crate::Changed) if the bytes are no longer those of that state.
    fn read_at(
        &self,
        requests: &[Request],
    ) -> impl Future<Output = Result<Vec<Vec<u8>>, ReadError<Self::Error>>>;

    /// The price of a request.
    fn merge(&self) -> Merge {
        Merge::NETWORK
    }
}

impl<S: AsyncReadAt + ?Sized> AsyncReadAt for Arc<S> {
    type Error = S::Error;

    fn nbytes(&self) -> u64 {
        S::nbytes(self)
    }

    fn read_at(
        &self,
        requests: &[Request],
    ) -> impl Future<Output = Result<Vec<Vec<u8>>, ReadError<S::Error>>> {
        S::read_at(self, requests)
    }

    fn merge(&self) -> Merge {
        S::merge(self)
    }
}

/// Bytes in memory answer at once.
impl AsyncReadAt for Vec<u8> {
    type Error = Infallible;

    fn nbytes(&self) -> u64 {
        self.len() as u64
    }

    async fn read_at(&self, requests: &[Request]) -> Result<Vec<Self>, ReadError<Infallible>> {
        let within = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.len());
        let answer = |request: &Request| match request.part {
            Part::Frame => self[within(request.range.start)..within(request.range.end)].to_vec(),
            Part::Chunk(_) => Self::new(),
        };
        Ok(requests.iter().map(answer).collect())
    }

    fn merge(&self) -> Merge {
        Merge::LOCAL
    }
}
