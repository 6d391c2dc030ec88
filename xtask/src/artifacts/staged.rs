//! The Python package with the library inside of its workspace. Cargo hashes the paths of packages outside of a workspace, and these
//! hashes decide about the order of a program's functions: its bytes would depend on where the project lies.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{ask, command};
use crate::error::{About, Error, Result};
use crate::project::Project;

/// A link to the project.
const LIBRARY: &str = "library";
/// Texts of the manifest, and those of the staged package in their places.
const CHANGES: [(&str, &str); 3] = [
    ("path = \"..\"", "path = \"library\""),
    ("path = \"../refs\"", "path = \"library/refs\""),
    ("[workspace]\n", "[workspace]\nexclude = [\"library\"]\n"),
];

/// Puts the package in target/wheel. Returns its folder.
pub fn python(project: &Project) -> Result<PathBuf> {
    let to = project.target.join("wheel");
    if to.exists() {
        fs::remove_dir_all(&to).about(to.display())?;
    }
    fs::create_dir_all(&to).about(to.display())?;
    let python = project.root.join("python");
    let files = ask(command("git", ["ls-files"]).current_dir(&python));
    let files = files.ok_or_else(|| Error::new("`git ls-files` lists no files of the Python package"))?;
    for file in files.lines().filter(|file| !file.starts_with("tests/")) {
        let (from, copy) = (python.join(file), to.join(file));
        fs::create_dir_all(copy.parent().unwrap_or(&to)).about(copy.display())?;
        fs::copy(&from, &copy).about(from.display())?;
    }
    change(&to.join("Cargo.toml"))?;
    link(&project.root, &to.join(LIBRARY))?;
    Ok(to)
}

fn change(manifest: &Path) -> Result {
    let mut text = fs::read_to_string(manifest).about(manifest.display())?;
    for (here, staged) in CHANGES {
        if !text.contains(here) {
            return Err(Error::new(format!("python/Cargo.toml lacks {here:?}, which the wheel's replaces")));
        }
        text = text.replace(here, staged);
    }
    fs::write(manifest, text).about(manifest.display())
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> Result {
    std::os::unix::fs::symlink(to, at).about(at.display())
}

#[cfg(windows)]
fn link(to: &Path, at: &Path) -> Result {
    std::os::windows::fs::symlink_dir(to, at).about(at.display())
}
