//! Exported text is read as what was exported, by parsers of others.
#![cfg(feature = "export")]

use b2nd::Limits;
use b2nd::array::Dtype;
use b2nd::export::{Exporter, Format, Unwritable, csv_cell, json_item, json_text};
use serde_json::{Value, json};

fn dtype(text: &str) -> Dtype {
    Dtype::parse(text, &Limits::default()).expect("a dtype")
}

fn exported(format: Format, text: &str, shape: &[u64], items: &[u8]) -> Vec<u8> {
    let dtype = dtype(text);
    let mut exporter = Exporter::new(format, &dtype, shape).expect("a format for them");
    let mut out = Vec::new();
    items.chunks(dtype.itemsize()).for_each(|item| exporter.write(item, &mut out));
    exporter.finish(&mut out);
    out
}

#[test]
fn json_text_is_that_of_serde() {
    for char in (0..=0x2ff).filter_map(char::from_u32).chain(['\u{2028}', '\u{1f600}']) {
        let (text, mut own) = (format!("a{char}"), Vec::new());
        json_text(&text, &mut own);
        assert_eq!(own, serde_json::to_vec(&text).expect("text"), "{char:?}");
    }
}

#[test]
fn json_is_parsed() {
    let parsed = |text: &str, shape: &[u64], items: &[u8]| -> Value {
        serde_json::from_slice(&exported(Format::Json, text, shape, items)).expect("JSON")
    };
    assert_eq!(parsed("<i2", &[2, 1], &[1, 0, 255, 255]), json!([[1], [-1]]));
    assert_eq!(parsed("<f2", &[3], &[0x66, 0x2e, 1, 0, 0, 0x7c]), json!([0.1, 6e-8, "Infinity"]));
    let record = "[('a', '?'), ('b', [('c', 'u1', (2, 2)), ('\\n', '<M8[D]')]), ('e', 'S2')]";
    let items = [&[1, 2, 3, 4, 5][..], &i64::MIN.to_le_bytes(), b"\"\\"].concat();
    let value = json!({ "a": true, "b": { "c": [[2, 3], [4, 5]], "\n": null }, "e": "\"\\" });
    assert_eq!(parsed(record, &[], &items), value);
    let mut text = Vec::new();
    json_item(&dtype(record), &items, &mut text);
    assert_eq!(serde_json::from_slice::<Value>(&text).expect("JSON"), value);
}

#[test]
fn cells_are_those_of_tables() {
    let items = [1_f64, f64::NAN, -2.5e300].map(f64::to_le_bytes);
    let cells: String = items.iter().map(|item| csv_cell(&dtype("<f8"), item) + "\n").collect();
    assert_eq!(exported(Format::Csv, "<f8", &[3], &items.concat()), cells.as_bytes());
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let refused = |format, text, shape: &[u64]| Exporter::new(format, &dtype(text), shape).err();
    assert_eq!(refused(Format::Npy, "|O", &[1]), Some(Unwritable::Objects));
    assert_eq!(refused(Format::Text, "<u1", &[1 << 40, 1 << 40]), Some(Unwritable::Size));
    assert_eq!(refused(Format::Csv, "|V0", &[1]), Some(Unwritable::NoBytes));
    assert_eq!(refused(Format::Raw, "|V0", &[1 << 40, 1 << 40]), None);
}
