//! Errors of members of stores and of values of expressions. They have no numbers, but are told as texts: only the modules that change stores
//! and compute expressions raise them.

use alloc::string::{String, ToString};
use b2nd::{ArgumentError, Error, ErrorKind, Unsupported};

/// The text of such an error; empty for others.
pub(super) fn of(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Unsupported(
            what @ (Unsupported::NoStore | Unsupported::CompressedMember | Unsupported::RemoteMember),
        ) => what.to_string(),
        ErrorKind::Argument(
            what @ (ArgumentError::Key
            | ArgumentError::KeyInUse
            | ArgumentError::NoMember
            | ArgumentError::CellType
            | ArgumentError::IsGroup
            | ArgumentError::NegativePower
            | ArgumentError::NoItems),
        ) => what.to_string(),
        _ => String::new(),
    }
}
