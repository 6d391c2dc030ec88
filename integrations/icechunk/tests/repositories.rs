//! Repositories of the program, read by the crate.

use icechunk::format::ByteRange;
use icechunk::repository::VersionInfo;
use icechunk::{Repository, Store, new_local_filesystem_storage};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs the program; what it says if it fails.
fn make(dir: &Path, input: &str) -> Result<(), String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_b2nd-icechunk"))
        .arg(dir)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may fail before it has read all of it.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    let output = program.wait_with_output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8(output.stderr).unwrap()) }
}

fn array() -> Value {
    json!({
        "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "fill_value": 0, "attributes": {},
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [2] } },
        "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
        "codecs": [{ "name": "bytes" }],
    })
}

fn references(path: &str) -> Value {
    json!({ "version": 1, "refs": {
        "a/c/1": "base64:Bwg=",
        "a/c/0": [path, 1, 2],
        "a/zarr.json": array().to_string(),
        "zarr.json": json!({ "zarr_format": 3, "node_type": "group", "attributes": {} }).to_string(),
    } })
}

#[test]
fn chunks_are_those_of_the_files_until_these_change() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    fs::create_dir(folder.join("100 % æ")).unwrap();
    let (dir, path) = (folder.join("new/repository"), folder.join("100 % æ/file"));
    fs::write(&path, [1, 2, 3, 4]).unwrap();
    let changed = fs::metadata(&path).unwrap().modified().unwrap();
    let mut references = references(path.to_str().unwrap());
    references["modified"][path.to_str().unwrap()] =
        (changed.duration_since(UNIX_EPOCH).unwrap().as_secs() + 1).into();
    make(&dir, &references.to_string()).unwrap();
    assert_eq!(fs::read_dir(folder.join("new")).unwrap().count(), 1);

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let read = |key: &'static str| {
        runtime.block_on(async {
            let storage = new_local_filesystem_storage(&dir).await.unwrap();
            let config = Repository::fetch_config(storage.clone()).await.unwrap().unwrap().0;
            let access: HashMap<_, _> = config
                .virtual_chunk_containers()
                .map(|container| (container.url_prefix().to_owned(), None))
                .collect();
            let opened =
                Repository::open(storage).authorize_virtual_chunk_access(access).execute().await.unwrap();
            let session = opened.readonly_session(&VersionInfo::BranchTipRef("main".into())).await.unwrap();
            let store = Store::from_session(std::sync::Arc::new(tokio::sync::RwLock::new(session))).await;
            store
                .get(key, &ByteRange::ALL)
                .await
                .map(|bytes| bytes.to_vec())
                .map_err(|error| error.to_string())
        })
    };
    assert_eq!(read("a/c/0").unwrap(), [2, 3]);
    assert_eq!(read("a/c/1").unwrap(), [7, 8]);
    let later = SystemTime::now() + Duration::from_secs(10);
    fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    let error = read("a/c/0").unwrap_err();
    assert!(error.contains("changed") || error.contains("modified"), "{error}");
    assert_eq!(read("a/c/1").unwrap(), [7, 8]);
}

#[test]
fn what_are_no_references_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("repository");
    let refused = |input: &str, why: &str| {
        let error = make(&dir, input).unwrap_err();
        assert!(error.starts_with("b2nd-icechunk: ") && error.contains(why), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    };
    refused("", "standard input");
    refused("{}", "version");
    refused(r#"{ "version": 2, "refs": {} }"#, "version 2");
    refused(r#"{ "version": 1, "refs": { "zarr.json": 5 } }"#, "standard input");
    refused(&references("file").to_string(), "absolute path");
    refused(&references("ftp://example.org/file").to_string(), "ftp://example.org/");
    let with = |key: &str, value: Value| {
        let mut references = references("/data/file");
        references["refs"][key] = value;
        references.to_string()
    };
    refused(&with("a/c/1", json!("base64:*")), "a/c/1");
    refused(&with("a/zarr.json", json!("no JSON")), "a/zarr.json");
    refused(&with("a/c/x", json!("base64:Bwg=")), "a/c/x");
    refused(&with("b/c/0", json!(["/data/file", 0, 1])), "b/c/0");
    fs::create_dir(&dir).unwrap();
    assert!(make(&dir, &references("/data/file").to_string()).unwrap_err().contains("already"));
}
