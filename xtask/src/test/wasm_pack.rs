//! `wasm-pack build www`: another way to the module, for those who do not want the npm package.

use crate::command::command;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::{node, targets, wasm_pack};

const SCRIPT: &str = "www/test/wasm-pack/read.mjs";

pub fn wasm_pack(project: &Project) -> Result {
    targets::add_wasm(project)?;
    let path = wasm_pack::path(project)?;
    let out = project.cache("wasm-pack").join("package");
    // Without wasm-opt, which it would download.
    let mut pack = command("wasm-pack", ["build", "www", "--target", "web", "--profile", "web"]);
    pack.args(["--mode", "no-install", "--no-opt", "--out-dir"]).arg(&out).env("PATH", path);
    run(project, &mut pack)?;
    // The script bundles a module of the package's sources.
    node::packages(project)?;
    run(project, node::node(project, SCRIPT).arg(&out)).map(drop)
}
