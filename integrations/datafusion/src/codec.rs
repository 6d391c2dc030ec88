//! Plans as bytes: JSON, in which schemas and expressions are DataFusion's protocol buffers.

use crate::array_scan::ArrayScan;
use crate::location::Location;
use crate::ranges::Part;
use crate::scan::{Predicate, TableScan};
use core::ops::Range;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::{assert_or_internal_err, not_impl_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::{self, PhysicalExprNode};
use prost::Message;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Turns [`TableScan`] and [`ArrayScan`] to bytes and back, so that engines run them on other machines.
///
/// The bytes have the places of the files, not their content: each machine needs the object stores in its `RuntimeEnv`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::error::Result<()> {
/// use b2nd_datafusion::{Codec, UrlTables};
/// use datafusion::physical_plan::collect;
/// use datafusion::prelude::SessionContext;
/// use datafusion_proto::bytes::{
///     physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
/// };
///
/// let context = UrlTables::enable(SessionContext::new());
/// let query = "SELECT value FROM '../../tests/golden/blosc2-4.14.1/sample.b2nd' WHERE dim0 = 3";
/// let plan = context.sql(query).await?.create_physical_plan().await?;
/// let bytes = physical_plan_to_bytes_with_extension_codec(plan, &Codec)?;
/// let plan = physical_plan_from_bytes_with_extension_codec(&bytes, &context.task_ctx(), &Codec)?;
/// let rows: usize = collect(plan, context.task_ctx()).await?.iter().map(|batch| batch.num_rows()).sum();
/// assert_eq!(rows, 30 * 40);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Codec;

#[derive(Serialize, Deserialize)]
enum Plan {
    Table {
        files: Vec<Location>,
        partitions: Vec<Vec<Part>>,
        schema: Vec<u8>,
        /// The expression, and the schema of its columns.
        predicate: Option<(Vec<u8>, Vec<u8>)>,
        limit: Option<usize>,
    },
    Array {
        location: Location,
        names: Vec<String>,
        ranges: Vec<Range<u64>>,
        partitions: Vec<Range<u64>>,
        schema: Vec<u8>,
        limit: Option<usize>,
    },
}

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        proto_converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        assert_or_internal_err!(inputs.is_empty(), "a scan has no inputs");
        Ok(match serde_json::from_slice(buf).map_err(external)? {
            Plan::Table { files, partitions, schema, predicate, limit } => {
                let predicate = predicate.map(|(expr, schema)| {
                    let schema = schema_of(&schema)?;
                    let node = PhysicalExprNode::decode(&expr[..]).map_err(external)?;
                    let context = PhysicalPlanDecodeContext::new(ctx, self);
                    let expr = proto_converter.proto_to_physical_expr(&node, &schema, &context)?;
                    Ok::<_, DataFusionError>(Predicate { expr, schema })
                });
                let is_known = partitions.iter().flatten().all(|part| part.file < files.len());
                assert_or_internal_err!(is_known, "a part is of no file");
                Arc::new(TableScan::new(
                    files,
                    partitions,
                    schema_of(&schema)?,
                    predicate.transpose()?,
                    limit,
                ))
            }
            Plan::Array { location, names, ranges, partitions, schema, limit } => {
                assert_or_internal_err!(names.len() == ranges.len(), "a selection is of other axes");
                Arc::new(ArrayScan::new(location, names, ranges, partitions, schema_of(&schema)?, limit))
            }
        })
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        proto_converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let plan = if let Some(scan) = node.downcast_ref::<TableScan>() {
            let predicate = scan.predicate.as_ref().map(|predicate| {
                let expr = proto_converter.physical_expr_to_proto(&predicate.expr, self)?;
                Ok::<_, DataFusionError>((expr.encode_to_vec(), bytes_of(&predicate.schema)?))
            });
            Plan::Table {
                files: scan.files.clone(),
                partitions: scan.partitions.clone(),
                schema: bytes_of(&scan.schema)?,
                predicate: predicate.transpose()?,
                limit: scan.limit,
            }
        } else if let Some(scan) = node.downcast_ref::<ArrayScan>() {
            Plan::Array {
                location: scan.location.clone(),
                names: scan.names.clone(),
                ranges: scan.ranges.clone(),
                partitions: scan.partitions.clone(),
                schema: bytes_of(&scan.schema)?,
                limit: scan.limit,
            }
        } else {
            return not_impl_err!("{} is no scan of this crate", node.name());
        };
        serde_json::to_writer(buf, &plan).map_err(external)
    }
}

fn bytes_of(schema: &SchemaRef) -> Result<Vec<u8>> {
    let schema: protobuf::Schema = schema.as_ref().try_into()?;
    Ok(schema.encode_to_vec())
}

fn schema_of(bytes: &[u8]) -> Result<SchemaRef> {
    let schema = protobuf::Schema::decode(bytes).map_err(external)?;
    Ok(Arc::new(Schema::try_from(&schema)?))
}

fn external(error: impl core::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
