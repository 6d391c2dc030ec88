//! Runs a query: `b2nd-sql "SELECT … FROM 'run.b2z/people' WHERE …"`. `--explain` prints the plan with what was read instead.
//!
//! Tables are paths and URLs (`s3://`, `http://`, `https://`) of `.b2z` and `.b2nd`; also of Parquet and CSV where DataFusion has them.

use b2nd_datafusion::UrlTables;
use datafusion::arrow::util::pretty::print_batches;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use url::{Position, Url};

/// Object stores that are made when a query names them. Those of S3 have their settings from the environment.
#[derive(Debug, Default)]
struct Stores(DefaultObjectStoreRegistry);

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Ok(store) = self.0.get_store(url) {
            return Ok(store);
        }
        let root = &url[..Position::BeforePath];
        let store: Arc<dyn ObjectStore> = match url.scheme() {
            "s3" => {
                let bucket = url.host_str().unwrap_or_default();
                Arc::new(AmazonS3Builder::from_env().with_bucket_name(bucket).build()?)
            }
            "http" | "https" => {
                let options = object_store::ClientOptions::new().with_allow_http(url.scheme() == "http");
                Arc::new(HttpBuilder::new().with_url(root).with_client_options(options).build()?)
            }
            scheme => return Err(DataFusionError::Plan(format!("there is no object store for {scheme}:"))),
        };
        self.0.register_store(
            &Url::parse(root).map_err(|error| DataFusionError::External(Box::new(error)))?,
            Arc::clone(&store),
        );
        Ok(store)
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("b2nd-sql: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let (options, queries): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let ([query], explain) = (&queries[..], options.contains(&"--explain".into())) else {
        return Err(DataFusionError::Plan("usage: b2nd-sql [--explain] QUERY".into()));
    };
    let runtime =
        RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default())).build_arc()?;
    let context = SessionContext::new_with_config_rt(SessionConfig::from_env()?, runtime).enable_url_table();
    let context = UrlTables::enable(context);
    let begin = Instant::now();
    let query = if explain { format!("EXPLAIN ANALYZE {query}") } else { query.clone() };
    let rows = context.sql(&query).await?.collect().await?;
    print_batches(&rows)?;
    let count: usize = rows.iter().map(|batch| batch.num_rows()).sum();
    println!("{count} row(s) fetched.\nElapsed {:.3} seconds.", begin.elapsed().as_secs_f64());
    Ok(())
}
