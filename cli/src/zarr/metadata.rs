//! The file `zarr.json` of an array.

use super::types;
use crate::edit::item;
use crate::failure::Failure;
use crate::json;
use crate::opened::Opened;
use b2nd::Layout;
use b2nd::array::{ArrayParams, Dtype};
use b2nd::zarr::Configuration;
use serde_json::{Map, Value as Json, json};
use std::path::Path;
use std::{fs, io};

/// Attributes that name the axes.
const NAMES: [&str; 5] = ["dims", "dimensions", "dimension_names", "_ARRAY_DIMENSIONS", "axes"];

/// The metadata of an array.
pub(super) struct Metadata {
    pub(super) json: Json,
    pub(super) configuration: Configuration,
}

impl Metadata {
    /// That of the array in a frame.
    pub(super) fn of_frame(opened: &Opened<'_>, array: &Layout) -> Result<Self, Failure> {
        let failed = |error| Failure::Blosc(opened.path.into(), error);
        let dtype = opened.dtype(None)?;
        let data_type = types::data_type(&dtype).ok_or_else(|| {
            unsupported(opened.path, format!("Zarr has no type for items of dtype {dtype}"))
        })?;
        if array.blockshape().is_none() || array.context().early_bitshuffle {
            return Err(unsupported(opened.path, "chunks of this release are not those of the codec b2nd"));
        }
        let params = ArrayParams::of(opened.reader.frame(), array).map_err(failed)?;
        let mut configuration = Configuration::of(&params, dtype.byte_order());
        let lens = |lens: &[u32]| lens.iter().map(|&len| len.max(1)).collect::<Vec<_>>();
        configuration.block_shape = lens(array.blockshape().unwrap_or_default());
        let attributes = json::metalayers(&opened.of(opened.reader.trailer())?.attributes, &opened.limits);
        let mut json = json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": array.shape().iter().collect::<Vec<_>>(),
            "data_type": data_type,
            "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": lens(array.chunkshape()) } },
            "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
            "fill_value": zero(&data_type),
            "codecs": [{ "name": "b2nd", "configuration": configuration }],
        });
        if let Some(names) = names(&attributes, array.shape().iter().len()) {
            json["dimension_names"] = names.clone();
        }
        json["attributes"] = attributes.into();
        Ok(Self { json, configuration })
    }

    /// Reads it from the directory of an array.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join("zarr.json");
        let failed = |error| Failure::Input(path.clone(), error);
        let text = fs::read(&path).map_err(failed)?;
        let json: Json = serde_json::from_slice(&text).map_err(|error| failed(error.into()))?;
        if json["zarr_format"] != 3 || json["node_type"] != "array" {
            return Err(unsupported(&path, "no array of Zarr 3"));
        }
        let grid = json["chunk_grid"]["name"].as_str();
        let encoding = json["chunk_key_encoding"]["name"].as_str();
        let separator = &json["chunk_key_encoding"]["configuration"]["separator"];
        let known = matches!(encoding, Some("default" | "v2"))
            && (separator.is_null() || matches!(separator.as_str(), Some("/" | ".")));
        if grid != Some("regular") || !known {
            return Err(unsupported(
                &path,
                "chunks are in another grid than the regular one, or have other keys",
            ));
        }
        let transformers = json["storage_transformers"].as_array().is_some_and(|all| !all.is_empty());
        let [codec] = json["codecs"].as_array().map_or(&[][..], Vec::as_slice) else {
            return Err(unsupported(&path, "the codec is not b2nd alone"));
        };
        if codec["name"] != "b2nd" || transformers {
            return Err(unsupported(&path, "the codec is not b2nd alone"));
        }
        let configuration = serde_json::from_value(codec["configuration"].clone());
        let configuration = configuration.map_err(|error| failed(error.into()))?;
        Ok(Self { json, configuration })
    }

    /// The parameters of a frame for it.
    pub(super) fn params(&self, folder: &Path) -> Result<ArrayParams, Failure> {
        let wrong = |_| Failure::Input(folder.join("zarr.json"), io::ErrorKind::InvalidData.into());
        let lens = |json: &Json| serde_json::from_value::<Vec<u64>>(json.clone()).map_err(wrong);
        let shape = lens(&self.json["shape"])?;
        let chunks = &self.json["chunk_grid"]["configuration"]["chunk_shape"];
        let chunks = serde_json::from_value::<Vec<u32>>(chunks.clone()).map_err(wrong)?;
        Ok(self.configuration.params(&shape, &chunks, &self.dtype(folder)?.to_string()))
    }

    pub(super) fn dtype(&self, folder: &Path) -> Result<Dtype, Failure> {
        let data_type = &self.json["data_type"];
        let unknown = || unsupported(folder, format!("no dtype for items of {data_type} in this byte order"));
        types::dtype(data_type, self.configuration.endian).ok_or_else(unknown)
    }

    /// The item that chunks have which are missing; `None` for zero.
    pub(super) fn fill(&self, folder: &Path) -> Result<Option<Vec<u8>>, Failure> {
        let fill = &self.json["fill_value"];
        let text = types::value(fill);
        let text =
            text.ok_or_else(|| unsupported(folder, format!("the fill value {fill} is not supported")))?;
        let item = item(&text, &self.dtype(folder)?)?;
        Ok(Some(item).filter(|item| item.iter().any(|&byte| byte != 0)))
    }

    pub(super) fn key(&self, position: &[u64]) -> String {
        let encoding = &self.json["chunk_key_encoding"];
        let (prefix, usual) = if encoding["name"] == "v2" { ("", ".") } else { ("c", "/") };
        key(prefix, encoding["configuration"]["separator"].as_str().unwrap_or(usual), position)
    }

    /// The attributes, with the names of the axes where none of them has these.
    pub(super) fn attributes(&self) -> Map<String, Json> {
        let mut attributes = self.json["attributes"].as_object().cloned().unwrap_or_default();
        let names = &self.json["dimension_names"];
        let named = names.as_array().is_some_and(|names| names.iter().any(Json::is_string));
        if named && !NAMES.iter().any(|name| attributes.contains_key(*name)) {
            attributes.insert("dimension_names".into(), names.clone());
        }
        attributes
    }
}

/// The names of the axes, if attributes have them.
fn names(attributes: &Map<String, Json>, ndim: usize) -> Option<&Json> {
    NAMES.iter().filter_map(|name| attributes.get(*name)).find(|value| {
        value.as_array().is_some_and(|names| names.len() == ndim && names.iter().all(Json::is_string))
    })
}

/// The fill value whose bytes are zero.
fn zero(data_type: &Json) -> Json {
    match data_type.as_str() {
        Some("bool") => false.into(),
        Some(name) if name.starts_with("complex") => json!([0.0, 0.0]),
        Some(name) if name.starts_with("float") => 0.0.into(),
        _ => 0.into(),
    }
}

/// The key of a chunk.
fn key(prefix: &str, separator: &str, position: &[u64]) -> String {
    let numbers = position.iter().map(u64::to_string).collect::<Vec<_>>();
    if prefix.is_empty() && numbers.is_empty() {
        return "0".into();
    }
    let parts =
        [prefix].into_iter().filter(|prefix| !prefix.is_empty()).chain(numbers.iter().map(String::as_str));
    parts.collect::<Vec<_>>().join(separator)
}

/// The array at the path has no counterpart.
pub(super) fn unsupported(path: &Path, what: impl Into<String>) -> Failure {
    Failure::Zarr(path.into(), what.into())
}
