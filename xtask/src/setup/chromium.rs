//! Chromium, for the tests that need a browser.

use std::path::PathBuf;

use super::debian::{self, Place};
use super::installed;
use crate::error::Result;
use crate::project::Project;

/// Without windows of its own it does the same in two thirds of the time.
const SHELL: &str = "chromium-headless-shell";
const NAMES: &[&str] = &[
    SHELL,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
];
/// Not the one in `usr/bin`, a script with absolute paths.
const UNPACKED: &str = "usr/lib/chromium/chromium-headless-shell";

/// The user's own browser, else Debian's.
pub fn chromium(project: &Project) -> Result<PathBuf> {
    match installed(NAMES, "--version") {
        Some(program) => Ok(program),
        None => debian::unpack(project, "Chromium", &[SHELL])?.script(UNPACKED, Place::Anywhere),
    }
}
