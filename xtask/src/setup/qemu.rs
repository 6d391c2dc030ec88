//! QEMU, for the tests on microcontrollers.

use std::path::PathBuf;

use super::debian::{self, Place};
use super::installed;
use crate::error::Result;
use crate::project::Project;

const ARM: &str = "qemu-system-arm";

/// The emulator of Arm machines.
pub fn arm(project: &Project) -> Result<PathBuf> {
    match installed(&[ARM], "--version") {
        Some(program) => Ok(program),
        None => debian::unpack(project, "QEMU for Arm", &[ARM])?
            .script("usr/bin/qemu-system-arm", Place::Anywhere),
    }
}
