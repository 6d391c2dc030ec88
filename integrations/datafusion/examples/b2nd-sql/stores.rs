//! Object stores by URL.

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use std::sync::Arc;
use url::{Position, Url};

/// An environment with the stores of all URLs.
pub(crate) fn runtime() -> Result<Arc<RuntimeEnv>> {
    RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default())).build_arc()
}

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
