//! NumPy arrays that are not b2nd arrays.

use crate::array::Dtype;
use crate::base::{Error, Limits, Malformed, Result, Unsupported};
use crate::frame::Trailer;
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;

/// An array of NumPy: its dtype, its shape, and its items.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// The dtype of the items.
    pub dtype: Dtype,
    /// The shape.
    pub shape: Vec<u64>,
    /// The items in C order. Empty for a [packed](Self::packed) tensor, whose items are those of its super-chunk.
    pub data: Vec<u8>,
}

impl Tensor {
    pub(super) fn new(dtype: &Value, shape: Vec<u64>, data: Vec<u8>, limits: &Limits) -> Result<Self> {
        let tensor = Self { dtype: self::dtype(dtype, limits)?, shape, data };
        match tensor.nbytes() {
            Some(nbytes) if nbytes == tensor.data.len() as u64 => Ok(tensor),
            nbytes => Err(Error::mismatch(
                "bytes of an array",
                tensor.data.len() as u64,
                nbytes.unwrap_or(u64::MAX),
            )),
        }
    }

    /// The shape and dtype of the tensor in a super-chunk of `nbytes` bytes; `None` if none was packed there.
    ///
    /// ```
    /// use b2nd::{Limits, objects::Tensor};
    /// let reader = b2nd::open("tests/golden/objects/tensor.b2f")?;
    /// let nbytes = reader.frame().header.nbytes;
    /// let tensor = Tensor::packed(reader.trailer()?, nbytes, &Limits::default())?.expect("a tensor");
    /// assert_eq!(tensor.shape.iter().product::<u64>() * tensor.dtype.itemsize() as u64, nbytes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the metalayer is damaged, or describes more or fewer bytes.
    pub fn packed(trailer: &Trailer, nbytes: u64, limits: &Limits) -> Result<Option<Self>> {
        let Some(layer) = trailer.attributes.iter().find(|layer| layer.name == b"__pack_tensor__") else {
            return Ok(None);
        };
        let value = layer.value(limits)?;
        let wrong = || Error::format(Malformed::Field { name: "__pack_tensor__", value: 0 });
        let [_, lens, dtype] = value.as_tuple().ok_or_else(wrong)? else { return Err(wrong()) };
        let shape = shape(lens).ok_or_else(wrong)?;
        let tensor = Self { dtype: self::dtype(dtype, limits)?, shape, data: Vec::new() };
        match tensor.nbytes() {
            Some(wanted) if wanted == nbytes => Ok(Some(tensor)),
            wanted => Err(Error::mismatch("nbytes", nbytes, wanted.unwrap_or(u64::MAX))),
        }
    }

    fn nbytes(&self) -> Option<u64> {
        count(&self.shape)?.checked_mul(self.dtype.itemsize() as u64)
    }
}

/// A list or tuple of lengths.
pub(super) fn shape(value: &Value) -> Option<Vec<u64>> {
    entries(value)?.iter().map(Value::as_u64).collect()
}

/// The entries of a list or tuple.
fn entries(value: &Value) -> Option<&[Value]> {
    value.as_tuple().or_else(|| value.as_array())
}

/// A dtype: NumPy's short name, a list of fields (`dtype.descr`), or a map with one of both.
fn dtype(value: &Value, limits: &Limits) -> Result<Dtype> {
    let value = value.get("str").or_else(|| value.get("descr")).unwrap_or(value);
    let mut text = String::new();
    match value {
        Value::Str(name) => text.push_str(name),
        value => write(value, &mut text).ok_or(Unsupported::Dtype)?,
    }
    Dtype::parse(&text, limits)
}

/// Writes a dtype as a Python literal.
fn write(value: &Value, out: &mut String) -> Option<()> {
    let Value::Str(name) = value else {
        out.push('[');
        for field in value.as_array()? {
            let (name, rest) = entries(field)?.split_first()?;
            // A field with a title has a pair of it and its name.
            let name = name.as_str().or_else(|| entries(name)?.get(1)?.as_str())?;
            out.push('(');
            quoted(name, out);
            out.push_str(", ");
            write(rest.first()?, out)?;
            if let Some(lens) = rest.get(1) {
                out.push_str(", (");
                shape(lens)?.into_iter().for_each(|len| number(len, out));
                out.push(')');
            }
            out.push_str("), ");
        }
        out.push(']');
        return Some(());
    };
    quoted(name, out);
    Some(())
}

/// Writes a text as a Python literal.
fn quoted(text: &str, out: &mut String) {
    out.push('\'');
    for char in text.chars() {
        if matches!(char, '\\' | '\'') {
            out.push('\\');
        }
        out.push(char);
    }
    out.push('\'');
}

/// Writes a number and a comma.
fn number(number: u64, out: &mut String) {
    let digits = core::iter::successors(Some(number), |rest| Some(rest / 10).filter(|rest| *rest > 0));
    let digits: Vec<u64> = digits.collect();
    out.extend(digits.iter().rev().map(|rest| char::from(b'0' + (rest % 10) as u8)));
    out.push_str(", ");
}

/// The number of items of a shape.
pub(super) fn count(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1u64, |count, len| count.checked_mul(*len))
}
