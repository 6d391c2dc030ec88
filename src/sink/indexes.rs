//! The catalogue of a table's indexes.

use crate::msgpack::Value;
use alloc::string::{String, ToString};

/// The attribute that has it, in the frame that describes the table.
pub(super) const CATALOGUE: &str = "index_catalog";

/// Marks all indexes stale, since values have changed. Returns whether one was not.
pub(super) fn mark_stale(catalogue: &mut Value) -> bool {
    let Value::Map(entries) = catalogue else { return false };
    let stale = Value::Bool(true);
    let current = entries.iter_mut().filter(|(_, entry)| entry.get("stale") != Some(&Value::Bool(true)));
    current.map(|(_, entry)| put(entry, "stale", stale.clone())).count() > 0
}

/// Takes out the indexes of columns.
pub(super) fn forget(catalogue: &mut Value, names: &[String]) {
    let Value::Map(entries) = catalogue else { return };
    entries.retain(|(name, _)| names.iter().all(|forgotten| name.as_str() != Some(forgotten)));
}

/// Sets an entry of a map.
pub(super) fn put(map: &mut Value, name: &str, value: Value) {
    let Value::Map(entries) = map else { return };
    match entries.iter_mut().find(|(key, _)| key.as_str() == Some(name)) {
        Some((_, old)) => *old = value,
        None => entries.push((Value::Str(name.to_string()), value)),
    }
}
