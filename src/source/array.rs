//! Arrays that can be read.

#[cfg(feature = "std")]
use super::File;
#[cfg(feature = "indexing")]
use super::view::ArrayView;
use super::{ReadAt, ReadError, Reader};
use crate::array::{Dtype, Element, Layout, Regions, Values};
use crate::base::{ArgumentError, Limits, Result as Checked};
use crate::chunk::DParams;
use crate::frame::{Metalayer, Trailer};
use crate::msgpack::Value;
use crate::plan::ToSelection;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::{io, path::Path};

/// An array in a file, in memory, or in any other source.
///
/// Opening reads the header. A selection reads and decodes only the blocks that it touches. Methods with the verb `read` give
/// values of a Rust type, those with `get` the bytes of items as they are stored.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::Array;
/// let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// assert_eq!(array.shape(), [12, 30, 40]);
/// assert_eq!(array.dtype().to_string(), "<f4");
/// let values = array.read::<f32>((-1, .., 5..8))?;
/// assert_eq!(values.shape(), [30, 3]);
/// assert_eq!(values.get(&[7, 2]), Some(&array.at::<f32>((-1, 7, 7))?));
/// # Ok(()) }
/// ```
///
/// With the feature `std` threads may share an array whose source is `Sync`. Copies of an array of a [`File`](super::File) share
/// the open file.
#[derive(Debug, Clone)]
pub struct Array<S> {
    reader: Reader<S>,
    layout: Layout,
    dtype: Dtype,
}

#[cfg(feature = "std")]
impl Array<File> {
    /// Opens the array in a file, or in the directory of a sparse frame.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Source` if it cannot be read; `Blosc` if it is no frame, and of `Argument` if it is a super-chunk without an array.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError<io::Error>> {
        super::open(path)?.into_array()
    }
}

impl<S: ReadAt> Array<S> {
    /// Opens the array in a source, such as bytes in memory. [`Reader::into_array`] opens it with other parameters than the
    /// default ones.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let frame = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let array = b2nd::Array::from_source(&frame[..])?;
    /// assert_eq!(array.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`open`](Array::open).
    pub fn from_source(source: S) -> Result<Self, ReadError<S::Error>> {
        Reader::open(source, DParams::default())?.into_array()
    }

    /// Items along each axis.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.shape(), [12, 30, 40]);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    pub fn shape(&self) -> &[u64] {
        self.layout.shape().as_slice()
    }

    /// The dtype of the items. `|V<n>` where the frame has none, one that is unknown, or one of another size than its items.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(*array.dtype(), b2nd::array::Dtype::of::<f32>());
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    pub const fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// How the array is divided into chunks and blocks.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.layout().chunkshape(), [6, 30, 40]);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The chunks, in the order of their numbers. Each is a selection, so that an array can be read chunk by chunk.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mut most = 0.0_f32;
    /// for chunk in array.chunks() {
    ///     most = array.read(&chunk)?.into_iter().fold(most, f32::max);
    /// }
    /// assert!(most > 0.0);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    pub fn chunks(&self) -> Regions {
        self.layout.chunks()
    }

    /// The attributes by name: the variable-length metalayers, whose content is MessagePack. The first call reads them.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let attrs = array.attrs()?;
    /// assert_eq!(attrs["title"].as_str(), Some("Temperature over a hill"));
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc`; `Format` also for one that is no MessagePack. [`Reader::trailer`] has the bytes of all.
    pub fn attrs(&self) -> Result<BTreeMap<String, Value>, ReadError<S::Error>> {
        Ok(attrs(self.reader.trailer()?, self.reader.limits())?)
    }

    /// The selected values in C order, in the byte order of this machine. The axes of a sub-array dtype follow those of the array.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let kelvin = array.read::<f32>("-1, ::10, 5")?;
    /// assert_eq!(kelvin.shape(), [3]);
    /// assert!(kelvin.into_iter().all(|value| value > 0.0));
    /// let error = array.read::<i32>(-1).unwrap_err();
    /// assert_eq!(error.to_string(), "the dtype is <f4, not i32");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if the dtype is another one or the selection does not fit; `Limit` if the values are more than the limits allow;
    /// `Source` and `Blosc` for what is read.
    pub fn read<T: Element>(&self, selection: impl ToSelection) -> Result<Values<T>, ReadError<S::Error>> {
        self.reader.read_as(selection, &self.dtype)
    }

    /// The selected values, written to a slice of as many.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mut plane = [0.0_f32; 30 * 40];
    /// array.read_into(-1, &mut plane)?;
    /// assert_eq!(plane[20 * 40 + 7], array.at::<f32>((-1, 20, 7))?);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`read`](Self::read); `Argument` also if `out` has another length. Then it holds nothing of use.
    pub fn read_into<T: Element>(
        &self,
        selection: impl ToSelection,
        out: &mut [T],
    ) -> Result<(), ReadError<S::Error>> {
        self.reader.read_into(selection, out)
    }

    /// The value of one item.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let value: f32 = array.at((5, -1, 20))?;
    /// assert_eq!(array.read::<f32>("5, -1, 20")?.as_slice(), [value]);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`read`](Self::read); `Argument` also if the selection takes no item, or several.
    pub fn at<T: Element>(&self, position: impl ToSelection) -> Result<T, ReadError<S::Error>> {
        Ok(only(self.read(position)?)?)
    }

    /// The selected items in C order: their bytes as they are stored.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.get((0, 0))?.len(), 40 * array.dtype().itemsize());
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`read`](Self::read), whatever the dtype.
    pub fn get(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        self.reader.get(selection)
    }

    /// The array with its axes in another order or direction.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().transpose().shape(), [40, 30, 12]);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    #[cfg(feature = "indexing")]
    pub fn view(&self) -> ArrayView<'_, S> {
        ArrayView::new(&self.reader, self.layout.view())
    }

    /// Goes on with the current state of the frame, as [`Reader::refresh`] does.
    ///
    /// ```
    /// # let mut array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// array.refresh()?;
    /// assert_eq!(array.shape(), [12, 30, 40]);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`open`](Array::open). Then only [`refresh`](Self::refresh) is of use.
    pub fn refresh(&mut self) -> Result<(), ReadError<S::Error>> {
        self.reader.refresh()?;
        (self.layout, self.dtype) = parts(&self.reader)?;
        Ok(())
    }

    /// The reader of the frame: its header, its metalayers, its chunks as they are stored.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.reader().nchunks()?, 2);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    pub const fn reader(&self) -> &Reader<S> {
        &self.reader
    }
}

#[cfg(feature = "rayon")]
impl<S> Array<S>
where
    S: ReadAt + Sync,
    S::Error: Send,
{
    /// [`read`](Self::read) by as many threads as rayon has.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.read_parallel::<f32>("::2")?.shape(), [6, 30, 40]);
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`read`](Self::read).
    pub fn read_parallel<T: Element>(
        &self,
        selection: impl ToSelection,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        self.reader.read_parallel(selection)
    }

    /// [`read_into`](Self::read_into) by as many threads as rayon has.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mut values = vec![0.0_f32; 12 * 30 * 40];
    /// array.read_parallel_into((), &mut values)?;
    /// # Ok::<(), b2nd::ReadError<std::io::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`read_into`](Self::read_into).
    pub fn read_parallel_into<T: Element>(
        &self,
        selection: impl ToSelection,
        out: &mut [T],
    ) -> Result<(), ReadError<S::Error>> {
        self.reader.read_parallel_into(selection, out)
    }
}

impl<S: ReadAt> Reader<S> {
    /// The array in the frame.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let limits = b2nd::Limits { memory: 16 << 20, ..Default::default() };
    /// let dparams = b2nd::DParams { limits, ..Default::default() };
    /// let array = b2nd::open_with("tests/golden/blosc2-4.14.1/sample.b2nd", dparams)?.into_array()?;
    /// assert_eq!(array.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if the frame is a super-chunk without an array; those of [`layout`](Self::layout).
    pub fn into_array(self) -> Result<Array<S>, ReadError<S::Error>> {
        let (layout, dtype) = parts(&self)?;
        Ok(Array { reader: self, layout, dtype })
    }
}

/// The only one of some values.
pub(super) fn only<T: Element>(values: Values<T>) -> Checked<T> {
    let mut values = values.into_vec();
    match (values.pop(), values.len()) {
        (Some(value), 0) => Ok(value),
        (last, before) => {
            let actual = before as u64 + u64::from(last.is_some());
            Err(ArgumentError::ValueCount { expected: 1, actual }.into())
        }
    }
}

/// The attributes of a frame by name.
pub(super) fn attrs(trailer: &Trailer, limits: &Limits) -> Checked<BTreeMap<String, Value>> {
    let named = |metalayer: &Metalayer| Ok((metalayer.name().into_owned(), metalayer.value(limits)?));
    trailer.attributes.iter().map(named).collect()
}

pub(super) fn parts<S: ReadAt>(reader: &Reader<S>) -> Result<(Layout, Dtype), ReadError<S::Error>> {
    let layout = reader.layout()?.ok_or(ArgumentError::NotAnArray)?;
    Ok((layout.clone(), reader.dtype()?))
}
