//! `include/blosc2.h` is what cbindgen makes of the code.

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = cbindgen::generate(root).expect("cbindgen reads the crate");
    let mut text = Vec::new();
    made.write(&mut text);
    let path = root.join("include/blosc2.h");
    if std::env::var_os("B2ND_UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let is_same = std::fs::read(&path).unwrap() == text;
    assert!(is_same, "B2ND_UPDATE=1 cargo test --manifest-path capi/Cargo.toml --test header updates it");
}
