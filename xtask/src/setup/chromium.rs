//! Chromium, for the tests that need a browser.

use std::env;
use std::path::PathBuf;

use super::apt;
use crate::failure::{Failure, Result};
use crate::process;
use crate::project::Project;

const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/// The user's own browser, else Debian's.
pub fn chromium(project: &Project) -> Result<PathBuf> {
    if let Some(program) = find() {
        return Ok(program);
    }
    let advice =
        "Chromium is missing: `apt-get install chromium` installs it; a Chrome on the PATH works as well";
    apt::install(project, &["chromium"]).map_err(|failure| Failure {
        sentence: format!("{advice} ({})", failure.sentence),
        output: failure.output,
    })?;
    find().ok_or_else(|| Failure::new(advice))
}

/// The first one that starts: Ubuntu's chromium-browser may be a script that needs a snap.
fn find() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let paths = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.filter(|path| path.is_file()).find(starts)
}

fn starts(program: &PathBuf) -> bool {
    process::ask(&mut process::command(program, ["--version"])).is_some()
}
