//! Parsed expressions.

use super::function::Function;
use super::types::Type;
use crate::plan::Selection;
use alloc::boxed::Box;
use alloc::vec::Vec;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Bool(bool),
    /// Numbers of the text take the type of the arrays beside them.
    Int(i128),
    Float(f64),
    /// An operand by the number of its name, and the part of it.
    Operand(usize, Selection),
    Apply(Function, Vec<Self>),
    Reduce(Reduction, Box<Self>, Along),
}

impl Node {
    /// Whether each item depends only on the items of operands at the same position.
    #[cfg(feature = "store")]
    pub(super) fn is_by_item(&self) -> bool {
        match self {
            Self::Operand(_, selection) => *selection == Selection::all(),
            Self::Apply(_, arguments) => arguments.iter().all(Self::is_by_item),
            Self::Reduce(..) => false,
            _ => true,
        }
    }

    pub(super) fn applied(function: Function, mut arguments: Vec<Self>) -> Self {
        match (function, &arguments[..]) {
            // As in NumPy, whose type of it is another one for booleans.
            (Function::Power, [_, Self::Int(2)]) => {
                arguments.truncate(1);
                Self::Apply(Function::Square, arguments)
            }
            _ => Self::Apply(function, arguments),
        }
    }
}

/// A function of all items along axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reduction {
    Sum,
    Product,
    Mean,
    Variance,
    Deviation,
    Minimum,
    Maximum,
    Any,
    All,
}

/// The axes that a reduction takes away.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Along {
    /// All without a list. Negative ones count from the last.
    pub(super) axes: Option<Vec<i64>>,
    /// Whether they stay, with a single item.
    pub(super) keep: bool,
    /// Of variances: what the number of items is lessened by.
    pub(super) ddof: i64,
    /// Whether NaN does not count.
    pub(super) skips_nan: bool,
}

impl Reduction {
    /// The type of the result for items of this type.
    pub(super) const fn result_type(self, from: Type) -> Type {
        match self {
            Self::Sum | Self::Product if matches!(from, Type::Bool) || from.is_signed() => Type::I64,
            Self::Sum | Self::Product if from.is_integer() => Type::U64,
            _ if self.is_moment() && !from.is_float() => Type::F64,
            Self::Any | Self::All => Type::Bool,
            _ => from,
        }
    }

    /// Whether it is made of the mean and of distances from it.
    pub(super) const fn is_moment(self) -> bool {
        matches!(self, Self::Mean | Self::Variance | Self::Deviation)
    }

    /// The reduction of a name, and whether it skips NaN.
    pub(super) fn named(name: &str) -> Option<(Self, bool)> {
        let plain = name.strip_prefix("nan").filter(|rest| !matches!(*rest, "any" | "all"));
        let reduction = match plain.unwrap_or(name) {
            "sum" => Self::Sum,
            "prod" => Self::Product,
            "mean" => Self::Mean,
            "var" => Self::Variance,
            "std" => Self::Deviation,
            "min" => Self::Minimum,
            "max" => Self::Maximum,
            "any" => Self::Any,
            "all" => Self::All,
            _ => return None,
        };
        Some((reduction, plain.is_some()))
    }
}
