//! Arrays whose values are computed from others.

mod parts;
mod uniform;

use super::reader::Once;
use super::{Array, ReadAt, ReadError, Reader};
use crate::array::{Dtype, Element, Values};
use crate::base::{Error, Limits};
use crate::expression::{
    Accumulators, Expression, ExpressionError, Input, Leaf, Program, Stage, StoredExpression, Tree, Vector,
};
use crate::frame::Reference;
use crate::plan::{Axis, Index, Selection, ToSelection, resolve};
use alloc::vec::Vec;
use core::ops::Range;
use parts::{divide, halves, items_of, kept, runs, strides};

/// Items that are computed at a time, so that what is between them stays in the L1 and L2 caches.
const BATCH_ITEMS: usize = 4096;
/// Items of an operand that are read at a time.
const PIECE_ITEMS: u64 = 1 << 18;
/// Bytes of an item at most.
const ITEM_BYTES: u64 = 8;

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
    program: Program,
    operands: Vec<Array<S>>,
    dtype: Dtype,
    stages: Once<Vec<Vector<'static>>>,
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
        if let Some(name) = expression.names().get(operands.len()) {
            return Err(ExpressionError::NoOperand(name.clone()));
        }
        let known: Vec<_> = operands.iter().map(|array| (array.dtype(), array.shape())).collect();
        let program = expression.compile(&known)?;
        let dtype = program.root.ty.dtype();
        Ok(Self { program, operands, dtype, stages: Once::new() })
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
        &self.program.root.shape
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
        &self.dtype
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
        self.model_of(&self.program.root)
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
        Ok(Values::new(shape, self.dtype.decode(&self.get(&*selection)?)?)?)
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
        let axes = resolve(&selection.0, self.shape())?;
        let stages = self.stages()?;
        let len = items_of(&axes).saturating_mul(self.dtype.itemsize() as u64);
        let mut items = Vec::with_capacity(self.limits().allow_memory(len)?);
        self.pieces(&[&self.program.root], &axes, stages, &mut |_, values, of, _| {
            values.encode((of.end - of.start) as usize, &mut items)
        })?;
        Ok(items)
    }

    /// The dtype of the items of the first reduction.
    pub(super) fn reduction_dtype(&self) -> Dtype {
        self.program.stages.first().map_or_else(|| self.dtype.clone(), |stage| stage.tree.ty.dtype())
    }

    fn limits(&self) -> Limits {
        self.operands.first().map_or_else(Limits::default, |array| *array.reader().limits())
    }

    fn model_of(&self, tree: &Tree) -> Option<&Array<S>> {
        self.operands.iter().find(|array| array.shape() == tree.shape)
    }

    /// The values of the reductions, in their order.
    pub(super) fn stages(&self) -> Result<&[Vector<'static>], ReadError<S::Error>> {
        if self.stages.get().is_none() {
            let (mut values, mut left) = (Vec::new(), &self.program.stages[..]);
            while let Some(first) = left.first() {
                let together = left.iter().take_while(|stage| stage.is_ready(values.len(), first)).count();
                let (stages, rest) = left.split_at(together.max(1));
                values.extend(self.reduce(stages, &values)?);
                left = rest;
            }
            // Another thread may have been faster.
            let _ = self.stages.set(values);
        }
        Ok(self.stages.get().map_or(&[], Vec::as_slice))
    }

    /// The values of reductions over items of one shape, which are read once.
    fn reduce(
        &self,
        reductions: &[Stage],
        stages: &[Vector<'static>],
    ) -> Result<Vec<Vector<'static>>, ReadError<S::Error>> {
        let places =
            |stage: &Stage| stage.shape.iter().fold(1, |places: u64, len| places.saturating_mul(*len));
        let held: u64 = stages.iter().map(|values| values.len() as u64 * ITEM_BYTES).sum();
        let needed = reductions.iter().fold(held, |needed, stage| {
            needed.saturating_add(places(stage).saturating_mul(Accumulators::PLACE_BYTES))
        });
        self.limits().allow_memory(needed)?;
        let mut accumulators: Vec<_> =
            reductions.iter().map(|stage| Accumulators::new(stage, places(stage) as usize)).collect();
        let strides: Vec<_> =
            reductions.iter().map(|stage| strides(&stage.tree.shape, &stage.reduced)).collect();
        let trees: Vec<&Tree> = reductions.iter().map(|stage| &stage.tree).collect();
        let Some(first) = trees.first() else { return Ok(Vec::new()) };
        let mut add = |number: usize, values: &Vector<'_>, items: Range<u64>, piece: &[Axis]| {
            let of_one_value = values.len() == 1 && items == (0..items_of(piece));
            let (times, piece) = if of_one_value { kept(piece, &strides[number]) } else { (1, piece.into()) };
            let items = if of_one_value { 0..items_of(&piece) } else { items };
            accumulators[number].add(values, &runs(items, &piece, &strides[number]), times);
            Ok(())
        };
        self.regions(&trees, &resolve(&Selection::all().0, &first.shape)?, stages, &mut add)?;
        Ok(accumulators.into_iter().map(Accumulators::finish).collect::<Result<_, _>>()?)
    }

    /// Computes the items of expressions of one shape in any order: chunk by chunk, so that none is decoded twice, or in larger regions
    /// of one value. `take` is that of `pieces`.
    fn regions(
        &self,
        trees: &[&Tree],
        region: &[Axis],
        stages: &[Vector<'static>],
        take: &mut Take<'_>,
    ) -> Result<(), ReadError<S::Error>> {
        let Some(&tree) = trees.first() else { return Ok(()) };
        let chunks = self.model_of(tree).map(|array| array.layout().chunkshape());
        match halves(region, chunks) {
            _ if self.is_uniform(trees, region, stages)? => self.one_value(trees, region, stages, take),
            Some(halves) => halves.iter().try_for_each(|half| self.regions(trees, half, stages, take)),
            None => self.divided(trees, region, stages, take),
        }
    }

    /// Computes the items of expressions of one shape piece by piece, in C order. `take` gets the number of the expression, the values of a
    /// batch, the numbers of its items in its piece, and the piece.
    fn pieces(
        &self,
        trees: &[&Tree],
        axes: &[Axis],
        stages: &[Vector<'static>],
        take: &mut Take<'_>,
    ) -> Result<(), ReadError<S::Error>> {
        match self.is_uniform(trees, axes, stages)? {
            true => self.one_value(trees, axes, stages, take),
            false => self.divided(trees, axes, stages, take),
        }
    }

    /// Like `pieces`, of items with one value.
    fn one_value(
        &self,
        trees: &[&Tree],
        axes: &[Axis],
        stages: &[Vector<'static>],
        take: &mut Take<'_>,
    ) -> Result<(), ReadError<S::Error>> {
        let first: Vec<Axis> = axes.iter().map(|axis| axis.part(0..1)).collect();
        let values = self.leaves(&leaves(trees), trees, &first, stages)?;
        for (number, tree) in trees.iter().enumerate() {
            take(number, &tree.values(&values, &(0..1))?, 0..items_of(axes), axes)?;
        }
        Ok(())
    }

    /// Like `pieces`, of items with different values.
    fn divided(
        &self,
        trees: &[&Tree],
        axes: &[Axis],
        stages: &[Vector<'static>],
        take: &mut Take<'_>,
    ) -> Result<(), ReadError<S::Error>> {
        let Some(&tree) = trees.first() else { return Ok(()) };
        let leaves = leaves(trees);
        let blocks = self.model_of(tree).and_then(|array| array.layout().blockshape());
        let bytes = ITEM_BYTES * leaves.len().max(1) as u64;
        self.limits().allow_memory(bytes.saturating_mul(items_of(axes).min(PIECE_ITEMS)))?;
        let most = self.limits().memory / bytes / 4;
        divide(axes, blocks.unwrap_or_default(), most, &mut |piece| {
            let values = self.leaves(&leaves, trees, piece, stages)?;
            let len = items_of(piece) as usize;
            for start in (0..len).step_by(BATCH_ITEMS) {
                let items = start..len.min(start + BATCH_ITEMS);
                for (number, tree) in trees.iter().enumerate() {
                    let range = items.start as u64..items.end as u64;
                    take(number, &tree.values(&values, &items)?, range, piece)?;
                }
            }
            Ok(())
        })
    }

    /// The values of leaves beside the items of a piece.
    fn leaves(
        &self,
        leaves: &[Leaf],
        trees: &[&Tree],
        piece: &[Axis],
        stages: &[Vector<'static>],
    ) -> Result<Vec<(Leaf, Vector<'static>)>, ReadError<S::Error>> {
        let Some(&tree) = trees.first() else { return Ok(Vec::new()) };
        leaves.iter().map(|leaf| Ok((*leaf, self.leaf(*leaf, tree, piece, stages)?))).collect()
    }

    /// The values of a leaf beside the items of a piece; a single one if all are equal.
    fn leaf(
        &self,
        leaf: Leaf,
        tree: &Tree,
        piece: &[Axis],
        stages: &[Vector<'static>],
    ) -> Result<Vector<'static>, ReadError<S::Error>> {
        match leaf {
            Leaf::Input(number) => {
                let own = own_axes(&self.program.inputs[number].shape(), tree, piece);
                let values = self.input(&self.program.inputs[number], &own)?;
                let counts: Vec<u64> = own.iter().map(|axis| axis.count).collect();
                let is_whole = items_of(&own) == items_of(piece) || values.len() == 1;
                Ok(if is_whole { values } else { values.gather(&offsets(piece, &own, &counts, |_, k| k)) })
            }
            Leaf::Stage(number) if stages[number].len() == 1 => Ok(stages[number].clone()),
            Leaf::Stage(number) => {
                let shape = &self.program.stages[number].shape;
                let own = own_axes(shape, tree, piece);
                Ok(stages[number].gather(&offsets(piece, &own, shape, Axis::coordinate)))
            }
        }
    }

    /// The items of an operand, or of a part of it, at these positions.
    fn input(&self, input: &Input, axes: &[Axis]) -> Result<Vector<'static>, ReadError<S::Error>> {
        let array = &self.operands[input.operand];
        let items = array.get(within(input, axes))?;
        Ok(Vector::decode(input.ty, array.dtype(), &items)?)
    }
}

/// Gets the number of an expression, values, the numbers of their items in a piece, and the piece. A single value is that of all of them.
type Take<'t> = dyn FnMut(usize, &Vector<'_>, Range<u64>, &[Axis]) -> Result<(), Error> + 't;

/// The leaves of expressions, each once.
fn leaves(trees: &[&Tree]) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    trees.iter().for_each(|tree| tree.leaves(&mut leaves));
    leaves
}

/// The axes of a leaf of this shape beside a piece: those that are broadcast have a single item.
fn own_axes(shape: &[u64], tree: &Tree, piece: &[Axis]) -> Vec<Axis> {
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

/// For each axis of a piece the distances of its items from the first, among the items of a leaf with these axes. The leaf has `lens`
/// items along them, and `position` is that of an item among these.
fn offsets(
    piece: &[Axis],
    own: &[Axis],
    lens: &[u64],
    position: impl Fn(&Axis, u64) -> u64,
) -> Vec<Vec<usize>> {
    let first = piece.len() - own.len();
    let mut stride: usize = lens.iter().map(|len| *len as usize).product();
    let of = |(number, axis): (usize, &Axis)| {
        let Some(own) = number.checked_sub(first) else { return alloc::vec![0; axis.count as usize] };
        stride /= (lens[own] as usize).max(1);
        let offset = |k: u64| if lens[own] == 1 { 0 } else { position(axis, k) as usize * stride };
        (0..axis.count).map(offset).collect()
    };
    piece.iter().enumerate().map(of).collect()
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
        let mut attributes = self.trailer()?.attributes.iter();
        let stored = attributes.find(|attribute| StoredExpression::ATTRIBUTES.contains(&&*attribute.name()));
        let is_lazy = self.frame().header.reference() == Some(Reference::LazyExpr);
        let Some(stored) = stored.filter(|_| is_lazy) else { return Ok(None) };
        Ok(Some(StoredExpression::of(&stored.value(self.limits())?)?))
    }
}
