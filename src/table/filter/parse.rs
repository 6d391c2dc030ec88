//! The syntax of conditions, and their types.

use super::{FilterError, Node, Test, Type};
use crate::array::dtype::time::attoseconds;
use crate::base::Scanner;
use crate::table::schema::ColumnSpec;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Nested parentheses and negations at most.
const MAX_DEPTH: usize = 64;
const TESTS: [(&str, Test); 6] = [
    ("==", Test::Equal),
    ("!=", Test::Unequal),
    ("<=", Test::AtMost),
    (">=", Test::AtLeast),
    ("<", Test::Less),
    (">", Test::Greater),
];

pub(super) type Parsed<T> = Result<T, FilterError>;

pub(super) struct Parser<'t> {
    pub(super) scan: Scanner<'t>,
    pub(super) depth: usize,
    pub(super) specs: &'t [ColumnSpec],
    pub(super) columns: Vec<String>,
}

/// Parses a condition. Returns the names of its columns, too.
pub(super) fn parse(text: &str, specs: &[ColumnSpec]) -> Parsed<(Node, Vec<String>)> {
    let mut parser = Parser { scan: Scanner::new(text, is_word), depth: 0, specs, columns: Vec::new() };
    let root = parser.alternatives()?;
    parser.scan.skip_space();
    if !parser.scan.is_at_end() {
        return Err(parser.wrong());
    }
    parser.must_be_condition(&root)?;
    if parser.columns.is_empty() { Err(FilterError::Constant) } else { Ok((root, parser.columns)) }
}

impl Parser<'_> {
    pub(super) const fn wrong(&self) -> FilterError {
        FilterError::Syntax { at: self.scan.at }
    }

    fn alternatives(&mut self) -> Parsed<Node> {
        self.list(&["or", "||", "|"], Self::conditions, Node::Or)
    }

    fn conditions(&mut self) -> Parsed<Node> {
        self.list(&["and", "&&", "&"], Self::condition, Node::And)
    }

    fn list(
        &mut self,
        signs: &[&str],
        part: fn(&mut Self) -> Parsed<Node>,
        join: fn(Vec<Node>) -> Node,
    ) -> Parsed<Node> {
        let first = part(self)?;
        let mut parts = Vec::from([first]);
        while self.scan.take_one(signs) {
            parts.push(part(self)?);
        }
        if parts.len() == 1 {
            // A value in parentheses, unless what is around it wants a condition.
            return Ok(parts.swap_remove(0));
        }
        parts.iter().try_for_each(|part| self.must_be_condition(part))?;
        Ok(join(parts))
    }

    /// A comparison, a chain of them, a condition in parentheses, which `not` may precede, or a value.
    fn condition(&mut self) -> Parsed<Node> {
        if self.scan.take("not") {
            return self.nested(|parser| {
                let operand = parser.condition()?;
                parser.must_be_condition(&operand)?;
                Ok(Node::Not(Box::new(operand)))
            });
        }
        if self.scan.take("~") {
            return self.nested(|parser| {
                let operand = parser.operand()?;
                parser.must_be_condition(&operand)?;
                Ok(Node::Not(Box::new(operand)))
            });
        }
        let mut left = self.value()?;
        if self.scan.take("is") {
            return self.is_null(left);
        }
        if self.scan.take("in") {
            return self.one_of(&left);
        }
        if self.scan.take("not") {
            let list = if self.scan.take("in") { self.one_of(&left) } else { Err(self.wrong()) };
            return Ok(Node::Not(Box::new(list?)));
        }
        let mut tests = Vec::new();
        while let Some((sign, test)) = self.test() {
            self.scan.at += sign;
            let right = self.value()?;
            tests.push(self.comparison(test, left, right.clone())?);
            left = right;
        }
        match tests.len() {
            0 => Ok(left),
            1 => Ok(tests.swap_remove(0)),
            _ => Ok(Node::And(tests)),
        }
    }

    /// `null` or `not null`, after a column and `is`.
    fn is_null(&mut self, column: Node) -> Parsed<Node> {
        let negated = self.scan.take("not");
        if !self.scan.take_one(&["null", "NULL"]) {
            return Err(self.wrong());
        }
        let Node::Column(number) = column else { return Err(FilterError::Types { at: self.scan.at }) };
        Ok(if negated { Node::Not(Box::new(Node::IsNull(number))) } else { Node::IsNull(number) })
    }

    /// A list in parentheses, after a value and `in`.
    fn one_of(&mut self, value: &Node) -> Parsed<Node> {
        if !self.scan.take("(") {
            return Err(self.wrong());
        }
        let mut tests = Vec::new();
        loop {
            let item = self.value()?;
            tests.push(self.comparison(Test::Equal, value.clone(), item)?);
            if self.scan.take(")") {
                return Ok(Node::Or(tests));
            }
            if !self.scan.take_one(&[","]) {
                return Err(self.wrong());
            }
        }
    }

    /// The test that is next, and the length of its sign.
    fn test(&mut self) -> Option<(usize, Test)> {
        self.scan.skip_space();
        TESTS
            .iter()
            .find(|(sign, _)| self.scan.rest().starts_with(sign))
            .map(|(sign, test)| (sign.len(), *test))
    }

    pub(super) const fn deepen(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(FilterError::Depth) } else { Ok(()) }
    }

    pub(super) fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<Node>) -> Parsed<Node> {
        self.deepen()?;
        let node = parse(self)?;
        self.depth -= 1;
        Ok(node)
    }

    pub(super) fn operand(&mut self) -> Parsed<Node> {
        if self.scan.take("(") {
            return self.nested(|parser| {
                let node = parser.alternatives()?;
                if parser.scan.take(")") { Ok(node) } else { Err(parser.wrong()) }
            });
        }
        if self.scan.take_one(&["true", "True"]) {
            return Ok(Node::Bool(true));
        }
        if self.scan.take_one(&["false", "False"]) {
            return Ok(Node::Bool(false));
        }
        match self.scan.rest().chars().next() {
            Some(quote @ ('\'' | '"')) => Ok(Node::Text(self.quoted(quote)?)),
            Some('`') => self.quoted('`').and_then(|name| self.column(name)),
            Some(char) if char.is_ascii_digit() && self.is_date() => self.date(),
            Some(char) if char.is_ascii_digit() || matches!(char, '-' | '+' | '.') => self.number(),
            Some(char) if char.is_alphabetic() || char == '_' => {
                let start = self.scan.at;
                let name = self.scan.take_word().to_string();
                if matches!(&name[..], "and" | "or" | "not") {
                    self.scan.at = start;
                    return Err(self.wrong());
                }
                if self.scan.is_next("(") { self.call(&name) } else { self.column(name) }
            }
            _ => Err(self.wrong()),
        }
    }

    /// A text in quotes, in which a backslash stands before quotes and backslashes.
    fn quoted(&mut self, quote: char) -> Parsed<String> {
        let mut text = String::new();
        let mut chars = self.scan.rest().char_indices().skip(1);
        while let Some((at, char)) = chars.next() {
            match char {
                '\\' => text.extend(chars.next().map(|(_, char)| char)),
                _ if char == quote => {
                    self.scan.at += at + 1;
                    return Ok(text);
                }
                _ => text.push(char),
            }
        }
        Err(self.wrong())
    }

    /// Whether a year and the sign behind it are next.
    fn is_date(&self) -> bool {
        let digits = self.scan.rest().bytes().take_while(u8::is_ascii_digit).count();
        digits >= 4 && self.scan.rest()[digits..].starts_with('-')
    }

    fn date(&mut self) -> Parsed<Node> {
        let is_other = |char: char| !(char.is_alphanumeric() || matches!(char, '-' | '+' | ':' | '.'));
        let len = self.scan.rest().find(is_other).unwrap_or(self.scan.rest().len());
        let moment = attoseconds(&self.scan.rest()[..len]).ok_or(FilterError::Date { at: self.scan.at })?;
        self.scan.at += len;
        Ok(Node::Time(moment))
    }

    fn number(&mut self) -> Parsed<Node> {
        let is_exponent = |at: usize| at > 0 && matches!(self.scan.rest().as_bytes()[at - 1], b'e' | b'E');
        let is_part = |(at, char): &(usize, char)| {
            char.is_alphanumeric()
                || *char == '.'
                || (matches!(char, '-' | '+') && (*at == 0 || is_exponent(*at)))
        };
        let len = self
            .scan
            .rest()
            .char_indices()
            .take_while(is_part)
            .map(|(_, char)| char.len_utf8())
            .sum::<usize>();
        let text = &self.scan.rest()[..len];
        let node = match (text.parse(), text.parse::<f64>()) {
            (Ok(int), _) => Node::Int(int),
            (_, Ok(float)) if text.bytes().any(|byte| byte.is_ascii_digit()) => Node::Float(float),
            _ => return Err(self.wrong()),
        };
        self.scan.at += len;
        Ok(node)
    }

    fn column(&mut self, name: String) -> Parsed<Node> {
        let spec = self.specs.iter().find(|spec| spec.name == name);
        let Some(spec) = spec else { return Err(FilterError::NoColumn(name)) };
        if type_of(&spec.kind).is_none() {
            return Err(FilterError::Kind(name));
        }
        let known = self.columns.iter().position(|known| *known == name);
        Ok(Node::Column(known.unwrap_or_else(|| {
            self.columns.push(name);
            self.columns.len() - 1
        })))
    }

    fn must_be_condition(&self, node: &Node) -> Parsed<()> {
        match self.type_of(node) {
            Some(Type::Bool) => Ok(()),
            _ => Err(FilterError::Types { at: self.scan.at }),
        }
    }

    /// A condition in parentheses has no values to compare. Texts beside timestamps are dates.
    fn comparison(&self, test: Test, left: Node, right: Node) -> Parsed<Node> {
        let is_time = |node: &Node| self.type_of(node) == Some(Type::Time);
        let sides = match [&left, &right].map(is_time) {
            [true, false] => [left, self.dated(right)?],
            [false, true] => [self.dated(left)?, right],
            _ => [left, right],
        };
        let [a, b] = sides.each_ref().map(|node| self.type_of(node));
        if a.is_none() || a != b || sides.iter().any(Node::is_condition) {
            return Err(FilterError::Types { at: self.scan.at });
        }
        Ok(Node::Compare(test, Box::new(sides)))
    }

    /// A text as a date.
    fn dated(&self, node: Node) -> Parsed<Node> {
        let Node::Text(text) = node else { return Ok(node) };
        attoseconds(&text).map(Node::Time).ok_or(FilterError::Date { at: self.scan.at })
    }

    /// The type of an operand.
    pub(super) fn type_of(&self, node: &Node) -> Option<Type> {
        Some(match node {
            Node::Column(number) => {
                let spec = self.specs.iter().find(|spec| spec.name == self.columns[*number])?;
                type_of(&spec.kind)?
            }
            Node::Int(_) | Node::Float(_) => Type::Number,
            Node::Computed(computed) if !computed.is_bool() => Type::Number,
            Node::Text(_) => Type::Text,
            Node::Time(_) => Type::Time,
            _ => Type::Bool,
        })
    }
}

/// The type of a column's cells, if they can be compared.
fn type_of(kind: &str) -> Option<Type> {
    Some(match kind {
        "bool" => Type::Bool,
        "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" | "float32"
        | "float64" => Type::Number,
        "timestamp" => Type::Time,
        "utf8" | "string" | "dictionary" | "vlstring" => Type::Text,
        _ => return None,
    })
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '.')
}
