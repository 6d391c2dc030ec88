//! Paths and URLs in place of the names of tables.

use crate::array::ArrayProvider;
use crate::error::At;
use crate::location::Location;
use crate::source::Counts;
use crate::table::TableProvider;
use async_trait::async_trait;
use datafusion::catalog::{self, DynamicFileCatalog, UrlTableFactory};
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// Finds tables and arrays where a query names a path or a URL: `FROM 's3://bucket/run.b2z/people'`.
///
/// A name that ends in `.b2z`, `.b2d`, `.b2e` or `.b2nd`, or has a member behind, is of these formats, and another that ends in a slash
/// a folder with stores; others are left to other factories.
#[derive(Debug)]
pub struct UrlTables {
    runtime: Arc<RuntimeEnv>,
}

impl UrlTables {
    /// Finds files through the object stores of this environment.
    ///
    /// ```
    /// use b2nd_datafusion::UrlTables;
    /// use datafusion::catalog::UrlTableFactory;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// let tables = UrlTables::new(datafusion::prelude::SessionContext::new().runtime_env());
    /// assert!(tables.try_new("../../tests/golden/tables/001.b2z").await?.is_some());
    /// assert!(tables.try_new("other.parquet").await?.is_none());
    /// # Ok(()) }
    /// ```
    pub fn new(runtime: Arc<RuntimeEnv>) -> Self {
        Self { runtime }
    }

    /// The session, with paths and URLs in place of the names of tables. It may have other factories, such as that of
    /// `enable_url_table`, which finds Parquet, CSV and JSON.
    ///
    /// ```
    /// use b2nd_datafusion::UrlTables;
    /// use datafusion::prelude::SessionContext;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// let context = UrlTables::enable(SessionContext::new());
    /// let query = "SELECT max(value) FROM '../../tests/golden/blosc2-4.14.1/sample.b2nd' WHERE dim0 = 3";
    /// assert_eq!(context.sql(query).await?.count().await?, 1);
    /// # Ok(()) }
    /// ```
    pub fn enable(context: SessionContext) -> SessionContext {
        let state = context.state();
        let tables = Arc::new(Self::new(Arc::clone(state.runtime_env())));
        let catalogs = DynamicFileCatalog::new(Arc::clone(state.catalog_list()), tables);
        context.register_catalog_list(Arc::new(catalogs));
        context
    }

    /// Whether a file has a table where the location says, and no array.
    async fn is_table(&self, location: &Location) -> Result<bool> {
        if !location.is_store() {
            return Ok(false);
        }
        let store = location.open(&self.runtime, &Counts::unseen()).await?;
        let group = location.key();
        let is_table = store
            .run(|store| Ok(b2nd::table::Table::groups(store).any(|found| found == group)))
            .await
            .at(location)?;
        Ok(is_table || store.storage(&group).is_none())
    }
}

#[async_trait]
impl UrlTableFactory for UrlTables {
    async fn try_new(&self, url: &str) -> Result<Option<Arc<dyn catalog::TableProvider>>> {
        let mut files = match Location::find(&self.runtime, url).await {
            files if Location::is_named(url) => files?,
            // A folder may have files of other factories.
            Ok(files) if url.ends_with('/') => files,
            _ => return Ok(None),
        };
        Ok(Some(if self.is_table(&files[0]).await? {
            Arc::new(TableProvider::of(&self.runtime, files).await?)
        } else {
            Arc::new(ArrayProvider::of(&self.runtime, files.swap_remove(0)).await?)
        }))
    }
}
