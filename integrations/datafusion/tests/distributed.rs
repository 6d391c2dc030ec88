//! Plans as bytes, and queries on four workers of datafusion-distributed, of which one is killed.
#![cfg(feature = "proto")]

mod common;

use b2nd_datafusion::{Codec, TableScan, UrlTables};
use common::{context, folder, ids, write_table};
use core::time::Duration;
use datafusion::error::Result;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_distributed::{
    DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedExt, DistributedLeafExec,
    ScaleUpLeafNodeEvent, ScaleUpLeafNodeEventResponse, SessionStateBuilderExt, Worker, WorkerQueryContext,
    WorkerResolver, display_plan_ascii,
};
use datafusion_proto::bytes::{
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use url::Url;

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

/// A worker on a runtime of its own, which dies with it.
struct Running {
    runtime: Option<Runtime>,
    url: Url,
}

async fn session(ctx: WorkerQueryContext) -> Result<SessionState> {
    Ok(ctx.builder.with_distributed_user_codec(Codec).build())
}

impl Running {
    fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let incoming = tonic::transport::server::TcpIncoming::from(listener);
            let service = Worker::from_session_builder(session).into_worker_server();
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(incoming)
                .await
                .unwrap();
        });
        Self { runtime: Some(runtime), url }
    }

    fn kill(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct Workers(Vec<Url>);

impl WorkerResolver for Workers {
    fn get_urls(&self) -> Result<Vec<Url>> {
        Ok(self.0.clone())
    }
}

async fn query(urls: Vec<Url>, query: &str) -> Result<(String, Vec<i64>)> {
    let desired = |event: DesiredTaskCountEvent<'_>| {
        let scan = event.plan.downcast_ref::<TableScan>()?;
        Some(Ok(DesiredTaskCountEventResponse::desired(scan.properties().partitioning.partition_count())))
    };
    let scaled = |event: ScaleUpLeafNodeEvent<'_>| {
        let scan = event.plan.downcast_ref::<TableScan>()?;
        let shares = scan.shares(event.task_count).into_iter().map(|share| Arc::new(share) as _);
        let plan = DistributedLeafExec::try_new(Arc::clone(event.plan), shares);
        Some(plan.map(|plan| ScaleUpLeafNodeEventResponse::new(Arc::new(plan))))
    };
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(SessionConfig::new().with_target_partitions(4))
        .with_distributed_worker_resolver(Workers(urls))
        .with_distributed_planner()
        .with_distributed_user_codec(Codec)
        .with_distributed_desired_task_count_handler(desired)
        .with_distributed_scale_up_leaf_node_handler(scaled)
        .build();
    let context = UrlTables::enable(SessionContext::from(state));
    let plan = context.sql(query).await?.create_physical_plan().await?;
    let shown = display_plan_ascii(plan.as_ref(), false);
    Ok((shown, ids(&collect(plan, context.task_ctx()).await?)))
}

#[tokio::test(flavor = "multi_thread")]
async fn four_workers_share_a_table_and_one_is_killed() {
    let path = folder("workers").join("t.b2z");
    write_table(&path, 0..400_000);
    let text =
        format!("SELECT count(id), n FROM '{}/people' WHERE n >= 500 GROUP BY n ORDER BY n", path.display());
    let (expected, _) = common::run(&context(), &text).await.unwrap();
    let expected = ids(&expected);
    let mut workers: Vec<_> = (0..4).map(|_| Running::start()).collect();
    let urls: Vec<_> = workers.iter().map(|worker| worker.url.clone()).collect();
    let (shown, found) = query(urls.clone(), &text).await.unwrap();
    println!("{shown}");
    assert!(shown.contains("TableScan") && shown.contains("Stage"), "{shown}");
    assert_eq!(found, expected);
    workers[2].kill();
    // A query that would need it fails, and does not hang; the others answer one that does not.
    let failed = tokio::time::timeout(Duration::from_secs(30), query(urls.clone(), &text)).await;
    let error = failed.expect("an end").expect_err("an error");
    println!("{error}");
    let left = [0, 1, 3].map(|number: usize| urls[number].clone()).to_vec();
    assert_eq!(query(left, &text).await.unwrap().1, expected);
}
