//! Arrays copied with other parameters, concatenated and stacked, against items computed here.
#![cfg(all(feature = "write", feature = "lz4", feature = "zlib", feature = "zstd", feature = "filters"))]

use b2nd::array::ArrayParams;
use b2nd::chunk::CParams;
use b2nd::codec::Codec;
use b2nd::frame::FrameParams;
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Reader, Selection};

fn array(shape: &[u64], chunks: &[u32], blocks: &[u32], start: u16) -> Memory {
    let mut params = ArrayParams::new(shape, "<u2");
    (params.chunkshape, params.blockshape) = (Some(chunks.to_vec()), Some(blocks.to_vec()));
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.set(Selection::all(), &items(shape.iter().product(), start)).unwrap();
    editor.set_attr_bytes("unit", b"\xa1m").unwrap();
    editor.commit().unwrap();
    editor.into_sink()
}

fn items(count: u64, start: u16) -> Vec<u8> {
    (0..count as u16).flat_map(|n| (n + start).to_le_bytes()).collect()
}

fn open(memory: &Memory) -> Reader<&Memory> {
    Reader::open(memory, DParams::default()).unwrap()
}

fn committed(mut editor: Editor<Memory>) -> Memory {
    editor.commit().unwrap();
    editor.into_sink()
}

/// The bytes of a chunk, as stored.
fn stored(memory: &Memory, nchunk: u64) -> Vec<u8> {
    let reader = open(memory);
    let info = reader.chunk_info(nchunk).unwrap();
    let b2nd::frame::Location::Stored { offset, .. } = info.location else { panic!("a stored chunk") };
    memory.clone().into_bytes()[offset as usize..][..info.header.cbytes as usize].to_vec()
}

#[test]
fn a_copy_with_the_same_parameters_has_the_same_chunks() {
    let memory = array(&[20, 30], &[7, 10], &[3, 5], 1);
    let reader = open(&memory);
    let params = ArrayParams::of(reader.frame(), reader.layout().unwrap().unwrap()).unwrap();
    let copy = committed(Editor::copy_array(Memory::default(), &params, &reader).unwrap());
    assert_eq!(stored(&copy, 4), stored(&memory, 4));
    assert_eq!(open(&copy).get(Selection::all()).unwrap(), items(600, 1));
    assert_eq!(open(&copy).trailer().unwrap().attributes[0].content, b"\xa1m");

    let mut other = params;
    (other.chunkshape, other.blockshape) = (Some(vec![20, 4]), None);
    other.cparams.codec = Codec::ZSTD;
    let copy = committed(Editor::copy_array(Memory::default(), &other, &reader).unwrap());
    assert_eq!(open(&copy).frame().header.codec, Codec::ZSTD);
    assert_eq!(open(&copy).get(Selection::all()).unwrap(), items(600, 1));
}

#[test]
fn arrays_are_concatenated_and_stacked() {
    for (rows, chunk) in [(14, 7), (13, 7), (5, 7)] {
        let parts =
            [array(&[rows, 6], &[chunk, 4], &[2, 2], 0), array(&[rows, 6], &[chunk, 4], &[2, 2], 1000)];
        let readers: Vec<_> = parts.iter().map(open).collect();
        let readers: Vec<_> = readers.iter().collect();
        let joined = committed(Editor::concatenate(Memory::default(), &readers, 0).unwrap());
        let expected = [items(rows * 6, 0), items(rows * 6, 1000)].concat();
        assert_eq!(open(&joined).layout().unwrap().unwrap().shape(), [2 * rows, 6]);
        assert_eq!(open(&joined).get(Selection::all()).unwrap(), expected);

        let beside = committed(Editor::concatenate(Memory::default(), &readers, 1).unwrap());
        assert_eq!(open(&beside).get(":, 6:").unwrap(), items(rows * 6, 1000));

        for axis in 0..3 {
            let stacked = committed(Editor::stack(Memory::default(), &readers, axis).unwrap());
            let mut index = [":", ":", ":"];
            index[axis] = "1";
            let second: Selection = index.join(", ").parse().unwrap();
            assert_eq!(open(&stacked).get(&second).unwrap(), items(rows * 6, 1000), "axis {axis}");
            assert_eq!(open(&stacked).layout().unwrap().unwrap().shape().to_vec()[axis], 2);
        }
    }
    let (one, other) = (array(&[4, 6], &[4, 4], &[2, 2], 0), array(&[4, 5], &[4, 4], &[2, 2], 0));
    let readers = [&open(&one), &open(&other)];
    assert!(Editor::concatenate(Memory::default(), &readers, 0).is_err());
    assert!(Editor::stack(Memory::default(), &readers, 0).is_err());
}

#[test]
fn axes_of_length_one_come_and_go() {
    let memory = array(&[9, 8], &[4, 4], &[2, 2], 0);
    let chunk = stored(&memory, 3);
    let mut editor = Editor::open(memory, DParams::default()).unwrap();
    editor.expand_dims(1).unwrap();
    editor.expand_dims(3).unwrap();
    editor.commit().unwrap();
    assert_eq!(editor.layout().unwrap().shape(), [9, 1, 8, 1]);
    assert_eq!(editor.get("2, 0, :, 0").unwrap(), items(8, 16));
    let memory = editor.into_sink();
    assert_eq!(stored(&memory, 3), chunk);
    let mut editor = Editor::open(memory, DParams::default()).unwrap();
    editor.squeeze().unwrap();
    editor.set("8".parse::<Selection>().unwrap(), &items(8, 72)).unwrap();
    let memory = committed(editor);
    assert_eq!(
        open(&memory).get(Selection::all()).unwrap(),
        items(72, 0)[..128].iter().copied().chain(items(8, 72)).collect::<Vec<_>>()
    );
}

#[test]
fn super_chunks_are_copied() {
    let params =
        FrameParams { cparams: CParams { typesize: 2, ..CParams::default() }, ..FrameParams::default() };
    let mut editor = Editor::create(Memory::default(), &params).unwrap();
    for len in [300, 100, 200] {
        editor.append_chunk(&items(len, len as u16)).unwrap();
    }
    editor.commit().unwrap();
    let memory = editor.into_sink();
    for codec in [Codec::BLOSCLZ, Codec::ZLIB] {
        let mut params = params.clone();
        (params.cparams.codec, params.sparse) = (codec, codec == Codec::ZLIB);
        let copy = committed(Editor::copy_schunk(Memory::default(), &params, &open(&memory)).unwrap());
        let all = |memory| open(memory).get(Selection::all()).unwrap();
        assert_eq!((all(&copy), open(&copy).nchunks()), (all(&memory), Ok(3)));
    }
}
