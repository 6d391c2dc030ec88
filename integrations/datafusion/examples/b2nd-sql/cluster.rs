//! Queries on several machines, by datafusion-distributed: workers, and a driver that goes on without those that die.

use crate::stores::runtime;
use b2nd_datafusion::{Codec, TableScan, UrlTables};
use core::time::Duration;
use datafusion::arrow::array::RecordBatch;
use datafusion::common::{exec_datafusion_err, plan_datafusion_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_distributed::grpc::DefaultChannelResolver;
use datafusion_distributed::{
    ChannelResolver, DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedExt,
    DistributedLeafExec, GetWorkerInfoRequest, ScaleUpLeafNodeEvent, ScaleUpLeafNodeEventResponse,
    SessionStateBuilderExt, Worker, WorkerQueryContext, WorkerResolver, display_plan_ascii,
};
use futures::future::join_all;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use url::Url;

/// How often workers are asked during a query whether they are there, and the time that they have for the answer.
const PAUSE: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs parts of queries until the process ends. Prints the URL of the worker.
pub(crate) async fn serve(address: &str) -> Result<()> {
    let listener = TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    let worker = Worker::from_session_builder(with_codec).with_runtime_env(runtime()?);
    let server = Server::builder().add_service(worker.into_worker_server());
    server
        .serve_with_incoming(TcpIncoming::from(listener))
        .await
        .map_err(|error| DataFusionError::External(Box::new(error)))
}

async fn with_codec(context: WorkerQueryContext) -> Result<SessionState> {
    Ok(context.builder.with_distributed_user_codec(Codec).build())
}

/// The URLs of workers in a list with commas.
pub(crate) fn workers(list: &str) -> Result<Vec<Url>> {
    let url = |url| Url::parse(url).map_err(|error| plan_datafusion_err!("{url}: {error}"));
    list.split(',').map(url).collect()
}

/// The rows of a query. If it fails and some workers do not answer any more, it runs again on the others, so that the tries are as many
/// as the workers at most. No row of a try that failed is returned.
pub(crate) async fn query(mut workers: Vec<Url>, query: &str) -> Result<Vec<RecordBatch>> {
    loop {
        let failure = tokio::select! {
            rows = run(&workers, query) => match rows {
                Ok(rows) => return Ok(rows),
                Err(error) => error,
            },
            () = silence(&workers) => exec_datafusion_err!("a worker does not answer"),
        };
        let living = answering(&workers).await;
        if living.is_empty() || living.len() == workers.len() {
            return Err(failure);
        }
        eprintln!("b2nd-sql: {} of {} workers are left: {failure}", living.len(), workers.len());
        workers = living;
    }
}

/// The stages of a query, and which rows each task reads.
pub(crate) async fn explained(workers: Vec<Url>, query: &str) -> Result<String> {
    let plan = session(workers)?.sql(query).await?.create_physical_plan().await?;
    Ok(display_plan_ascii(plan.as_ref(), false))
}

async fn run(workers: &[Url], query: &str) -> Result<Vec<RecordBatch>> {
    let context = session(workers.to_vec())?;
    let plan = context.sql(query).await?.create_physical_plan().await?;
    collect(plan, context.task_ctx()).await
}

/// A session whose scans of tables are shared by workers.
fn session(workers: Vec<Url>) -> Result<SessionContext> {
    let config = SessionConfig::from_env()?;
    let partitions = config.target_partitions() * workers.len();
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config.with_target_partitions(partitions))
        .with_runtime_env(runtime()?)
        .with_distributed_worker_resolver(Workers(workers))
        .with_distributed_planner()
        .with_distributed_user_codec(Codec)
        .with_distributed_desired_task_count_handler(desired)
        .with_distributed_scale_up_leaf_node_handler(shared)
        .build();
    Ok(UrlTables::enable(SessionContext::from(state).enable_url_table()))
}

fn desired(event: DesiredTaskCountEvent<'_>) -> Option<Result<DesiredTaskCountEventResponse>> {
    let scan = event.plan.downcast_ref::<TableScan>()?;
    Some(Ok(DesiredTaskCountEventResponse::desired(scan.properties().partitioning.partition_count())))
}

fn shared(event: ScaleUpLeafNodeEvent<'_>) -> Option<Result<ScaleUpLeafNodeEventResponse>> {
    let scan = event.plan.downcast_ref::<TableScan>()?;
    let shares = scan.shares(event.task_count).into_iter().map(|share| Arc::new(share) as _);
    let plan = DistributedLeafExec::try_new(Arc::clone(event.plan), shares);
    Some(plan.map(|plan| ScaleUpLeafNodeEventResponse::new(Arc::new(plan))))
}

struct Workers(Vec<Url>);

impl WorkerResolver for Workers {
    fn get_urls(&self) -> Result<Vec<Url>> {
        Ok(self.0.clone())
    }
}

/// Returns when some worker does not answer.
async fn silence(workers: &[Url]) {
    while answering(workers).await.len() == workers.len() {
        sleep(PAUSE).await;
    }
}

/// The workers that answer, each on a new connection.
async fn answering(workers: &[Url]) -> Vec<Url> {
    let ask = async |url: &Url| {
        let mut channel = DefaultChannelResolver::default().get_worker_client_for_url(url).await?;
        channel.get_worker_info(GetWorkerInfoRequest {}).await
    };
    let answers = workers.iter().map(async |url| match timeout(PATIENCE, ask(url)).await {
        Ok(Ok(_)) => Some(url.clone()),
        _ => None,
    });
    join_all(answers).await.into_iter().flatten().collect()
}
