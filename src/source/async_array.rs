//! Arrays that are read asynchronously.

use super::array::{attrs, only, parts};
use super::async_fetched::{Fetched, Missing};
use super::async_read::AsyncReadAt;
use super::{AsyncReader, ReadAt, ReadError};
use crate::array::{Dtype, Element, Layout, Regions, Values};
use crate::chunk::DParams;
use crate::msgpack::Value;
use crate::plan::ToSelection;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// An array in an asynchronous source: the counterpart of [`Array`](super::Array).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::source::AsyncArray;
/// let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let array = AsyncArray::from_source(source).await?;
/// assert_eq!((array.shape(), array.dtype().to_string()), (&[12, 30, 40][..], "<f4".into()));
/// let kelvin = array.read::<f32>("-1, ::10, 5").await?;
/// assert_eq!(kelvin.shape(), [3]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct AsyncArray<S, M = Fetched> {
    reader: AsyncReader<S, M>,
    layout: Layout,
    dtype: Dtype,
}

impl<S: AsyncReadAt> AsyncArray<S> {
    /// Opens the array in a source. [`AsyncReader::into_array`] opens it with other parameters than the default ones.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// assert_eq!(array.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Array::from_source`](super::Array::from_source).
    pub async fn from_source(source: S) -> Result<Self, ReadError<S::Error>> {
        AsyncReader::open(source, DParams::default()).await?.into_array().await
    }
}

impl<S: AsyncReadAt, M: ReadAt<Error = Missing> + Sync> AsyncArray<S, M> {
    /// Items along each axis.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// assert_eq!(array.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    pub fn shape(&self) -> &[u64] {
        self.layout.shape().as_slice()
    }

    /// The dtype of the items. `|V<n>` where the frame has none, one that is unknown, or one of another size than its items.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// assert_eq!(*array.dtype(), b2nd::array::Dtype::of::<f32>());
    /// # Ok(()) }
    /// ```
    pub const fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// How the array is divided into chunks and blocks.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// assert_eq!(array.layout().chunkshape(), [6, 30, 40]);
    /// # Ok(()) }
    /// ```
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The chunks, in the order of their numbers. Each is a selection, so that an array can be read chunk by chunk.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// let mut most = 0.0_f32;
    /// for chunk in array.chunks() {
    ///     most = array.read(&chunk).await?.into_iter().fold(most, f32::max);
    /// }
    /// assert!(most > 0.0);
    /// # Ok(()) }
    /// ```
    pub fn chunks(&self) -> Regions {
        self.layout.chunks()
    }

    /// The attributes by name. The first call reads them.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// assert_eq!(array.attrs().await?["title"].as_str(), Some("Temperature over a hill"));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Array::attrs`](super::Array::attrs).
    pub async fn attrs(&self) -> Result<BTreeMap<String, Value>, ReadError<S::Error>> {
        Ok(attrs(self.reader.trailer().await?, self.reader.limits())?)
    }

    /// The selected values in C order, in the byte order of this machine. The axes of a sub-array dtype follow those of the array.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// let kelvin = array.read::<f32>("-1, ::10, 5").await?;
    /// assert_eq!(kelvin.shape(), [3]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Array::read`](super::Array::read).
    pub async fn read<T: Element>(
        &self,
        selection: impl ToSelection,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        self.reader.read_as(selection, &self.dtype).await
    }

    /// The value of one item.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// let value: f32 = array.at((5, -1, 20)).await?;
    /// assert_eq!(array.read::<f32>("5, -1, 20").await?.as_slice(), [value]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Array::at`](super::Array::at).
    pub async fn at<T: Element>(&self, position: impl ToSelection) -> Result<T, ReadError<S::Error>> {
        Ok(only(self.read(position).await?)?)
    }

    /// The selected items in C order: their bytes as they are stored.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// assert_eq!(array.get((0, 0)).await?.len(), 40 * array.dtype().itemsize());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Array::get`](super::Array::get).
    pub async fn get(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        self.reader.get(selection).await
    }

    /// The reader of the frame.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = b2nd::source::AsyncArray::from_source(source).await?;
    /// assert_eq!(array.reader().index().await?.nchunks(), 2);
    /// # Ok(()) }
    /// ```
    pub const fn reader(&self) -> &AsyncReader<S, M> {
        &self.reader
    }
}

impl<S: AsyncReadAt, M: ReadAt<Error = Missing> + Sync> AsyncReader<S, M> {
    /// The array in the frame.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.into_array().await?.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::into_array`](super::Reader::into_array).
    pub async fn into_array(self) -> Result<AsyncArray<S, M>, ReadError<S::Error>> {
        let (layout, dtype) = self.run(parts).await?;
        Ok(AsyncArray { reader: self, layout, dtype })
    }
}
