//! The functions and operators of expressions, and the types that they work on.

use super::types::Type;
use Function::*;

/// A function of items at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Remainder,
    Power,
    BitAnd,
    BitOr,
    BitXor,
    LeftShift,
    RightShift,
    Minimum,
    Maximum,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Xor,
    Arctan2,
    Hypot,
    Copysign,
    LogAddExp,
    Negative,
    Positive,
    Invert,
    Absolute,
    Sign,
    Square,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    Not,
    IsNan,
    IsInf,
    IsFinite,
    SignBit,
    Sqrt,
    Cbrt,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Arcsin,
    Arccos,
    Arctan,
    Sinh,
    Cosh,
    Tanh,
    Arcsinh,
    Arccosh,
    Arctanh,
    Where,
    /// [`AtMost`](Self::AtMost) and [`AtLeast`](Self::AtLeast).
    Clip,
    /// The first value, or the second if that is less.
    AtMost,
    AtLeast,
}

/// NumPy's names, those of the array API, and those of numexpr.
const NAMES: &[(&str, Function)] = &[
    ("add", Add),
    ("subtract", Subtract),
    ("multiply", Multiply),
    ("divide", Divide),
    ("true_divide", Divide),
    ("floor_divide", FloorDivide),
    ("remainder", Remainder),
    ("mod", Remainder),
    ("power", Power),
    ("pow", Power),
    ("bitwise_and", BitAnd),
    ("bitwise_or", BitOr),
    ("bitwise_xor", BitXor),
    ("left_shift", LeftShift),
    ("bitwise_left_shift", LeftShift),
    ("right_shift", RightShift),
    ("bitwise_right_shift", RightShift),
    ("minimum", Minimum),
    ("maximum", Maximum),
    ("equal", Equal),
    ("not_equal", NotEqual),
    ("less", Less),
    ("less_equal", LessEqual),
    ("greater", Greater),
    ("greater_equal", GreaterEqual),
    ("logical_and", And),
    ("logical_or", Or),
    ("logical_xor", Xor),
    ("arctan2", Arctan2),
    ("atan2", Arctan2),
    ("hypot", Hypot),
    ("copysign", Copysign),
    ("logaddexp", LogAddExp),
    ("negative", Negative),
    ("positive", Positive),
    ("invert", Invert),
    ("bitwise_not", Invert),
    ("bitwise_invert", Invert),
    ("absolute", Absolute),
    ("abs", Absolute),
    ("sign", Sign),
    ("square", Square),
    ("floor", Floor),
    ("ceil", Ceil),
    ("trunc", Trunc),
    ("round", Round),
    ("rint", Rint),
    ("logical_not", Not),
    ("isnan", IsNan),
    ("isinf", IsInf),
    ("isfinite", IsFinite),
    ("signbit", SignBit),
    ("sqrt", Sqrt),
    ("cbrt", Cbrt),
    ("exp", Exp),
    ("exp2", Exp2),
    ("expm1", Expm1),
    ("log", Log),
    ("log2", Log2),
    ("log10", Log10),
    ("log1p", Log1p),
    ("sin", Sin),
    ("cos", Cos),
    ("tan", Tan),
    ("arcsin", Arcsin),
    ("asin", Arcsin),
    ("arccos", Arccos),
    ("acos", Arccos),
    ("arctan", Arctan),
    ("atan", Arctan),
    ("sinh", Sinh),
    ("cosh", Cosh),
    ("tanh", Tanh),
    ("arcsinh", Arcsinh),
    ("asinh", Arcsinh),
    ("arccosh", Arccosh),
    ("acosh", Arccosh),
    ("arctanh", Arctanh),
    ("atanh", Arctanh),
    ("where", Where),
    ("clip", Clip),
];

/// How the types of the arguments determine that of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The promoted type; for booleans `or` and `and`.
    Promoted,
    /// The promoted type, but there is no difference of booleans.
    Difference,
    /// The promoted type; booleans become integers.
    Counting,
    /// The promoted type of integers or booleans.
    Bits,
    /// The promoted type of integers; booleans become integers.
    Shift,
    /// Floating point, of at least the precision of the arguments.
    Ratio,
    /// Floating point of the smallest size that has all values of the arguments.
    Float,
    /// Booleans, by values of the promoted type.
    Comparison,
    /// Booleans, by whether values are zero.
    Truth,
    /// The type of the argument.
    Same,
    /// The type of the argument, which must not be boolean.
    Signed,
    /// Booleans, by values of the argument's type.
    Test,
    /// The promoted type of the second and third argument, chosen by whether the first is zero.
    Choice,
}

impl Function {
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
    }

    /// The names, of which the first is NumPy's.
    #[cfg(all(feature = "std", feature = "store", feature = "write"))]
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.iter().filter(move |(_, function)| *function == self).map(|(name, _)| *name)
    }

    pub(super) const fn arity(self) -> usize {
        match self {
            Where | Clip => 3,
            Negative | Positive | Invert | Absolute | Sign | Square | Floor | Ceil | Trunc | Round | Rint
            | Not | IsNan | IsInf | IsFinite | SignBit | Sqrt | Cbrt | Exp | Exp2 | Expm1 | Log | Log2
            | Log10 | Log1p | Sin | Cos | Tan | Arcsin | Arccos | Arctan | Sinh | Cosh | Tanh | Arcsinh
            | Arccosh | Arctanh => 1,
            _ => 2,
        }
    }

    pub(super) const fn is_comparison(self) -> bool {
        matches!(self.rule(), Rule::Comparison)
    }

    /// Whether an argument is only asked whether it is zero.
    pub(super) const fn takes_truth(self, argument: usize) -> bool {
        match self.rule() {
            Rule::Truth => true,
            Rule::Choice => argument == 0,
            _ => false,
        }
    }

    const fn rule(self) -> Rule {
        match self {
            Add | Multiply | Minimum | Maximum | Clip | AtMost | AtLeast => Rule::Promoted,
            Subtract => Rule::Difference,
            FloorDivide | Remainder | Power | Square => Rule::Counting,
            BitAnd | BitOr | BitXor | Invert => Rule::Bits,
            LeftShift | RightShift => Rule::Shift,
            Divide => Rule::Ratio,
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => Rule::Comparison,
            And | Or | Xor | Not => Rule::Truth,
            Absolute | Floor | Ceil | Trunc | Round => Rule::Same,
            Negative | Positive | Sign => Rule::Signed,
            IsNan | IsInf | IsFinite | SignBit => Rule::Test,
            Where => Rule::Choice,
            _ => Rule::Float,
        }
    }

    /// The type that the arguments are converted to, but those that are only asked whether they are zero; `None` if the function does not
    /// have it.
    pub(super) fn argument_type(self, arguments: &[Type]) -> Option<Type> {
        let promoted = |types: &[Type]| types.iter().copied().reduce(Type::promoted);
        let all = promoted(arguments)?;
        let counting = if all == Type::Bool { Type::I8 } else { all };
        match self.rule() {
            Rule::Promoted | Rule::Comparison | Rule::Same | Rule::Test => Some(all),
            Rule::Truth => Some(Type::Bool),
            Rule::Difference | Rule::Signed => Some(all).filter(|all| *all != Type::Bool),
            Rule::Counting => Some(counting),
            Rule::Bits => Some(all).filter(|all| !all.is_float()),
            Rule::Shift => Some(counting).filter(|all| !all.is_float()),
            Rule::Ratio => Some(if all.is_float() { all } else { Type::F64 }),
            Rule::Float => {
                promoted(&arguments.iter().map(|argument| argument.float()).collect::<alloc::vec::Vec<_>>())
            }
            Rule::Choice => promoted(&arguments[1..]),
        }
    }

    /// The type of the result for arguments of this type.
    pub(super) const fn result_type(self, arguments: Type) -> Type {
        match self.rule() {
            Rule::Comparison | Rule::Truth | Rule::Test => Type::Bool,
            _ => arguments,
        }
    }
}
