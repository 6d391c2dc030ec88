//! Arrays of zarrs, of which a slice brings only its blocks.

use std::sync::Arc;
use zarrs::array::{Array, ArraySubset};
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableWritableStorageTraits, StoreKey, WritableStorageTraits};

const CHUNK: u64 = 1000;

/// An array of 2 × 1 chunks of a million numbers, with this codec.
fn array(
    codec: &str,
) -> (Array<dyn ReadableWritableStorageTraits>, Arc<PerformanceMetricsStorageAdapter<MemoryStore>>) {
    b2nd_zarrs::register();
    let metadata = format!(
        r#"{{
            "zarr_format": 3, "node_type": "array", "shape": [{}, {CHUNK}], "data_type": "float32", "fill_value": 0,
            "chunk_grid": {{ "name": "regular", "configuration": {{ "chunk_shape": [{CHUNK}, {CHUNK}] }} }},
            "chunk_key_encoding": {{ "name": "default" }},
            "codecs": [{{ "name": "bytes", "configuration": {{ "endian": "little" }} }}, {codec}]
        }}"#,
        2 * CHUNK
    );
    let store = Arc::new(PerformanceMetricsStorageAdapter::new(Arc::new(MemoryStore::new())));
    store.set(&StoreKey::new("zarr.json").unwrap(), metadata.into_bytes().into()).unwrap();
    let array = Array::open(store.clone() as Arc<dyn ReadableWritableStorageTraits>, "/").unwrap();
    (array, store)
}

fn value(row: u64, column: u64) -> f32 {
    (row as f32 / 50.0).sin() * 100.0 + column as f32
}

#[test]
fn a_slice_brings_only_its_blocks() {
    for name in ["blosc", "blosc2"] {
        for codec in [
            r#"{ "cname": "zstd", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 65536 }"#,
            r#"{ "cname": "lz4", "clevel": 5, "shuffle": "bitshuffle", "typesize": 4, "blocksize": 65536 }"#,
            r#"{ "cname": "zlib", "clevel": 0, "blocksize": 65536 }"#,
        ] {
            let (array, store) = array(&format!(r#"{{ "name": "{name}", "configuration": {codec} }}"#));
            let items: Vec<f32> =
                (0..CHUNK).flat_map(|row| (0..CHUNK).map(move |column| value(row, column))).collect();
            array.store_chunk(&[0, 0], &items).unwrap();
            let written = store.bytes_written();
            let before = (store.bytes_read(), store.reads());
            let slice = ArraySubset::new_with_ranges(&[500..503, 100..200]);
            let found: Vec<f32> = array.retrieve_array_subset(&slice).unwrap();
            let expected = (500..503).flat_map(|row| (100..200).map(move |column| value(row, column)));
            assert!(found == expected.collect::<Vec<_>>(), "{name} {codec}");
            let (bytes, reads) = (store.bytes_read() - before.0, store.reads() - before.1);
            println!("{name} {codec}: {bytes} of {written} bytes in {reads} reads");
            assert!(bytes < written / 20, "{name} {codec}: {bytes} of {written} bytes");
            // A chunk that does not exist.
            let nothing: Vec<f32> =
                array.retrieve_array_subset(&ArraySubset::new_with_ranges(&[1500..1501, 3..5])).unwrap();
            assert_eq!(nothing, [0.0; 2]);
        }
    }
}

/// The codec of each is written to the metadata as it was read.
#[test]
fn metadata_stays() {
    let codec = r#"{ "name": "blosc2", "configuration": { "cname": "zstd", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0 } }"#;
    let (array, _) = array(codec);
    let text = serde_json::to_value(array.metadata()).unwrap();
    assert_eq!(text["codecs"][1], serde_json::from_str::<serde_json::Value>(codec).unwrap());
}

/// Codecs as zarrs passes them for arrays of Zarr 2 without its feature `blosc`, and codecs that numcodecs names.
#[test]
fn configurations_of_numcodecs_are_read() {
    b2nd_zarrs::register();
    let configuration = r#"{ "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0 }"#;
    for name in ["blosc", "numcodecs.blosc"] {
        let json = format!(r#"{{ "name": "{name}", "configuration": {configuration} }}"#);
        let metadata = serde_json::from_str::<zarrs_metadata::v3::MetadataV3>(&json).unwrap();
        assert!(zarrs_codec::Codec::from_metadata(&metadata).is_ok(), "{name}");
    }
}
