//! The modules of a crate, and what each of its files imports, read with a parser: `use` statements, paths within code, and
//! paths within the arguments of macros. Code that is compiled for tests only does not count.

use alloc::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// The names from the root of the crate to a module.
pub(crate) type Module = Vec<String>;

/// Re-exports that lead to each other would be an error of the compiler.
const MAX_REEXPORTS: usize = 8;

/// A module, with what it declares.
struct Unit {
    file: PathBuf,
    /// Its name, and the path that it stands for, of each `use`; `*` for all names of a module.
    uses: Vec<(String, Vec<String>)>,
    /// Names of items that are defined here.
    defines: BTreeSet<String>,
    /// Paths in the code.
    paths: Vec<Vec<String>>,
}

/// A crate by its modules.
pub(crate) struct Crate {
    units: BTreeMap<Module, Unit>,
}

impl Crate {
    /// Reads the crate whose root is this file.
    pub(crate) fn read(root: &Path) -> Self {
        let mut tree = Self { units: BTreeMap::new() };
        let text = fs::read_to_string(root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
        tree.add(&Vec::new(), root, root.parent().expect("a folder"), file.items);
        tree
    }

    /// Adds a module, and those that it declares, which are in `folder`.
    fn add(&mut self, module: &Module, file: &Path, folder: &Path, items: Vec<Item>) {
        let mut unit =
            Unit { file: file.to_owned(), uses: Vec::new(), defines: BTreeSet::new(), paths: Vec::new() };
        for item in items {
            if is_for_tests(attributes(&item)) {
                continue;
            }
            match item {
                Item::Mod(declared) => {
                    let name = declared.ident.to_string();
                    let child: Module = module.iter().cloned().chain([name.clone()]).collect();
                    match declared.content {
                        Some((_, items)) => self.add(&child, file, &folder.join(&name), items),
                        None => self.open(&child, folder, &name, file, &declared.attrs),
                    }
                }
                Item::Use(statement) => expand(&statement.tree, &mut Vec::new(), &mut unit.uses),
                item => {
                    unit.defines.extend(name(&item));
                    Paths(&mut unit).visit_item(&item);
                }
            }
        }
        self.units.insert(module.clone(), unit);
    }

    /// Reads the file of a declared module, or its files if features choose one.
    fn open(&mut self, module: &Module, folder: &Path, name: &str, from: &Path, attributes: &[Attribute]) {
        let paths = match other_paths(attributes) {
            paths if paths.is_empty() => {
                vec![folder.join(name).with_extension("rs"), folder.join(name).join("mod.rs")]
            }
            paths => {
                let beside = from.parent().expect("a folder");
                let usual = folder.join(name).with_extension("rs");
                paths.into_iter().map(|path| beside.join(path)).chain([usual]).collect()
            }
        };
        let found: Vec<_> = paths.into_iter().filter(|path| path.is_file()).collect();
        assert!(!found.is_empty(), "{}: no file for {name}", from.display());
        for (number, path) in found.iter().enumerate() {
            // Nothing names the others: they are the module with other features.
            let mut module = module.clone();
            module.last_mut().expect("a name").push_str(&"'".repeat(number));
            self.read_file(&module, folder, name, path);
        }
    }

    fn read_file(&mut self, module: &Module, folder: &Path, name: &str, path: &Path) {
        let text = fs::read_to_string(path).expect("text");
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let is_usual = path.starts_with(folder);
        let folder = if is_usual { folder.join(name) } else { path.with_extension("") };
        self.add(module, path, &folder, file.items);
    }

    /// Each file with the files that it imports from.
    pub(crate) fn imports(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut found: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (module, unit) in &self.units {
            let own = found.entry(&unit.file).or_default();
            let uses = unit.uses.iter().map(|(_, path)| path);
            for path in uses.chain(&unit.paths) {
                own.extend(self.target(module, path, MAX_REEXPORTS).filter(|file| *file != unit.file));
            }
        }
        found
    }

    /// The file in which the item of a path is defined; `None` for other crates.
    fn target(&self, from: &Module, path: &[String], depth: usize) -> Option<&Path> {
        let (mut at, mut rest) = self.start(from, path)?;
        while let Some((name, more)) = rest.split_first() {
            let child: Module = at.iter().cloned().chain([name.clone()]).collect();
            if self.units.contains_key(&child) {
                (at, rest) = (child, more);
                continue;
            }
            let unit = &self.units[&at];
            if unit.defines.contains(name) || name == "*" || depth == 0 {
                break;
            }
            return self.exported(&at, name, more, depth - 1);
        }
        Some(&self.units[&at].file)
    }

    /// The file of an item that a module re-exports.
    fn exported(&self, module: &Module, name: &str, rest: &[String], depth: usize) -> Option<&Path> {
        let unit = &self.units[module];
        if let Some((_, path)) = unit.uses.iter().find(|(bound, _)| bound == name) {
            let path: Vec<String> = path.iter().chain(rest).cloned().collect();
            return self.target(module, &path, depth);
        }
        let globs = unit.uses.iter().filter(|(bound, _)| bound == "*");
        let mut defining = globs.filter_map(|(_, path)| {
            let (at, _) = self.start(module, &path[..path.len() - 1])?;
            let at: Module = at.into_iter().chain(path[1..path.len() - 1].iter().cloned()).collect();
            let unit = self.units.get(&at)?;
            unit.defines.contains(name).then_some(unit.file.as_path())
        });
        defining.next().or(Some(&unit.file))
    }

    /// The module in which a path starts, and the rest of it.
    fn start<'p>(&self, from: &Module, path: &'p [String]) -> Option<(Module, &'p [String])> {
        let (first, mut rest) = path.split_first()?;
        let mut at = from.clone();
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => _ = at.pop(),
            name => {
                let child: Module = from.iter().cloned().chain([name.to_owned()]).collect();
                return self.units.contains_key(&child).then_some((child, rest));
            }
        }
        while let Some(("super", more)) = rest.split_first().map(|(step, more)| (step.as_str(), more)) {
            at.pop();
            rest = more;
        }
        Some((at, rest))
    }
}

/// Collects the paths of an item, with those in nested `use` statements and in arguments of macros.
struct Paths<'u>(&'u mut Unit);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, statement: &'ast syn::ItemUse) {
        let mut uses = Vec::new();
        expand(&statement.tree, &mut Vec::new(), &mut uses);
        self.0.paths.extend(uses.into_iter().map(|(_, path)| path));
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        in_tokens(call.tokens.clone(), &mut self.0.paths);
        visit::visit_macro(self, call);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }
}

/// Paths of the form `a::b` in tokens.
fn in_tokens(tokens: TokenStream, paths: &mut Vec<Vec<String>>) {
    let (mut path, mut colons) = (Vec::new(), 0);
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 && !path.is_empty() {
                    paths.push(core::mem::take(&mut path));
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => in_tokens(group.stream(), paths),
            _ => paths.extend((!path.is_empty()).then(|| core::mem::take(&mut path))),
        }
    }
    paths.extend((!path.is_empty()).then_some(path));
}

fn expand(tree: &UseTree, before: &mut Vec<String>, uses: &mut Vec<(String, Vec<String>)>) {
    let full = |before: &[String], name: &syn::Ident| -> Vec<String> {
        before.iter().cloned().chain([name.to_string()]).collect()
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            expand(&path.tree, before, uses);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| expand(tree, before, uses)),
        UseTree::Name(name) if name.ident == "self" => {
            uses.push((before.last().cloned().unwrap_or_default(), before.clone()));
        }
        UseTree::Name(name) => uses.push((name.ident.to_string(), full(before, &name.ident))),
        UseTree::Rename(rename) => uses.push((rename.rename.to_string(), full(before, &rename.ident))),
        UseTree::Glob(_) => uses.push(("*".to_owned(), [before.as_slice(), &["*".to_owned()]].concat())),
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item has `cfg(test)`, also with other conditions.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        let text = list.tokens.to_string();
        text == "test" || text.starts_with("all (test ,")
    })
}

/// The values of `path` attributes, also of conditional ones.
fn other_paths(attributes: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in attributes.iter().filter(|attribute| !attribute.path().is_ident("doc")) {
        let tokens: Vec<TokenTree> = match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => {
                let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) = &pair.value else {
                    continue;
                };
                found.push(path.value());
                continue;
            }
            syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
                list.tokens.clone().into_iter().collect()
            }
            _ => continue,
        };
        for window in tokens.windows(3) {
            if let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(value)] = window
                && name == "path"
            {
                found.push(value.to_string().trim_matches('"').to_owned());
            }
        }
    }
    found
}

fn name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// The groups of files that import each other, by way of others or not. `counts` tells which imports to look at.
pub(crate) fn circles<'c>(
    imports: &BTreeMap<&'c Path, BTreeSet<&'c Path>>,
    counts: impl Fn(&Path, &Path) -> bool,
) -> Vec<Vec<&'c Path>> {
    let reached = |from: &'c Path| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(file) = left.pop() {
            for &other in imports.get(file).into_iter().flatten().filter(|other| counts(file, other)) {
                if seen.insert(other) {
                    left.push(other);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        imports.keys().map(|&file| (file, reached(file))).collect();
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for (&file, others) in &reached {
        if !others.contains(file) || !done.insert(file) {
            continue;
        }
        let circle: Vec<&Path> = others
            .iter()
            .copied()
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(file)))
            .collect();
        done.extend(&circle);
        found.push(circle);
    }
    found
}
