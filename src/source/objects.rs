//! Objects of the crate object_store as sources.

use ::object_store as release;

mod folder;
mod source;
pub(super) mod traffic;

pub use folder::ObjectFolder;
pub use source::ObjectSource;
pub use traffic::Traffic;
