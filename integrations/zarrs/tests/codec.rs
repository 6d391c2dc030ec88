//! The tests that zarrs has for its own codec `blosc`, with this crate's in its place.

use b2nd_zarrs::{BloscCodec, ChunkFormat};
use std::borrow::Cow;
use std::sync::Arc;
use zarrs::array::{Array, ArrayBuilder, ArraySubset, data_type};
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits};
use zarrs_codec::{
    BytesPartialDecoderTraits, BytesRepresentation, BytesToBytesCodecTraits, Codec, CodecMetadataOptions,
    CodecOptions, CodecTraits,
};
use zarrs_metadata::v3::MetadataV3;
use zarrs_metadata_ext::codec::blosc::BloscCodecConfigurationV1;
use zarrs_plugin::{ExtensionName, ZarrVersion};
use zarrs_storage::byte_range::ByteRange;

/// Items and filter of a configuration; the rest does not matter to these tests.
const SHUFFLES: [&str; 4] = [
    r#""shuffle": "noshuffle""#,
    r#""shuffle": "noshuffle", "typesize": 2"#,
    r#""shuffle": "shuffle", "typesize": 2"#,
    r#""shuffle": "bitshuffle", "typesize": 2"#,
];

fn codec(format: ChunkFormat, cname: &str, clevel: u8, shuffle: &str) -> Option<Arc<BloscCodec>> {
    let json = format!(r#"{{ "cname": "{cname}", "clevel": {clevel}, {shuffle}, "blocksize": 0 }}"#);
    let configuration: BloscCodecConfigurationV1 = serde_json::from_str(&json).unwrap();
    BloscCodec::new(format, configuration).ok().map(Arc::new)
}

fn bytes(items: impl IntoIterator<Item = u16>) -> Vec<u8> {
    items.into_iter().flat_map(u16::to_ne_bytes).collect()
}

#[test]
fn few_items_are_decoded_as_they_were_encoded() {
    let plain = bytes(0..32);
    let size = BytesRepresentation::FixedSize(plain.len() as u64);
    for cname in ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"] {
        for clevel in 0..=9 {
            for shuffle in SHUFFLES {
                let codec = codec(ChunkFormat::Blosc1, cname, clevel, shuffle).unwrap();
                let encoded = codec.encode(Cow::Borrowed(&plain), &CodecOptions::default()).unwrap();
                let decoded = codec.decode(encoded, &size, &CodecOptions::default()).unwrap();
                assert!(*decoded == plain, "{cname} {clevel} {shuffle}");
            }
        }
    }
}

#[test]
fn a_shuffle_without_typesize_is_refused() {
    for format in [ChunkFormat::Blosc1, ChunkFormat::Blosc2] {
        for shuffle in ["shuffle", "bitshuffle"] {
            for typesize in ["", r#", "typesize": 0"#] {
                let shuffle = format!(r#""shuffle": "{shuffle}"{typesize}"#);
                assert!(codec(format, "lz4", 4, &shuffle).is_none(), "{shuffle}");
            }
        }
    }
}

/// The places of a box of 2 × 1 × 1 items in a chunk of 2 × 2 × 2: the items 2 and 6.
const BOX: [std::ops::Range<u64>; 2] = [4..6, 12..14];

#[test]
fn a_box_of_few_items_is_decoded() {
    let plain = bytes(0..8);
    let size = BytesRepresentation::FixedSize(plain.len() as u64);
    let options = CodecOptions::default();
    for shuffle in SHUFFLES {
        let codec = codec(ChunkFormat::Blosc1, "lz4", 4, shuffle).unwrap();
        let chunk = Arc::new(Cow::<'static, [u8]>::Owned(
            codec.encode(Cow::Borrowed(&plain), &options).unwrap().into_owned(),
        ));
        let parts = codec.partial_decoder(chunk.clone(), &size, &options).unwrap();
        assert_eq!(parts.size_held(), chunk.size_held(), "nothing is read before it is asked for");
        let ranges = BOX.map(ByteRange::from).into_iter();
        let found = parts.partial_decode_many(Box::new(ranges), &options).unwrap().unwrap();
        assert_eq!(found.concat(), bytes([2, 6]), "{shuffle}");
    }
}

#[cfg(feature = "async")]
#[test]
fn a_box_of_few_items_is_decoded_asynchronously() {
    use zarrs_codec::AsyncBytesPartialDecoderTraits;

    let plain = bytes(0..8);
    let size = BytesRepresentation::FixedSize(plain.len() as u64);
    let options = CodecOptions::default();
    for shuffle in SHUFFLES {
        let codec = codec(ChunkFormat::Blosc1, "lz4", 4, shuffle).unwrap();
        let chunk: Arc<dyn AsyncBytesPartialDecoderTraits> = Arc::new(Cow::<'static, [u8]>::Owned(
            codec.encode(Cow::Borrowed(&plain), &options).unwrap().into_owned(),
        ));
        let found = pollster::block_on(async {
            let parts = codec.async_partial_decoder(chunk, &size, &options).await.unwrap();
            let ranges = BOX.map(ByteRange::from).into_iter();
            parts.partial_decode_many(Box::new(ranges), &options).await.unwrap().unwrap().concat()
        });
        assert_eq!(found, bytes([2, 6]), "{shuffle}");
    }
}

/// In the metadata of both versions of Zarr.
#[test]
fn the_configuration_is_written_as_it_was_read() {
    b2nd_zarrs::register();
    let json = r#"{ "name": "blosc", "configuration": { "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 2, "blocksize": 0 } }"#;
    let metadata: MetadataV3 = serde_json::from_str(json).unwrap();
    let Codec::BytesToBytes(codec) = Codec::from_metadata(&metadata).unwrap() else { panic!("{json}") };
    let codec: &BloscCodec = codec.as_any().downcast_ref().expect("this crate's codec");
    let configuration = |version| {
        let configuration = codec.configuration(version, &CodecMetadataOptions::default()).unwrap();
        serde_json::to_value(configuration).unwrap()
    };
    assert_eq!(codec.name(ZarrVersion::V3).as_deref(), Some("blosc"));
    assert_eq!(configuration(ZarrVersion::V3), serde_json::to_value(metadata.configuration()).unwrap());
    let numcodecs = serde_json::json!({ "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0 });
    assert_eq!(configuration(ZarrVersion::V2), numcodecs);
}

/// A chain of codecs: `bytes`, `blosc`, a checksum behind it; within shards, and without.
#[test]
fn arrays_of_a_chain_of_codecs_are_read_in_parts() {
    b2nd_zarrs::register();
    let blosc = r#"{ "name": "blosc", "configuration": { "cname": "zstd", "clevel": 3, "shuffle": "bitshuffle", "typesize": 2, "blocksize": 256 } }"#;
    let chain = format!(
        r#"[{{ "name": "bytes", "configuration": {{ "endian": "big" }} }}, {blosc}, {{ "name": "crc32c" }}]"#
    );
    let shards = format!(
        r#"[{{ "name": "sharding_indexed", "configuration": {{ "chunk_shape": [20, 30], "codecs": {chain}, "index_codecs":
            [{{ "name": "bytes", "configuration": {{ "endian": "little" }} }}, {{ "name": "crc32c" }}] }} }}]"#
    );
    for codecs in [chain, shards] {
        let metadata = format!(
            r#"{{ "zarr_format": 3, "node_type": "array", "shape": [70, 50], "data_type": "uint16", "fill_value": 7,
            "chunk_grid": {{ "name": "regular", "configuration": {{ "chunk_shape": [40, 30] }} }},
            "chunk_key_encoding": {{ "name": "default" }}, "codecs": {codecs} }}"#
        );
        let store = Arc::new(MemoryStore::new());
        store.set(&StoreKey::new("zarr.json").unwrap(), metadata.into_bytes().into()).unwrap();
        let array = Array::open(store, "/").unwrap();
        let items: Vec<u16> = (0..3500_u32).map(|at| (at * at / 90) as u16).collect();
        array.store_array_subset(&array.subset_all(), &items).unwrap();
        let found: Vec<u16> = array.retrieve_array_subset(&array.subset_all()).unwrap();
        assert!(found == items);
        let part = ArraySubset::new_with_ranges(&[35..45, 25..35]);
        let found: Vec<u16> = array.retrieve_array_subset(&part).unwrap();
        let expected = (35..45).flat_map(|row| (25..35).map(move |column| row * 50 + column));
        assert!(found.into_iter().eq(expected.map(|at: usize| items[at])));
    }
}

/// Arrays of Zarr 2 in both orders, whose codec has no `typesize`: zarrs takes its own for them and passes it the size of items.
#[test]
fn arrays_of_zarr_2_are_read_and_written() {
    b2nd_zarrs::register();
    for order in ["C", "F"] {
        let metadata = format!(
            r#"{{ "zarr_format": 2, "shape": [60, 50], "chunks": [60, 20], "dtype": "<f4", "fill_value": 0, "order": "{order}",
            "compressor": {{ "id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0 }}, "filters": null }}"#
        );
        let store = Arc::new(MemoryStore::new());
        store.set(&StoreKey::new(".zarray").unwrap(), metadata.into_bytes().into()).unwrap();
        let Ok(array) = Array::open(store, "/") else {
            assert_eq!(order, "F", "zarrs needs its feature `transpose` for that one only");
            continue;
        };
        let items: Vec<f32> = (0..3000).map(|at| (at / 7) as f32).collect();
        array.store_array_subset(&array.subset_all(), &items).unwrap();
        let found: Vec<f32> = array.retrieve_array_subset(&array.subset_all()).unwrap();
        assert!(found == items, "{order}");
    }
}

/// zarrs' own codec reads the whole chunk.
#[test]
fn it_is_this_codec_that_arrays_have() {
    b2nd_zarrs::register();
    let store = Arc::new(PerformanceMetricsStorageAdapter::new(Arc::new(MemoryStore::new())));
    let codec = codec(ChunkFormat::Blosc1, "zlib", 1, r#""shuffle": "noshuffle""#).unwrap();
    let array = ArrayBuilder::new(vec![1 << 20], vec![1 << 20], data_type::uint8(), 0_u8)
        .bytes_to_bytes_codecs(vec![codec])
        .build(store.clone(), "/array")
        .unwrap();
    array.store_metadata().unwrap();
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 27) as u8
    };
    let items: Vec<u8> = (0..1 << 20).map(|_| noise()).collect();
    array.store_chunk(&[0], &items).unwrap();
    let (array, before) = (Array::open(store.clone(), "/array").unwrap(), store.bytes_read());
    let part = ArraySubset::new_with_start_shape(vec![5000], vec![3]).unwrap();
    let found: Vec<u8> = array.retrieve_array_subset(&part).unwrap();
    assert_eq!(found, items[5000..5003]);
    let stored = store.size_key(&StoreKey::new("array/c/0").unwrap()).unwrap().unwrap() as usize;
    let read = store.bytes_read() - before;
    assert!(read < stored / 2, "{read} of {stored} bytes");
}
