//! The syntax of expressions: that of Python.

use super::ExpressionError;
use super::function::Function;
use super::node::{Along, Node, Reduction};
use crate::base::Scanner;
use crate::plan::{Index, Selection};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Operations inside each other at most. Evaluation takes stack for each.
const MAX_DEPTH: usize = 128;
/// Bytes of an expression at most.
const MAX_BYTES: usize = 64 << 10;

/// The precedence of the operators that numbers alone have, and of stronger ones.
#[cfg(feature = "store")]
pub(crate) const ARITHMETIC: u8 = 9;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
pub(crate) const SIGN: u8 = 11;
pub(crate) const POWER: u8 = 12;

impl Function {
    /// Operators of two operands with their precedence. Longer ones come first.
    pub(crate) const OPERATORS: &[(&str, u8, Self)] = &[
        ("**", POWER, Self::Power),
        ("//", 10, Self::FloorDivide),
        ("<<", 8, Self::LeftShift),
        (">>", 8, Self::RightShift),
        ("==", COMPARISON, Self::Equal),
        ("!=", COMPARISON, Self::NotEqual),
        ("<=", COMPARISON, Self::LessEqual),
        (">=", COMPARISON, Self::GreaterEqual),
        ("<", COMPARISON, Self::Less),
        (">", COMPARISON, Self::Greater),
        ("or", 1, Self::Or),
        ("and", 2, Self::And),
        ("|", 5, Self::BitOr),
        ("^", 6, Self::BitXor),
        ("&", 7, Self::BitAnd),
        ("+", 9, Self::Add),
        ("-", 9, Self::Subtract),
        ("*", 10, Self::Multiply),
        ("/", 10, Self::Divide),
        ("%", 10, Self::Remainder),
    ];
}

type Parsed<T> = Result<T, ExpressionError>;

struct Parser<'t> {
    scan: Scanner<'t>,
    depth: usize,
    names: Vec<String>,
}

/// Parses an expression. Returns the names of its operands, too.
pub(super) fn parse(text: &str) -> Parsed<(Node, Vec<String>)> {
    if text.len() > MAX_BYTES {
        return Err(ExpressionError::Depth);
    }
    let mut parser = Parser { scan: Scanner::new(text, is_word), depth: 0, names: Vec::new() };
    let root = parser.expression(0)?;
    parser.scan.skip_space();
    if !parser.scan.is_at_end() {
        return Err(parser.wrong());
    }
    Ok((root, parser.names))
}

impl Parser<'_> {
    const fn wrong(&self) -> ExpressionError {
        ExpressionError::Syntax { at: self.scan.at }
    }

    fn must(&mut self, sign: &str) -> Parsed<()> {
        if self.scan.take(sign) { Ok(()) } else { Err(self.wrong()) }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExpressionError::Depth);
        }
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// Operands, with the operators between them that bind at least so strongly.
    fn expression(&mut self, least: u8) -> Parsed<Node> {
        self.nested(|parser| {
            let mut left = parser.operand()?;
            let before = parser.depth;
            while let Some(&(sign, precedence, function)) = parser.operator(least) {
                // A chain of operators is as deep as it is long.
                parser.depth += 1;
                parser.scan.at += sign.len();
                if precedence == COMPARISON {
                    left = parser.comparisons(left, function)?;
                    continue;
                }
                // Only powers begin on the right.
                let right = parser.expression(if precedence == POWER { SIGN } else { precedence + 1 })?;
                left = Node::applied(function, Vec::from([left, right]));
            }
            parser.depth = before;
            Ok(left)
        })
    }

    fn operator(&mut self, least: u8) -> Option<&'static (&'static str, u8, Function)> {
        let next = Function::OPERATORS.iter().find(|(sign, ..)| self.scan.is_next(sign));
        next.filter(|(_, precedence, _)| *precedence >= least)
    }

    /// A comparison, or a chain of them: `0 < a <= 1`. Only a name or a number is between two, since it is evaluated for both.
    fn comparisons(&mut self, left: Node, function: Function) -> Parsed<Node> {
        let right = self.expression(COMPARISON + 1)?;
        let Some(&(sign, COMPARISON, next)) = self.operator(COMPARISON) else {
            return Ok(Node::Apply(function, Vec::from([left, right])));
        };
        if matches!(right, Node::Apply(..) | Node::Reduce(..)) {
            return Err(self.wrong());
        }
        self.scan.at += sign.len();
        let first = Node::Apply(function, Vec::from([left, right.clone()]));
        let rest = self.nested(|parser| parser.comparisons(right, next))?;
        Ok(Node::Apply(Function::And, Vec::from([first, rest])))
    }

    fn operand(&mut self) -> Parsed<Node> {
        for (sign, binds, function) in [
            ("not", NOT, Function::Not),
            ("-", SIGN, Function::Negative),
            ("+", SIGN, Function::Positive),
            ("~", SIGN, Function::Invert),
        ] {
            if self.scan.take(sign) {
                let operand = self.expression(binds)?;
                return Ok(Node::Apply(function, Vec::from([operand])));
            }
        }
        if self.scan.take("(") {
            let inner = self.expression(0)?;
            self.must(")")?;
            return self.methods(inner);
        }
        match self.scan.rest().chars().next() {
            Some(char) if char.is_ascii_digit() || char == '.' => self.number(),
            Some(char) if is_word(char) => {
                let node = self.named()?;
                self.methods(node)
            }
            _ => Err(self.wrong()),
        }
    }

    fn word(&mut self) -> Parsed<&str> {
        self.scan.skip_space();
        let start = self.scan.at;
        let word = self.scan.take_word();
        if word.is_empty() || word.starts_with(|char: char| char.is_ascii_digit()) {
            self.scan.at = start;
            return Err(self.wrong());
        }
        Ok(word)
    }

    /// An operand, a constant, or a call of a function.
    fn named(&mut self) -> Parsed<Node> {
        let start = self.scan.at;
        let name = self.word()?.to_string();
        if self.scan.take("(") {
            return self.call(&name, Vec::new());
        }
        match &name[..] {
            "True" => return Ok(Node::Bool(true)),
            "False" => return Ok(Node::Bool(false)),
            "nan" => return Ok(Node::Float(f64::NAN)),
            "inf" => return Ok(Node::Float(f64::INFINITY)),
            "pi" => return Ok(Node::Float(core::f64::consts::PI)),
            "and" | "or" | "not" | "None" => {
                self.scan.at = start;
                return Err(self.wrong());
            }
            _ => {}
        }
        let known = self.names.iter().position(|known| *known == name);
        let number = known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        Ok(Node::Operand(number, self.part()?))
    }

    /// The part of an operand: `[0:10, 5]`, or `.slice((slice(0, 10, None), 5))`, as python-blosc2 stores it.
    fn part(&mut self) -> Parsed<Selection> {
        if self.scan.take("[") {
            let len = self.scan.rest().find(']').ok_or_else(|| self.wrong())?;
            let part = self.scan.rest()[..len].parse::<Selection>().map_err(|_| self.wrong())?;
            self.scan.at += len + 1;
            return Ok(part);
        }
        if !self.scan.take(".slice") {
            return Ok(Selection::all());
        }
        self.must("(")?;
        self.must("(")?;
        let mut part = Selection::all();
        while !self.scan.take(")") {
            part.0.push(self.index()?);
            if !self.scan.take(",") {
                self.must(")")?;
                break;
            }
        }
        self.must(")")?;
        Ok(part)
    }

    fn index(&mut self) -> Parsed<Index> {
        if self.scan.take("Ellipsis") {
            return Ok(Index::Ellipsis);
        }
        if !self.scan.take("slice") {
            return Ok(Index::At(self.integer()?));
        }
        self.must("(")?;
        let start = self.bound()?;
        self.must(",")?;
        let stop = self.bound()?;
        self.must(",")?;
        let step = self.bound()?.unwrap_or(1);
        self.must(")")?;
        Ok(Index::Range { start, stop, step })
    }

    fn bound(&mut self) -> Parsed<Option<i64>> {
        if self.scan.take("None") { Ok(None) } else { self.integer().map(Some) }
    }

    /// Calls in the form `a.sum(axis=0)`, after their first argument.
    fn methods(&mut self, mut node: Node) -> Parsed<Node> {
        let before = self.depth;
        while self.scan.take(".") {
            let name = self.word()?.to_string();
            self.must("(")?;
            self.depth += 1;
            node = self.nested(|parser| parser.call(&name, Vec::from([node])))?;
        }
        self.depth = before;
        Ok(node)
    }

    /// The arguments of a function, of which some may be known.
    fn call(&mut self, name: &str, mut arguments: Vec<Node>) -> Parsed<Node> {
        let (function, reduction) = (Function::named(name), Reduction::named(name));
        if function.is_none() && reduction.is_none() {
            return Err(ExpressionError::Function(name.to_string()));
        }
        let skips_nan = reduction.is_some_and(|(_, skips)| skips);
        let mut along = Along { skips_nan, ..Along::default() };
        while !self.scan.take(")") {
            if reduction.is_some() && !arguments.is_empty() {
                self.option(&mut along)?;
            } else {
                arguments.push(self.expression(0)?);
            }
            if !self.scan.take(",") {
                self.must(")")?;
                break;
            }
        }
        let wrong = ExpressionError::Arguments { at: self.scan.at };
        match (function, reduction) {
            (_, Some((reduction, _))) => {
                let argument = arguments.pop().ok_or(wrong)?;
                Ok(Node::Reduce(reduction, Box::new(argument), along))
            }
            (Some(function), _) if arguments.len() == function.arity() => {
                Ok(Node::Apply(function, arguments))
            }
            _ => Err(wrong),
        }
    }

    /// `axis=0`, `keepdims=True` or `ddof=1`. The axis comes first if it has no name.
    fn option(&mut self, along: &mut Along) -> Parsed<()> {
        self.scan.skip_space();
        let start = self.scan.at;
        let name = if self.scan.rest().starts_with(char::is_alphabetic) {
            self.word()?.to_string()
        } else {
            String::new()
        };
        if !self.scan.take("=") {
            self.scan.at = start;
            along.axes = self.axes()?;
            return Ok(());
        }
        match &name[..] {
            "axis" => along.axes = self.axes()?,
            "keepdims" => {
                along.keep = self.scan.take("True");
                if !along.keep {
                    self.must("False")?;
                }
            }
            "ddof" | "correction" => along.ddof = self.integer()?,
            _ => return Err(ExpressionError::Arguments { at: self.scan.at }),
        }
        Ok(())
    }

    /// `None`, a number, or numbers in parentheses.
    fn axes(&mut self) -> Parsed<Option<Vec<i64>>> {
        if self.scan.take("None") {
            return Ok(None);
        }
        if !self.scan.take("(") {
            return Ok(Some(Vec::from([self.integer()?])));
        }
        let mut axes = Vec::new();
        while !self.scan.take(")") {
            axes.push(self.integer()?);
            if !self.scan.take(",") {
                self.must(")")?;
                break;
            }
        }
        Ok(Some(axes))
    }

    fn integer(&mut self) -> Parsed<i64> {
        let sign = if self.scan.take("-") { -1 } else { 1 };
        self.scan.skip_space();
        let len = self.scan.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number: i64 = self.scan.rest()[..len].parse().map_err(|_| self.wrong())?;
        self.scan.at += len;
        Ok(sign * number)
    }

    fn number(&mut self) -> Parsed<Node> {
        let bytes = self.scan.rest().as_bytes();
        let is_exponent = |at: usize| at > 0 && matches!(bytes[at - 1], b'e' | b'E');
        let is_part = |&(at, byte): &(usize, &u8)| {
            byte.is_ascii_digit()
                || matches!(byte, b'.' | b'e' | b'E' | b'_')
                || (matches!(byte, b'+' | b'-') && is_exponent(at))
        };
        let len = bytes.iter().enumerate().take_while(is_part).count();
        let text = self.scan.rest()[..len].replace('_', "");
        let node = match (text.parse(), text.parse::<f64>()) {
            (Ok(int), _) => Node::Int(int),
            (_, Ok(float)) => Node::Float(float),
            _ => return Err(self.wrong()),
        };
        self.scan.at += len;
        if self.scan.rest().starts_with(is_word) {
            return Err(self.wrong());
        }
        Ok(node)
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}
