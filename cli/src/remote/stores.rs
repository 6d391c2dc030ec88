//! The stores that URLs are of, with the credentials that the environment has for them.

use super::watched::Watched;
use core::time::Duration;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};
use url::Url;

/// Stores by the beginnings of URLs: requests share connections and credentials.
static STORES: LazyLock<Mutex<HashMap<String, Arc<dyn ObjectStore>>>> = LazyLock::new(Mutex::default);

/// Whether a path is a URL of a known kind.
pub(crate) fn is_url(path: &std::path::Path) -> bool {
    let scheme = path.to_str().and_then(|text| text.split_once("://"));
    scheme.is_some_and(|(scheme, _)| matches!(scheme, "http" | "https" | "s3" | "gs" | "az"))
}

/// The store of a URL, and the path in it.
pub(super) fn located(url: &std::path::Path) -> io::Result<(Arc<dyn ObjectStore>, Path)> {
    let invalid =
        |error: &dyn core::fmt::Display| io::Error::new(io::ErrorKind::InvalidInput, error.to_string());
    let mut url = Url::parse(&url.to_string_lossy()).map_err(|error| invalid(&error))?;
    let path = Path::from_url_path(url.path()).map_err(|error| invalid(&error))?;
    url.set_path("");
    url.set_fragment(None);
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    let store = match stores.get(url.as_str()) {
        Some(store) => Arc::clone(store),
        None => {
            let store = store(&url).map_err(|error| invalid(&error))?;
            let store: Arc<dyn ObjectStore> = Arc::new(Watched::new(store, &url));
            stores.insert(url.into(), Arc::clone(&store));
            store
        }
    };
    Ok((store, path))
}

fn store(url: &Url) -> object_store::Result<Arc<dyn ObjectStore>> {
    static ENCRYPTION: Once = Once::new();
    // Another one is as good.
    ENCRYPTION.call_once(|| _ = rustls::crypto::ring::default_provider().install_default());
    let retry =
        RetryConfig { max_retries: 5, retry_timeout: Duration::from_secs(60), ..RetryConfig::default() };
    Ok(match url.scheme() {
        "s3" => Arc::new(AmazonS3Builder::from_env().with_url(url.as_str()).with_retry(retry).build()?),
        "gs" => {
            Arc::new(GoogleCloudStorageBuilder::from_env().with_url(url.as_str()).with_retry(retry).build()?)
        }
        "az" => Arc::new(MicrosoftAzureBuilder::from_env().with_url(url.as_str()).with_retry(retry).build()?),
        // The query of a signed URL stays.
        _ => {
            let options = ClientOptions::new().with_allow_http(true);
            let http = HttpBuilder::new().with_url(url.as_str()).with_client_options(options);
            Arc::new(http.with_retry(retry).build()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::is_url;

    #[test]
    fn urls_and_paths() {
        assert!(
            ["https://a.org/b", "s3://b/c", "gs://b/c", "az://b/c"]
                .into_iter()
                .all(|url| is_url(url.as_ref()))
        );
        assert!(
            !["a.b2nd", "/https://a", "file:///a", "c:\\a"].into_iter().any(|path| is_url(path.as_ref()))
        );
    }
}
