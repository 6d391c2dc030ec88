//! Chunks of arrays that are encoded apart from their frame.
#![cfg(feature = "write")]

use b2nd::array::{ArrayEncoder, ArrayParams};
use b2nd::sink::{Editor, Memory};
use b2nd::{ArgumentError, Selection};

fn params() -> ArrayParams {
    let mut params = ArrayParams::new(&[7, 10], "<u2");
    (params.chunkshape, params.blockshape) = (Some(vec![4, 6]), Some(vec![2, 4]));
    params
}

#[test]
fn chunks_make_the_frame_that_an_editor_writes() {
    let items: Vec<u8> = (0..140).collect();
    let mut one = Editor::create_array(Memory::default(), &params()).unwrap();
    one.set(Selection::all(), &items).unwrap();
    one.commit().unwrap();
    let mut other = Editor::create_array(Memory::default(), &params()).unwrap();
    let mut encoder = ArrayEncoder::new(&params()).unwrap();
    for (nchunk, place) in ["0:4, 0:6", "0:4, 6:10", "4:7, 0:6", "4:7, 6:10"].iter().enumerate() {
        let items = one.get(place).unwrap();
        let chunk = encoder.encode(nchunk as u64, &items).unwrap();
        other.put_chunk(nchunk as u64, &chunk).unwrap();
    }
    other.commit().unwrap();
    assert_eq!(other.into_sink().into_bytes(), one.into_sink().into_bytes());
}

#[test]
fn chunks_of_other_arrays_are_refused() {
    let mut encoder = ArrayEncoder::new(&params()).unwrap();
    assert_eq!(encoder.encode(4, &[]).unwrap_err(), ArgumentError::Chunk { index: 4, nchunks: 4 }.into());
    assert_eq!(
        encoder.encode(3, &[0; 25]).unwrap_err(),
        ArgumentError::BufferLen { expected: 24, actual: 25 }.into()
    );
    let chunk = encoder.encode(3, &[1; 24]).unwrap();
    let mut other = params();
    for (chunkshape, blockshape, typesize) in
        [([4, 9], [2, 4], "<u2"), ([4, 6], [4, 4], "<u2"), ([4, 3], [2, 2], "<u4")]
    {
        (other.chunkshape, other.blockshape) = (Some(chunkshape.to_vec()), Some(blockshape.to_vec()));
        other.dtype = typesize.into();
        let mut editor = Editor::create_array(Memory::default(), &other).unwrap();
        assert!(editor.put_chunk(1, &chunk).is_err(), "{chunkshape:?} {blockshape:?} {typesize}");
    }
}

#[test]
fn a_failed_attempt_changes_nothing() {
    let mut editor = Editor::create_array(Memory::default(), &params()).unwrap();
    editor.set(Selection::all(), &[7; 140]).unwrap();
    editor.commit().unwrap();
    let failed = editor.attempt(|editor| {
        editor.resize(&[9, 3])?;
        editor.set(Selection::all(), &[9; 54])?;
        editor.set_metalayer("name", b"\xc0")?;
        editor.append(0, &[0; 5])
    });
    assert!(failed.is_err());
    assert_eq!(editor.layout().unwrap().shape().to_vec(), [7, 10]);
    assert!(!editor.frame().needs_move(), "the header is as long as before");
    assert_eq!(editor.get(Selection::all()).unwrap(), [7; 140]);
    editor.attempt(|editor| editor.append(0, &[8; 20])).unwrap();
    editor.commit().unwrap();
    let bytes = editor.into_sink().into_bytes();
    let reader = b2nd::Reader::open(&bytes[..], b2nd::DParams::default()).unwrap();
    let expected = [vec![7; 140], vec![8; 20]].concat();
    assert_eq!(reader.get(Selection::all()).unwrap(), expected);
}
