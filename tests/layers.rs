//! Modules import only from layers below their own: the order of ARCHITECTURE.md.

use std::fs;
use std::path::Path;

/// From the bottom to the top. Modules of one layer do not see each other.
const LAYERS: &[&[&str]] = &[
    &["base"],
    &["simd"],
    &["filter"],
    &["codec"],
    &["chunk", "msgpack"],
    &["frame"],
    &["plan"],
    &["fetch", "schunk", "array"],
    &["contents"],
    &["source"],
    &["objects", "sink", "store"],
    &["table"],
];

#[test]
fn imports_go_down() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&src).expect("src") {
        let path = entry.expect("an entry").path();
        let module = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        if !matches!(module.as_str(), "lib" | "bin") {
            let layer = layer(&module).unwrap_or_else(|| panic!("{module} has no layer"));
            check(&path, &module, layer, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

fn check(path: &Path, module: &str, own: usize, wrong: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            check(&entry.expect("an entry").path(), module, own, wrong);
        }
        return;
    }
    if path.extension().is_none_or(|extension| extension != "rs") {
        return;
    }
    let text = fs::read_to_string(path).expect("text");
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    for (number, line) in code.enumerate() {
        for import in line.split("crate::").skip(1) {
            let name = import.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            // What is not a module is re-exported at the root; all of that used inside comes from `base`.
            let allowed = name == module || layer(name).is_none_or(|other| other < own);
            if !allowed {
                wrong.push(format!(
                    "{}: line of code {}: {module} must not use {name}",
                    path.display(),
                    number + 1
                ));
            }
        }
    }
}
