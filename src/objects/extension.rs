//! Values of types that MessagePack does not have.

use super::tensor::{Tensor, count, shape};
use crate::base::{Limits, Result};
use crate::msgpack::{Extended, Value, inside, wrong};
use alloc::vec::Vec;

/// A value in an extension of MessagePack, as python-blosc2 writes it.
///
/// ```
/// use b2nd::{Limits, msgpack::Value, objects::Extension};
/// let Value::Ext(code, bytes) = Value::parse(b"\xd8\x2c\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0", &Limits::default())? else { panic!() };
/// let complex = Extension::parse(code, &bytes, &Limits::default())?;
/// assert_eq!(complex, Some(Extension::Complex(1.0, -2.0)));
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Extension {
    /// A complex number: its real and its imaginary part.
    Complex(f64, f64),
    /// A set.
    Set(Vec<Value>),
    /// A NumPy array.
    Tensor(Tensor),
    /// A NumPy array of objects, in C order.
    Objects {
        /// Its shape.
        shape: Vec<u64>,
        /// Its items.
        items: Vec<Value>,
    },
    /// A frame: an array, a super-chunk or another container, which [`Reader::open`](crate::Reader::open) opens.
    Frame(Vec<u8>),
    /// A reference to a stored array, or a recipe for computing one, as a map with its `kind`.
    Reference(Value),
}

impl Extension {
    /// Interprets the code and the bytes of [`Value::Ext`]; `None` if python-blosc2 does not write the code. The depth of nesting in
    /// `limits` is that which is left: call it with one less for what the value contains.
    ///
    /// ```
    /// use b2nd::{Limits, objects::Extension};
    /// let bytes = [1.0_f64.to_be_bytes(), 2.0_f64.to_be_bytes()].concat();
    /// assert_eq!(Extension::parse(44, &bytes, &Limits::default())?, Some(Extension::Complex(1.0, 2.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the bytes are not such a value, and errors of [`Value::parse`].
    pub fn parse(code: i8, bytes: &[u8], limits: &Limits) -> Result<Option<Self>> {
        let Some(extended) = Extended::parse(code, bytes, limits)? else { return Ok(None) };
        let value = || Value::parse(bytes, &inside(limits)?);
        Ok(Some(match extended {
            Extended::Frame(bytes) => Self::Frame(bytes.to_vec()),
            Extended::Complex(real, imaginary) => Self::Complex(real, imaginary),
            Extended::Reference(..) => Self::Reference(value()?),
            Extended::Set(..) => match value()? {
                Value::Array(items) => Self::Set(items),
                _ => return Err(wrong(code)),
            },
            Extended::Tensor(..) => {
                let value = value()?;
                let lens = value.get("shape").and_then(shape).ok_or_else(|| wrong(code))?;
                match (value.get("values"), value.get("data"), value.get("dtype")) {
                    (Some(Value::Array(items)), ..) if count(&lens) == Some(items.len() as u64) => {
                        Self::Objects { shape: lens, items: items.clone() }
                    }
                    (None, Some(Value::Bin(data)), Some(dtype)) => {
                        Self::Tensor(Tensor::new(dtype, lens, data.clone(), limits)?)
                    }
                    _ => return Err(wrong(code)),
                }
            }
        }))
    }
}
