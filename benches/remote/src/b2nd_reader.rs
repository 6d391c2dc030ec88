//! b2nd over object_store.

use crate::{Remote, Result, Window};
use b2nd::source::{AsyncArray, ObjectSource};
use object_store::ClientOptions;
use object_store::http::HttpBuilder;
use std::sync::Arc;

pub(crate) async fn open(url: &str) -> Result<impl Remote> {
    let (server, name) = url.rsplit_once('/').ok_or("a URL")?;
    let options = ClientOptions::new().with_allow_http(true);
    let store = HttpBuilder::new().with_url(server).with_client_options(options).build()?;
    Ok(AsyncArray::from_source(ObjectSource::open(Arc::new(store), name).await?).await?)
}

impl Remote for AsyncArray<ObjectSource> {
    async fn read(&self, [rows, columns]: &Window) -> Result<Vec<u32>> {
        Ok(self.read::<u32>((rows.clone(), columns.clone())).await?.into_vec())
    }
}
