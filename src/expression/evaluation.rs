//! Values of expressions, computed piece by piece without I/O.

use super::compile::{Input, Leaf, Stage, Tree};
use super::computation::{Computation, IsUniform, OperandPart, Reduced, own_axes};
use super::parts::{Piece, Walk, items_of, kept, runs, strides};
use super::reduce::Accumulators;
use super::vector::Vector;
use crate::base::{ArgumentError, Error, Result};
use crate::plan::{Axis, Selection, resolve};
use alloc::borrow::Cow;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::ops::Range;

/// Items that are computed at a time, so that what is between them stays in the L1 and L2 caches.
const BATCH_ITEMS: usize = 4096;
/// Bytes of an item at most.
const ITEM_BYTES: u64 = 8;

/// Computes the values of an expression, piece by piece: it asks for parts of operands and takes their items.
///
/// Reductions within the expression come first. [`Computation::evaluate`] has an example.
#[derive(Debug)]
pub struct Evaluation<'c> {
    computation: &'c Computation,
    /// The values of the reductions, in their order.
    stages: Cow<'c, [Vector<'static>]>,
    /// The selected items, until their turn.
    selected: Option<Vec<Axis>>,
    work: Work,
    /// Expressions of one shape whose values are computed, and their leaves, each once.
    trees: Vec<&'c Tree>,
    leaves: Vec<Leaf>,
    walk: Walk<'c>,
    /// Pieces whose operands were asked for.
    asked: VecDeque<Piece>,
}

/// The use of the values of pieces.
#[derive(Debug)]
enum Work {
    /// Reductions over items of one shape, which are read once.
    Reductions(Vec<Collecting>),
    /// The items of a result with these axes, of which so many are done.
    Items { axes: Vec<Axis>, done: u64 },
}

/// The values of a leaf beside the items of a piece.
#[derive(Debug)]
enum Values<'p> {
    /// Items as they are stored, which are decoded batch by batch.
    Stored(&'p Input, &'p [u8]),
    Decoded(Vector<'static>),
}

/// A reduction that is being computed.
#[derive(Debug)]
struct Collecting {
    accumulators: Accumulators,
    strides: Vec<usize>,
}

impl Computation {
    /// Computes the selected items. What was `reduced` before need not be computed again.
    ///
    /// ```
    /// # use b2nd::{Limits, Selection, expression::{Computation, Expression, Operand, Reduced}};
    /// let operand = Operand::new("|u1".parse()?, &[4]);
    /// let computation = Computation::new(&Expression::parse("a - min(a)")?, vec![operand], Limits::default())?;
    /// let mut evaluation = computation.evaluate(&"1:".parse()?, Reduced::default())?;
    /// let (stored, mut items) = ([5, 7, 3, 9], Vec::new());
    /// while let Some(parts) = evaluation.ask(&mut |_, _| Ok::<_, b2nd::Error>(false))? {
    ///     // All items for the minimum, then those that are selected.
    ///     let of = |part: &b2nd::expression::OperandPart| match part.selection.shape(&[4]) {
    ///         Ok(shape) if shape == [4] => &stored[..],
    ///         _ => &stored[1..],
    ///     };
    ///     let answers: Vec<&[u8]> = parts.iter().map(of).collect();
    ///     evaluation.give(&answers, &mut items)?;
    /// }
    /// assert_eq!(items, [4, 0, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit or has lists of positions.
    pub fn evaluate(&self, selection: &Selection, reduced: Reduced) -> Result<Evaluation<'_>> {
        selection.must_have_ranges()?;
        let axes = resolve(&selection.0, self.shape())?.to_vec();
        Ok(Evaluation::new(self, Some(axes), Cow::Owned(reduced.0)))
    }
}

impl<'c> Evaluation<'c> {
    /// Of all reductions, and then of selected items.
    pub(crate) fn new(
        computation: &'c Computation,
        selected: Option<Vec<Axis>>,
        stages: Cow<'c, [Vector<'static>]>,
    ) -> Self {
        Self {
            computation,
            stages,
            selected,
            work: Work::Reductions(Vec::new()),
            trees: Vec::new(),
            leaves: Vec::new(),
            walk: Walk::default(),
            asked: VecDeque::new(),
        }
    }

    /// The parts of operands that the next piece needs. Without one, what was asked for must be [given](Self::give) first; if all was,
    /// nothing is left to compute.
    ///
    /// Of items in chunks of one value one is asked for, if `is_uniform` tells so of the chunks of an operand: it may always say no.
    ///
    /// ```
    /// # use b2nd::{Limits, Selection, expression::{Computation, Expression, Operand, Reduced}};
    /// let operand = Operand::new("|u1".parse()?, &[9]);
    /// let computation = Computation::new(&Expression::parse("a[2:] + 1")?, vec![operand], Limits::default())?;
    /// let mut evaluation = computation.evaluate(&Selection::all(), Reduced::default())?;
    /// let parts = evaluation.ask(&mut |_, _| Ok::<_, b2nd::Error>(false))?.expect("a part of `a`");
    /// assert_eq!((parts[0].operand, parts[0].selection.shape(&[9])?), (0, vec![7]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of `is_uniform`; `Limit` if the values are more than the limits allow; `Argument` for the least or greatest of no items.
    pub fn ask<E: From<Error>>(
        &mut self,
        is_uniform: &mut IsUniform<'_, E>,
    ) -> core::result::Result<Option<Vec<OperandPart>>, E> {
        loop {
            let (computation, stages) = (self.computation, &self.stages);
            let known = (&self.trees[..], &self.leaves[..]);
            let next = self.walk.next(&mut |axes| computation.is_uniform(known, axes, stages, is_uniform))?;
            if let Some(piece) = next {
                let parts = self.parts_of(&piece)?;
                self.asked.push_back(piece);
                return Ok(Some(parts));
            }
            if !self.asked.is_empty() || !self.begin()? {
                return Ok(None);
            }
        }
    }

    /// Takes the items of the parts of operands that were asked for first, and appends items of the result, if there are some. Hands back
    /// their place in it.
    ///
    /// ```
    /// # use b2nd::{Limits, Selection, expression::{Computation, Expression, Operand, Reduced}};
    /// let operand = Operand::new("|u1".parse()?, &[2]);
    /// let computation = Computation::new(&Expression::parse("a + 1")?, vec![operand], Limits::default())?;
    /// let mut evaluation = computation.evaluate(&Selection::all(), Reduced::default())?;
    /// evaluation.ask(&mut |_, _| Ok::<_, b2nd::Error>(false))?;
    /// let mut items = Vec::new();
    /// assert_eq!(evaluation.give(&[&[5, 6]], &mut items)?, Some(vec![0..2]));
    /// assert_eq!(items, [6, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if these are not the items asked for, and for integers to the power of negative ones.
    pub fn give(&mut self, parts: &[&[u8]], items: &mut Vec<u8>) -> Result<Option<Vec<Range<u64>>>> {
        let piece = self.asked.pop_front().ok_or(ArgumentError::Unfinished)?;
        let values = self.leaf_values(&piece, parts)?;
        let len = if piece.is_uniform { 1 } else { items_of(&piece.axes) as usize };
        for start in (0..len).step_by(BATCH_ITEMS) {
            let batch = start..len.min(start + BATCH_ITEMS);
            let leaves =
                values.iter().map(|(leaf, values)| Ok((*leaf, self.batch_of(values, batch.clone())?)));
            let leaves = leaves.collect::<Result<Vec<_>>>()?;
            for number in 0..self.trees.len() {
                let computed = self.trees[number].values(&leaves)?;
                let of = if piece.is_uniform {
                    0..items_of(&piece.axes)
                } else {
                    batch.start as u64..batch.end as u64
                };
                self.work.take(number, &computed, of, &piece.axes, items)?;
            }
        }
        Ok(self.work.place_of(&piece))
    }

    /// The values of the reductions so far, for other evaluations.
    ///
    /// ```
    /// # use b2nd::{Limits, Selection, expression::{Computation, Expression, Reduced}};
    /// let computation = Computation::new(&Expression::parse("1 + 1")?, vec![], Limits::default())?;
    /// let reduced = computation.evaluate(&Selection::all(), Reduced::default())?.into_reduced();
    /// computation.evaluate(&Selection::all(), reduced)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_reduced(self) -> Reduced {
        Reduced(self.stages.into_owned())
    }

    /// Goes on with the next reductions or with the items, if something is left.
    fn begin(&mut self) -> Result<bool> {
        if let Work::Reductions(collected) = core::mem::replace(&mut self.work, Work::Reductions(Vec::new()))
        {
            for reduction in collected {
                self.stages.to_mut().push(reduction.accumulators.finish()?);
            }
        }
        let computation = self.computation;
        let left = computation.program.stages.get(self.stages.len()..).unwrap_or_default();
        if let Some(first) = left.first() {
            let known = self.stages.len();
            let together = left.iter().take_while(|stage| stage.is_ready(known, first)).count();
            let stages = &left[..together.max(1)];
            self.work = Work::Reductions(self.collecting(stages)?);
            let all = resolve(&Selection::all().0, &first.tree.shape)?.to_vec();
            self.compute(stages.iter().map(|stage| &stage.tree).collect());
            self.walk.begin_in_any_order(all);
            return Ok(true);
        }
        let Some(axes) = self.selected.take() else { return Ok(false) };
        self.compute(Vec::from([&computation.program.root]));
        self.walk.begin_in_order(axes.clone());
        self.work = Work::Items { axes, done: 0 };
        Ok(true)
    }

    /// Sets the expressions that are computed from now on.
    fn compute(&mut self, trees: Vec<&'c Tree>) {
        self.leaves.clear();
        trees.iter().for_each(|tree| tree.leaves(&mut self.leaves));
        let (chunks, blocks) =
            trees.first().map_or((None, &[][..]), |tree| self.computation.division_of(tree));
        self.walk = Walk::new(chunks, blocks, self.computation.limits.memory / self.item_bytes() / 4);
        self.trees = trees;
    }

    /// Bytes of the values beside an item.
    fn item_bytes(&self) -> u64 {
        ITEM_BYTES * self.leaves.len().max(1) as u64
    }

    fn collecting(&self, stages: &[Stage]) -> Result<Vec<Collecting>> {
        let places =
            |stage: &Stage| stage.shape.iter().fold(1, |places: u64, len| places.saturating_mul(*len));
        let held: u64 = self.stages.iter().map(|values| values.len() as u64 * ITEM_BYTES).sum();
        let needed = stages.iter().fold(held, |needed, stage| {
            needed.saturating_add(places(stage).saturating_mul(Accumulators::PLACE_BYTES))
        });
        self.computation.limits.allow_memory(needed)?;
        let collecting = |stage| Collecting {
            accumulators: Accumulators::new(stage, places(stage) as usize),
            strides: strides(&stage.tree.shape, &stage.reduced),
        };
        Ok(stages.iter().map(collecting).collect())
    }

    /// The parts of the operands that a piece needs.
    fn parts_of(&self, piece: &Piece) -> Result<Vec<OperandPart>> {
        let axes = piece.needed();
        self.computation.limits.allow_memory(self.item_bytes().saturating_mul(items_of(&axes)))?;
        let inputs = self.leaves.iter().filter_map(|leaf| match leaf {
            Leaf::Input(number) => Some(&self.computation.program.inputs[*number]),
            Leaf::Stage(_) => None,
        });
        let tree = self.trees.first();
        let parts = inputs.zip(core::iter::repeat(tree)).filter_map(|(input, tree)| {
            Some(self.computation.part_of(input, &own_axes(&input.shape(), tree?, &axes)))
        });
        Ok(parts.collect())
    }

    /// The values of the leaves beside the items of a piece; a single one if all are equal.
    fn leaf_values<'p>(&self, piece: &Piece, parts: &[&'p [u8]]) -> Result<Vec<(Leaf, Values<'p>)>>
    where
        'c: 'p,
    {
        let axes = piece.needed();
        let Some(tree) = self.trees.first() else { return Ok(Vec::new()) };
        let mut parts = parts.iter();
        let value = |leaf: &Leaf| {
            let values = match leaf {
                Leaf::Input(number) => {
                    let input = &self.computation.program.inputs[*number];
                    let items = parts.next().ok_or(ArgumentError::Unfinished)?;
                    self.input_values(input, items, &own_axes(&input.shape(), tree, &axes), &axes)?
                }
                Leaf::Stage(number) if self.stages[*number].len() == 1 => {
                    Values::Decoded(self.stages[*number].clone())
                }
                Leaf::Stage(number) => {
                    let shape = &self.computation.program.stages[*number].shape;
                    let own = own_axes(shape, tree, &axes);
                    let offsets = offsets(&axes, &own, shape, Axis::coordinate);
                    Values::Decoded(self.stages[*number].gather(&offsets))
                }
            };
            Ok((*leaf, values))
        };
        self.leaves.iter().map(value).collect()
    }

    /// The values of an input with its own axes beside the items with these axes.
    fn input_values<'p>(
        &self,
        input: &'c Input,
        items: &'p [u8],
        own: &[Axis],
        axes: &[Axis],
    ) -> Result<Values<'p>>
    where
        'c: 'p,
    {
        let itemsize = self.computation.itemsize(input) as u64;
        let (expected, actual) = (items_of(own), items.len() as u64 / itemsize);
        if actual != expected || !(items.len() as u64).is_multiple_of(itemsize) {
            return Err(ArgumentError::BufferLen { expected, actual }.into());
        }
        if expected > 1 && expected == items_of(axes) {
            return Ok(Values::Stored(input, items));
        }
        let values = self.computation.decode(input, items)?;
        if values.len() == 1 {
            return Ok(Values::Decoded(values));
        }
        let counts: Vec<u64> = own.iter().map(|axis| axis.count).collect();
        Ok(Values::Decoded(values.gather(&offsets(axes, own, &counts, |_, k| k))))
    }

    /// The values beside a batch of the items of a piece.
    fn batch_of<'v>(&self, values: &'v Values<'_>, batch: Range<usize>) -> Result<Vector<'v>> {
        match values {
            Values::Stored(input, items) => {
                let itemsize = self.computation.itemsize(input);
                self.computation.decode(input, &items[batch.start * itemsize..batch.end * itemsize])
            }
            Values::Decoded(vector) => Ok(vector.part(batch)),
        }
    }
}

impl Work {
    /// Takes the values of some items of a piece for an expression. A single value is that of all of them.
    fn take(
        &mut self,
        number: usize,
        values: &Vector<'_>,
        of: Range<u64>,
        piece: &[Axis],
        items: &mut Vec<u8>,
    ) -> Result<()> {
        let Self::Reductions(reductions) = self else {
            return values.encode((of.end - of.start) as usize, items);
        };
        let Collecting { accumulators, strides } = &mut reductions[number];
        let is_of_one_value = values.len() == 1 && of == (0..items_of(piece));
        let (times, piece) = if is_of_one_value { kept(piece, strides) } else { (1, piece.into()) };
        let of = if is_of_one_value { 0..items_of(&piece) } else { of };
        accumulators.add(values, &runs(of, &piece, strides), times);
        Ok(())
    }

    /// The place of a piece that was computed in the result.
    fn place_of(&mut self, piece: &Piece) -> Option<Vec<Range<u64>>> {
        let Self::Items { axes, done } = self else { return None };
        let mut first = *done;
        *done += items_of(&piece.axes);
        let mut place: Vec<_> = axes
            .iter()
            .zip(&piece.axes)
            .rev()
            .map(|(axis, own)| {
                let start = first % axis.count;
                first /= axis.count;
                (axis.single, start..start + own.count)
            })
            .collect();
        place.reverse();
        Some(place.into_iter().filter(|(is_single, _)| !is_single).map(|(_, range)| range).collect())
    }
}

impl Piece {
    /// The items whose values are computed.
    fn needed(&self) -> Vec<Axis> {
        match self.is_uniform {
            true => self.axes.iter().map(|axis| axis.part(0..1)).collect(),
            false => self.axes.clone(),
        }
    }
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
