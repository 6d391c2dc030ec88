//! Arrays within objects.

use crate::base::Limits;
use crate::chunk::DParams;
use crate::msgpack::{FRAME, TENSOR, Value};
use crate::source::{Array, Reader};
use alloc::string::ToString;

/// Makes NumPy arrays of the frames in an object that hold arrays, so that their values are shown and not only their bytes. `left` is how
/// many bytes all may take, which are subtracted: a small frame may claim many. Frames beyond that, super-chunks, and frames that cannot
/// be read remain.
///
/// ```
/// use b2nd::{Limits, msgpack::Value, objects::{Extension, unpack_frames}};
/// let frame = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let mut object = Value::Array(vec![Value::Ext(42, frame)]);
/// unpack_frames(&mut object, &mut (1 << 20), &Limits::default());
/// let Some([Value::Ext(code, bytes)]) = object.as_array() else { panic!() };
/// let Some(Extension::Tensor(array)) = Extension::parse(*code, bytes, &Limits::default())? else { panic!() };
/// assert_eq!(array.shape, [12, 30, 40]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unpack_frames(object: &mut Value, left: &mut u64, limits: &Limits) {
    match object {
        Value::Array(items) => items.iter_mut().for_each(|item| unpack_frames(item, left, limits)),
        Value::Map(pairs) => pairs.iter_mut().for_each(|(_, value)| unpack_frames(value, left, limits)),
        Value::Ext(FRAME, frame) => {
            if let Some(array) = array(frame, left, limits) {
                *object = Value::Ext(TENSOR, array.emit());
            }
        }
        _ => {}
    }
}

/// The content of the extension that an array is.
fn array(frame: &[u8], left: &mut u64, limits: &Limits) -> Option<Value> {
    let dparams = DParams { limits: *limits, ..DParams::default() };
    let array: Array<&[u8]> = Reader::open(frame, dparams).ok()?.into_array().ok()?;
    let mut sizes = array.shape().iter().copied();
    let nbytes = sizes.try_fold(array.dtype().itemsize() as u64, |nbytes, len| nbytes.checked_mul(len))?;
    *left = left.checked_sub(nbytes)?;
    let pair = |name: &str, value| (Value::Str(name.into()), value);
    let shape = array.shape().iter().map(|len| Value::Int((*len).into())).collect();
    let dtype = Value::Map([pair("str", Value::Str(array.dtype().to_string()))].into());
    let data = Value::Bin(array.get(..).ok()?);
    Some(Value::Map([pair("dtype", dtype), pair("shape", Value::Array(shape)), pair("data", data)].into()))
}
