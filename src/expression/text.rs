//! Expressions in the language of python-blosc2, which lacks some of NumPy's functions.

use super::Expression;
use super::function::Function;
use super::node::Node;
use super::types::Type;
use crate::array::Dtype;
use crate::plan::Selection;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Names that the reference does not know, and one whose types differ.
const UNKNOWN: [&str; 5] = ["absolute", "cbrt", "clip", "exp2", "rint"];

impl Expression {
    /// The text with `o0`, `o1`, … for operands of these dtypes, in the order of the names. `None` if the reference has no such expression,
    /// or none that has a value for each item.
    pub(crate) fn text(&self, operands: &[Dtype]) -> Option<String> {
        text(&self.root, operands).filter(|_| !operands.is_empty())
    }
}

fn text(node: &Node, operands: &[Dtype]) -> Option<String> {
    Some(match node {
        Node::Bool(value) => if *value { "True" } else { "False" }.into(),
        Node::Int(value) => value.to_string(),
        Node::Float(value) => format!("{value:?}"),
        Node::Operand(number, selection) if *selection == Selection::all() => format!("o{number}"),
        Node::Apply(function, arguments) => {
            // The reference does not take numbers for conditions.
            let fits = |(at, node)| !function.takes_truth(at) || is_bool(node, operands);
            let texts = arguments.iter().map(|node| text(node, operands)).collect::<Option<Vec<_>>>()?;
            match (function.sign(), &texts[..]) {
                _ if !arguments.iter().enumerate().all(fits) => return None,
                (Some(sign), [left, right]) => format!("({left} {sign} {right})"),
                (Some(sign), [operand]) => format!("({sign}{operand})"),
                _ => format!("{}({})", function.name()?, texts.join(", ")),
            }
        }
        _ => return None,
    })
}

fn is_bool(node: &Node, operands: &[Dtype]) -> bool {
    let shaped: Vec<_> = operands.iter().map(|dtype| (dtype, &[1][..])).collect();
    let part = Expression { root: node.clone(), names: Vec::new() };
    part.compile(&shaped).is_ok_and(|program| program.root.ty == Type::Bool)
}

impl Function {
    fn sign(self) -> Option<&'static str> {
        match self {
            Self::Negative => Some("-"),
            Self::Positive => Some("+"),
            Self::Invert => Some("~"),
            Self::And | Self::Or => None,
            _ => Self::OPERATORS.iter().find(|(.., known)| *known == self).map(|(sign, ..)| *sign),
        }
    }

    fn name(self) -> Option<&'static str> {
        self.names().find(|name| !UNKNOWN.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_reference_knows_has_a_text() {
        let dtypes = [Dtype::of::<i32>(), Dtype::of::<f64>()];
        for (expression, expected) in [
            ("a + 2*b", Some("(o0 + (2 * o1))")),
            ("0 < a <= -b ** 2", Some("logical_and((0 < o0), (o0 <= (-square(o1))))")),
            ("where(~(a > 1), sqrt(b), 1e-5)", Some("where((~(o0 > 1)), sqrt(o1), 1e-5)")),
            ("absolute(a) // b", Some("(abs(o0) // o1)")),
            ("where(a, b, 0)", None),
            ("not b", None),
            ("a - sum(b)", None),
            ("a + b[::-1]", None),
            ("a + cbrt(b)", None),
        ] {
            let parsed = Expression::parse(expression).unwrap();
            assert_eq!(parsed.text(&dtypes).as_deref(), expected, "{expression}");
        }
        assert_eq!(Expression::parse("3").unwrap().text(&[]), None);
    }
}
