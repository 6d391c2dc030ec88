//! Attributes as JSON.

use b2nd::ErrorKind;
use b2nd::export::{Style, json_object};
use b2nd::{ReadAt, ReadError, source::Reader};
use serde_json::{Map, Value as Json};

/// Bytes of memory that a byte of JSON takes when it is parsed, at most: a digit and a comma become a value.
const PARSED: u64 = 40;

/// The attributes of a frame; null for those that are no MessagePack.
///
/// # Errors
/// Errors of the trailer; `Limit` if the values take more memory than metadata may.
pub(crate) fn attributes<S: ReadAt>(reader: &Reader<S>) -> Result<Map<String, Json>, ReadError<S::Error>> {
    let limits = reader.limits();
    let mut used = 0;
    let mut attributes = Map::new();
    for metalayer in &reader.trailer()?.attributes {
        let json = match metalayer.value(limits) {
            Err(error) if matches!(error.kind(), ErrorKind::Limit(_)) => return Err(error.into()),
            Err(_) => Json::Null,
            Ok(value) => {
                let mut text = Vec::new();
                json_object(&value, &Style::default(), limits, &mut text);
                used += PARSED * text.len() as u64;
                limits.allow_metadata(used)?;
                serde_json::from_slice(&text).unwrap_or_default()
            }
        };
        attributes.insert(metalayer.name().into_owned(), json);
    }
    Ok(attributes)
}
