//! Keys of members, and names of their files.

use crate::base::{ArgumentError, Result};
use alloc::string::String;

/// File names of members end with one of these.
const EXTENSIONS: [&str; 3] = [".b2nd", ".b2f", ".b2b"];
/// The last part of the key of a frame that holds a group's attributes.
pub(crate) const ATTRIBUTES: &str = "__vlmeta__";

/// The key of a file in a store, if its name is that of a frame.
///
/// ```
/// assert_eq!(b2nd::store::key_of("group/image.b2nd").as_deref(), Some("/group/image"));
/// assert_eq!(b2nd::store::key_of("notes.txt"), None);
/// ```
pub fn key_of(name: &str) -> Option<String> {
    stem(name).map(|stem| ["/", stem].concat())
}

/// The names that a file with this key may have.
#[cfg(feature = "write")]
pub(crate) fn names_of(key: &str) -> impl Iterator<Item = String> {
    EXTENSIONS.into_iter().map(move |extension| [&key[1..], extension].concat())
}

/// The key of a file without its slash, if its name is that of a frame.
pub(super) fn stem(name: &str) -> Option<&str> {
    let stem = EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension))?;
    (!stem.is_empty() && !stem.ends_with('/')).then_some(stem)
}

/// Whether a key is below another one, which is that of a group then. All keys are below the empty one.
pub(crate) fn is_below(key: &str, group: &str) -> bool {
    key.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'))
}

/// Fails unless new members may have this key: the reference and all file systems must be able to have it.
pub(crate) fn must_be_key(key: &str) -> Result<()> {
    let is_name = |part: &str| {
        let is_plain = |char: char| !matches!(char, ':' | '\\') && !char.is_control();
        !matches!(part, "" | "." | ".." | ATTRIBUTES) && part.chars().all(is_plain)
    };
    match key.strip_prefix('/') {
        Some(parts) if parts.split('/').all(is_name) => Ok(()),
        _ => Err(ArgumentError::Key.into()),
    }
}

/// The key of the frame that holds a group's attributes.
pub(crate) fn attributes_of(group: &str) -> String {
    alloc::format!("{}/{ATTRIBUTES}", group.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_new_members() {
        for key in ["/a", "/group/a b", "/ä/.hidden", "/a.b2nd"] {
            assert!(must_be_key(key).is_ok(), "{key}");
        }
        for key in [
            "",
            "/",
            "a",
            "/a/",
            "//a",
            "/a//b",
            "/../a",
            "/a/.",
            "/a:b",
            "/a\\b",
            "/a\n",
            "/a\0",
            "/__vlmeta__",
        ] {
            assert!(must_be_key(key).is_err(), "{key:?}");
        }
    }

    #[test]
    fn groups() {
        assert!(is_below("/a/b", "/a") && is_below("/a/b", ""));
        assert!(!is_below("/ab", "/a") && !is_below("/a", "/a"));
    }
}
