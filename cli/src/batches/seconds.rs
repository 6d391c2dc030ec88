//! Times in seconds as milliseconds: Parquet has no seconds, and readers would take them for numbers.

use arrow_array::types::TimestampSecondType;
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch, TimestampMillisecondArray, make_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;

/// The schema with milliseconds in place of seconds.
pub(super) fn schema(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| of_field(field)).collect::<Vec<_>>();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// A record batch that has the schema.
pub(super) fn batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let array = |(array, field): (&ArrayRef, &Arc<Field>)| match array.data_type() == field.data_type() {
        true => Ok(array.clone()),
        false => Ok(make_array(of_data(array.to_data())?)),
    };
    let arrays = batch.columns().iter().zip(schema.fields()).map(array).collect::<Result<_, ArrowError>>()?;
    RecordBatch::try_new(schema.clone(), arrays)
}

fn of_field(field: &Field) -> Field {
    field.clone().with_data_type(of_type(field.data_type()))
}

fn of_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Timestamp(TimeUnit::Second, zone) => {
            DataType::Timestamp(TimeUnit::Millisecond, zone.clone())
        }
        DataType::List(item) => DataType::List(Arc::new(of_field(item))),
        DataType::Struct(members) => DataType::Struct(members.iter().map(|field| of_field(field)).collect()),
        other => other.clone(),
    }
}

fn of_data(data: ArrayData) -> Result<ArrayData, ArrowError> {
    if let DataType::Timestamp(TimeUnit::Second, zone) = data.data_type().clone() {
        let late = || ArrowError::ComputeError("Parquet has no seconds, and not as many milliseconds".into());
        let seconds = PrimitiveArray::<TimestampSecondType>::from(data);
        let times: TimestampMillisecondArray =
            seconds.try_unary(|second| second.checked_mul(1000).ok_or_else(late))?;
        return Ok(times.with_timezone_opt(zone).into_data());
    }
    let members = data.child_data().iter().cloned().map(of_data).collect::<Result<_, _>>()?;
    let data_type = of_type(data.data_type());
    data.into_builder().data_type(data_type).child_data(members).build()
}
