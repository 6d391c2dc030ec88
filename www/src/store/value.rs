//! Values for JavaScript, each a tag and what follows it. ABI.md lists them.

use crate::output::Output;
use b2nd::msgpack::Value;
use b2nd::objects::Extension;
use b2nd::{Limits, Result};

const NIL: u8 = 0;
const FALSE: u8 = 1;
const NUMBER: u8 = 3;
const INT: u8 = 4;
const UINT: u8 = 5;
const TEXT: u8 = 6;
const BYTES: u8 = 7;
const LIST: u8 = 8;
const MAP: u8 = 9;
const SET: u8 = 10;
const EXTENSION: u8 = 11;
const PACKED: u8 = 12;

/// Integers up to here are numbers in JavaScript, others bigints.
const SAFE: i128 = 1 << 53;

/// The numbers of a packed list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Packed {
    F64 = 0,
    I64 = 1,
    U64 = 2,
    Bool = 3,
}

/// Appends values to the output.
pub(super) struct Writer<'o>(pub(super) &'o mut Output);

impl Writer<'_> {
    pub(super) fn nil(&mut self) {
        self.0.push(&[NIL]);
    }

    pub(super) fn bool(&mut self, value: bool) {
        self.0.push(&[FALSE + u8::from(value)]);
    }

    pub(super) fn number(&mut self, number: f64) {
        self.0.push(&[NUMBER]);
        self.0.push(&number.to_le_bytes());
    }

    pub(super) fn int(&mut self, int: i128) {
        if (-SAFE..SAFE).contains(&int) {
            return self.number(int as f64);
        }
        self.big(int);
    }

    /// An integer that is a bigint, however small.
    pub(super) fn big(&mut self, int: i128) {
        self.0.push(&[if int < 0 { INT } else { UINT }]);
        self.0.push(&(int as u64).to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.head(TEXT, text.len());
        self.0.push(text.as_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.head(BYTES, bytes.len());
        self.0.push(bytes);
    }

    /// Begins a list, whose `len` values follow.
    pub(super) fn list(&mut self, len: usize) {
        self.head(LIST, len);
    }

    /// Begins a map, whose `len` pairs of values follow.
    pub(super) fn map(&mut self, len: usize) {
        self.head(MAP, len);
    }

    /// Begins a list of numbers, whose bytes follow, and then for each a byte that tells whether it is not null, if some are.
    pub(super) fn packed(&mut self, kind: Packed, len: usize, has_nulls: bool) {
        self.head(PACKED, len);
        self.0.push(&[kind as u8, has_nulls.into()]);
    }

    fn head(&mut self, tag: u8, len: usize) {
        self.0.push(&[tag]);
        self.0.push(&(len as u32).to_le_bytes());
    }

    fn entries(&mut self, tag: u8, values: &[Value], limits: Option<&Limits>) -> Result<()> {
        self.head(tag, values.len());
        values.iter().try_for_each(|value| self.any(value, limits))
    }

    /// A value as it is.
    pub(super) fn value(&mut self, value: &Value) -> Result<()> {
        self.any(value, None)
    }

    /// An object: with what python-blosc2 means by its extensions and tuples. `limits` are those for what is left of it.
    pub(super) fn object(&mut self, value: &Value, limits: &Limits) -> Result<()> {
        self.any(value, Some(limits))
    }

    fn any(&mut self, value: &Value, limits: Option<&Limits>) -> Result<()> {
        let inner = limits.map(|limits| Limits { depth: limits.depth.saturating_sub(1), ..*limits });
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Int(int) => self.int(*int),
            Value::Float(number) => self.number(*number),
            Value::Str(text) => self.text(text),
            Value::Bin(bytes) => self.bytes(bytes),
            Value::Array(items) => {
                let items = value.as_tuple().filter(|_| limits.is_some()).unwrap_or(items);
                return self.entries(LIST, items, inner.as_ref());
            }
            Value::Map(pairs) => {
                self.map(pairs.len());
                for (key, value) in pairs {
                    self.any(key, None)?;
                    self.any(value, inner.as_ref())?;
                }
            }
            Value::Ext(code, bytes) => match inner {
                Some(limits) => return self.extension(*code, bytes, &limits),
                None => self.unknown(*code, bytes),
            },
            _ => self.nil(),
        }
        Ok(())
    }

    fn extension(&mut self, code: i8, bytes: &[u8], limits: &Limits) -> Result<()> {
        match Extension::parse(code, bytes, limits)? {
            Some(Extension::Complex(real, imaginary)) => {
                self.list(2);
                self.number(real);
                self.number(imaginary);
            }
            Some(Extension::Set(items)) => return self.entries(SET, &items, Some(limits)),
            Some(Extension::Frame(bytes)) => {
                self.map(1);
                self.text("frame");
                self.bytes(&bytes);
            }
            Some(Extension::Reference(value)) => return self.object(&value, limits),
            // Their description in NumPy's words says more than what was read of it.
            Some(Extension::Tensor(_) | Extension::Objects { .. }) => {
                return self.object(&Value::parse(bytes, limits)?, limits);
            }
            _ => self.unknown(code, bytes),
        }
        Ok(())
    }

    fn unknown(&mut self, code: i8, bytes: &[u8]) {
        self.head(EXTENSION, bytes.len());
        self.0.push(&[code as u8]);
        self.0.push(bytes);
    }
}
