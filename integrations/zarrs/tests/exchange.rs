//! Random chunks of numcodecs (C-Blosc 1) are decoded, and what is encoded of the same bytes is decoded by it and by C-Blosc2.
#![cfg(not(target_arch = "wasm32"))]

use b2nd_zarrs::{BloscCodec, ChunkFormat};
use std::borrow::Cow;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use zarrs_codec::{BytesRepresentation, BytesToBytesCodecTraits, CodecOptions};
use zarrs_metadata_ext::codec::blosc::BloscCodecConfigurationV1;
use zarrs_storage::byte_range::ByteRange;

fn python(what: &str, folder: &Path, count: usize) {
    let python =
        std::env::var_os("B2ND_PYTHON").expect("B2ND_PYTHON names a Python with numcodecs and blosc2");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exchange.py");
    let mut command = Command::new(python);
    command.args([script, what]).arg(folder).arg(count.to_string());
    assert!(command.status().expect("Python").success());
}

/// `B2ND_CHUNKS` says how many.
#[test]
#[ignore = "takes a Python with numcodecs and blosc2: B2ND_PYTHON=… cargo test -- --ignored"]
fn random_chunks_are_exchanged() {
    let count = std::env::var("B2ND_CHUNKS").map_or(200, |count| count.parse().unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exchange");
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    python("write", &folder, count);
    let (cases, options) =
        (std::fs::read_to_string(folder.join("cases.jsonl")).unwrap(), CodecOptions::default());
    assert_eq!(cases.lines().count(), count);
    for (number, case) in cases.lines().enumerate() {
        let file = |extension: &str| folder.join(format!("{number}.{extension}"));
        let (plain, chunk) = (std::fs::read(file("plain")).unwrap(), std::fs::read(file("chunk")).unwrap());
        let configuration: BloscCodecConfigurationV1 = serde_json::from_str(case).unwrap();
        let new = |format| Arc::new(BloscCodec::new(format, configuration.clone()).unwrap());
        let (codec, size) = (new(ChunkFormat::Blosc1), BytesRepresentation::FixedSize(plain.len() as u64));
        assert!(*codec.decode(Cow::Borrowed(&chunk), &size, &options).unwrap() == plain, "{number}: {case}");
        let middle = plain.len() / 3..plain.len() / 2;
        let parts =
            codec.clone().partial_decoder(Arc::new(Cow::<[u8]>::Owned(chunk)), &size, &options).unwrap();
        let range = ByteRange::from(middle.start as u64..middle.end as u64);
        let part = parts.partial_decode(range, &options).unwrap().unwrap();
        assert!(*part == plain[middle], "{number}, the middle: {case}");
        for (codec, extension) in [(codec, "blosc"), (new(ChunkFormat::Blosc2), "blosc2")] {
            let chunk = codec.encode(Cow::Borrowed(&plain), &options).unwrap();
            std::fs::write(file(extension), chunk).unwrap();
        }
    }
    python("read", &folder, count);
    std::fs::remove_dir_all(&folder).unwrap();
}
