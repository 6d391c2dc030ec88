//! References in kerchunk's JSON, version 1.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use url::Url;

/// The content of the file.
#[derive(Deserialize)]
pub(crate) struct References {
    version: u32,
    pub(crate) refs: BTreeMap<String, Entry>,
    /// When the files were changed last, in seconds since 1970: those that are known, by their paths.
    #[serde(default)]
    pub(crate) modified: BTreeMap<String, u32>,
}

/// The value of a key.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Entry {
    /// The content: as text, or after `base64:`.
    Inline(String),
    /// A path or URL, the place of the first byte, and how many there are.
    Range(String, u64, u64),
}

impl References {
    pub(crate) fn parse(input: impl Read) -> Result<Self, String> {
        let references: Self =
            serde_json::from_reader(input).map_err(|error| format!("standard input: {error}"))?;
        match references.version {
            1 => Ok(references),
            other => Err(format!("standard input: references of version {other}, not 1")),
        }
    }
}

/// The content of an entry that has it.
pub(crate) fn inline(text: &str) -> Result<Vec<u8>, String> {
    match text.strip_prefix("base64:") {
        Some(encoded) => STANDARD.decode(encoded).map_err(|error| error.to_string()),
        None => Ok(text.into()),
    }
}

/// The URL of a file: paths get the scheme `file`.
pub(crate) fn url(place: &str) -> Result<String, String> {
    if place.contains("://") {
        return Ok(place.into());
    }
    Url::from_file_path(place)
        .map(String::from)
        .map_err(|()| format!("{place}: neither a URL nor an absolute path"))
}

/// The URL of the folder of a file.
pub(crate) fn folder(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}
