//! Chromium, for the tests that need a browser.

use std::path::PathBuf;

use super::debian::{self, Place};
use super::installed;
use crate::error::Result;
use crate::project::Project;

const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
/// Not `usr/bin/chromium`, a script with absolute paths.
const UNPACKED: &str = "usr/lib/chromium/chromium";

/// The user's own browser, else Debian's.
pub fn chromium(project: &Project) -> Result<PathBuf> {
    match installed(NAMES, "--version") {
        Some(program) => Ok(program),
        None => debian::unpack(project, "Chromium", &["chromium"])?.script(UNPACKED, Place::Anywhere),
    }
}
