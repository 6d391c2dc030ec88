//! A slice of 1 % of a chunk of 100 MB brings less than a twentieth of its bytes: counted, of all three codecs, also inside shards.

use std::sync::Arc;
use zarrs::array::{Array, ArraySubset};
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableStorageTraits, ReadableWritableStorageTraits, StoreKey, WritableStorageTraits};

/// Items of a chunk: 100 MB of `float32`.
const CHUNK: [usize; 2] = [10_000, 2500];
/// The codecs before those of bytes.
const BYTES: &str = r#"{ "name": "bytes", "configuration": { "endian": "little" } }, "#;
const SHUFFLED: &str =
    r#"{ "cname": "zstd", "clevel": 1, "shuffle": "shuffle", "typesize": 4, "blocksize": 0 }"#;
const BITS: &str =
    r#"{ "cname": "lz4", "clevel": 5, "shuffle": "bitshuffle", "typesize": 4, "blocksize": 0 }"#;
const BLOCKS: &str = r#"{ "block_shape": [100, 125], "endian": "little", "cname": "lz4", "clevel": 5, "filters": ["shuffle"] }"#;

fn chain(name: &str, configuration: &str) -> String {
    let bytes = if name == "b2nd" { "" } else { BYTES };
    format!(r#"[{bytes}{{ "name": "{name}", "configuration": {configuration} }}]"#)
}

/// The chain within shards, of which each chunk is one.
fn sharded(chain: &str) -> String {
    format!(
        r#"[{{ "name": "sharding_indexed", "configuration": {{ "chunk_shape": {CHUNK:?}, "codecs": {chain}, "index_codecs":
            [{{ "name": "bytes", "configuration": {{ "endian": "little" }} }}, {{ "name": "crc32c" }}] }} }}]"#
    )
}

type Store = Arc<PerformanceMetricsStorageAdapter<MemoryStore>>;

fn array(codecs: &str) -> (Array<dyn ReadableWritableStorageTraits>, Store) {
    b2nd_zarrs::register();
    let metadata = format!(
        r#"{{ "zarr_format": 3, "node_type": "array", "shape": {CHUNK:?}, "data_type": "float32", "fill_value": -1,
        "chunk_grid": {{ "name": "regular", "configuration": {{ "chunk_shape": {CHUNK:?} }} }},
        "chunk_key_encoding": {{ "name": "default" }}, "codecs": {codecs} }}"#
    );
    let store = Arc::new(PerformanceMetricsStorageAdapter::new(Arc::new(MemoryStore::new())));
    store.set(&StoreKey::new("zarr.json").unwrap(), metadata.into_bytes().into()).unwrap();
    (Array::open(store.clone() as Arc<dyn ReadableWritableStorageTraits>, "/").unwrap(), store)
}

/// Rows of noise, each of another amount.
fn items() -> Vec<f32> {
    let noise: Vec<u32> = (0..CHUNK[1] as u32).map(|at| at.wrapping_mul(2_654_435_761) >> 20).collect();
    (0..CHUNK[0] as u32).flat_map(|row| noise.iter().map(move |noise| (row * 7 + noise) as f32)).collect()
}

#[test]
fn a_hundredth_of_a_chunk_brings_less_than_a_twentieth() {
    let items = items();
    // Rows next to each other, since blocks of bytes are; a box in blocks of n dimensions.
    let (rows, square) = ([6000..6100, 0..2500], [5900..6900, 1300..1550]);
    for (name, configuration, part) in [
        ("blosc", SHUFFLED, &rows),
        ("blosc", BITS, &rows),
        ("blosc2", SHUFFLED, &rows),
        ("b2nd", BLOCKS, &square),
    ] {
        let chain = chain(name, configuration);
        let (plain, store) = array(&chain);
        plain.store_chunk(&[0, 0], &items).unwrap();
        let chunk = store.get(&StoreKey::new("c/0/0").unwrap()).unwrap().unwrap();
        check(&plain, &store, &items, part, &chain);
        // The same chunk as one of a shard: its bytes, and an index of its place with a checksum.
        let (shard, store) = array(&sharded(&chain));
        let places = [0, chunk.len() as u64].map(u64::to_le_bytes).concat();
        let checksum = crc32c(&places).to_le_bytes();
        let bytes = [&chunk[..], &places, &checksum].concat();
        store.set(&StoreKey::new("c/0/0").unwrap(), bytes.into()).unwrap();
        check(&shard, &store, &items, part, &sharded(&chain));
    }
}

fn check(
    array: &Array<dyn ReadableWritableStorageTraits>,
    store: &Store,
    items: &[f32],
    part: &[std::ops::Range<u64>; 2],
    what: &str,
) {
    let stored = store.size_key(&StoreKey::new("c/0/0").unwrap()).unwrap().unwrap() as usize;
    let (before, reads) = (store.bytes_read(), store.reads());
    let found: Vec<f32> = array.retrieve_array_subset(&ArraySubset::new_with_ranges(part)).unwrap();
    let (read, reads) = (store.bytes_read() - before, store.reads() - reads);
    println!("{read} of {stored} bytes in {reads} reads: {what}");
    let columns = part[1].start as usize..part[1].end as usize;
    let rows = part[0].clone().map(|row| &items[row as usize * CHUNK[1]..][columns.clone()]);
    assert!(found.chunks(columns.len()).eq(rows), "{what}");
    assert!(read * 20 < stored, "{read} of {stored} bytes: {what}");
}

/// The checksum of the index, bit by bit.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| sum >> 1 ^ if sum & 1 == 1 { 0x82F6_3B78 } else { 0 })
    })
}
