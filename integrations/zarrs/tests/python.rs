//! Arrays are exchanged with zarr-python, in `blosc` by numcodecs' C-Blosc, in `blosc2` and `b2nd` by the package of ../../python.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use zarrs::array::{Array, ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;

/// Runs the script that tests the npm package as well, and returns what it printed.
fn python(arguments: &[&str], folder: &Path) -> String {
    let python = std::env::var_os("B2ND_PYTHON").expect("B2ND_PYTHON names a Python with zarr and b2nd");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/test/zarr_exchange.py");
    let output = Command::new(python).arg(script).arg(folder).args(arguments).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn bytes(array: &Array<FilesystemStore>, part: &ArraySubset) -> Vec<u8> {
    let items: ArrayBytes<'static> = array.retrieve_array_subset(part).unwrap();
    items.into_fixed().unwrap().into_owned()
}

/// Compares all items and the middle ones with those beside the array; then stores them in reverse.
fn check(folder: &Path, name: &str) {
    let array = Array::open(Arc::new(FilesystemStore::new(folder.join(name)).unwrap()), "/").unwrap();
    let file = folder.join(format!("{name}.items"));
    let items = std::fs::read(&file).unwrap();
    assert!(bytes(&array, &array.subset_all()) == items, "{name}");
    let itemsize = items.len() / array.shape().iter().product::<u64>() as usize;
    let middle: Vec<_> = array.shape().iter().map(|&n| n / 4..n / 4 + 1 + n / 8).collect();
    let places = middle.iter().zip(array.shape()).fold(vec![0], |places, (range, &n)| {
        places.iter().flat_map(|place| range.clone().map(move |at| place * n + at)).collect::<Vec<_>>()
    });
    let expected = places.iter().flat_map(|&at| &items[at as usize * itemsize..][..itemsize]);
    let found = bytes(&array, &ArraySubset::new_with_ranges(&middle));
    assert!(found.iter().eq(expected), "{name}, the middle");
    let reversed = items.rchunks(itemsize).flatten().copied().collect::<Vec<_>>();
    array.store_array_subset(&array.subset_all(), ArrayBytes::new_flen(&reversed[..])).unwrap();
    std::fs::write(file, reversed).unwrap();
}

#[test]
#[ignore = "takes a Python with zarr and b2nd: B2ND_PYTHON=… cargo test -- --ignored"]
fn arrays_are_exchanged_with_zarr_python() {
    b2nd_zarrs::register();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    _ = std::fs::remove_dir_all(&folder);
    python(&[], &folder);
    let cases: Vec<serde_json::Value> =
        serde_json::from_slice(&std::fs::read(folder.join("cases.json")).unwrap()).unwrap();
    let (mut names, mut counts) = (Vec::new(), BTreeMap::new());
    for case in cases {
        // Those in Fortran order take zarrs' codec `transpose`.
        if case["order"] == "C" {
            let name = case["name"].as_str().unwrap().to_owned();
            check(&folder, &name);
            names.push(name);
            *counts.entry(case["codec"].as_str().unwrap().to_owned()).or_insert(0) += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.len() == 3 && names.len() >= 100, "{counts:?}");
    std::fs::write(folder.join("written.json"), serde_json::to_vec(&names).unwrap()).unwrap();
    let read: serde_json::Value = serde_json::from_str(&python(&["read"], &folder)).unwrap();
    assert_eq!(read, serde_json::json!({ "wrong": [], "count": names.len() }));
}
