//! [`ObjectSource`](super::ObjectSource) and [`ObjectFolder`](super::ObjectFolder) for release 0.13 of the crate object_store, which
//! DataFusion 55 has.

use super::objects::traffic;
use ::object_store_013 as release;

// Both releases have all that is used of them, so that one text is right for both.
#[expect(clippy::duplicate_mod, reason = "the types of the two releases differ")]
#[path = "objects/folder.rs"]
mod folder;
#[expect(clippy::duplicate_mod, reason = "the types of the two releases differ")]
#[path = "objects/source.rs"]
mod source;

pub use folder::ObjectFolder;
pub use source::ObjectSource;
