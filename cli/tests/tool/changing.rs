//! The commands that change frames, or write them anew, as scripts see them.

use crate::common::tool::{Folder, done, done_with, json, numbers, path, raw, refused, status};
use serde_json::{Value, json};
use std::fs;

const SAMPLE: &str = "blosc2-4.14.1/sample.b2nd";
const SPARSE: &str = "blosc2-4.14.1/sparse-lz4.b2frame";

#[test]
fn arrays_change_in_place() {
    let folder = Folder::new("change");
    let [array, part] = ["a.b2nd", "part.csv"].map(|name| folder.path(name));
    let create =
        ["create", "-", &array, "--shape", "4,5", "--dtype", "<u2", "--chunks", "2,2", "--blocks", "2,1"];
    done_with(&create, &numbers(0..20));
    let values = |selection: &str| -> Value {
        serde_json::from_slice(&done(&["get", &array, selection, "-f", "json"])).expect("JSON")
    };
    done_with(&["set", &array, "1, ::2", "-"], &numbers(100..103));
    assert_eq!(values("1"), json!([100, 6, 101, 8, 102]));
    fs::write(&part, "7,8\n9,10\n").expect("written");
    done(&["set", &array, "2:, -2:", &part]);
    done(&["set", &array, "0, ...", "--value", "65535"]);
    assert_eq!(
        values(""),
        json!([
            [65535, 65535, 65535, 65535, 65535],
            [100, 6, 101, 8, 102],
            [10, 11, 12, 7, 8],
            [15, 16, 17, 9, 10]
        ])
    );

    let info: Value =
        serde_json::from_slice(&done(&["resize", &array, "3,6", "--fill", "1", "--json"])).expect("JSON");
    assert_eq!(info["shape"], json!([3, 6]));
    assert_eq!(values("1:"), json!([[100, 6, 101, 8, 102, 1], [10, 11, 12, 7, 8, 1]]));
    done(&["resize", &array, "3,3"]);
    done(&["resize", &array, "3,4"]);
    assert_eq!(values("1:"), json!([[100, 6, 101, 0], [10, 11, 12, 0]]), "what was cut off is gone");

    done_with(&["append", &array, "-"], &numbers(50..58));
    assert_eq!(values("3:"), json!([[50, 51, 52, 53], [54, 55, 56, 57]]));
    done_with(&["append", &array, "-", "--axis", "1"], &numbers(1..6));
    assert_eq!(values("1:3"), json!([[100, 6, 101, 0, 2], [10, 11, 12, 0, 3]]));
    assert_eq!(status(&["verify", &array]), 0);
}

#[test]
fn metalayers_are_set_and_removed() {
    let folder = Folder::new("meta");
    let array = folder.path("a.b2nd");
    done_with(&["create", "-", &array, "--dtype", "u1", "--shape", "3"], b"abc");
    let meta = |arguments: &[&str]| -> Value {
        serde_json::from_slice(&done(&[&["attrs", &array], arguments].concat())).expect("JSON")
    };
    assert_eq!(meta(&[]), json!({}));
    let value = json!({ "x": [1, -2.5, "é", null, true, 18_446_744_073_709_551_615_u64] });
    done(&["attrs", &array, "set", "grid", &value.to_string()]);
    done(&["attrs", &array, "set", "--metalayers", "unit", "-1"]);
    assert_eq!((meta(&[]), meta(&["grid"])), (json!({ "grid": value }), value));
    assert_eq!(meta(&["unit", "--metalayers"]), json!(-1));
    done(&["attrs", &array, "rm", "grid"]);
    done(&["attrs", &array, "set", "unit", "\"longer than before\"", "--metalayers"]);
    assert_eq!(
        (meta(&[]), meta(&["--metalayers"])["unit"].clone()),
        (json!({}), json!("longer than before"))
    );
    done(&["attrs", &array, "rm", "unit", "--metalayers"]);
    assert_eq!(meta(&["--metalayers"])["unit"], Value::Null);
    assert_eq!(raw(&array), b"abc");
    assert!(refused(&["attrs", &array, "grid"], 2).contains("no attribute \"grid\""));
    assert!(refused(&["attrs", &array, "rm", "grid"], 2).contains("no attribute \"grid\""));
    assert!(refused(&["attrs", &array, "set", "grid"], 2).contains("set NAME JSON"));
    assert!(refused(&["attrs", &array, "set", "grid", "K"], 2).contains("not JSON"));
    assert_eq!(status(&["attrs", &array, "set", "--metalayers", "b2nd", "1"]), 2);
}

#[test]
fn frames_are_written_anew_with_other_parameters() {
    let folder = Folder::new("repack");
    let [out, second] = ["out.b2nd", "second"].map(|name| folder.path(name));
    let sample = path(SAMPLE);
    let before = json(&["info", "--json", &sample]);
    done(&["repack", &sample, &out]);
    let same = json(&["info", "--json", &out]);
    for key in
        ["shape", "chunks", "blocks", "dtype", "codec", "clevel", "filters", "metalayers", "attributes"]
    {
        assert_eq!(same[key], before[key], "{key}");
    }
    assert_eq!(raw(&out), raw(&sample));
    done(&[
        "repack",
        &out,
        &second,
        "--sparse",
        "--codec",
        "lz4",
        "--chunks",
        "5,10,40",
        "--filters",
        "none",
        "--attr",
        "units=1",
    ]);
    let info = json(&["info", "--json", &second]);
    assert_eq!(
        (&info["contiguous"], &info["chunks"], &info["codec"]),
        (&json!(false), &json!([5, 10, 40]), &json!("lz4"))
    );
    assert_eq!((&info["filters"], &info["attributes"]["units"]), (&json!([]), &json!(1)));
    assert_eq!(raw(&second), raw(&sample));
    // Chunks that stay as they are are copied, not written anew by another encoder.
    let chunks = |path: &str| json(&["chunks", "--json", path]);
    let sizes = |chunks: &Value| -> Vec<Value> {
        chunks.as_array().expect("chunks").iter().map(|chunk| chunk["cbytes"].clone()).collect()
    };
    assert_eq!(sizes(&chunks(&out)), sizes(&chunks(&sample)));
    // A file onto itself, and a super-chunk.
    done(&["repack", &out, &out, "--clevel", "1"]);
    assert_eq!((raw(&out), json(&["info", "--json", &out])["clevel"].clone()), (raw(&sample), json!(1)));
    let plain = path(SPARSE);
    let frame = done_with(&["repack", &plain, "-", "--codec", "zlib"], b"");
    fs::write(&out, frame).expect("written");
    let info = json(&["info", "--json", &out]);
    assert_eq!(
        (&info["kind"], &info["codec"], &info["contiguous"]),
        (&json!("schunk"), &json!("zlib"), &json!(true))
    );
    assert_eq!(raw(&out), raw(&plain));
}

#[test]
fn unused_space_is_given_back() {
    let folder = Folder::new("compact");
    let array = folder.path("a.b2nd");
    let noise: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    done_with(&["create", "-", &array, "--dtype", "u1", "--shape", "200000", "--chunks", "20000"], &noise);
    done(&["set", &array, "20000:", "--value", "0"]);
    let len = || fs::metadata(&array).expect("a file").len();
    let before = len();
    done(&["compact", &array]);
    assert!(len() < before / 4, "{} of {before}", len());
    let expected: Vec<u8> = [&noise[..20000], &[0; 180_000]].concat();
    assert_eq!(raw(&array), expected);
}

#[test]
fn a_file_that_ends_early_is_recovered() {
    let folder = Folder::new("recover");
    let [array, cut, new] = ["a.b2nd", "cut.b2nd", "new.b2nd"].map(|name| folder.path(name));
    let items: Vec<u8> = (0..4000_u16).flat_map(|n| n.wrapping_mul(40_503).to_le_bytes()).collect();
    done_with(&["create", "-", &array, "--shape", "4000", "--dtype", "<u2", "--chunks", "1000"], &items);
    let bytes = fs::read(&array).expect("there");
    fs::write(&cut, &bytes[..bytes.len() * 7 / 10]).expect("written");
    assert_eq!(status(&["get", &cut]), 1);
    let info: Value = serde_json::from_slice(&done(&["recover", &cut, &new, "--json"])).expect("JSON");
    assert_eq!(info["shape"], json!([4000]));
    assert_eq!(raw(&new)[..4000], items[..4000]);
    assert_eq!(status(&["verify", &new]), 0);
    // What has no chunks, or is to be a store, leaves the old file.
    fs::write(&cut, &bytes[..300]).expect("written");
    assert!(refused(&["recover", &cut, &new], 1).contains("number of whole chunks is 0"));
    assert_eq!(status(&["recover", &array, &folder.path("x.b2z")]), 2);
    assert_eq!(raw(&new)[..4000], items[..4000]);
    // A file onto itself.
    done(&["recover", &array, &array]);
    assert_eq!(raw(&array), items);
}
