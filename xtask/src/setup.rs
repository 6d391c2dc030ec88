//! What a step needs, brought when it is not there.

mod apt;
mod distribution;
pub mod python;
mod rustup;
pub mod targets;

pub use rustup::{component, toolchain};
