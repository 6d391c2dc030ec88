//! A recording of a voice, for signals of sensors.

use std::path::PathBuf;

use super::debian;
use crate::error::Result;
use crate::project::Project;

/// A WAV file at 48 kHz.
pub fn voice(project: &Project) -> Result<PathBuf> {
    let root = debian::unpack(project, "a recording", &["alsa-utils"])?;
    Ok(root.path().join("usr/share/sounds/alsa/Front_Center.wav"))
}
