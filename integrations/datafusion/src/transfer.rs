//! Arrays of the library's Arrow as those of DataFusion's, which is older. Buffers are handed over, not copied; values are checked.

use arrow_array_60::Array as _;
use arrow_buffer_60 as newer;
use arrow_data_60::ArrayData as NewerData;
use arrow_schema_60 as newer_schema;
use bytes::Bytes;
use datafusion::arrow::array::{ArrayData, ArrayRef, make_array};
use datafusion::arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use datafusion::arrow::datatypes::{DataType, Field, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::reader::StreamReader;
use datafusion::error::{DataFusionError, Result};

/// A schema. Both releases read what the other writes.
pub(crate) fn schema(fields: Vec<newer_schema::Field>) -> Result<SchemaRef> {
    let mut bytes = Vec::new();
    let external = |error| DataFusionError::External(Box::new(error));
    arrow_ipc_60::writer::StreamWriter::try_new(&mut bytes, &newer_schema::Schema::new(fields))
        .and_then(|mut writer| writer.finish())
        .map_err(external)?;
    Ok(StreamReader::try_new(&bytes[..], None)?.schema())
}

/// A field of this type. Of the items of arrays only times may be null.
pub(crate) fn field(name: &str, data_type: newer_schema::DataType) -> Result<Field> {
    let is_time =
        matches!(data_type, newer_schema::DataType::Timestamp(..) | newer_schema::DataType::Duration(_));
    let schema = schema(vec![newer_schema::Field::new(name, data_type, is_time)])?;
    Ok(schema.field(0).clone())
}

/// An array of this type.
pub(crate) fn array(array: &arrow_array_60::ArrayRef, data_type: &DataType) -> Result<ArrayRef> {
    Ok(make_array(data(&array.to_data(), data_type)?))
}

/// An array of its own type.
pub(crate) fn typed(array: &arrow_array_60::ArrayRef) -> Result<ArrayRef> {
    self::array(array, field("", array.data_type().clone())?.data_type())
}

fn data(from: &NewerData, data_type: &DataType) -> Result<ArrayData, ArrowError> {
    let children = from.child_data().iter().zip(types_in(data_type));
    let nulls = from.nulls().map(|nulls| {
        NullBuffer::new(BooleanBuffer::new(buffer(nulls.buffer()), nulls.offset(), nulls.len()))
    });
    ArrayData::builder(data_type.clone())
        .len(from.len())
        .offset(from.offset())
        .nulls(nulls)
        .buffers(from.buffers().iter().map(buffer).collect())
        .child_data(children.map(|(child, data_type)| data(child, data_type)).collect::<Result<_, _>>()?)
        .build()
}

fn buffer(from: &newer::Buffer) -> Buffer {
    Bytes::from_owner(from.clone()).into()
}

/// The types of the arrays in an array.
fn types_in(data_type: &DataType) -> Vec<&DataType> {
    match data_type {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            vec![item.data_type()]
        }
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Dictionary(_, values) => vec![values],
        _ => Vec::new(),
    }
}
