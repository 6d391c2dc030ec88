//! Random files, written by the reference implementation and read by us.

use std::fs;
use std::path::Path;

use crate::failure::{About, Result};
use crate::process::{cargo, command, run};
use crate::project::Project;
use crate::setup::python;

const SCRIPT: &str = "tests/interop/random_files.py";
const CHOICE: &[&str] = &["--seed", "20", "--count", "2000"];

pub fn interop(project: &Project) -> Result {
    let files = project.target.join("interop");
    write(project, &files)?;
    let test = ["test", "--release", "--features", "cli", "--test", "interop", "--", "--nocapture"];
    run(project, cargo(test).env("B2ND_INTEROP", &files)).map(drop)
}

/// Unless this very script has written them before.
fn write(project: &Project, files: &Path) -> Result {
    let python = python::with_reference(project)?;
    let script = fs::read(project.root.join(SCRIPT)).about(SCRIPT)?;
    let stamp = project.cache("interop.txt");
    let wanted = format!("{:016x} {} {}", hash(&script), CHOICE.join(" "), python::REFERENCE);
    if files.exists() && fs::read_to_string(&stamp).is_ok_and(|written| written == wanted) {
        return Ok(());
    }
    if files.exists() {
        fs::remove_dir_all(files).about(files.display())?;
    }
    run(project, command(&python, [SCRIPT]).arg(files).args(CHOICE))?;
    fs::write(&stamp, wanted).about(stamp.display())
}

/// FNV-1a: it tells one version of a script from the next.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
