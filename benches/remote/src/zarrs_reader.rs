//! zarrs over object_store, with and without a cache of the indexes of shards.

use crate::{Remote, Result, Window};
use std::sync::Arc;
use zarrs::array::{
    Array, ArraySubset, AsyncArrayShardedReadableExt, AsyncArrayShardedReadableExtCache, CodecOptions,
};
use zarrs::storage::AsyncReadableStorageTraits;
use zarrs_object_store::AsyncObjectStore;
use zarrs_object_store::object_store::ClientOptions;
use zarrs_object_store::object_store::http::HttpBuilder;

pub(crate) struct Zarr {
    array: Array<dyn AsyncReadableStorageTraits>,
    indexes: Option<AsyncArrayShardedReadableExtCache>,
}

pub(crate) async fn open(url: &str, cached: bool) -> Result<impl Remote> {
    let options = ClientOptions::new().with_allow_http(true);
    let store = HttpBuilder::new().with_url(url).with_client_options(options).build()?;
    let store: Arc<dyn AsyncReadableStorageTraits> = Arc::new(AsyncObjectStore::new(store));
    let array = Array::async_open(store, "/").await?;
    let indexes = cached.then(|| AsyncArrayShardedReadableExtCache::new(&array));
    Ok(Zarr { array, indexes })
}

impl Remote for Zarr {
    async fn read(&self, window: &Window) -> Result<Vec<u32>> {
        let subset = ArraySubset::new_with_ranges(window);
        let options = CodecOptions::default();
        Ok(match &self.indexes {
            None => self.array.async_retrieve_array_subset(&subset).await?,
            Some(cache) => {
                self.array.async_retrieve_array_subset_sharded_opt(cache, &subset, &options).await?
            }
        })
    }
}
