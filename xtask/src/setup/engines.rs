//! Firefox and WebKit, for the tests that run in more than one engine.

use std::fs;
use std::path::{Path, PathBuf};

use super::debian::{self, Place};
use super::installed;
use crate::error::{Error, Result};
use crate::project::Project;

const FIREFOX: &[&str] = &["firefox-esr", "firefox"];
/// Not `usr/bin/firefox-esr`, a script with absolute paths.
const UNPACKED_FIREFOX: &str = "usr/lib/firefox-esr/firefox-esr";
const WEBKIT: &[&str] = &["webkit2gtk-driver", "xvfb"];
const DRIVER: &str = "WebKitWebDriver";
/// WebKit's browser, below a directory of libraries or helper programs.
const BROWSER: &str = "webkit2gtk-4.1/MiniBrowser";
const SCREEN: &str = "Xvfb";

pub struct WebKit {
    /// The WebDriver server, which starts the browser.
    pub driver: PathBuf,
    pub browser: PathBuf,
    /// The X server, which the browser needs.
    pub screen: PathBuf,
}

/// The installed Firefox, or else Debian's.
pub fn firefox(project: &Project) -> Result<PathBuf> {
    match installed(FIREFOX, "--version") {
        Some(program) => Ok(program),
        None => {
            debian::unpack(project, "Firefox", &["firefox-esr"])?.script(UNPACKED_FIREFOX, Place::Anywhere)
        }
    }
}

/// The installed WebKit with an X server, or else Debian's.
pub fn webkit(project: &Project) -> Result<WebKit> {
    if let (Some(driver), Some(browser), Some(screen)) =
        (installed(&[DRIVER], "--help"), browser(Path::new("/")), installed(&[SCREEN], "-help"))
    {
        return Ok(WebKit { driver, browser, screen });
    }
    let root = debian::unpack(project, "WebKit", WEBKIT)?;
    let script = |name: &str| root.script(&format!("usr/bin/{name}"), Place::Usr);
    let browser = browser(&root.path()).ok_or_else(|| Error::new("Debian's WebKit has no MiniBrowser"))?;
    // The driver starts it at its place.
    let inside = browser.strip_prefix(root.path()).unwrap_or(&browser);
    Ok(WebKit { driver: script(DRIVER)?, browser: Path::new("/").join(inside), screen: script(SCREEN)? })
}

/// WebKit's browser in a directory like `/`.
fn browser(root: &Path) -> Option<PathBuf> {
    let libraries = fs::read_dir(root.join("usr/lib")).ok()?.flatten().map(|entry| entry.path());
    let folders = libraries.chain([root.join("usr/libexec")]);
    folders.map(|folder| folder.join(BROWSER)).find(|path| path.is_file())
}
