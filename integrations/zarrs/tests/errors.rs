//! A store that fails, a chunk that is cut short, a chunk of another configuration: an error, never values.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zarrs::array::{Array, ArrayBytes, ArrayError, ArraySubset};
use zarrs::storage::byte_range::{ByteRangeIterator, extract_byte_ranges};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
    WritableStorageTraits,
};

const BLOSC: &str = r#"{ "name": "bytes", "configuration": { "endian": "little" } },
    { "name": "CODEC", "configuration": { "cname": "CNAME", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 16384 } }"#;
const B2ND: &str = r#"{ "name": "b2nd", "configuration": { "block_shape": [32, 100], "endian": "little", "cname": "CNAME", "clevel": 5,
    "filters": ["shuffle"] } }"#;

/// All codecs, with a quick compressor and a dense one.
fn codecs() -> impl Iterator<Item = String> {
    let all = ["lz4", "zstd"].into_iter().flat_map(|cname| {
        ["blosc", "blosc2"]
            .map(|name| BLOSC.replace("CODEC", name))
            .into_iter()
            .chain([B2ND.into()])
            .map(move |codec: String| codec.replace("CNAME", cname))
    });
    all.collect::<Vec<_>>().into_iter()
}

fn metadata(codec: &str, data_type: &str, chunk: [u64; 2]) -> Vec<u8> {
    format!(
        r#"{{ "zarr_format": 3, "node_type": "array", "shape": {chunk:?}, "data_type": "{data_type}", "fill_value": 0,
        "chunk_grid": {{ "name": "regular", "configuration": {{ "chunk_shape": {chunk:?} }} }},
        "chunk_key_encoding": {{ "name": "default" }}, "codecs": [{codec}] }}"#
    )
    .into_bytes()
}

fn key(name: &str) -> StoreKey {
    StoreKey::new(name).unwrap()
}

/// A store whose reads fail from one on.
struct Failing {
    store: MemoryStore,
    left: AtomicUsize,
}

impl Failing {
    /// With an array of one chunk.
    fn new(metadata: Vec<u8>, chunk: Option<&[u8]>) -> Arc<Self> {
        let store = MemoryStore::new();
        store.set(&key("zarr.json"), metadata.into()).unwrap();
        if let Some(chunk) = chunk {
            store.set(&key("c/0/0"), chunk.to_vec().into()).unwrap();
        }
        Arc::new(Self { store, left: AtomicUsize::new(usize::MAX) })
    }

    fn count(&self) -> Result<(), StorageError> {
        let left = self.left.load(Ordering::Relaxed).checked_sub(1).ok_or("the server is gone")?;
        self.left.store(left, Ordering::Relaxed);
        Ok(())
    }
}

impl ReadableStorageTraits for Failing {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.count()?;
        self.store.get(key)
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        self.count()?;
        let Some(bytes) = self.store.get(key)? else { return Ok(None) };
        let parts =
            extract_byte_ranges(&bytes, ranges).map_err(|error| StorageError::Other(error.to_string()))?;
        Ok(Some(Box::new(parts.into_iter().map(|part| Ok(Bytes::from(part))))))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.store.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

const CHUNK: [u64; 2] = [400, 500];

fn items() -> Vec<i32> {
    (0..200_000_i32).map(|at| at * 3 + (at.wrapping_mul(-1_640_531_535) >> 20)).collect()
}

fn chunk(codec: &str) -> Vec<u8> {
    b2nd_zarrs::register();
    let store = Arc::new(MemoryStore::new());
    store.set(&key("zarr.json"), metadata(codec, "int32", CHUNK).into()).unwrap();
    Array::open(store.clone(), "/").unwrap().store_chunk(&[0, 0], items()).unwrap();
    store.get(&key("c/0/0")).unwrap().unwrap().to_vec()
}

fn parts() -> [ArraySubset; 2] {
    [[0..CHUNK[0], 0..CHUNK[1]], [200..203, 100..200]].map(|ranges| ArraySubset::new_with_ranges(&ranges))
}

fn read(array: &Array<Failing>, part: &ArraySubset) -> Result<Vec<i32>, ArrayError> {
    array.retrieve_array_subset(part)
}

/// The items of a part.
fn expected(part: &ArraySubset) -> Vec<i32> {
    let (items, starts, ends) = (items(), part.start().to_vec(), part.end_exc());
    let places =
        (starts[0]..ends[0]).flat_map(|row| (starts[1]..ends[1]).map(move |column| row * CHUNK[1] + column));
    places.map(|at| items[at as usize]).collect()
}

#[test]
fn errors_of_the_store_are_told() {
    for codec in codecs() {
        let store = Failing::new(metadata(&codec, "int32", CHUNK), Some(&chunk(&codec)));
        let array = Array::open(store.clone(), "/").unwrap();
        for part in parts() {
            let mut failed = 0;
            loop {
                store.left.store(failed, Ordering::Relaxed);
                match read(&array, &part) {
                    Ok(found) => {
                        assert!(found == expected(&part), "{codec}");
                        break;
                    }
                    Err(error) => {
                        assert!(error.to_string().contains("the server is gone"), "{codec}: {error}")
                    }
                }
                failed += 1;
            }
            assert!((1..6).contains(&failed), "{codec}: {failed} reads");
        }
    }
}

/// A part may be read whose blocks are all there.
#[test]
fn chunks_that_are_cut_short_are_errors() {
    for codec in codecs() {
        let chunk = chunk(&codec);
        let lens = [0, 1, 15, 16, 17, 31, 32, 33, 40, 100].into_iter();
        for len in lens.chain((200..chunk.len()).step_by(chunk.len() / 20)).chain([chunk.len() - 1]) {
            let store = Failing::new(metadata(&codec, "int32", CHUNK), Some(&chunk[..len]));
            let array = Array::open(store, "/").unwrap();
            let [whole, part] = parts();
            assert!(read(&array, &whole).is_err(), "{codec}: {len} of {} bytes", chunk.len());
            if let Ok(found) = read(&array, &part) {
                assert!(found == expected(&part), "{codec}: {len} of {} bytes", chunk.len());
            }
        }
    }
}

/// Chunks of `b2nd` have whole blocks and not their own shape: those of as many blocks along each axis cannot be told from each other.
#[test]
fn chunks_of_other_shapes_and_types_are_errors() {
    for codec in codecs() {
        let chunk = chunk(&codec);
        for (data_type, shape) in
            [("int16", CHUNK), ("int64", CHUNK), ("int32", [400, 400]), ("int32", [417, 500])]
        {
            let store = Failing::new(metadata(&codec, data_type, shape), Some(&chunk));
            let array = Array::open(store, "/").unwrap();
            for part in [array.subset_all(), ArraySubset::new_with_ranges(&[200..203, 100..200])] {
                let found: Result<ArrayBytes<'static>, _> = array.retrieve_array_subset(&part);
                assert!(found.is_err(), "{codec} as {data_type} {shape:?}");
            }
        }
    }
}

/// Bytes that are no chunk, and a chunk that does not exist, which has the fill value.
#[test]
fn what_is_no_chunk_is_an_error() {
    for codec in codecs() {
        for bytes in [vec![], vec![0; 16], vec![0xFF; 1000], b"{\"zarr_format\": 3}".to_vec()] {
            let store = Failing::new(metadata(&codec, "int32", CHUNK), Some(&bytes));
            let array = Array::open(store, "/").unwrap();
            for part in parts() {
                assert!(read(&array, &part).is_err(), "{codec}: {} bytes", bytes.len());
            }
        }
        let array = Array::open(Failing::new(metadata(&codec, "int32", CHUNK), None), "/").unwrap();
        assert!(read(&array, &parts()[1]).unwrap() == [0; 300]);
    }
}
