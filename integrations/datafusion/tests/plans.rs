//! Plans as bytes.
#![cfg(feature = "proto")]

mod common;

use b2nd_datafusion::Codec;
use common::{context, folder, write_table};
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use datafusion::prelude::SessionContext;
use datafusion_proto::bytes::{
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use std::sync::Arc;

#[tokio::test]
async fn plans_are_bytes_and_back() {
    let path = folder("plans").join("t.b2z");
    write_table(&path, 0..100_000);
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/blosc2-4.14.1/sample.b2nd");
    let table = format!("{}/people", path.display());
    for query in [
        format!("SELECT id FROM '{table}' WHERE n < 50 AND name LIKE 'name1%' LIMIT 40"),
        format!("SELECT n, count(id), min(id) FROM '{table}' GROUP BY n ORDER BY n"),
        format!("SELECT dim0, value FROM '{sample}' WHERE dim1 = 5 ORDER BY dim0, value"),
        format!("SELECT id FROM '{table}' WHERE id < 0"),
    ] {
        let context = context();
        let plan = context.sql(&query).await.unwrap().create_physical_plan().await.unwrap();
        let bytes = physical_plan_to_bytes_with_extension_codec(Arc::clone(&plan), &Codec).unwrap();
        // A session that has not seen the table.
        let other = SessionContext::new();
        let copy = physical_plan_from_bytes_with_extension_codec(&bytes, &other.task_ctx(), &Codec).unwrap();
        let shown = |plan: &Arc<dyn ExecutionPlan>| displayable(plan.as_ref()).indent(true).to_string();
        assert_eq!(shown(&copy), shown(&plan));
        let rows = collect(plan, context.task_ctx()).await.unwrap();
        let copies = collect(copy, other.task_ctx()).await.unwrap();
        let print =
            |rows: &[_]| datafusion::arrow::util::pretty::pretty_format_batches(rows).unwrap().to_string();
        let sorted = |text: String| {
            let mut lines: Vec<_> = text.lines().map(String::from).collect();
            lines.sort();
            lines
        };
        assert!(query.contains("LIMIT") || sorted(print(&rows)) == sorted(print(&copies)), "{query}");
    }
    let other = SessionContext::new();
    for damaged in [&b""[..], b"{}", b"{\"Array\":1}"] {
        use datafusion_proto::physical_plan::{DefaultPhysicalProtoConverter, PhysicalExtensionCodec};
        assert!(
            Codec.try_decode(damaged, &[], &other.task_ctx(), &DefaultPhysicalProtoConverter {}).is_err()
        );
    }
}
