//! Record batches, written.

#[cfg(feature = "parquet")]
use super::seconds;
use crate::error::CommandError;
use crate::output::Output;
use crate::values::BatchFormat;
use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};
use std::io;

/// Writes record batches to an output.
pub(crate) enum BatchWriter {
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::arrow::ArrowWriter<Output>>, SchemaRef),
    Arrow(Box<FileWriter<Output>>),
}

impl BatchWriter {
    pub(crate) fn create(
        output: Output,
        format: BatchFormat,
        schema: &SchemaRef,
    ) -> Result<Self, CommandError> {
        match format {
            BatchFormat::Parquet => Self::parquet(output, schema),
            BatchFormat::Arrow => {
                Ok(Self::Arrow(Box::new(FileWriter::try_new(output, schema).map_err(failed)?)))
            }
        }
    }

    /// Zstd at level 1, as by most writers; row groups of a million rows, or of less if these take much memory.
    #[cfg(feature = "parquet")]
    fn parquet(output: Output, schema: &SchemaRef) -> Result<Self, CommandError> {
        use parquet::basic::{Compression, ZstdLevel};
        use parquet::file::properties::WriterProperties;
        const ROW_GROUP: usize = 64 << 20;
        let level = ZstdLevel::try_new(1).map_err(refused)?;
        let params = WriterProperties::builder()
            .set_created_by(concat!("b2nd version ", env!("CARGO_PKG_VERSION")).into())
            .set_compression(Compression::ZSTD(level))
            .set_max_row_group_bytes(Some(ROW_GROUP))
            .build();
        let schema = seconds::schema(schema);
        let writer = parquet::arrow::ArrowWriter::try_new(output, schema.clone(), Some(params));
        Ok(Self::Parquet(Box::new(writer.map_err(refused)?), schema))
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(_: Output, _: &SchemaRef) -> Result<Self, CommandError> {
        Err(crate::values::ValueError::NotBuilt(BatchFormat::Parquet).into())
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), CommandError> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, schema) => {
                writer.write(&seconds::batch(batch, schema).map_err(failed)?).map_err(refused)
            }
            Self::Arrow(writer) => writer.write(batch).map_err(failed),
        }
    }

    /// Completes the output.
    pub(crate) fn finish(self) -> Result<(), CommandError> {
        let output = match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, _) => writer.into_inner().map_err(refused)?,
            Self::Arrow(mut writer) => {
                writer.finish().map_err(failed)?;
                writer.into_inner().map_err(failed)?
            }
        };
        output.commit().map_err(CommandError::Output)
    }
}

#[cfg(feature = "parquet")]
fn refused(error: parquet::errors::ParquetError) -> CommandError {
    use parquet::errors::ParquetError;
    CommandError::Output(match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    })
}

/// The error of the output, or else what the writer refuses.
fn failed(error: ArrowError) -> CommandError {
    CommandError::Output(match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    })
}
