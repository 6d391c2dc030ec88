//! Arrays whose values are computed from others.

use super::reader::Once;
use super::{Array, ReadAt, ReadError, Reader};
use crate::array::{Dtype, Element, Values};
use crate::base::{ArgumentError, Limits};
use crate::expression::{
    Computation, Evaluation, Expression, ExpressionError, Operand, Reduced, StoredExpression,
};
use crate::frame::Reference;
use crate::plan::{ToSelection, resolve};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// An expression of arrays as an array: its values are computed when they are read, of the blocks that the selection touches.
///
/// Shapes are broadcast and types promoted as by NumPy 2. Reductions within the expression are computed once, on the first reading.
///
/// ```
/// use b2nd::{Array, LazyArray, expression::Expression};
/// # let path = "tests/golden/blosc2-4.14.1/sample.b2nd";
/// let kelvin = Array::open(path)?;
/// let celsius = LazyArray::new(&Expression::parse("t - 273.15")?, vec![kelvin])?;
/// assert_eq!(celsius.shape(), [12, 30, 40]);
/// let values = celsius.read::<f32>("-1, ::10, 5")?;
/// assert_eq!(values.shape(), [3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LazyArray<S> {
    computation: Computation,
    operands: Vec<Array<S>>,
    reduced: Once<Reduced>,
}

impl<S: ReadAt> LazyArray<S> {
    /// The expression of these operands, in the order of its [names](Expression::names).
    ///
    /// ```
    /// # use b2nd::{Array, LazyArray, expression::{Expression, ExpressionError}};
    /// # let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mean = LazyArray::new(&Expression::parse("mean(t, axis=(1, 2))")?, vec![array])?;
    /// assert_eq!((mean.shape(), mean.read::<f32>(..)?.shape()), (&[12][..], &[12][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `NoOperand` for fewer operands than names, `Dtype`, `Types` and `Overflow` for dtypes that do not fit, `Shapes` and `Axis`.
    pub fn new(expression: &Expression, operands: Vec<Array<S>>) -> Result<Self, ExpressionError> {
        let known = operands.iter().map(operand).collect();
        let limits = operands.first().map_or_else(Limits::default, |array| *array.reader().limits());
        let computation = Computation::new(expression, known, limits)?;
        Ok(Self { computation, operands, reduced: Once::new() })
    }

    /// Items along each axis.
    ///
    /// ```
    /// # use b2nd::{Array, LazyArray, expression::Expression};
    /// # let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(LazyArray::new(&Expression::parse("t * 2")?, vec![array])?.shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape(&self) -> &[u64] {
        self.computation.shape()
    }

    /// The dtype of the items, little-endian.
    ///
    /// ```
    /// # use b2nd::{Array, LazyArray, expression::Expression};
    /// # let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(LazyArray::new(&Expression::parse("t > 2")?, vec![array])?.dtype().to_string(), "|b1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn dtype(&self) -> &Dtype {
        self.computation.dtype()
    }

    /// The operand whose chunks divide these items best: the first that has the shape of the expression.
    ///
    /// ```
    /// # use b2nd::{Array, LazyArray, expression::Expression};
    /// # let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let lazy = LazyArray::new(&Expression::parse("t * 2")?, vec![array])?;
    /// assert_eq!(lazy.model().map(|array| array.layout().chunkshape()), Some(&[6, 30, 40][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn model(&self) -> Option<&Array<S>> {
        self.computation.model().map(|number| &self.operands[number])
    }

    /// The selected values in C order, in the byte order of this machine.
    ///
    /// ```
    /// # use b2nd::{Array, LazyArray, expression::Expression};
    /// # let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let lazy = LazyArray::new(&Expression::parse("any(isnan(t)) | any(t > 0)")?, vec![array])?;
    /// assert_eq!(lazy.read::<bool>(())?.as_slice(), [true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`get`](Self::get); `Argument` also if the dtype is another one.
    pub fn read<T: Element>(&self, selection: impl ToSelection) -> Result<Values<T>, ReadError<S::Error>> {
        let selection = selection.to_selection()?;
        let shape = selection.shape(self.shape())?;
        Ok(Values::new(shape, self.dtype().decode(&self.get(&*selection)?)?)?)
    }

    /// The selected items in C order, little-endian.
    ///
    /// ```
    /// # use b2nd::{Array, LazyArray, expression::Expression};
    /// # let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let lazy = LazyArray::new(&Expression::parse("t > 2")?, vec![array])?;
    /// assert_eq!(lazy.get((0, 0))?.len(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit or has lists of positions, for integers to the power of negative ones, and for the least
    /// or greatest of no items; `Limit` if the values are more than the limits allow; `Source` and `Blosc` for what is read.
    pub fn get(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        let selection = selection.to_selection()?;
        selection.must_have_ranges()?;
        let axes = resolve(&selection.0, self.shape())?.to_vec();
        let items =
            axes.iter().fold(self.dtype().itemsize() as u64, |len, axis| len.saturating_mul(axis.count));
        let len = self.computation.limits().allow_memory(items)?;
        let mut items = Vec::with_capacity(len);
        let reduced = Cow::Borrowed(&self.reduced()?.0[..]);
        self.drive(Evaluation::new(&self.computation, Some(axes), reduced), &mut items)?;
        Ok(items)
    }

    /// The dtype of the items of the first reduction.
    pub(super) fn reduction_dtype(&self) -> Dtype {
        self.computation.reduction_dtype()
    }

    /// The values of the reductions.
    pub(super) fn reduced(&self) -> Result<&Reduced, ReadError<S::Error>> {
        if self.reduced.get().is_none() {
            let evaluation = Evaluation::new(&self.computation, None, Cow::Borrowed(&[]));
            let reduced = self.drive(evaluation, &mut Vec::new())?;
            // Another thread may have been faster.
            let _ = self.reduced.set(reduced);
        }
        self.reduced.get().ok_or_else(|| ArgumentError::Unfinished.into())
    }

    /// Reads what an evaluation asks for.
    fn drive(
        &self,
        mut evaluation: Evaluation<'_>,
        items: &mut Vec<u8>,
    ) -> Result<Reduced, ReadError<S::Error>> {
        let is_uniform = &mut |operand: usize, chunks| {
            Ok::<_, ReadError<S::Error>>(
                self.operands[operand].reader().index()?.special_value(chunks).is_some(),
            )
        };
        // Buffers are used again: new ones would cost as much as computing, as the system clears their pages.
        let mut buffers: Vec<Vec<u8>> = Vec::new();
        while let Some(parts) = evaluation.ask(is_uniform)? {
            buffers.resize_with(parts.len(), Vec::new);
            for (part, buffer) in parts.iter().zip(&mut buffers) {
                let reader = self.operands[part.operand].reader();
                let plan = reader.plan(&part.selection)?;
                buffer.resize(plan.nbytes(), 0);
                reader.get_into(&plan, buffer)?;
            }
            evaluation.give(&buffers.iter().map(Vec::as_slice).collect::<Vec<_>>(), items)?;
        }
        Ok(evaluation.into_reduced())
    }
}

fn operand<S: ReadAt>(array: &Array<S>) -> Operand {
    let layout = array.layout();
    Operand::new(array.dtype().clone(), array.shape())
        .with_chunks(layout.chunkshape())
        .with_blocks(layout.blockshape().unwrap_or_default())
}

impl<S: ReadAt> Reader<S> {
    /// The expression that the frame has in place of values, if it is a lazy array of python-blosc2.
    ///
    /// ```
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert!(reader.stored_expression()?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc` for what is read; `Format` if the metadata are malformed; `Unsupported` for operands of other kinds than
    /// [`StoredOperand`](crate::expression::StoredOperand) has.
    pub fn stored_expression(&self) -> Result<Option<StoredExpression>, ReadError<S::Error>> {
        if self.frame().header.reference() != Some(Reference::LazyExpr) {
            return Ok(None);
        }
        Ok(StoredExpression::read(&self.trailer()?.attributes, self.limits())?)
    }
}
