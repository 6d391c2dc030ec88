//! Firefox and WebKit, for the tests that run in more than one engine.

use std::fs;
use std::path::{Path, PathBuf};

use super::debian::{self, Place};
use super::installed;
use crate::failure::{Failure, Result};
use crate::project::Project;

const FIREFOX: &[&str] = &["firefox-esr", "firefox"];
/// Not `usr/bin/firefox-esr`, a script with absolute paths.
const UNPACKED_FIREFOX: &str = "usr/lib/firefox-esr/firefox-esr";
const DRIVER: &str = "WebKitWebDriver";
/// WebKit's browser, below a directory of libraries or helper programs.
const BROWSER: &str = "webkit2gtk-4.1/MiniBrowser";
/// WebKit's browser needs an X server.
const SCREEN: &str = "Xvfb";

/// The browsers and drivers that the tests use.
pub struct Engines {
    pub firefox: PathBuf,
    pub webkit: WebKit,
    pub screen: PathBuf,
}

pub struct WebKit {
    /// The WebDriver server, which starts the browser.
    pub driver: PathBuf,
    pub browser: PathBuf,
}

/// The installed browsers, or else Debian's.
pub fn engines(project: &Project) -> Result<Engines> {
    let firefox = match installed(FIREFOX, "--version") {
        Some(program) => program,
        None => {
            debian::unpack(project, "Firefox", &["firefox-esr"])?.script(UNPACKED_FIREFOX, Place::Anywhere)?
        }
    };
    let screen = match installed(&[SCREEN], "-help") {
        Some(program) => program,
        None => debian::unpack(project, "Xvfb", &["xvfb"])?.script("usr/bin/Xvfb", Place::Usr)?,
    };
    Ok(Engines { firefox, webkit: webkit(project)?, screen })
}

fn webkit(project: &Project) -> Result<WebKit> {
    if let (Some(driver), Some(browser)) = (installed(&[DRIVER], "--help"), browser(Path::new("/"))) {
        return Ok(WebKit { driver, browser });
    }
    let root = debian::unpack(project, "WebKit", &["webkit2gtk-driver"])?;
    let driver = root.script("usr/bin/WebKitWebDriver", Place::Usr)?;
    let browser = browser(&root.path()).ok_or_else(|| Failure::new("Debian's WebKit has no MiniBrowser"))?;
    // The driver starts it at its place.
    let inside = browser.strip_prefix(root.path()).unwrap_or(&browser);
    Ok(WebKit { driver, browser: Path::new("/").join(inside) })
}

/// WebKit's browser in a directory like `/`.
fn browser(root: &Path) -> Option<PathBuf> {
    let libraries = fs::read_dir(root.join("usr/lib")).ok()?.flatten().map(|entry| entry.path());
    let folders = libraries.chain([root.join("usr/libexec")]);
    folders.map(|folder| folder.join(BROWSER)).find(|path| path.is_file())
}
