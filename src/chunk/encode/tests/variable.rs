//! Blocks that vary in length.

use super::*;

#[test]
fn blocks_of_any_length_are_read() {
    let mut random = Random(61);
    let mut encoder = ChunkEncoder::default();
    let mut pipelines: Vec<&[(u8, i8)]> = vec![&[], &[(SHUFFLE, 0)]];
    if cfg!(feature = "filters") {
        pipelines.extend([
            &[(BITSHUFFLE, 0)][..],
            &[(SHUFFLE, 0), (BYTEDELTA, 0)],
            &[(SHUFFLE, 2), (0, 0), (SHUFFLE, 0)],
        ]);
    }
    for codec in codecs() {
        for filters in &pipelines {
            for clevel in [0, 1, 5] {
                for typesize in [1, 4, 8, 300] {
                    let filters = pipeline(filters);
                    encoder.cparams = CParams { codec, clevel, typesize, filters, ..CParams::default() };
                    let lens = (0..1 + random.next() % 9)
                        .map(|_| 1 + random.next() % [9, 300, 20_000][random.next() % 3]);
                    let blocks: Vec<Vec<u8>> = lens
                        .collect::<Vec<_>>()
                        .into_iter()
                        .map(|len| random.items(typesize as usize, len))
                        .collect();
                    let blocks: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
                    let bytes = encoder.encode_blocks(&blocks).unwrap();
                    let what = (&encoder.cparams, blocks.len());
                    let plain = blocks.concat();
                    assert!(bytes.len() <= 32 + 8 * blocks.len() + plain.len(), "{what:?}");
                    let header = Header::parse(&bytes).unwrap();
                    assert_eq!((header.version, header.body), (6, Body::VlBlocks), "{what:?}");
                    assert_eq!(
                        (header.nblocks as usize, header.cbytes as usize),
                        (blocks.len(), bytes.len())
                    );
                    let context = Context { itemsize: typesize, ..Context::default() };
                    let chunk = Chunk::with_context(&bytes, context).unwrap();
                    let mut scratch = Scratch::default();
                    assert!(chunk.decode(&mut scratch).unwrap() == plain, "{what:?}");
                    let last = blocks.len() - 1;
                    assert!(chunk.block(last as u32, &mut scratch).unwrap() == blocks[last], "{what:?}");
                }
            }
        }
    }
}

/// The reference copies such a chunk from a null pointer (B15).
#[test]
fn noise_is_stored_block_by_block() {
    let mut random = Random(62);
    let noise: Vec<u8> = (0..9000).map(|_| random.next() as u8).collect();
    let blocks = [&noise[..1], &noise[1..4000], &noise[4000..]];
    let bytes =
        ChunkEncoder::new(CParams { typesize: 1, ..CParams::default() }).encode_blocks(&blocks).unwrap();
    assert_eq!(bytes.len(), 32 + 3 * 8 + 9000);
    assert_eq!(Chunk::new(&bytes).unwrap().decode(&mut Scratch::default()).unwrap(), noise);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |cparams, blocks: &[&[u8]]| ChunkEncoder::new(cparams).encode_blocks(blocks).unwrap_err();
    let parameter = |name, value| ArgumentError::Parameter { name, value }.into();
    let default = CParams::default;
    assert_eq!(refused(default(), &[]), parameter("nblocks", 0));
    assert_eq!(refused(default(), &[b"one", b""]), parameter("blocksize", 0));
    assert_eq!(refused(CParams { clevel: 11, ..default() }, &[b"one"]), parameter("clevel", 11));
    let blosc1 = CParams { format: ChunkFormat::Blosc1, ..default() };
    assert_eq!(refused(blosc1, &[b"one"]), parameter("format", 1));
    let delta = CParams { filters: pipeline(&[(DELTA, 0)]), ..default() };
    assert_eq!(refused(delta, &[&[1; 80]]), ArgumentError::Inapplicable(DELTA).into());
}
