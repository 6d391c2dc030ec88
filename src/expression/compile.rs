//! Expressions of operands whose types and shapes are known.

use super::function::Function;
use super::kernels::{apply, holds};
use super::node::{Along, Node, Reduction};
use super::number::Number;
use super::types::{Type, typed};
use super::vector::{Item, Vector};
use super::{Expression, ExpressionError};
use crate::array::Dtype;
use crate::base::ArgumentError;
use crate::plan::{Axis, Selection, resolve};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// A typed expression. Reductions come before what contains them.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) inputs: Vec<Input>,
    pub(crate) stages: Vec<Stage>,
    pub(crate) root: Tree,
}

/// An operand, or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Input {
    /// The number of the operand.
    pub(crate) operand: usize,
    pub(crate) ty: Type,
    /// For each axis of the operand.
    pub(crate) axes: Vec<Axis>,
}

impl Input {
    /// Items along each axis, without those that are indexed.
    pub(crate) fn shape(&self) -> Vec<u64> {
        self.axes.iter().filter(|axis| !axis.single).map(|axis| axis.count).collect()
    }
}

/// A reduction: its values are kept for what contains it.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    pub(crate) tree: Tree,
    pub(super) reduction: Reduction,
    pub(super) ddof: i64,
    pub(super) skips_nan: bool,
    /// For each axis of the argument whether it is taken away.
    pub(crate) reduced: Vec<bool>,
    pub(crate) shape: Vec<u64>,
}

impl Stage {
    /// Whether it can be computed with `first`, when the values of so many stages are known.
    pub(crate) fn is_ready(&self, known: usize, first: &Self) -> bool {
        let mut leaves = Vec::new();
        self.tree.leaves(&mut leaves);
        let is_known = |leaf: &Leaf| !matches!(leaf, Leaf::Stage(number) if *number >= known);
        self.tree.shape == first.tree.shape && leaves.iter().all(is_known)
    }
}

/// Functions of leaves, item by item.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    op: Op,
    pub(crate) ty: Type,
    pub(crate) shape: Vec<u64>,
}

/// A source of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    Input(usize),
    Stage(usize),
}

#[derive(Debug, Clone)]
enum Op {
    Leaf(Leaf),
    Constant(Vector<'static>),
    Cast(Box<Tree>),
    Truth(Box<Tree>),
    Apply(Function, Vec<Tree>),
}

/// A tree, or a number of the text, which has no type of its own.
enum Term {
    Tree(Tree),
    Int(i128),
    Float(f64),
}

type Compiled<T> = Result<T, ExpressionError>;

struct Compiler<'c> {
    /// The types and shapes of the operands.
    operands: &'c [(Type, &'c [u64])],
    inputs: Vec<Input>,
    stages: Vec<Stage>,
}

impl Expression {
    /// Finds the types, for operands of these dtypes and shapes, in the order of the names.
    pub(crate) fn compile(&self, operands: &[(&Dtype, &[u64])]) -> Compiled<Program> {
        let known = operands.iter().map(|(dtype, shape)| {
            let ty = Type::of(dtype).ok_or_else(|| ExpressionError::Dtype(dtype.to_string()))?;
            Ok((ty, *shape))
        });
        let known = known.collect::<Compiled<Vec<_>>>()?;
        let mut compiler = Compiler { operands: &known, inputs: Vec::new(), stages: Vec::new() };
        let root = compiler.term(&self.root)?.tree()?;
        Ok(Program { inputs: compiler.inputs, stages: compiler.stages, root })
    }
}

impl Term {
    /// A tree; numbers of the text have NumPy's default types.
    fn tree(self) -> Compiled<Tree> {
        match self {
            Self::Tree(tree) => Ok(tree),
            Self::Int(_) => self.of_type(Type::I64),
            Self::Float(_) => self.of_type(Type::F64),
        }
    }

    /// The type by which it promotes others.
    fn promoting(&self, others: Option<Type>) -> Type {
        match (self, others) {
            (Self::Tree(tree), _) => tree.ty,
            (Self::Int(_), Some(other)) if other != Type::Bool => other,
            (Self::Int(_), _) => Type::I64,
            (Self::Float(_), Some(other)) if other.is_float() => other,
            (Self::Float(_), _) => Type::F64,
        }
    }

    fn of_type(self, ty: Type) -> Compiled<Tree> {
        let constant = match self {
            Self::Tree(tree) if tree.ty == ty => return Ok(tree),
            Self::Tree(tree) => {
                let shape = tree.shape.clone();
                return Ok(Tree { op: Op::Cast(Box::new(tree)), ty, shape });
            }
            Self::Int(number) if ty.is_integer() => {
                let (least, most) = ty.bounds();
                if !(least..=most).contains(&number) {
                    return Err(ExpressionError::Overflow { number, dtype: ty.dtype().to_string() });
                }
                typed!(ty, T => T::vector([T::of_i64(number as i64)].into()))
            }
            Self::Int(number) => typed!(ty, T => T::vector([T::of_f64(number as f64)].into())),
            Self::Float(number) => typed!(ty, T => T::vector([T::of_f64(number)].into())),
        };
        Ok(Tree { op: Op::Constant(constant), ty, shape: Vec::new() })
    }

    fn truth(self) -> Compiled<Tree> {
        let tree = self.tree()?;
        let shape = tree.shape.clone();
        Ok(if tree.ty == Type::Bool {
            tree
        } else {
            Tree { op: Op::Truth(Box::new(tree)), ty: Type::Bool, shape }
        })
    }

    fn shape(&self) -> &[u64] {
        if let Self::Tree(tree) = self { &tree.shape } else { &[] }
    }
}

impl Compiler<'_> {
    fn term(&mut self, node: &Node) -> Compiled<Term> {
        Ok(match node {
            Node::Int(number) => Term::Int(*number),
            Node::Float(number) => Term::Float(*number),
            Node::Bool(value) => {
                let constant = Vector::Bool(Cow::Owned([*value].into()));
                Term::Tree(Tree { op: Op::Constant(constant), ty: Type::Bool, shape: Vec::new() })
            }
            Node::Operand(number, part) => Term::Tree(self.input(*number, part)?),
            Node::Apply(function, arguments) => {
                let terms = arguments.iter().map(|node| self.term(node)).collect::<Compiled<Vec<_>>>()?;
                return if *function == Function::Clip { clipped(terms) } else { apply_to(*function, terms) };
            }
            Node::Reduce(reduction, argument, along) => {
                let tree = self.term(argument)?.tree()?;
                Term::Tree(self.reduced(*reduction, tree, along)?)
            }
        })
    }

    fn input(&mut self, operand: usize, part: &Selection) -> Compiled<Tree> {
        let (ty, shape) = self.operands[operand];
        let axes = part.must_have_ranges().and_then(|()| resolve(&part.0, shape));
        let input = Input { operand, ty, axes: axes.map_err(|_| ExpressionError::Shapes)?.to_vec() };
        let shape = input.shape();
        let known = self.inputs.iter().position(|known| *known == input);
        let number = known.unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        Ok(Tree { op: Op::Leaf(Leaf::Input(number)), ty, shape })
    }

    fn reduced(&mut self, reduction: Reduction, tree: Tree, along: &Along) -> Compiled<Tree> {
        let ndim = tree.shape.len();
        let mut reduced = alloc::vec![along.axes.is_none(); ndim];
        // NumPy lets some reductions of a single item have an axis.
        let has_axis = |axis: &&i64| ndim > 0 || reduction.is_moment() || !matches!(axis, 0 | -1);
        for &axis in along.axes.iter().flatten().filter(has_axis) {
            let at = usize::try_from(if axis < 0 { axis + ndim as i64 } else { axis }).ok();
            match at.and_then(|at| reduced.get_mut(at)) {
                Some(place) if !*place => *place = true,
                _ => return Err(ExpressionError::Axis(axis)),
            }
        }
        let ty = reduction.result_type(tree.ty);
        let axes = tree.shape.iter().zip(&reduced);
        let kept: Vec<u64> = match along.keep {
            true => axes.map(|(len, reduced)| if *reduced { 1 } else { *len }).collect(),
            false => axes.filter(|(_, reduced)| !**reduced).map(|(len, _)| *len).collect(),
        };
        let leaf = Op::Leaf(Leaf::Stage(self.stages.len()));
        let (ddof, skips_nan) = (along.ddof, along.skips_nan && tree.ty.is_float());
        self.stages.push(Stage { tree, reduction, ddof, skips_nan, reduced, shape: kept.clone() });
        Ok(Tree { op: leaf, ty, shape: kept })
    }
}

fn apply_to(function: Function, mut terms: Vec<Term>) -> Compiled<Term> {
    if let Some(folded) = folded(function, &terms) {
        return Ok(folded);
    }
    let shape = terms.iter().try_fold(Vec::new(), |shape, term| broadcast(&shape, term.shape()))?;
    if let Some(constant) = beyond_bounds(function, &terms) {
        let op = Op::Constant(Vector::Bool(Cow::Owned([constant].into())));
        return Ok(Term::Tree(Tree { op, ty: Type::Bool, shape }));
    }
    // Where only truth is asked for, types do not matter.
    let chosen = if function.takes_truth(0) && terms.len() == 3 { 1 } else { 0 };
    let typed = terms[chosen..]
        .iter()
        .filter_map(|term| if let Term::Tree(tree) = term { Some(tree.ty) } else { None });
    let others = typed.reduce(Type::promoted);
    let types: Vec<Type> = terms.iter().map(|term| term.promoting(others)).collect();
    let is_mixed =
        function.is_comparison() && matches!(types[..], [Type::I64, Type::U64] | [Type::U64, Type::I64]);
    let ty = function.argument_type(&types).ok_or_else(|| {
        let promoted = types.iter().copied().reduce(Type::promoted).unwrap_or(Type::Bool);
        ExpressionError::Types {
            function: format!("{function:?}").to_lowercase(),
            dtype: promoted.dtype().to_string(),
        }
    })?;
    let arguments = terms.drain(..).enumerate().map(|(number, term)| match function.takes_truth(number) {
        true => term.truth(),
        false if is_mixed => term.tree(),
        // Signed integers have a type that compares exactly with unsigned ones.
        false => term.of_type(ty),
    });
    let arguments = arguments.collect::<Compiled<Vec<_>>>()?;
    Ok(Term::Tree(Tree { op: Op::Apply(function, arguments), ty: function.result_type(ty), shape }))
}

/// Values between two bounds. Numbers of the text that the type does not have stand for its bounds.
fn clipped(terms: Vec<Term>) -> Compiled<Term> {
    let bounds = match terms.first() {
        Some(Term::Tree(tree)) if tree.ty.is_integer() => Some(tree.ty.bounds()),
        _ => None,
    };
    let mut terms = terms.into_iter().map(|term| match (term, bounds) {
        (Term::Int(number), Some((least, most))) => Term::Int(number.clamp(least, most)),
        (term, _) => term,
    });
    let above = apply_to(Function::AtLeast, terms.by_ref().take(2).collect())?;
    apply_to(Function::AtMost, [above].into_iter().chain(terms).collect())
}

/// Arithmetic of numbers of the text, which is Python's.
fn folded(function: Function, terms: &[Term]) -> Option<Term> {
    use Function::*;
    let real = |term: &Term| match term {
        Term::Int(number) => Some(*number as f64),
        Term::Float(number) => Some(*number),
        Term::Tree(_) => None,
    };
    match *terms {
        [Term::Int(number)] => match function {
            Negative => number.checked_neg().map(Term::Int),
            Square => number.checked_mul(number).map(Term::Int),
            Positive => Some(Term::Int(number)),
            Invert => Some(Term::Int(!number)),
            _ => None,
        },
        [Term::Float(number)] => match function {
            Negative => Some(Term::Float(-number)),
            Square => Some(Term::Float(number * number)),
            Positive => Some(Term::Float(number)),
            _ => None,
        },
        [Term::Int(a), Term::Int(b)] if function != Divide && (function != Power || b >= 0) => {
            let floor = || {
                a.checked_div(b)
                    .map(|quotient| quotient - i128::from(quotient * b != a && (a < 0) != (b < 0)))
            };
            // It has the sign of the divisor.
            let rest = || {
                let rest = a.checked_rem(b)?;
                Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
            };
            let number = match function {
                Add => a.checked_add(b),
                Subtract => a.checked_sub(b),
                Multiply => a.checked_mul(b),
                FloorDivide => floor(),
                Remainder => rest(),
                Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                BitAnd => Some(a & b),
                BitOr => Some(a | b),
                BitXor => Some(a ^ b),
                LeftShift => u32::try_from(b).ok().filter(|b| *b < 64).and_then(|b| a.checked_mul(1 << b)),
                RightShift => u32::try_from(b).ok().map(|b| a >> b.min(127)),
                _ => None,
            };
            number.map(Term::Int)
        }
        [ref a, ref b] => {
            let (a, b) = (real(a)?, real(b)?);
            Some(Term::Float(match function {
                Add => a + b,
                Subtract => a - b,
                Multiply => a * b,
                Divide if b != 0.0 => a / b,
                FloorDivide => a.floor_divide(b),
                Remainder => a.remainder(b),
                Power => a.power(b),
                _ => return None,
            }))
        }
        _ => None,
    }
}

/// The outcome of a comparison of integers with a number that none of them can have.
fn beyond_bounds(function: Function, terms: &[Term]) -> Option<bool> {
    let (tree, number, is_left) = match terms {
        [Term::Tree(tree), Term::Int(number)] => (tree, *number, true),
        [Term::Int(number), Term::Tree(tree)] => (tree, *number, false),
        _ => return None,
    };
    let (least, most) = tree.ty.bounds();
    let is_beyond = function.is_comparison() && tree.ty.is_integer() && !(least..=most).contains(&number);
    let order = if is_left { 0.cmp(&number) } else { number.cmp(&0) };
    is_beyond.then(|| holds(function, order))
}

/// The shape of items of two shapes side by side.
fn broadcast(left: &[u64], right: &[u64]) -> Compiled<Vec<u64>> {
    let (short, long) = if left.len() < right.len() { (left, right) } else { (right, left) };
    let mut shape = long.to_vec();
    for (len, other) in shape.iter_mut().rev().zip(short.iter().rev()) {
        *len = match (*len, *other) {
            (1, other) => other,
            (len, other) if other == 1 || other == len => len,
            _ => return Err(ExpressionError::Shapes),
        };
    }
    Ok(shape)
}

impl Tree {
    /// The leaves, each once.
    pub(crate) fn leaves(&self, found: &mut Vec<Leaf>) {
        match &self.op {
            Op::Leaf(leaf) if !found.contains(leaf) => found.push(*leaf),
            Op::Leaf(_) | Op::Constant(_) => {}
            Op::Cast(tree) | Op::Truth(tree) => tree.leaves(found),
            Op::Apply(_, trees) => trees.iter().for_each(|tree| tree.leaves(found)),
        }
    }

    /// The values of some items, of the values of the leaves beside them.
    ///
    /// # Errors
    /// `Argument` for integers to the power of negative ones.
    pub(crate) fn values<'v>(
        &'v self,
        leaves: &'v [(Leaf, Vector<'_>)],
    ) -> Result<Vector<'v>, ArgumentError> {
        Ok(match &self.op {
            Op::Leaf(leaf) => {
                let found = leaves.iter().find(|(known, _)| known == leaf);
                found.map_or(Vector::Bool(Cow::Borrowed(&[])), |(_, vector)| vector.borrowed())
            }
            Op::Constant(constant) => constant.borrowed(),
            Op::Cast(tree) => tree.values(leaves)?.cast(self.ty),
            Op::Truth(tree) => tree.values(leaves)?.truth(),
            Op::Apply(function, trees) => {
                let arguments = trees.iter().map(|tree| tree.values(leaves));
                let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
                let ty = trees.last().map_or(Type::Bool, |tree| tree.ty);
                apply(*function, ty, &arguments)?
            }
        })
    }
}
