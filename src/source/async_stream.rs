//! The chunks of an array as a stream.

use super::async_fetched::Missing;
use super::async_read::AsyncReadAt;
use super::{AsyncArray, ReadAt, ReadError};
use crate::array::{Element, Region, Values};
use futures_util::stream::{Stream, StreamExt, iter};

impl<S: AsyncReadAt, M: ReadAt<Error = Missing> + Sync> AsyncArray<S, M> {
    /// The chunks in the order of their numbers: where each is, and its values. While one is used, the next ones are read: `ahead`
    /// chunks are under way at a time, and take memory. Dropping the stream ends the reads.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// use futures_util::TryStreamExt;
    /// let mut chunks = std::pin::pin!(array.stream::<f32>(4));
    /// let mut most = 0.0;
    /// while let Some((place, values)) = chunks.try_next().await? {
    ///     assert_eq!(place.shape(), values.shape());
    ///     most = values.into_iter().fold(most, f32::max);
    /// }
    /// assert!(most > 0.0);
    /// # Ok(()) }
    /// ```
    pub fn stream<T: Element>(
        &self,
        ahead: usize,
    ) -> impl Stream<Item = Result<(Region, Values<T>), ReadError<S::Error>>> {
        let read = move |chunk: Region| async move {
            let values = self.read(&chunk).await?;
            Ok((chunk, values))
        };
        iter(self.chunks().map(read)).buffered(ahead.max(1))
    }
}
