//! Reading of views.

use super::{ReadAt, ReadError, Reader};
use crate::array::{Element, Values};
use crate::base::{ArgumentError, Error, Result as Checked};
use crate::plan::{Plan, ToSelection, View};
use alloc::vec::Vec;

/// An array whose axes have another order or direction, some fewer or some more. Nothing is copied until it is read, and then
/// each item goes to its place in the result.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let view = reader.view()?.permute(&[2, 0, 1])?.flip(1)?;
/// assert_eq!(view.shape(), [40, 12, 30]);
/// let turned = view.read::<f32>("7, 0, :")?;
/// assert_eq!(turned, reader.read("-1, :, 7")?);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct ArrayView<'r, S> {
    reader: &'r Reader<S>,
    view: View,
}

impl<S: ReadAt> Reader<S> {
    /// The array as a view: to be transposed, flipped, squeezed, or given more axes.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.view()?.transpose().shape(), [40, 30, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if it is no array; those of [`layout`](Self::layout).
    pub fn view(&self) -> Result<ArrayView<'_, S>, ReadError<S::Error>> {
        let array = self.layout()?.ok_or(Error::from(ArgumentError::NotAnArray))?;
        Ok(ArrayView { reader: self, view: array.view() })
    }
}

impl<'r, S: ReadAt> ArrayView<'r, S> {
    pub(super) const fn new(reader: &'r Reader<S>, view: View) -> Self {
        Self { reader, view }
    }

    fn map(self, view: impl FnOnce(View) -> Checked<View>) -> Checked<Self> {
        Ok(Self { view: view(self.view)?, ..self })
    }

    /// Items along each axis.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.view().shape(), [12, 30, 40]);
    /// ```
    pub fn shape(&self) -> Vec<u64> {
        self.view.shape()
    }

    /// [`View::transpose`]
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.view().transpose().shape(), [40, 30, 12]);
    /// ```
    #[must_use]
    pub fn transpose(self) -> Self {
        Self { view: self.view.transpose(), ..self }
    }

    /// [`View::squeeze`]
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().expand_dims(0)?.squeeze().shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn squeeze(self) -> Self {
        Self { view: self.view.squeeze(), ..self }
    }

    /// [`View::permute`]
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().permute(&[2, 0, 1])?.shape(), [40, 12, 30]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the method of [`View`].
    pub fn permute(self, order: &[usize]) -> Checked<Self> {
        self.map(|view| view.permute(order))
    }

    /// [`View::flip`]
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().flip(0)?.read::<f32>("0, 9")?, array.read("-1, 9")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the method of [`View`].
    pub fn flip(self, axis: usize) -> Checked<Self> {
        self.map(|view| view.flip(axis))
    }

    /// [`View::squeeze_axis`]
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().expand_dims(1)?.squeeze_axis(1)?.shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the method of [`View`].
    pub fn squeeze_axis(self, axis: usize) -> Checked<Self> {
        self.map(|view| view.squeeze_axis(axis))
    }

    /// [`View::expand_dims`]
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().expand_dims(1)?.shape(), [12, 1, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the method of [`View`].
    pub fn expand_dims(self, axis: usize) -> Checked<Self> {
        self.map(|view| view.expand_dims(axis))
    }

    /// Plans how to read a part of it, for [`Reader::get_into`] and others.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().transpose().plan(7)?.nbytes(), 30 * 12 * 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`View::plan`].
    pub fn plan(&self, selection: impl ToSelection) -> Checked<Plan> {
        self.view.plan(selection)
    }

    /// The selected items in the order of the view, in their stored byte order.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().transpose().get((7, 0))?.len(), 12 * 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::get`] and [`View::plan`].
    pub fn get(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        self.reader.get_plan(&self.plan(selection)?)
    }

    /// The selected values in the order of the view, in the byte order of this machine.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().transpose().read::<f32>((7, 0))?, array.read((.., 0, 7))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::read`] and [`View::plan`].
    pub fn read<T: Element>(&self, selection: impl ToSelection) -> Result<Values<T>, ReadError<S::Error>> {
        self.reader.values(&self.plan(selection)?, &self.reader.dtype()?)
    }
}

#[cfg(feature = "rayon")]
impl<S> ArrayView<'_, S>
where
    S: ReadAt + Sync,
    S::Error: Send,
{
    /// [`get`](Self::get) by several threads.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.view().transpose().get_parallel(7)?, array.view().transpose().get(7)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`get`](Self::get).
    pub fn get_parallel(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        self.reader.get_plan_parallel(&self.plan(selection)?)
    }
}
