//! Firefox and WebKit, for the tests that run in more than one engine.

use std::env;
use std::path::PathBuf;

use super::apt;
use crate::failure::{Failure, Result};
use crate::project::Project;

const PACKAGES: &[&str] = &["firefox-esr", "webkit2gtk-driver", "xvfb"];
/// WebKit's browser needs an X server.
const SCREEN: &[&str] = &["Xvfb"];
const FIREFOX: &[&str] = &["firefox-esr", "firefox"];
const WEBKIT: &[&str] = &["WebKitWebDriver"];

/// The browsers and drivers that the tests use.
pub struct Engines {
    pub firefox: PathBuf,
    /// The WebDriver server that starts WebKit's browser.
    pub webkit: PathBuf,
}

/// The installed browsers, or else Debian's.
pub fn engines(project: &Project) -> Result<Engines> {
    if let Some(engines) = find() {
        return Ok(engines);
    }
    let advice =
        "Firefox or WebKit is missing: `apt-get install firefox-esr webkit2gtk-driver xvfb` installs them";
    apt::install(project, PACKAGES).map_err(|failure| Failure {
        sentence: format!("{advice} ({})", failure.sentence),
        output: failure.output,
    })?;
    find().ok_or_else(|| Failure::new(advice))
}

fn find() -> Option<Engines> {
    program(SCREEN)?;
    Some(Engines { firefox: program(FIREFOX)?, webkit: program(WEBKIT)? })
}

/// The first of these names on the PATH.
fn program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let mut paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.find(|path| path.is_file())
}
