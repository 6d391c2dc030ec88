//! Code that tests of the tool share, among them and with those of the library.

#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

#[path = "../../../../tests/common/forgery.rs"]
pub(crate) mod forgery;
#[path = "../../../../tests/common/goldens.rs"]
pub(crate) mod goldens;
#[path = "../../../../tests/common/manifest.rs"]
pub(crate) mod manifest;
#[path = "../../../../tests/common/numpy.rs"]
pub(crate) mod numpy;
#[path = "../../../../tests/common/parts.rs"]
pub(crate) mod parts;
#[cfg(feature = "object_store")]
pub(crate) mod server;
pub(crate) mod tool;

pub(crate) use manifest::{Case, cases, golden, sha256};
