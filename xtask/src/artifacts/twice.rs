//! Builds the artifacts twice, in copies of the commit at different paths below target/xtask, and compares their bytes.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Kind, contents};
use crate::command::{cargo, command};
use crate::error::{About, Error, Result};
use crate::process::{run, run_as};
use crate::project::Project;

pub fn twice(project: &Project, kinds: &[&Kind]) -> Result {
    let home = project.cache("artifacts");
    remove(&home)?;
    let copies = ["first", "another"].map(|name| home.join(name));
    let mut built = Vec::new();
    for copy in &copies {
        built.push(contents(&artifacts_of(project, copy, kinds)?)?);
    }
    let differing = compare(&built[0], &built[1]);
    remove(&home)?;
    if differing == 0 { Ok(()) } else { Err(Error::new(format!("{differing} artifacts differ"))) }
}

/// Builds in a copy of the commit. Returns the folder of the artifacts.
fn artifacts_of(project: &Project, copy: &Path, kinds: &[&Kind]) -> Result<PathBuf> {
    run(project, command("git", ["clone", "--quiet"]).arg(&project.root).arg(copy))?;
    let mut build = cargo(["xtask", "artifacts"]);
    build.args(kinds.iter().map(|kind| kind.name)).current_dir(copy).env_remove("CARGO_TARGET_DIR");
    run_as(project, &format!("cargo xtask artifacts in {}", copy.display()), &mut build)?;
    Ok(copy.join("target/artifacts"))
}

fn remove(folder: &Path) -> Result {
    if folder.exists() { fs::remove_dir_all(folder).about(folder.display()) } else { Ok(()) }
}

/// Prints whether each artifact is the same. Returns how many are not.
fn compare(first: &[(String, Vec<u8>)], second: &[(String, Vec<u8>)]) -> usize {
    let mut differing = 0;
    let alone = second.iter().filter(|(name, _)| !first.iter().any(|(other, _)| other == name));
    for (name, bytes) in first.iter().chain(alone) {
        let same =
            [first, second].iter().all(|files| files.iter().any(|file| file.0 == *name && file.1 == *bytes));
        println!("{:>12} {:<9} {name}", bytes.len(), if same { "same" } else { "differs" });
        differing += usize::from(!same);
    }
    differing
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn artifacts_that_differ_or_are_missing_are_counted() {
        let file = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
        let first = [file("a", b"1"), file("b", b"2"), file("c", b"3")];
        let second = [file("a", b"1"), file("b", b"3"), file("d", b"4")];
        assert_eq!(compare(&first, &first), 0);
        assert_eq!(compare(&first, &second), 3);
    }
}
