//! Arrays become Zarr arrays in the codec `b2nd` and frames again, chunk by chunk.

use crate::common::tool::{Folder, b2nd, command, done, done_with, golden, numbers, status};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// An array of 5 × 7 numbers in chunks of 3 × 4 and blocks of 2 × 3, one of them constant.
fn array(folder: &Folder) -> String {
    let path = folder.path("a.b2nd");
    let shape = ["--shape", "5,7", "--dtype", "<i2", "--chunks", "3,4", "--blocks", "2,3"];
    let dims = ["--attr", r#"dims=["y", "x"]"#, "--attr", r#"units="K""#];
    done_with(&[&["create", "-", &path][..], &shape, &dims].concat(), &numbers(0..35));
    path
}

fn values(path: &str) -> Vec<u8> {
    done(&["get", path, "...", "-f", "raw"])
}

fn metadata(store: &str) -> Value {
    serde_json::from_slice(&fs::read(Path::new(store).join("zarr.json")).expect("metadata")).expect("JSON")
}

fn set_metadata(store: &str, metadata: &Value) {
    fs::write(Path::new(store).join("zarr.json"), metadata.to_string()).expect("written");
}

#[test]
fn an_array_is_unpacked_and_packed() {
    let folder = Folder::new("zarr");
    let (frame, store, again) = (array(&folder), folder.path("z.zarr/a"), folder.path("b.b2nd"));
    done(&["unpack", &frame, &store]);
    let written = metadata(&store);
    assert_eq!(written["shape"], json!([5, 7]));
    assert_eq!(written["data_type"], "int16");
    assert_eq!(written["dimension_names"], json!(["y", "x"]));
    assert_eq!(written["attributes"]["units"], "K");
    assert_eq!(written["codecs"][0]["configuration"]["block_shape"], json!([2, 3]));
    assert_eq!(written["codecs"][0]["configuration"]["endian"], "little");
    assert!(Path::new(&store).join("c/1/1").exists());
    assert_eq!(status(&["unpack", &frame, &store]), 2);

    done(&["pack", &store, &again]);
    assert!(values(&frame) == values(&again));
    assert_eq!(done(&["attrs", &frame]), done(&["attrs", &again]));
    assert_eq!(fs::read_dir(&folder.0).expect("entries").count(), 3);
}

/// Frames of python-blosc2, with constant chunks, of any dtype that Zarr has.
#[test]
fn frames_of_python_blosc2_are_unpacked_and_packed() {
    let folder = Folder::new("zarr-golden");
    let mut packed = 0;
    for entry in fs::read_dir(golden("blosc2-4.14.1")).expect("entries") {
        let frame = entry.expect("an entry").path();
        if frame.extension().is_none_or(|extension| extension != "b2nd") || packed == 40 {
            continue;
        }
        let frame = frame.to_str().expect("UTF-8");
        let (store, again) = (folder.path(&format!("{packed}")), folder.path(&format!("{packed}.b2nd")));
        if status(&["unpack", frame, &store]) != 0 {
            assert!(!Path::new(&store).exists());
            continue;
        }
        done(&["pack", &store, &again]);
        assert!(values(frame) == values(&again), "{frame}");
        packed += 1;
    }
    assert_eq!(packed, 40);
}

#[test]
fn missing_chunks_have_the_fill_value() {
    let folder = Folder::new("zarr-fill");
    let (frame, store, again) = (array(&folder), folder.path("a"), folder.path("b.b2nd"));
    done(&["unpack", &frame, &store]);
    let mut changed = metadata(&store);
    changed["fill_value"] = json!(-7);
    set_metadata(&store, &changed);
    fs::remove_file(Path::new(&store).join("c/0/1")).expect("removed");
    done(&["pack", &store, &again]);
    let items: Value = serde_json::from_slice(&done(&["get", &again, "-f", "json"])).expect("JSON");
    assert_eq!(items[2], json!([14, 15, 16, 17, -7, -7, -7]));
    assert_eq!(items[3], json!([21, 22, 23, 24, 25, 26, 27]));
}

#[test]
fn what_disagrees_is_refused() {
    let folder = Folder::new("zarr-wrong");
    let (frame, store, again) = (array(&folder), folder.path("a"), folder.path("b.b2nd"));
    done(&["unpack", &frame, &store]);
    let written = metadata(&store);
    let refused = |change: &dyn Fn(&mut Value), expected| {
        let mut changed = written.clone();
        change(&mut changed);
        set_metadata(&store, &changed);
        assert_eq!(status(&["pack", &store, &again]), expected, "{changed}");
        assert!(!Path::new(&again).exists());
    };
    refused(&|json| json["codecs"][0]["configuration"]["block_shape"] = json!([3, 3]), 1);
    refused(&|json| json["data_type"] = json!("int32"), 1);
    refused(&|json| json["codecs"][0]["name"] = json!("bytes"), 3);
    refused(&|json| json["data_type"] = json!("string"), 3);
    refused(&|json| json["shape"] = json!("many"), 1);
    refused(&|json| json["chunk_grid"]["name"] = json!("rectilinear"), 3);
    refused(&|json| json["chunk_key_encoding"]["configuration"]["separator"] = json!("/../"), 3);
    let chunk = Path::new(&store).join("c/0/0");
    let bytes = fs::read(&chunk).expect("a chunk");
    fs::write(&chunk, &bytes[..bytes.len() - 1]).expect("written");
    refused(&|_| {}, 1);
}

#[test]
fn references_are_to_chunks() {
    let folder = Folder::new("zarr-refs");
    let frame = array(&folder);
    done(&["set", &frame, "3:, 4:", "--value", "9"]);
    done(&["set", &frame, ":3, :4", "--value", "0"]);
    let refs: Value = serde_json::from_slice(&done(&["refs", &frame])).expect("JSON");
    let store = folder.path("a");
    done(&["unpack", &frame, &store]);
    let file = fs::read(&frame).expect("the frame");
    for (key, entry) in refs["refs"].as_object().expect("references") {
        if key == "zarr.json" {
            let text: Value = serde_json::from_str(entry.as_str().expect("text")).expect("JSON");
            assert_eq!(text, metadata(&store));
            continue;
        }
        let chunk = fs::read(Path::new(&store).join(key)).expect("a chunk");
        let Some(parts) = entry.as_array() else { continue };
        let [start, len] = [1, 2].map(|at| parts[at].as_u64().expect("a number") as usize);
        assert!(file[start..start + len] == chunk, "{key}");
        assert_eq!(
            fs::canonicalize(parts[0].as_str().expect("a path")).unwrap(),
            fs::canonicalize(&frame).unwrap()
        );
    }
    // Zeros are left out: they are the fill value.
    assert!(refs["refs"]["c/0/0"].is_null() && !refs["refs"]["c/0/1"].is_null());
    let elsewhere: Value =
        serde_json::from_slice(&done(&["refs", &frame, "--url", "s3://b/a.b2nd"])).expect("JSON");
    assert_eq!(elsewhere["refs"]["c/0/1"][0], "s3://b/a.b2nd");
}

#[test]
fn forms_of_references_that_take_more_are_refused() {
    let folder = Folder::new("zarr-forms");
    let frame = array(&folder);
    let (icechunk, parquet) = (folder.path("a.icechunk"), folder.path("a.parquet"));
    let into = format!("icechunk:{icechunk}");
    let alone =
        command(&["refs", &frame, "-o", &into]).env("PATH", &folder.0).output().expect("the tool runs");
    assert_eq!(alone.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&alone.stderr).contains("cargo install b2nd-icechunk"));
    assert_eq!(status(&["refs", &frame, "-o", &parquet]), 2);
    let named = b2nd(&["refs", &frame, "--name", "a", "-o", &parquet]);
    let built = cfg!(feature = "parquet");
    assert_eq!(named.status.success(), built);
    assert!(built || String::from_utf8_lossy(&named.stderr).contains("without Parquet"));
    assert_eq!(status(&["refs", &frame, "--name", "a", "-o", &parquet]), 2);
    assert!(!Path::new(&icechunk).exists() && Path::new(&parquet).exists() == built);
}

fn references(args: &[&str]) -> Value {
    let mut all: Value = serde_json::from_slice(&done(&[&["refs"], args].concat())).expect("JSON");
    all["refs"].take()
}

fn json_of(text: &Value) -> Value {
    serde_json::from_str(text.as_str().expect("text")).expect("JSON")
}

#[test]
fn arrays_are_joined() {
    let folder = Folder::new("zarr-join");
    let make = |name: &str, rows: u16| {
        let path = folder.path(name);
        let shape = format!("{rows},5");
        let options = ["--shape", &shape, "--dtype", "<i2", "--chunks", "3,4", "--blocks", "2,3"];
        let dims = ["--attr", r#"dims=["y", "x"]"#];
        done_with(&[&["create", "-", &path][..], &options, &dims].concat(), &numbers(1..1 + 5 * rows));
        path
    };
    let (first, second, ragged) = (make("a.b2nd", 6), make("b.b2nd", 4), make("c.b2nd", 4));

    let along = references(&[&first, &second, "--concat", "y", "--url", "s3://data/"]);
    assert_eq!(json_of(&along["zarr.json"])["shape"], json!([10, 5]));
    assert_eq!(along["c/1/1"][0], "s3://data/a.b2nd");
    assert_eq!(along["c/2/0"], references(&[&second, "--url", "s3://data/b.b2nd"])["c/0/0"]);
    assert_eq!(along.as_object().expect("references").len(), 1 + 4 * 2);
    assert_eq!(along, references(&[&first, &second, "--concat", "0", "--url", "s3://data/"]));

    let above = references(&[&second, &ragged, "--stack", "time", "--name", "t"]);
    let metadata = json_of(&above["t/zarr.json"]);
    assert_eq!(json_of(&above["zarr.json"])["node_type"], "group");
    assert_eq!(metadata["shape"], json!([2, 4, 5]));
    assert_eq!(metadata["dimension_names"], json!(["time", "y", "x"]));
    assert_eq!(metadata["codecs"][0]["configuration"]["block_shape"], json!([1, 2, 3]));
    assert!(metadata["attributes"].get("dims").is_none());
    assert_eq!(above["t/c/1/1/0"], references(&[&ragged])["c/1/0"]);

    // The first ends within a chunk, lengths and meanings differ, there is no such axis, nothing says how.
    let refused = |args: &[&str]| assert_eq!(status(&[&["refs"], args].concat()), 2, "{args:?}");
    refused(&[&ragged, &first, "--concat", "y"]);
    refused(&[&first, &second, "--concat", "x"]);
    refused(&[&first, &second, "--stack", "z"]);
    refused(&[&first, &second, "--concat", "time"]);
    refused(&[&first, &second, "--concat", "0", "--url", "s3://data/a.b2nd"]);
    refused(&[&first, &second]);
    let deep = folder.path("deep.b2nd");
    done_with(&["create", "-", &deep, "--shape", &["1"; 16].join(","), "--dtype", "u1"], &[1]);
    refused(&[&deep, &deep, "--stack", "time"]);
    done(&["attrs", &second, "set", "units", r#""K""#]);
    refused(&[&first, &second, "--concat", "y"]);
}

#[test]
fn members_of_stores_have_references() {
    let file = golden("stores/tree.b2z");
    let (archive, name) = (fs::read(&file).expect("the archive"), file.to_str().expect("UTF-8"));
    let folder = Folder::new("zarr-member");
    let store = folder.path("z");
    done(&["unpack", &format!("{name}/group/image"), &store]);
    let chunks = references(&[&format!("{name}/group/image"), "--url", "s3://data/"]);
    let [start, len] = [1, 2].map(|at| chunks["c/0/0"][at].as_u64().expect("a number") as usize);
    assert_eq!(chunks["c/0/0"][0], "s3://data/tree.b2z");
    assert!(archive[start..start + len] == fs::read(Path::new(&store).join("c/0/0")).expect("a chunk"));
    // Small members are in compressed chunks.
    let small = references(&[&format!("{name}/small")]);
    assert!(small["c/0"].as_str().expect("text").starts_with("base64:"));
    let file = golden("stores/dict.b2d");
    let own = references(&[file.join("group/image").to_str().expect("UTF-8"), "--url", "s3://data/d/"]);
    assert_eq!(own["c/0/0"][0], "s3://data/d/image.b2nd");
}

/// Few bytes stand for millions of chunks of zeros: they take neither time nor files.
#[test]
fn zeros_are_left_out_whatever_their_number() {
    let folder = Folder::new("zarr-zeros");
    let (frame, store) = (folder.path("a.b2nd"), folder.path("a.zarr"));
    let shape = ["--shape", "1000", "--dtype", "u1", "--chunks", "1000", "--blocks", "1000"];
    done_with(&[&["create", "-", &frame][..], &shape].concat(), &[0; 1000]);
    done(&["resize", &frame, "2000000000"]);
    done_with(&["set", &frame, "700001000:700001002", "-"], &[7; 2]);
    let refs: Value = serde_json::from_slice(&done(&["refs", &frame])).expect("JSON");
    let entries = refs["refs"].as_object().expect("an object");
    assert!(entries.len() == 2 && entries.contains_key("c/700001"));
    done(&["unpack", &frame, &store]);
    assert_eq!(metadata(&store)["shape"], json!([2_000_000_000]));
    let chunks: Vec<_> = fs::read_dir(Path::new(&store).join("c")).expect("entries").collect();
    assert_eq!(chunks.len(), 1);
    assert!(Path::new(&store).join("c/700001").exists());
}
