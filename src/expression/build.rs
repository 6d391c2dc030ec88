//! Expressions that are made of others, for languages with a syntax of their own.

use super::function::Function;
use super::node::Node;
use super::{Expression, ExpressionError};
use crate::plan::Selection;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Expression {
    /// An operand by its number.
    pub(crate) fn operand(number: usize) -> Self {
        Self::of(Node::Operand(number, Selection::all()))
    }

    pub(crate) const fn of_bool(value: bool) -> Self {
        Self::of(Node::Bool(value))
    }

    pub(crate) const fn of_int(value: i128) -> Self {
        Self::of(Node::Int(value))
    }

    pub(crate) const fn of_float(value: f64) -> Self {
        Self::of(Node::Float(value))
    }

    /// A function of expressions whose operands have the same numbers.
    pub(crate) fn apply(function: Function, arguments: Vec<Self>) -> Self {
        Self::of(Node::applied(function, arguments.into_iter().map(|argument| argument.root).collect()))
    }

    /// Like `apply`, of a function by its name.
    ///
    /// # Errors
    /// `Function` and, with the place in the text, `Arguments`.
    pub(crate) fn call(name: &str, arguments: Vec<Self>, at: usize) -> Result<Self, ExpressionError> {
        let function = Function::named(name).ok_or_else(|| ExpressionError::Function(name.to_string()))?;
        match arguments.len() == function.arity() {
            true => Ok(Self::apply(function, arguments)),
            false => Err(ExpressionError::Arguments { at }),
        }
    }

    /// Whether each item depends only on the items of operands at the same position.
    pub(crate) fn is_by_item(&self) -> bool {
        self.root.is_by_item()
    }

    const fn of(root: Node) -> Self {
        Self { root, names: Vec::<String>::new() }
    }
}
