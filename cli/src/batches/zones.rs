//! The zones of times in Parquet. The format has only whether a time is one of UTC; many writers add Arrow's schema, which names the zone.

use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::root_as_message;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use parquet::file::metadata::FileMetaData;
use std::sync::Arc;

/// The bytes before a message.
const HEAD: usize = 8;

/// The schema with the zones that the file names.
pub(super) fn named(schema: SchemaRef, file: &FileMetaData) -> SchemaRef {
    let Some(told) = told(file) else { return schema };
    let field = |field: &Arc<Field>| {
        let told = told.field_with_name(field.name()).ok().map(Field::data_type);
        match (field.data_type(), told) {
            (DataType::Timestamp(unit, Some(_)), Some(DataType::Timestamp(_, Some(zone)))) => {
                let data_type = DataType::Timestamp(*unit, Some(zone.clone()));
                Arc::new(field.as_ref().clone().with_data_type(data_type))
            }
            _ => field.clone(),
        }
    };
    Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}

/// Arrow's schema: a message in base64.
fn told(file: &FileMetaData) -> Option<Schema> {
    let mut pairs = file.key_value_metadata()?.iter();
    let text = pairs.find(|pair| pair.key == parquet::arrow::ARROW_SCHEMA_META_KEY)?.value.as_ref()?;
    let bytes = STANDARD.decode(text).ok()?;
    try_fb_to_schema(root_as_message(bytes.get(HEAD..)?).ok()?.header_as_schema()?).ok()
}
