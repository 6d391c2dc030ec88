//! Objects as values of JavaScript.

use crate::value::Writer;
use b2nd::msgpack::{Extended, Value};
use b2nd::{Limits, Result};

impl Writer<'_> {
    /// The rest of a list or a set.
    fn entries(&mut self, values: &[Value], limits: Option<&Limits>) -> Result<()> {
        values.iter().try_for_each(|value| self.any(value, limits))?;
        self.end();
        Ok(())
    }

    /// A value as it is.
    pub(crate) fn value(&mut self, value: &Value) -> Result<()> {
        self.any(value, None)
    }

    /// An object: with what python-blosc2 means by its extensions and tuples. `limits` are those for what is left of it.
    pub(crate) fn object(&mut self, value: &Value, limits: &Limits) -> Result<()> {
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
                self.list();
                return self.entries(items, inner.as_ref());
            }
            Value::Map(pairs) => {
                self.map();
                for (key, value) in pairs {
                    self.any(key, inner.as_ref())?;
                    self.any(value, inner.as_ref())?;
                }
                self.end();
            }
            Value::Ext(code, bytes) => match inner {
                Some(limits) => return self.extended(*code, bytes, &limits),
                None => self.extension(*code, bytes),
            },
            _ => self.nil(),
        }
        Ok(())
    }

    fn extended(&mut self, code: i8, bytes: &[u8], limits: &Limits) -> Result<()> {
        match Extended::parse(code, bytes, limits)? {
            Some(Extended::Complex(real, imaginary)) => {
                self.list();
                self.number(real);
                self.number(imaginary);
                self.end();
            }
            Some(Extended::Frame(bytes)) => {
                self.map();
                self.text("frame");
                self.bytes(bytes);
                self.end();
            }
            Some(Extended::Set(..)) => {
                self.set();
                let values = Value::parse(bytes, limits)?;
                return self.entries(values.as_array().unwrap_or_default(), Some(limits));
            }
            Some(Extended::Reference(..) | Extended::Tensor(..)) => {
                return self.object(&Value::parse(bytes, limits)?, limits);
            }
            _ => self.extension(code, bytes),
        }
        Ok(())
    }
}
