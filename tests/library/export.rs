//! Exported text is read as what was exported, by parsers of others.
#![cfg(feature = "export")]

use b2nd::Limits;
use b2nd::array::Dtype;
use b2nd::export::{BytesAs, ExportError, Exporter, Format, NanAs, Style, csv_cell, json_item, json_text};
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
    let value = json!({ "a": true, "b": { "c": [[2, 3], [4, 5]], "\n": null }, "e": "\"\\x5C" });
    assert_eq!(parsed(record, &[], &items), value);
    let mut text = Vec::new();
    json_item(&dtype(record), &items, &Style::default(), &mut text);
    assert_eq!(serde_json::from_slice::<Value>(&text).expect("JSON"), value);
}

#[test]
fn cells_are_those_of_tables() {
    let items = [1_f64, f64::NAN, -2.5e300].map(f64::to_le_bytes);
    let style = Style::default();
    let cell = |item: &[u8; 8]| csv_cell(&dtype("<f8"), item, &style).expect("a number") + "\n";
    let cells: String = items.iter().map(cell).collect();
    assert_eq!(exported(Format::Csv, "<f8", &[3], &items.concat()), cells.as_bytes());
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let refused = |format, text, shape: &[u64]| Exporter::new(format, &dtype(text), shape).err();
    for format in [Format::Text, Format::Npy, Format::Csv, Format::Json, Format::Ndjson] {
        assert_eq!(refused(format, "|O", &[1]), Some(ExportError::Objects));
        assert_eq!(refused(format, "[('a', '|O'), ('b', 'u1')]", &[1]), Some(ExportError::Objects));
    }
    assert_eq!(refused(Format::Raw, "|O", &[1]), None);
    assert_eq!(refused(Format::Text, "<u1", &[1 << 40, 1 << 40]), Some(ExportError::Size));
    assert_eq!(refused(Format::Csv, "|V0", &[1]), Some(ExportError::NoBytes));
    assert_eq!(refused(Format::Raw, "|V0", &[1 << 40, 1 << 40]), None);
}

#[test]
fn a_style_says_what_bytes_and_nan_are() {
    let style = |bytes, nan| Style { bytes, nan, null: "NULL".into() };
    let json = |text, item: &[u8], style: &Style| {
        let mut out = Vec::new();
        json_item(&dtype(text), item, style, &mut out);
        String::from_utf8(out).expect("text")
    };
    let [nan, infinity] = [f64::NAN, f64::NEG_INFINITY].map(f64::to_le_bytes);
    let null = style(BytesAs::Base64, NanAs::Null);
    assert_eq!((json("<f8", &nan, &null), json("<f8", &infinity, &null)), ("null".into(), "null".into()));
    assert_eq!(
        (json("S2", b"\xc3\xa9", &null), json("V2", b"\xc3\xa9", &null)),
        ("\"w6k=\"".into(), "\"w6k=\"".into())
    );
    let literal = style(BytesAs::Utf8, NanAs::Literal);
    assert_eq!(
        (json("<f8", &nan, &literal), json("<f8", &infinity, &literal)),
        ("NaN".into(), "-Infinity".into())
    );
    assert_eq!(
        (json("S2", b"\xc3\xa9", &literal), json("S1", b"\xe9", &literal)),
        ("\"é\"".into(), r#""\\xE9""#.into())
    );
    assert_eq!(csv_cell(&dtype("<f8"), &nan, &null), None);
    assert_eq!(csv_cell(&dtype("<f8"), &nan, &literal).as_deref(), Some("nan"));
    let floats = dtype("<f8");
    let mut exporter = Exporter::with_style(Format::Csv, &null, &floats, &[1, 2]).expect("a format");
    let mut out = Vec::new();
    exporter.write(&[nan, 1_f64.to_le_bytes()].concat(), &mut out);
    assert_eq!(out, b"NULL,1.0\n");
}
