//! Views: an array with its axes in another order or direction.

use super::axis::Axis;
use super::grid::Grid;
use super::layout::{Layout, permuted};
use super::selection::{Index, resolve};
use super::{Dims, MAX_DIM, Plan, ToSelection, dims};
use crate::base::{ArgumentError, Result};
use alloc::vec::Vec;

/// An array whose axes have another order or direction, some fewer or some more. It has no data: it only plans how to read them.
/// [`Reader::view`](crate::Reader::view) also reads.
///
/// ```
/// # let bytes = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// # let reader = b2nd::Reader::open(&bytes[..], b2nd::DParams::default())?;
/// let array = reader.layout()?.expect("an array");
/// assert_eq!(array.shape(), [12, 30, 40]);
/// let view = array.view().transpose().flip(0)?.expand_dims(1)?;
/// assert_eq!(view.shape(), [40, 1, 30, 12]);
/// assert_eq!(view.plan("3, ..., :5")?.shape(), [1, 30, 5]);
/// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The array's grid, with an axis of length 1 at the end for each new axis.
    grid: Grid,
    axes: Vec<ViewAxis>,
}

/// An axis of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ViewAxis {
    /// Number of the axis in the grid.
    number: u8,
    flipped: bool,
}

impl View {
    /// All axes as they are.
    pub(crate) fn of_grid(grid: &Grid) -> Self {
        let axes = (0..grid.shape.len() as u8).map(|number| ViewAxis { number, flipped: false });
        Self { grid: grid.clone(), axes: axes.collect() }
    }

    fn len_of(&self, axis: ViewAxis) -> u64 {
        self.grid.shape[usize::from(axis.number)]
    }

    /// Items along each axis.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// assert_eq!(view.shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape(&self) -> Vec<u64> {
        self.axes.iter().map(|axis| self.len_of(*axis)).collect()
    }

    fn check(&self, axis: usize) -> Result<()> {
        let ndim = self.axes.len();
        if axis < ndim { Ok(()) } else { Err(ArgumentError::Axis { axis, ndim }.into()) }
    }

    /// The axes in reverse order.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// assert_eq!(view.transpose().shape(), [40, 30, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn transpose(mut self) -> Self {
        self.axes.reverse();
        self
    }

    /// The axes in this order: axis `k` is the one that is now axis `order[k]`.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// assert_eq!(view.permute(&[1, 2, 0])?.shape(), [30, 40, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` unless `order` has each axis once.
    pub fn permute(self, order: &[usize]) -> Result<Self> {
        Ok(Self { axes: permuted(&self.axes, order)?, ..self })
    }

    /// One axis in the other direction.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// // The last plane comes first.
    /// assert_eq!(view.flip(0)?.plan("0")?.shape(), [30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such axis.
    pub fn flip(mut self, axis: usize) -> Result<Self> {
        self.check(axis)?;
        self.axes[axis].flipped ^= true;
        Ok(self)
    }

    /// Without axes of length 1.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// assert_eq!(view.expand_dims(1)?.squeeze().shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn squeeze(mut self) -> Self {
        let grid = &self.grid;
        self.axes.retain(|axis| grid.shape[usize::from(axis.number)] != 1);
        self
    }

    /// Without this axis, whose length must be 1.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// assert_eq!(view.expand_dims(1)?.squeeze_axis(1)?.shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such axis, or if it has another length.
    pub fn squeeze_axis(mut self, axis: usize) -> Result<Self> {
        self.check(axis)?;
        let actual = self.len_of(self.axes[axis]);
        if actual != 1 {
            return Err(ArgumentError::AxisLen { axis, len: actual }.into());
        }
        self.axes.remove(axis);
        Ok(self)
    }

    /// With a new axis of length 1 before axis `axis`, or after the last one.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// assert_eq!(view.expand_dims(3)?.shape(), [12, 30, 40, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such axis; `Unsupported` if there are too many, with those that were squeezed.
    pub fn expand_dims(mut self, axis: usize) -> Result<Self> {
        if axis != self.axes.len() {
            self.check(axis)?;
        }
        let number = self.grid.shape.len() as u8;
        if usize::from(number) == MAX_DIM {
            return Err(crate::Unsupported::Dimensions(number + 1).into());
        }
        self.grid.push([1; 3]);
        self.axes.insert(axis, ViewAxis { number, flipped: false });
        Ok(self)
    }

    /// Plans how to read a part of it. The result has the order of the view.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let view = array.layout().view();
    /// assert_eq!(view.transpose().plan("3, ::10")?.shape(), [3, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit, or if it has points in several axes; `Limit` if its size in bytes cannot even
    /// be counted.
    pub fn plan(&self, selection: impl ToSelection) -> Result<Plan> {
        let selection = selection.to_selection()?;
        if selection.0.iter().any(Index::joins) {
            return Err(ArgumentError::PointsOfView.into());
        }
        let taken = resolve(&selection.0, &self.shape())?;
        let mut axes: Dims<Axis> = dims(Axis { single: true, ..Axis::new(0, 1, 1) }, self.grid.shape.len());
        for (axis, taken) in self.axes.iter().zip(taken) {
            let len = self.len_of(*axis);
            axes[usize::from(axis.number)] = if axis.flipped { taken.flipped(len) } else { taken };
        }
        let layout = Layout::new(self.axes.iter().map(|axis| axis.number), &axes);
        Plan::of_layout(&self.grid, &axes, layout)
    }
}

/// Results with their axes in another order. Each item is copied once, to its place.
impl Plan {
    /// Reorders the axes of the result: axis `k` is the one that is now axis `order[k]`.
    ///
    /// ```
    /// # let bytes = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// # let reader = b2nd::Reader::open(&bytes[..], b2nd::DParams::default())?;
    /// let plan = reader.plan("5, :, [3, 1]")?;
    /// assert_eq!(plan.shape(), [30, 2]);
    /// assert_eq!(plan.permute(&[1, 0])?.shape(), [2, 30]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` unless `order` has each axis of the result once.
    pub fn permute(self, order: &[usize]) -> Result<Self> {
        Self::of_layout(&self.grid, &self.axes, self.layout.permute(order)?)
    }

    /// Removes axes of length 1 from the result.
    #[must_use]
    pub fn squeeze(mut self) -> Self {
        self.layout = self.layout.squeeze(&self.axes);
        self.shape = self.layout.shape(&self.axes);
        self
    }
}
