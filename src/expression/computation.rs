//! Expressions of operands whose values come from elsewhere.

use super::compile::{Input, Leaf, Program, Tree};
use super::parts::items_of;
use super::vector::Vector;
use super::{Expression, ExpressionError};
use crate::array::Dtype;
use crate::base::{Limits, Result};
use crate::plan::{Axis, Index, Selection, resolve};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// An array without its values, as an operand of a [`Computation`].
///
/// ```
/// use b2nd::expression::Operand;
/// let operand = Operand::new("<f4".parse()?, &[100, 200]).with_chunks(&[50, 200]).with_blocks(&[10, 200]);
/// assert_eq!(operand.shape(), [100, 200]);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Operand {
    dtype: Dtype,
    shape: Vec<u64>,
    chunks: Option<Vec<u32>>,
    blocks: Vec<u32>,
}

impl Operand {
    /// Items of a dtype along each axis.
    ///
    /// ```
    /// assert_eq!(b2nd::expression::Operand::new("<i2".parse()?, &[5]).shape(), [5]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn new(dtype: Dtype, shape: &[u64]) -> Self {
        Self { dtype, shape: shape.to_vec(), chunks: None, blocks: Vec::new() }
    }

    /// With the items of a chunk along each axis: one chunk is asked for at a time where the order does not matter.
    ///
    /// ```
    /// let operand = b2nd::expression::Operand::new("<i2".parse()?, &[5]).with_chunks(&[2]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn with_chunks(self, lens: &[u32]) -> Self {
        let is_whole = lens.len() == self.shape.len() && !lens.contains(&0);
        Self { chunks: is_whole.then(|| lens.to_vec()), ..self }
    }

    /// With the items of a block along each axis: whole blocks are asked for where memory allows.
    ///
    /// ```
    /// let operand = b2nd::expression::Operand::new("<i2".parse()?, &[5]).with_chunks(&[4]).with_blocks(&[2]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn with_blocks(self, lens: &[u32]) -> Self {
        Self { blocks: lens.to_vec(), ..self }
    }

    /// Items along each axis.
    ///
    /// ```
    /// assert!(b2nd::expression::Operand::new("<i2".parse()?, &[]).shape().is_empty());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The chunks from that of the first item to that of the last; `None` if chunks are unknown.
    fn chunks_of(&self, axes: &[Axis]) -> Option<RangeInclusive<u64>> {
        let chunks = self.chunks.as_ref()?;
        let number = |is_last: bool| {
            let lens = axes.iter().zip(chunks).zip(&self.shape);
            lens.fold(0, |number, ((axis, len), shape)| {
                let at = axis.coordinate(if is_last == (axis.step > 0) { axis.count - 1 } else { 0 });
                number * shape.div_ceil((*len).into()) + at / u64::from(*len)
            })
        };
        Some(number(false)..=number(true))
    }
}

/// A part of an operand that an [`Evaluation`](super::Evaluation) asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperandPart {
    /// The number of the operand.
    pub operand: usize,
    /// The items.
    pub selection: Selection,
}

/// Whether chunks of an operand have no stored values, but all items one value. They begin and end with these numbers.
pub type IsUniform<'f, E> = dyn FnMut(usize, RangeInclusive<u64>) -> core::result::Result<bool, E> + 'f;

/// The values of reductions, which are computed once.
#[derive(Debug, Clone, Default)]
pub struct Reduced(pub(crate) Vec<Vector<'static>>);

/// An expression of operands whose types and shapes are known: all that computing it needs but values and I/O.
///
/// [`LazyArray`](crate::LazyArray) is one whose operands are read from sources.
///
/// ```
/// use b2nd::{Limits, expression::{Computation, Expression, Operand}};
/// let operand = Operand::new("<i2".parse()?, &[2, 3]);
/// let computation = Computation::new(&Expression::parse("a / 2")?, vec![operand], Limits::default())?;
/// assert_eq!((computation.shape(), computation.dtype().to_string().as_str()), (&[2, 3][..], "<f8"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Computation {
    pub(super) program: Program,
    pub(super) operands: Vec<Operand>,
    pub(super) limits: Limits,
    dtype: Dtype,
}

impl Computation {
    /// The expression of these operands, in the order of its [names](Expression::names).
    ///
    /// ```
    /// # use b2nd::{Limits, expression::{Computation, Expression, ExpressionError}};
    /// let none = Computation::new(&Expression::parse("a + 1")?, vec![], Limits::default());
    /// assert_eq!(none.err(), Some(ExpressionError::NoOperand("a".into())));
    /// # Ok::<(), ExpressionError>(())
    /// ```
    ///
    /// # Errors
    /// `NoOperand` for fewer operands than names, `Dtype`, `Types` and `Overflow` for dtypes that do not fit, `Shapes` and `Axis`.
    pub fn new(
        expression: &Expression,
        operands: Vec<Operand>,
        limits: Limits,
    ) -> core::result::Result<Self, ExpressionError> {
        if let Some(name) = expression.names().get(operands.len()) {
            return Err(ExpressionError::NoOperand(name.clone()));
        }
        let known: Vec<_> = operands.iter().map(|operand| (&operand.dtype, operand.shape())).collect();
        let program = expression.compile(&known)?;
        let dtype = program.root.ty.dtype();
        Ok(Self { program, operands, limits, dtype })
    }

    /// Items along each axis.
    ///
    /// ```
    /// # use b2nd::{Limits, expression::{Computation, Expression}};
    /// let one = Computation::new(&Expression::parse("2 * 3")?, vec![], Limits::default())?;
    /// assert!(one.shape().is_empty());
    /// # Ok::<(), b2nd::expression::ExpressionError>(())
    /// ```
    pub fn shape(&self) -> &[u64] {
        &self.program.root.shape
    }

    /// The dtype of the items, little-endian.
    ///
    /// ```
    /// # use b2nd::{Limits, expression::{Computation, Expression}};
    /// let one = Computation::new(&Expression::parse("2 < 3")?, vec![], Limits::default())?;
    /// assert_eq!(one.dtype().to_string(), "|b1");
    /// # Ok::<(), b2nd::expression::ExpressionError>(())
    /// ```
    pub const fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// The number of the operand whose chunks divide these items best: the first that has the shape of the expression.
    ///
    /// ```
    /// # use b2nd::{Limits, expression::{Computation, Expression, Operand}};
    /// let operands = [&[3][..], &[2, 3]].map(|shape| Operand::new("<i2".parse().unwrap(), shape));
    /// let sum = Computation::new(&Expression::parse("a + b")?, operands.into(), Limits::default())?;
    /// assert_eq!(sum.model(), Some(1));
    /// # Ok::<(), b2nd::expression::ExpressionError>(())
    /// ```
    pub fn model(&self) -> Option<usize> {
        self.model_of(&self.program.root)
    }

    /// The chunks that divide these items best: those of the [model](Self::model), or one of all items; its blocks, if they are known.
    ///
    /// ```
    /// # use b2nd::{Limits, expression::{Computation, Expression, Operand}};
    /// let operand = Operand::new("<i2".parse()?, &[9]).with_chunks(&[4]);
    /// let twice = Computation::new(&Expression::parse("2 * a")?, vec![operand], Limits::default())?;
    /// assert_eq!(twice.division(), (vec![4], None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn division(&self) -> (Vec<u64>, Option<&[u32]>) {
        let (chunks, blocks) = self.division_of(&self.program.root);
        let whole = || self.shape().iter().map(|len| (*len).max(1)).collect();
        let chunks = chunks.map_or_else(whole, |lens| lens.iter().copied().map(u64::from).collect());
        (chunks, Some(blocks).filter(|lens| !lens.is_empty()))
    }

    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The dtype of the items of the first reduction.
    pub(crate) fn reduction_dtype(&self) -> Dtype {
        self.program.stages.first().map_or_else(|| self.dtype.clone(), |stage| stage.tree.ty.dtype())
    }

    pub(super) fn model_of(&self, tree: &Tree) -> Option<usize> {
        self.operands.iter().position(|operand| operand.shape == tree.shape)
    }

    /// Lengths of the chunks and blocks that divide items best, if they are known.
    pub(super) fn division_of(&self, tree: &Tree) -> (Option<&[u32]>, &[u32]) {
        let operand = self.model_of(tree).map(|number| &self.operands[number]);
        operand.map_or((None, &[]), |operand| (operand.chunks.as_deref(), &operand.blocks))
    }

    /// The part of an operand that is an input beside the items of a piece.
    pub(super) fn part_of(&self, input: &Input, own: &[Axis]) -> OperandPart {
        OperandPart { operand: input.operand, selection: within(input, own) }
    }

    /// The bytes of an item of an input.
    pub(super) fn itemsize(&self, input: &Input) -> usize {
        self.operands[input.operand].dtype.itemsize().max(1)
    }

    /// The values of an input, of the items of that part.
    pub(super) fn decode(&self, input: &Input, items: &[u8]) -> Result<Vector<'static>> {
        Vector::decode(input.ty, &self.operands[input.operand].dtype, items)
    }

    /// Whether expressions of one shape have one value each beside all items of a region, as far as indexes of chunks tell.
    pub(super) fn is_uniform<E: From<crate::Error>>(
        &self,
        (trees, leaves): (&[&Tree], &[Leaf]),
        region: &[Axis],
        stages: &[Vector<'static>],
        is_uniform: &mut IsUniform<'_, E>,
    ) -> core::result::Result<bool, E> {
        let Some(tree) = trees.first().filter(|_| items_of(region) > 1) else {
            return Ok(false);
        };
        for leaf in leaves {
            let is_uniform = match leaf {
                Leaf::Stage(number) => stages[*number].len() == 1,
                Leaf::Input(number) => {
                    let input = &self.program.inputs[*number];
                    let part = self.part_of(input, &own_axes(&input.shape(), tree, region));
                    let operand = &self.operands[part.operand];
                    match operand.chunks_of(&resolve(&part.selection.0, &operand.shape)?) {
                        Some(chunks) => is_uniform(part.operand, chunks)?,
                        None => false,
                    }
                }
            };
            if !is_uniform {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The axes of a leaf of this shape beside a piece: those that are broadcast have a single item.
pub(super) fn own_axes(shape: &[u64], tree: &Tree, piece: &[Axis]) -> Vec<Axis> {
    let first = piece.len() - shape.len();
    let own = piece[first..]
        .iter()
        .zip(shape)
        .zip(&tree.shape[first..])
        .map(|((axis, len), broadcast)| if len == broadcast { axis.clone() } else { Axis::new(0, 1, 1) });
    own.collect()
}

/// The items of an operand at these positions of the part of it that an expression has.
fn within(input: &Input, axes: &[Axis]) -> Selection {
    let mut own = axes.iter();
    let within = input.axes.iter().map(|axis| match axis.single {
        true => Index::At(axis.start as i64),
        false => own.next().map_or(Index::from(0..0), |own| own.among(axis).index()),
    });
    within.collect()
}
