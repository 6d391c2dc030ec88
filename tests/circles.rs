//! No two files of the library import each other, not even by way of others.

extern crate alloc;

use alloc::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file by its path as a module: `["frame", "wire"]`.
type Module = Vec<String>;

#[test]
fn imports_make_no_circle() {
    let modules = modules();
    let imports: BTreeMap<&Module, BTreeSet<Module>> =
        modules.iter().map(|(module, text)| (module, imports(module, text, &modules))).collect();
    let mut left: BTreeSet<&Module> = modules.keys().collect();
    // What imports nothing that is left is in no circle.
    while let Some(&free) =
        left.iter().find(|module| imports[**module].iter().all(|other| !left.contains(other)))
    {
        left.remove(free);
    }
    // Nor is what nothing that is left imports.
    while let Some(&free) =
        left.iter().find(|module| left.iter().all(|other| !imports[*other].contains(**module)))
    {
        left.remove(free);
    }
    let names: Vec<String> = left.iter().map(|module| module.join("/")).collect();
    assert!(names.is_empty(), "in a circle: {}", names.join(", "));
}

#[test]
fn circles_are_found() {
    let file = |name: &str, text: &str| (vec!["a".to_owned(), name.to_owned()], text.to_owned());
    let root = (vec!["a".to_owned()], "mod x;\nmod y;\npub use y::{Other, Y};\n".to_owned());
    let modules = BTreeMap::from([root, file("x", "use super::{Y, y};"), file("y", "use super::x::X;")]);
    let [x, y] = ["x", "y"].map(|name| vec!["a".to_owned(), name.to_owned()]);
    assert_eq!(imports(&x, &modules[&x], &modules), BTreeSet::from([y.clone()]));
    assert_eq!(imports(&y, &modules[&y], &modules), BTreeSet::from([x]));
}

/// The library's files without comments and their tests.
fn modules() -> BTreeMap<Module, String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    list(&src, &mut files);
    let mut modules = BTreeMap::new();
    for file in files {
        let path = file.strip_prefix(&src).expect("in src").with_extension("");
        let mut module: Module = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.iter().any(|part| part == "bin" || part == "tests" || part == "lib") {
            continue;
        }
        module.retain(|part| part != "mod");
        let text = fs::read_to_string(&file).expect("text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: Vec<&str> = code.take_while(|line| !line.starts_with("mod tests")).collect();
        modules.insert(module, code.join("\n"));
    }
    modules
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The files that a file imports from. What a folder's own file exports of a file in it comes from the latter.
fn imports(module: &Module, text: &str, modules: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    for statement in uses(text) {
        let Some(first) = statement.first() else { continue };
        let (mut path, mut rest) = match first.as_str() {
            "crate" => (Vec::new(), &statement[1..]),
            "self" | "super" => (module.clone(), &statement[..]),
            _ => continue,
        };
        while let Some(step @ ("self" | "super")) = rest.first().map(String::as_str) {
            if step == "super" {
                path.pop();
            }
            rest = &rest[1..];
        }
        path.extend(rest.iter().cloned());
        let item = path.last().cloned().unwrap_or_default();
        while !path.is_empty() && !modules.contains_key(&path) {
            path.pop();
        }
        // `use super::name` of a folder's own file names nothing by itself.
        let target = exported(&path, &item, modules).unwrap_or(path);
        if target != *module && !module.starts_with(&target) {
            found.insert(target);
        }
    }
    found
}

/// The file from which `module` exports an item.
fn exported(module: &Module, item: &str, modules: &BTreeMap<Module, String>) -> Option<Module> {
    let found =
        uses(modules.get(module)?).into_iter().find(|path| path.last().is_some_and(|last| last == item))?;
    let file: Module = module.iter().chain(found.first()).cloned().collect();
    modules.contains_key(&file).then_some(file)
}

/// The paths of all `use` statements, each name by itself.
fn uses(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for statement in text.split(';') {
        if let Some((_, path)) = statement.rsplit_once("use ").filter(|(before, _)| !before.ends_with('_')) {
            expand(path, &mut Vec::new(), &mut paths);
        }
    }
    paths
}

fn expand(path: &str, before: &mut Module, paths: &mut Vec<Module>) {
    let (names, group) = path.split_once('{').map_or((path, None), |(names, group)| (names, Some(group)));
    let own: Module =
        names.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    let start = before.len();
    before.extend(own);
    match group.and_then(|group| group.rsplit_once('}')) {
        None => paths
            .push(before.iter().map(|name| name.split(' ').next().unwrap_or_default().to_owned()).collect()),
        Some((group, _)) => {
            let mut depth = 0;
            let parts = group.split(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                c == ',' && depth == 0
            });
            for part in parts.filter(|part| !part.trim().is_empty()) {
                expand(part, before, paths);
            }
        }
    }
    before.truncate(start);
}
