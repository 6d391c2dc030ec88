//! Chunks are exchanged with C-Blosc, which zarrs' own codec is; parts of them are those of the whole; damage is an error.

use b2nd::chunk::ChunkFormat;
use b2nd_zarrs::BloscCodec;
use std::borrow::Cow;
use std::sync::Arc;
use zarrs_codec::{BytesRepresentation, BytesToBytesCodecTraits, CodecError, CodecOptions};
use zarrs_metadata_ext::codec::blosc::BloscCodecConfigurationV1;
use zarrs_storage::byte_range::ByteRange;

const NAMES: [&str; 6] = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];
const SHUFFLES: [&str; 3] = ["noshuffle", "shuffle", "bitshuffle"];
const FORMATS: [ChunkFormat; 2] = [ChunkFormat::Blosc1, ChunkFormat::Blosc2];

fn configuration(cname: &str, shuffle: &str, typesize: usize, blocksize: usize) -> BloscCodecConfigurationV1 {
    let json = format!(
        r#"{{ "cname": "{cname}", "clevel": 5, "shuffle": "{shuffle}", "typesize": {typesize}, "blocksize": {blocksize} }}"#
    );
    serde_json::from_str(&json).unwrap()
}

/// Numbers that grow slowly, with some noise.
fn plain(len: usize) -> Vec<u8> {
    let items = (0..len as u32)
        .map(|at| (at.wrapping_mul(at) / 700).wrapping_add(at.wrapping_mul(2_654_435_761) >> 29));
    items.flat_map(u32::to_le_bytes).take(len).collect()
}

fn decoded(codec: &dyn BytesToBytesCodecTraits, chunk: &[u8], len: usize) -> Result<Vec<u8>, CodecError> {
    let size = BytesRepresentation::FixedSize(len as u64);
    codec.decode(Cow::Borrowed(chunk), &size, &CodecOptions::default()).map(Cow::into_owned)
}

/// In WebAssembly zarrs' own codec is not C.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn c_blosc_decodes_what_is_encoded_and_the_other_way_round() {
    for cname in NAMES {
        for shuffle in SHUFFLES {
            for (typesize, len) in [(1, 999), (2, 5000), (4, 4003), (4, 400_000), (8, 1_600_000), (300, 9000)]
            {
                let configuration = configuration(cname, shuffle, typesize, 0);
                let what = format!("{configuration}, {len} bytes");
                let ours = BloscCodec::new(ChunkFormat::Blosc1, configuration.clone()).unwrap();
                let v1 = zarrs_metadata_ext::codec::blosc::BloscCodecConfiguration::V1(configuration);
                let theirs =
                    zarrs::array::codec::bytes_to_bytes::blosc::BloscCodec::new_with_configuration(&v1)
                        .unwrap();
                let (plain, options) = (plain(len), CodecOptions::default());
                let of_ours = ours.encode(Cow::Borrowed(&plain), &options).unwrap();
                assert!(decoded(&theirs, &of_ours, len).unwrap() == plain, "{what}");
                let of_theirs = theirs.encode(Cow::Borrowed(&plain), &options).unwrap();
                // Of parts of items it does not decode what it encodes itself, and we shuffle bytes instead.
                if len.is_multiple_of(typesize) || shuffle != "bitshuffle" {
                    assert!(decoded(&ours, &of_theirs, len).unwrap() == plain, "{what}");
                }
                assert!(decoded(&ours, &of_ours, len + 1).is_err(), "{what}");
            }
        }
    }
}

/// Each codec and filter of both formats, with its chunk.
fn chunks(len: usize) -> impl Iterator<Item = (Arc<BloscCodec>, Vec<u8>)> {
    let all = FORMATS.into_iter().flat_map(|format| NAMES.map(|cname| (format, cname)));
    let all = all.flat_map(|(format, cname)| SHUFFLES.map(|shuffle| (format, cname, shuffle)));
    all.filter(|&(format, cname, _)| format == ChunkFormat::Blosc1 || cname != "snappy").map(
        move |(format, cname, shuffle)| {
            let codec = BloscCodec::new(format, configuration(cname, shuffle, 4, 16 << 10)).unwrap();
            let chunk = codec.encode(plain(len).into(), &CodecOptions::default()).unwrap().into_owned();
            (Arc::new(codec), chunk)
        },
    )
}

fn ranges() -> Vec<ByteRange> {
    let within = [0..1, 16_383..16_385, 500_000..500_400, 3..3, 500_100..500_200, 250_000..330_000];
    let open = [ByteRange::FromStart(799_990, None), ByteRange::Suffix(7)];
    within.into_iter().map(ByteRange::from).chain(open).collect()
}

#[test]
fn parts_are_those_of_the_whole() {
    const LEN: usize = 800_000;
    let plain = plain(LEN);
    for (codec, chunk) in chunks(LEN) {
        let size = BytesRepresentation::FixedSize(LEN as u64);
        let input = Arc::new(Cow::<'static, [u8]>::Owned(chunk.clone()));
        let parts = codec.clone().partial_decoder(input, &size, &CodecOptions::default()).unwrap();
        for wanted in [ranges(), vec![ByteRange::FromStart(0, None)], vec![ByteRange::from(7..700_000)]] {
            let found = parts
                .partial_decode_many(Box::new(wanted.clone().into_iter()), &CodecOptions::default())
                .unwrap()
                .unwrap();
            for (found, wanted) in found.iter().zip(&wanted) {
                assert!(**found == plain[wanted.to_range_usize(LEN as u64)], "{codec:?}, {wanted}");
            }
        }
        let beyond = parts.partial_decode(ByteRange::from(0..LEN as u64 + 1), &CodecOptions::default());
        assert!(matches!(beyond, Err(CodecError::InvalidByteRangeError(_))));
    }
}

/// Any byte of the head and some of the rest: an error or other bytes, as many as were wanted.
#[test]
fn damage_is_an_error_or_other_bytes() {
    const LEN: usize = 100_000;
    let size = BytesRepresentation::FixedSize(LEN as u64);
    for (codec, chunk) in chunks(LEN) {
        for at in (0..64).chain((64..chunk.len()).step_by(4999)) {
            for value in [0, 0x7F, 0xFF] {
                let mut damaged = chunk.clone();
                damaged[at] = value;
                let input = Arc::new(Cow::<'static, [u8]>::Owned(damaged.clone()));
                let parts = codec.clone().partial_decoder(input, &size, &CodecOptions::default()).unwrap();
                let part = parts.partial_decode(ByteRange::from(30_000..50_000), &CodecOptions::default());
                assert!(part.is_err() || part.is_ok_and(|part| part.unwrap().len() == 20_000));
                assert!(decoded(&*codec, &damaged, LEN).map_or(true, |all| all.len() == LEN));
            }
        }
        for len in [0, 1, 15, 16, 17, 31, 40, chunk.len() - 1] {
            assert!(decoded(&*codec, &chunk[..len], LEN).is_err(), "{len} bytes of {codec:?}");
        }
    }
}

#[test]
fn refuses_what_cannot_be() {
    let new = |format, cname, shuffle, typesize| {
        BloscCodec::new(format, configuration(cname, shuffle, typesize, 0)).is_ok()
    };
    assert!(new(ChunkFormat::Blosc1, "snappy", "noshuffle", 0));
    assert!(!new(ChunkFormat::Blosc2, "snappy", "noshuffle", 0));
    assert!(!new(ChunkFormat::Blosc1, "lz4", "shuffle", 0));
}
