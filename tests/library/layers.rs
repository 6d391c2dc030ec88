//! Modules import only from layers below their own, in the order of ARCHITECTURE.md, and no files import each other.

#[path = "../common/imports.rs"]
mod imports;

use alloc::collections::{BTreeMap, BTreeSet};
use imports::{Crate, circles};
use std::path::{Path, PathBuf};

/// From the bottom to the top. Modules of one layer do not see each other.
const LAYERS: &[&[&str]] = &[
    &["base"],
    &["simd"],
    &["filter"],
    &["codec"],
    &["chunk", "msgpack"],
    &["frame"],
    &["plan"],
    &["reading", "schunk", "array"],
    &["contents", "expression", "wire", "zarr"],
    &["source"],
    &["objects", "store"],
    &["table"],
    &["sink"],
    &["export"],
];

/// The roots of the crates whose files must not import each other.
const CRATES: &[&str] = &[
    "src/lib.rs",
    "cli/src/main.rs",
    "benches/src/main.rs",
    "refs/src/lib.rs",
    "www/src/lib.rs",
    "xtask/src/main.rs",
];

#[test]
fn imports_go_down() {
    let src = folder().join("src");
    let library = Crate::read(&src.join("lib.rs"));
    let mut wrong = Vec::new();
    for (file, others) in library.imports() {
        let Some((module, own)) = layer(&src, file) else { continue };
        for other in others {
            if let Some((name, below)) = layer(&src, other)
                && name != module
                && below >= own
            {
                wrong.push(format!("{}: {module} must not use {name}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The module of the library that a file belongs to, and its layer; `None` for the root.
fn layer<'f>(src: &Path, file: &'f Path) -> Option<(&'f str, usize)> {
    let module = file.strip_prefix(src).ok()?.iter().next()?.to_str()?;
    let module = module.strip_suffix(".rs").unwrap_or(module);
    let layer = LAYERS.iter().position(|modules| modules.contains(&module));
    assert!(layer.is_some() || module == "lib", "{module} has no layer");
    layer.map(|layer| (module, layer))
}

/// A file may import from those of the modules that it is in: they declare it.
fn counts(from: &Path, to: &Path) -> bool {
    let above = match to.file_stem().and_then(|name| name.to_str()) {
        Some("mod" | "lib" | "main") => to.parent().map(Path::to_owned),
        _ => Some(to.with_extension("")),
    };
    !above.is_some_and(|folder| from.starts_with(folder))
}

#[test]
fn no_files_import_each_other() {
    for root in CRATES {
        let tree = Crate::read(&folder().join(root));
        let found = circles(&tree.imports(), counts);
        assert!(found.is_empty(), "{root}: {found:?}");
    }
}

#[test]
fn circles_are_found() {
    let [a, b, c] = ["a.rs", "b.rs", "c.rs"].map(Path::new);
    let imports =
        BTreeMap::from([(a, BTreeSet::from([b])), (b, BTreeSet::from([c])), (c, BTreeSet::from([b]))]);
    assert_eq!(circles(&imports, |_, _| true), [[b, c]]);
    assert!(circles(&imports, |from, _| from != c).is_empty());
}

/// Imports by `use`, by a path in code, in a macro's arguments, and through a re-export; not those of tests.
#[test]
fn imports_are_found_wherever_they_stand() {
    let root = std::env::temp_dir().join(format!("b2nd-layers-{}", std::process::id()));
    std::fs::create_dir_all(root.join("deep")).expect("a folder");
    let file = |name: &str, text: &str| {
        std::fs::write(root.join(name), text).expect("a file");
        root.join(name)
    };
    let lib = file(
        "lib.rs",
        "mod used;\nmod code;\nmod deep;\n#[cfg_attr(not(feature = \"f\"), path = \"other.rs\")]\nmod chosen;\npub use used::Used;\n",
    );
    let used = file("used.rs", "pub struct Used;\npub const SIZE: usize = 1;");
    let code = file(
        "code.rs",
        "fn f() { let _ = crate::used::SIZE; }\n#[cfg(test)]\nmod tests { use crate::deep::Deep; }",
    );
    let deep = file("deep/mod.rs", "mod inner;\npub struct Deep;\nfn f() { assert!(inner::g() == 0); }");
    let inner = file("deep/inner.rs", "use crate::Used;\npub fn g() -> usize { 0 }");
    let chosen = file("chosen.rs", "use crate::used::Used;");
    let other = file("other.rs", "use super::deep::Deep;");
    let tree = Crate::read(&lib);
    let imports = tree.imports();
    let of = |file: &PathBuf| imports[file.as_path()].iter().copied().collect::<Vec<_>>();
    assert_eq!(of(&lib), [used.as_path()]);
    assert_eq!(of(&code), [used.as_path()]);
    assert_eq!(of(&deep), [inner.as_path()]);
    assert_eq!(of(&inner), [used.as_path()]);
    assert_eq!((of(&chosen), of(&other)), (vec![used.as_path()], vec![deep.as_path()]));
    std::fs::remove_dir_all(root).expect("removed");
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
