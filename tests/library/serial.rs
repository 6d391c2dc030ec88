//! Serialization by serde. `cargo test --workspace` has the feature; with the library alone there is nothing to test.
#![cfg(feature = "serde")]

use b2nd::array::{ArrayParams, Dtype};
use b2nd::chunk::CParams;
use b2nd::codec::Codec;
use b2nd::{DParams, Editor, Reader, filter, sink::Memory};
use serde_json::{from_value, json, to_value};

#[test]
fn parameters_come_back() {
    let params = ArrayParams::of_type::<f32>(&[100, 20])
        .with_codec(Codec(200), 9)
        .with_filters([filter::BITSHUFFLE, filter::BYTEDELTA]);
    let value = to_value(&params).unwrap();
    assert_eq!(value["cparams"]["codec"], "200");
    assert_eq!(value["cparams"]["filters"], json!(["bitshuffle", "bytedelta"]));
    assert_eq!(from_value::<ArrayParams>(value).unwrap(), params);

    let cparams: CParams = from_value(json!({ "codec": "zstd", "splitmode": "never" })).unwrap();
    assert_eq!((cparams.codec, cparams.clevel), (Codec::ZSTD, 5));
    for wrong in [json!({ "codec": "zstandard" }), json!({ "filters": vec!["shuffle"; 7] })] {
        assert!(from_value::<CParams>(wrong).is_err());
    }
    assert_eq!(from_value::<Dtype>(json!("float32")).unwrap(), Dtype::of::<f32>());
}

#[test]
fn layouts_and_chunks_tell_what_they_are() {
    let params = ArrayParams::of_type::<u16>(&[10]).with_chunks(&[6]).with_blocks(&[3]);
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.commit().unwrap();
    let frame = editor.into_sink().into_bytes();
    let reader = Reader::open(&frame[..], DParams::default()).unwrap();
    let layout =
        json!({ "shape": [10], "chunkshape": [6], "blockshape": [3], "itemsize": 2, "dtype": "<u2" });
    assert_eq!(to_value(reader.layout().unwrap().unwrap()).unwrap(), layout);
    let chunk = to_value(reader.chunk_info(0).unwrap()).unwrap();
    assert_eq!(chunk["location"], json!({ "Special": "Zeros" }));
    assert_eq!(chunk["header"]["nbytes"], 12);
}
