use std::error::Error;
use std::sync::Arc;

use b2nd::array::ArrayParams;
use b2nd::objects::Objects;
use b2nd::sink::{ObjectChunkWriter, finish_chunk_objects};
use b2nd::source::{AsyncArray, ObjectSource};
use b2nd::store::AsyncStore;

/// Without the dependencies of a cloud.
mod object_store {
    pub use stores::*;

    pub mod aws {
        pub struct AmazonS3Builder;

        impl AmazonS3Builder {
            pub fn from_env() -> Self {
                Self
            }

            pub fn with_bucket_name(self, _: &str) -> Self {
                self
            }

            pub fn build(self) -> stores::Result<stores::memory::InMemory> {
                Ok(stores::memory::InMemory::new())
            }
        }
    }
}

mod opening {
    use std::error::Error;
    use std::sync::Arc;

    use super::object_store;

    async fn opened() -> Result<Vec<f32>, Box<dyn Error>> {
        // block
        let _: usize = kelvin.shape().len();
        Ok(Vec::new())
    }
}

async fn run(array: AsyncArray<ObjectSource>, store: AsyncStore<ObjectSource>) -> Result<(), Box<dyn Error>> {
    // block
    Ok(())
}

async fn many_writers(store: Arc<dyn stores::ObjectStore>) -> Result<(), Box<dyn Error>> {
    let mine = |_: &b2nd::plan::Region| true;
    let values_of = |_: &[std::ops::Range<u64>]| vec![0f32; 900 * 900];
    // block
    Ok(())
}
