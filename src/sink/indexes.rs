//! The catalogue of a table's indexes.

use crate::base::{Limits, Result};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The attribute that has it, in the frame that describes the table.
pub(super) const CATALOGUE: &str = "index_catalog";

/// Marks all indexes stale, since values have changed. Returns whether one was not.
pub(super) fn mark_stale(catalogue: &mut Value) -> bool {
    let Value::Map(entries) = catalogue else { return false };
    let stale = Value::Bool(true);
    let current = entries.iter_mut().filter(|(_, entry)| entry.get("stale") != Some(&Value::Bool(true)));
    current.map(|(_, entry)| put(entry, "stale", stale.clone())).count() > 0
}

/// The catalogue with all indexes marked stale, by the attributes of the frame that has it. `None` if nothing changes.
pub(super) fn stale_catalogue(attributes: &[Metalayer], limits: &Limits) -> Result<Option<Vec<u8>>> {
    let layer = attributes.iter().find(|layer| layer.name == CATALOGUE.as_bytes());
    let Some(mut catalogue) = layer.map(|layer| layer.value(limits)).transpose()? else { return Ok(None) };
    Ok(mark_stale(&mut catalogue).then(|| catalogue.emit()))
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
