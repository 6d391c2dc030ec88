//! A slice of an object, and its chunks as a stream: `cargo run --features object_store --example object_store [FOLDER FILE]`
//!
//! Here the store is a directory. `AmazonS3Builder`, `GoogleCloudStorageBuilder`, `MicrosoftAzureBuilder` and `HttpBuilder` make
//! stores of clouds and of HTTP servers, with the features `aws`, `gcp`, `azure` and `http` of the crate object_store.

extern crate alloc;

use alloc::sync::Arc;
use b2nd::source::{AsyncArray, ObjectSource};
use core::error::Error;
use core::pin::pin;
use futures_util::TryStreamExt;
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| FOLDER.into());
    let file = arguments.next().unwrap_or_else(|| "sample.b2nd".into());

    let store: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new_with_prefix(folder)?);
    let array = AsyncArray::from_source(ObjectSource::open(store, file).await?).await?;
    println!("{:?} of {}", array.shape(), array.dtype());
    for (name, value) in array.attrs().await? {
        println!("{name}: {value:?}");
    }
    let last = array.read::<f32>("-1, ::10, 5").await?;
    println!("{:?}", last.as_slice());

    // While a chunk is used, four others are under way.
    let mut chunks = pin!(array.stream::<f32>(4));
    while let Some((place, values)) = chunks.try_next().await? {
        let most = values.into_iter().fold(f32::MIN, f32::max);
        println!("chunk {}: up to {most}", place.number);
    }
    Ok(())
}
