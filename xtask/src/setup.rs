//! Set-up: installs what a step needs if it is missing.

pub mod apt;
pub mod chromium;
mod distribution;
pub mod engines;
pub mod hack;
mod multivalue;
pub mod node;
pub mod python;
mod rustup;
pub mod targets;

pub use rustup::{component, nightly_with_source, toolchain};
