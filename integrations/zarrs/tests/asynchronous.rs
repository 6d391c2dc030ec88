//! Parts of chunks from asynchronous inputs.
#![cfg(feature = "async")]

use b2nd::chunk::ChunkFormat;
use b2nd_zarrs::BloscCodec;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zarrs_codec::{
    ArrayBytesRaw, AsyncBytesPartialDecoderTraits, BytesRepresentation, BytesToBytesCodecTraits, CodecError,
    CodecOptions,
};
use zarrs_storage::StorageError;
use zarrs_storage::byte_range::{ByteRange, ByteRangeIterator, extract_byte_ranges};

/// Bytes, and how many of them were asked for.
struct Input(Vec<u8>, AtomicUsize);

#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
impl AsyncBytesPartialDecoderTraits for Input {
    async fn exists(&self) -> Result<bool, StorageError> {
        Ok(true)
    }

    fn size_held(&self) -> usize {
        0
    }

    async fn partial_decode_many<'a>(
        &'a self,
        ranges: ByteRangeIterator<'a>,
        _: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'a>>>, CodecError> {
        let parts = extract_byte_ranges(&self.0, ranges)?;
        self.1.fetch_add(parts.iter().map(Vec::len).sum(), Ordering::Relaxed);
        Ok(Some(parts.into_iter().map(Into::into).collect()))
    }

    fn supports_partial_decode(&self) -> bool {
        true
    }
}

#[test]
fn a_part_brings_only_its_blocks() {
    let json = r#"{ "cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "blocksize": 16384 }"#;
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as u8
    };
    let plain: Vec<u8> = (0..800_000).map(|_| noise()).collect();
    for format in [ChunkFormat::Blosc1, ChunkFormat::Blosc2] {
        let codec = Arc::new(BloscCodec::new(format, serde_json::from_str(json).unwrap()).unwrap());
        let chunk = codec.encode(plain.as_slice().into(), &CodecOptions::default()).unwrap().into_owned();
        let stored = chunk.len();
        let input = Arc::new(Input(chunk, AtomicUsize::new(0)));
        let size = BytesRepresentation::FixedSize(plain.len() as u64);
        let options = CodecOptions::default();
        let part = pollster::block_on(async {
            let parts = codec.async_partial_decoder(input.clone(), &size, &options).await.unwrap();
            parts
                .partial_decode(ByteRange::from(400_000..400_100), &options)
                .await
                .unwrap()
                .unwrap()
                .into_owned()
        });
        assert!(part == plain[400_000..400_100]);
        let read = input.1.load(Ordering::Relaxed);
        assert!(read < stored / 20, "{read} of {stored} bytes");
    }
}
