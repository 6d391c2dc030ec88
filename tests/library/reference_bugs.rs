//! Faults of the reference's writers (FORMAT §11), which ours do not have.
#![cfg(all(feature = "write", feature = "lz4", feature = "zlib", feature = "zstd", feature = "filters"))]

use b2nd::array::ArrayParams;
use b2nd::chunk::{Body, CParams, Chunk, ChunkEncoder, ChunkFormat, Header, SpecialValue};
use b2nd::filter::{BITSHUFFLE, BYTEDELTA, DELTA, Filter, Pipeline, SHUFFLE, TRUNC_PREC};
use b2nd::frame::{FrameParams, Location};
use b2nd::sink::{Editor, Memory};
use b2nd::wire::WireChunk;
use b2nd::{DParams, Reader, Scratch, Selection};

fn cparams(typesize: u32, filters: &[(u8, u8)]) -> CParams {
    let mut pipeline = Pipeline::default();
    for (slot, &(id, meta)) in pipeline.slots.iter_mut().zip(filters) {
        *slot = Filter { id, meta };
    }
    CParams { typesize, filters: pipeline, blocksize: 4096, ..CParams::default() }
}

fn encode(cparams: CParams, plain: &[u8]) -> Vec<u8> {
    ChunkEncoder::new(cparams).encode(plain).unwrap()
}

fn decode(chunk: &[u8]) -> Vec<u8> {
    Chunk::new(chunk).unwrap().decode(&mut Scratch::default()).unwrap()
}

/// A slow walk of floats.
fn floats(count: u32) -> Vec<u8> {
    (0..count).flat_map(|n| (1.0 + n as f32 / 1000.0).to_le_bytes()).collect()
}

fn noise(len: u64) -> Vec<u8> {
    (0..len).map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as u8).collect()
}

#[test]
fn b1_three_filters_leave_the_input_as_it_is() {
    // Copied chunks of the reference have what its filters left of the input.
    for plain in [floats(5000), noise(20_000)] {
        let chunk = encode(cparams(4, &[(DELTA, 0), (SHUFFLE, 0), (BYTEDELTA, 4)]), &plain);
        assert!(decode(&chunk) == plain);
    }
}

#[test]
fn b5_delta_after_another_filter_refers_to_what_readers_have() {
    let plain = floats(5000);
    assert!(decode(&encode(cparams(4, &[(SHUFFLE, 0), (DELTA, 0)]), &plain)) == plain);
}

#[test]
fn b6_the_last_bytes_of_a_block_are_written() {
    let plain = noise(4096 * 3 + 7).iter().map(|byte| byte / 16).collect::<Vec<_>>();
    assert!(decode(&encode(cparams(4, &[(SHUFFLE, 0), (BYTEDELTA, 4)]), &plain)) == plain);
    // Readers lose them with DELTA.
    assert!(ChunkEncoder::new(cparams(4, &[(DELTA, 0)])).encode(&plain).is_err());
}

#[test]
fn b7_truncated_floats_before_delta_are_the_truncated_floats() {
    let plain = floats(5000);
    let kept = 10;
    let expected: Vec<u8> = plain
        .chunks_exact(4)
        .flat_map(|item| {
            (u32::from_le_bytes(item.try_into().unwrap()) >> (23 - kept) << (23 - kept)).to_le_bytes()
        })
        .collect();
    let chunk = encode(cparams(4, &[(TRUNC_PREC, kept), (DELTA, 0), (SHUFFLE, 0)]), &plain);
    assert!(decode(&chunk) == expected);
}

#[test]
fn b9_special_chunks_of_different_sizes_repeat_an_item() {
    let params = FrameParams { cparams: cparams(4, &[(SHUFFLE, 0)]), ..FrameParams::default() };
    let mut editor = Editor::create(Memory::default(), &params).unwrap();
    editor.append_special(SpecialValue::Uninit, 400, 2).unwrap();
    editor.append_repeated(&f32::NAN.to_le_bytes(), 400).unwrap();
    editor.append_chunk(&floats(1000)).unwrap();
    editor.append_chunk(&[0; 80]).unwrap();
    editor.commit().unwrap();
    let reader = Reader::open(editor.into_sink(), DParams::default()).unwrap();
    for nchunk in [0, 1, 2, 4] {
        let info = reader.chunk_info(nchunk).unwrap();
        assert!(matches!(info.location, Location::Stored { .. }));
        assert_eq!(info.special_value(), Some(SpecialValue::Repeat { width: 4 }));
    }
    assert_eq!(reader.chunk(4).unwrap(), [0; 80]);
}

#[test]
fn b10_bitshuffled_chunks_of_blosc1_have_whole_items() {
    let params = CParams { format: ChunkFormat::Blosc1, ..cparams(4, &[(BITSHUFFLE, 0)]) };
    assert!(ChunkEncoder::new(params.clone()).encode(&noise(1001)).is_err());
    let plain = floats(2000);
    assert!(decode(&encode(params, &plain)) == plain);
}

#[test]
fn b11_the_version_is_that_of_the_header() {
    let chunk = encode(CParams { format: ChunkFormat::Blosc1, ..cparams(4, &[(SHUFFLE, 0)]) }, &floats(2000));
    let header = WireChunk::parse(&chunk).unwrap();
    assert_eq!((header.version, header.len()), (2, 16));
}

#[test]
fn b12_what_is_cut_off_does_not_come_back() {
    let mut params = ArrayParams::new(&[10, 10], "|u1");
    (params.chunkshape, params.blockshape) = (Some(vec![4, 4]), Some(vec![2, 2]));
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    let items: Vec<u8> = (1..=100).collect();
    editor.set(Selection::all(), &items).unwrap();
    editor.resize(&[5, 5]).unwrap();
    editor.resize(&[10, 10]).unwrap();
    let expected: Vec<u8> = (0..100).map(|n| if n / 10 < 5 && n % 10 < 5 { items[n] } else { 0 }).collect();
    assert_eq!(editor.get(Selection::all()).unwrap(), expected);
}

#[test]
fn b13_zeros_with_a_part_of_an_item_are_no_special_chunk() {
    let header = |plain: &[u8]| Header::parse(&encode(cparams(8, &[(SHUFFLE, 0)]), plain)).unwrap();
    assert_eq!(header(&[0; 800]).body, Body::Special(SpecialValue::Zeros));
    assert!(!matches!(header(&[0; 801]).body, Body::Special(_)));
}

#[test]
fn b18_blocks_are_what_the_header_says() {
    let plain = floats(3000);
    let chunk = encode(CParams { typesize: 12, blocksize: 1000, ..cparams(12, &[(SHUFFLE, 0)]) }, &plain);
    let header = Header::parse(&chunk).unwrap();
    assert_eq!((header.blocksize, header.nblocks), (996, 13));
    assert!(decode(&chunk) == plain);
}

#[test]
fn b19_files_of_chunks_have_low_numbers() {
    let params = FrameParams { sparse: true, cparams: cparams(1, &[]), ..FrameParams::default() };
    let mut editor = Editor::create(Memory::default(), &params).unwrap();
    for n in 0..50 {
        editor.append_chunk(&noise(100 + n)[n as usize..]).unwrap();
    }
    editor.commit().unwrap();
    editor.remove_chunks(0..49).unwrap();
    editor.commit().unwrap();
    assert!(editor.into_sink().chunks().keys().all(|&file| file <= 100), "stored bytes without a header");
}
