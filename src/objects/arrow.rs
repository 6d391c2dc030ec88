//! Objects that are stored as record batches of Apache Arrow.

mod check;

use super::{Objects, Read, Serializer, wrong};
use crate::base::{Limits, Result, Unsupported};
use crate::msgpack::Value;
use crate::source::ReadAt;
use alloc::string::ToString;
use alloc::vec::Vec;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch, StructArray};
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_schema::{DataType, TimeUnit};
use check::check;

/// The least memory of a row that is read: a claim of more rows is refused before anything is made of it.
const ROW: u64 = 8;

impl<S: ReadAt> Objects<S> {
    /// Block `nblock` of a batch as a record batch of one column.
    ///
    /// ```
    /// use b2nd::objects::Objects;
    /// let objects = Objects::open(b2nd::open("tests/golden/objects/arrow.b2b")?)?;
    /// assert_eq!(objects.record_batch(0, 0)?.num_columns(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` if the objects are not stored as Arrow; `Format` if the block is no Arrow IPC stream with a record batch; errors
    /// of [`payload`](Self::payload).
    pub fn record_batch(&self, nbatch: u64, nblock: u32) -> Read<RecordBatch, S> {
        if self.serializer() != Serializer::Arrow {
            return Err(Unsupported::NoObjects.into());
        }
        // The decoder takes what is there, where arrow-ipc's reader allocates what a length claims.
        let payload = Buffer::from(self.payload(nbatch, nblock)?);
        let (len, rows) = check(&payload).ok_or_else(|| wrong("Arrow record batch", 0, nbatch))?;
        self.reader.limits().allow_memory(rows.saturating_mul(ROW))?;
        let mut payload = payload.slice_with_length(0, len);
        let mut decoder = StreamDecoder::new();
        while !payload.is_empty() {
            match decoder.decode(&mut payload) {
                Ok(Some(batch)) => return Ok(batch),
                Ok(None) => {}
                Err(_) => break,
            }
        }
        Err(wrong("Arrow record batch", 0, nbatch).into())
    }

    /// All objects of a block, as they would be in MessagePack. `used` counts their memory.
    pub(super) fn arrow_block(
        &self,
        nbatch: u64,
        nblock: u32,
        limits: &Limits,
        used: &mut u64,
    ) -> Read<Vec<Value>, S> {
        let batch = self.record_batch(nbatch, nblock)?;
        let column = batch.columns().first().ok_or_else(|| wrong("Arrow record batch", 0, nbatch))?;
        let mut values = Values { limits, used };
        Ok(values.of(column, 0).map_err(|error| error.in_chunk(nbatch))?)
    }
}

/// The values of an array, as they would be in MessagePack; times and dates are numbers of their units.
///
/// # Errors
/// `Unsupported` for types that MessagePack has no values for, `Limit` for values that take too much memory.
pub(crate) fn values_of(array: &dyn Array, limits: &Limits) -> Result<Vec<Value>> {
    Values { limits, used: &mut 0 }.of(array, 0)
}

/// Makes values of Arrow's arrays.
struct Values<'l> {
    limits: &'l Limits,
    used: &'l mut u64,
}

impl Values<'_> {
    /// The items of an array, which is in `depth` others.
    fn of(&mut self, array: &dyn Array, depth: u32) -> Result<Vec<Value>> {
        self.limits.allow_depth(depth)?;
        self.count(array.len() * size_of::<Value>())?;
        (0..array.len()).map(|at| self.value(array, at, depth)).collect()
    }

    /// Lists may overlap, so that values can take more memory than the block.
    fn count(&mut self, len: usize) -> Result<()> {
        *self.used = self.used.saturating_add(len as u64);
        self.limits.allow_memory(*self.used).map(drop)
    }

    fn value(&mut self, array: &dyn Array, at: usize, depth: u32) -> Result<Value> {
        if array.is_null(at) {
            return Ok(Value::Nil);
        }
        macro_rules! number {
            ($type:ty, $kind:ident) => {
                Value::$kind(array.as_primitive::<$type>().value(at).into())
            };
        }
        Ok(match array.data_type() {
            DataType::Null => Value::Nil,
            DataType::Boolean => Value::Bool(array.as_boolean().value(at)),
            DataType::Int8 => number!(Int8Type, Int),
            DataType::Int16 => number!(Int16Type, Int),
            DataType::Int32 => number!(Int32Type, Int),
            DataType::Int64 => number!(Int64Type, Int),
            DataType::UInt8 => number!(UInt8Type, Int),
            DataType::UInt16 => number!(UInt16Type, Int),
            DataType::UInt32 => number!(UInt32Type, Int),
            DataType::UInt64 => number!(UInt64Type, Int),
            DataType::Float16 => Value::Float(array.as_primitive::<Float16Type>().value(at).into()),
            DataType::Float32 => number!(Float32Type, Float),
            DataType::Float64 => number!(Float64Type, Float),
            DataType::Utf8View => self.text(array.as_string_view().value(at))?,
            DataType::Utf8 => self.text(array.as_string::<i32>().value(at))?,
            DataType::LargeUtf8 => self.text(array.as_string::<i64>().value(at))?,
            DataType::Binary => self.bytes(array.as_binary::<i32>().value(at))?,
            DataType::LargeBinary => self.bytes(array.as_binary::<i64>().value(at))?,
            DataType::BinaryView => self.bytes(array.as_binary_view().value(at))?,
            DataType::FixedSizeBinary(_) => self.bytes(array.as_fixed_size_binary().value(at))?,
            DataType::List(_) => Value::Array(self.of(&array.as_list::<i32>().value(at), depth + 1)?),
            DataType::LargeList(_) => Value::Array(self.of(&array.as_list::<i64>().value(at), depth + 1)?),
            DataType::ListView(_) => {
                Value::Array(self.of(&array.as_list_view::<i32>().value(at), depth + 1)?)
            }
            DataType::LargeListView(_) => {
                Value::Array(self.of(&array.as_list_view::<i64>().value(at), depth + 1)?)
            }
            DataType::FixedSizeList(..) => {
                Value::Array(self.of(&array.as_fixed_size_list().value(at), depth + 1)?)
            }
            DataType::Struct(_) => self.map(array.as_struct(), at, depth + 1)?,
            DataType::Dictionary(..) => {
                let one = array.slice(at, 1);
                let dictionary = one.as_any_dictionary();
                let key = dictionary.normalized_keys().first().copied().unwrap_or(0);
                self.value(dictionary.values(), key, depth)?
            }
            DataType::Timestamp(unit, _) => Value::Int(time(array, *unit, at).into()),
            DataType::Date32 => Value::Int(seconds_of_day(array, at)),
            DataType::Date64 => number!(Date64Type, Int),
            // The others have no type in MessagePack, and the reference has none for them in its lists.
            _ => return Err(Unsupported::ArrowObjects.into()),
        })
    }

    fn text(&mut self, text: &str) -> Result<Value> {
        self.count(text.len())?;
        Ok(Value::Str(text.to_string()))
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<Value> {
        self.count(bytes.len())?;
        Ok(Value::Bin(bytes.to_vec()))
    }

    fn map(&mut self, fields: &StructArray, at: usize, depth: u32) -> Result<Value> {
        self.limits.allow_depth(depth)?;
        let mut pairs = Vec::new();
        for (name, column) in fields.column_names().into_iter().zip(fields.columns()) {
            self.count(2 * size_of::<Value>() + name.len())?;
            pairs.push((Value::Str(name.to_string()), self.value(column, at, depth)?));
        }
        Ok(Value::Map(pairs))
    }
}

/// A time, as the number of units since 1970.
fn time(array: &dyn Array, unit: TimeUnit, at: usize) -> i64 {
    match unit {
        TimeUnit::Second => array.as_primitive::<TimestampSecondType>().value(at),
        TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(at),
        TimeUnit::Microsecond => array.as_primitive::<TimestampMicrosecondType>().value(at),
        TimeUnit::Nanosecond => array.as_primitive::<TimestampNanosecondType>().value(at),
    }
}

/// The second at which a day begins.
fn seconds_of_day(array: &dyn Array, at: usize) -> i128 {
    i128::from(array.as_primitive::<Date32Type>().value(at)) * 86_400
}
