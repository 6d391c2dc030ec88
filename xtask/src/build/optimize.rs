//! wasm-opt, which knows what LLVM does not: that the module is whole.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Variant, home};
use crate::failure::{About, Result};
use crate::process::{command, run};
use crate::project::Project;
use crate::stamp;

/// What every compiler of ours uses, and every engine since 2021 has.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];
/// A tenth smaller than with -O3. Structure found anew, after a first round and once more, makes it smaller by another
/// fiftieth, and faster by two hundredths. The memory's first bytes are the far end of the stack, where nothing is. What
/// has one caller stays a function unless it is small: alike pieces lie nearer to each other, and are packed better.
const PASSES: &[&str] = &[
    "--low-memory-unused",
    "--one-caller-inline-max-function-size=40",
    "-Oz",
    "--flatten",
    "--rereloop",
    "-Oz",
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
];

/// Makes target/www/VARIANT.wasm of `module`.
pub fn optimize(project: &Project, variant: &Variant, modules: &Path, module: &Path) -> Result {
    let arguments = [FEATURES, variant.features, PASSES].concat();
    let optimized = path(project, variant);
    let stamp = optimized.with_extension("made-from.txt");
    let wanted = made_from(modules, module, &arguments)?;
    if optimized.exists() && stamp::holds(&stamp, &wanted) {
        return Ok(());
    }
    // It is a script for Node.js, whatever the system.
    let program = modules.join("binaryen").join("bin").join("wasm-opt");
    let mut node = command("node", [program.as_path(), module]);
    run(project, node.args(arguments).arg("-o").arg(&optimized))?;
    stamp::write(&stamp, &wanted)
}

pub fn path(project: &Project, variant: &Variant) -> PathBuf {
    home(project).join(format!("{}.wasm", variant.name))
}

fn made_from(modules: &Path, module: &Path, arguments: &[&str]) -> Result<String> {
    let binaryen = modules.join("binaryen").join("package.json");
    let binaryen = fs::read(&binaryen).about(binaryen.display())?;
    let bytes = fs::read(module).about(module.display())?;
    Ok(format!("{:016x} {:016x} {}", stamp::hash(&bytes), stamp::hash(&binaryen), arguments.join(" ")))
}
