//! Arrays are exchanged with zarr-python, whose codec is numcodecs' C-Blosc.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use zarrs::array::{Array, ArraySubset, ElementOwned};
use zarrs::filesystem::FilesystemStore;

const SHAPE: [u64; 2] = [300, 211];

fn item(at: u64) -> u64 {
    at * at / 700 % 1000
}

fn python(what: &str, folder: &Path) {
    let python = std::env::var_os("B2ND_PYTHON").expect("B2ND_PYTHON names a Python with zarr");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python.py");
    assert!(Command::new(python).args([script, what]).arg(folder).status().expect("Python").success());
}

/// Compares all items and a part of them; then stores them again.
fn check<T: ElementOwned + zarrs::array::Element + PartialEq>(folder: &Path, name: &str, of: fn(u64) -> T) {
    let open =
        |name: &str| Array::open(Arc::new(FilesystemStore::new(folder.join(name)).unwrap()), "/").unwrap();
    let array = open(name);
    let items: Vec<T> = array.retrieve_array_subset(&array.subset_all()).unwrap();
    assert!(items == (0..SHAPE[0] * SHAPE[1]).map(of).collect::<Vec<_>>(), "{name}");
    let part: Vec<T> = array.retrieve_array_subset(&ArraySubset::new_with_ranges(&[90..150, 5..10])).unwrap();
    let places = (90..150).flat_map(|row| (5..10).map(move |column| row * SHAPE[1] + column));
    assert!(part == places.map(of).collect::<Vec<_>>(), "{name}");
    // Metadata as zarr-python wrote it: it does not read the short form that zarrs has for codecs without configuration.
    let other = format!("written-{name}");
    std::fs::create_dir(folder.join(&other)).unwrap();
    for file in ["zarr.json", ".zarray", ".zattrs"] {
        _ = std::fs::copy(folder.join(name).join(file), folder.join(&other).join(file));
    }
    let written = open(&other);
    written.store_array_subset(&written.subset_all(), &items).unwrap();
}

#[test]
#[ignore = "takes a Python with zarr: B2ND_PYTHON=… cargo test -- --ignored"]
fn arrays_are_exchanged_with_zarr_python() {
    b2nd_zarrs::register();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    python("write", &folder);
    let names: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 120);
    for name in &names {
        match name.rsplit('-').next() {
            Some("u1") => check(&folder, name, |at| item(at) as u8),
            Some("i2") => check(&folder, name, |at| item(at) as i16),
            Some("f4") => check(&folder, name, |at| item(at) as f32),
            _ => check(&folder, name, |at| item(at) as f64),
        }
    }
    python("read", &folder);
}
