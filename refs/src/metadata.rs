//! The file `zarr.json` of an array.

use crate::attributes::attributes;
use crate::error::{Error, MetadataError};
use crate::types;
use b2nd::ReadAt;
use b2nd::array::{AXIS_NAMES, ArrayParams, Dtype, Kind, Layout};
use b2nd::source::Reader;
use b2nd::zarr::Configuration;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

/// The metadata of an array of Zarr 3 in the codec `b2nd`.
#[derive(Debug, Clone)]
pub struct Metadata {
    pub(crate) json: Json,
    pub(crate) configuration: Configuration,
}

/// The fill value: the item of missing chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "it is a text or it is not")]
pub enum Fill {
    /// A number as text, such as `nan` or `1.0-2.5j`.
    Text(String),
    /// Its bytes.
    Item(Vec<u8>),
}

impl Metadata {
    /// The metadata of the array in a frame, with these attributes.
    ///
    /// # Errors
    /// `Read` for what is read, `Unsupported` if Zarr has no such array.
    pub(crate) fn of_frame<S: ReadAt>(
        reader: &Reader<S>,
        array: &Layout,
        attributes: Map<String, Json>,
    ) -> Result<Self, Error<S::Error>> {
        let dtype = types::item_dtype(reader)?;
        let known = types::data_type(&dtype).zip(types::byte_order(&dtype));
        let Some((data_type, order)) = known else {
            return Err(Error::Unsupported(format!("Zarr has no type for items of dtype {dtype}")));
        };
        if array.blockshape().is_none() || array.context().early_bitshuffle {
            return Err(Error::Unsupported("chunks of this release are not those of the codec b2nd".into()));
        }
        let params = ArrayParams::of(reader.frame(), array)?;
        let mut configuration = Configuration::of(&params, order);
        let lens = |lens: &[u32]| lens.iter().map(|&len| len.max(1)).collect::<Vec<_>>();
        configuration.block_shape = lens(array.blockshape().unwrap_or_default());
        let mut json = json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": array.shape().iter().collect::<Vec<_>>(),
            "data_type": data_type,
            "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": lens(array.chunkshape()) } },
            "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
            "fill_value": zero(&dtype),
            "codecs": [{ "name": "b2nd", "configuration": configuration }],
        });
        if let Some(names) = names(&attributes, array.shape().iter().len()) {
            json["dimension_names"] = names.clone();
        }
        json["attributes"] = attributes.into();
        Ok(Self { json, configuration })
    }

    /// The metadata of an array, with its attributes.
    ///
    /// ```
    /// let array = b2nd::Array::open("../tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let metadata = b2nd_refs::Metadata::of(array.reader())?;
    /// assert_eq!(metadata.json()["data_type"], "float32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Read` for what is read, `Unsupported` for a super-chunk and if Zarr has no such array.
    pub fn of<S: ReadAt>(reader: &Reader<S>) -> Result<Self, Error<S::Error>> {
        let array = reader.layout()?.ok_or_else(no_array)?;
        Self::of_frame(reader, array, attributes(reader)?)
    }

    /// Parses the file `zarr.json` of an array.
    ///
    /// ```
    /// let error = b2nd_refs::Metadata::parse(br#"{ "zarr_format": 2 }"#).unwrap_err();
    /// assert_eq!(error.to_string(), "no array of Zarr 3");
    /// ```
    ///
    /// # Errors
    /// `Invalid` if it is no JSON or the codec's configuration is invalid; `Unsupported` for other codecs and grids.
    pub fn parse(text: &[u8]) -> Result<Self, MetadataError> {
        let unsupported = |what: &str| Err(MetadataError::Unsupported(what.into()));
        let json: Json = serde_json::from_slice(text).map_err(MetadataError::invalid)?;
        if json["zarr_format"] != 3 || json["node_type"] != "array" {
            return unsupported("no array of Zarr 3");
        }
        let grid = json["chunk_grid"]["name"].as_str();
        let encoding = json["chunk_key_encoding"]["name"].as_str();
        let separator = &json["chunk_key_encoding"]["configuration"]["separator"];
        let known = matches!(encoding, Some("default" | "v2"))
            && (separator.is_null() || matches!(separator.as_str(), Some("/" | ".")));
        if grid != Some("regular") || !known {
            return unsupported("chunks are in another grid than the regular one, or have other keys");
        }
        let transformers = json["storage_transformers"].as_array().is_some_and(|all| !all.is_empty());
        let codecs = json["codecs"].as_array().map_or(&[][..], Vec::as_slice);
        let configuration = match codecs {
            [codec] if codec["name"] == "b2nd" && !transformers => codec["configuration"].clone(),
            _ => return unsupported("the codec is not b2nd alone"),
        };
        let configuration = serde_json::from_value(configuration).map_err(MetadataError::invalid)?;
        Ok(Self { json, configuration })
    }

    /// The content of `zarr.json`.
    #[must_use]
    pub fn json(&self) -> &Json {
        &self.json
    }

    /// The configuration of the codec.
    #[must_use]
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The parameters of a frame for it.
    ///
    /// # Errors
    /// `Invalid` if a shape is none; that of [`dtype`](Self::dtype).
    pub fn params(&self) -> Result<ArrayParams, MetadataError> {
        let shape: Vec<u64> = lens("shape", &self.json["shape"])?;
        let chunks = &self.json["chunk_grid"]["configuration"]["chunk_shape"];
        let chunks: Vec<u32> = lens("chunk_shape", chunks)?;
        Ok(self.configuration.params(&shape, &chunks, &self.dtype()?.to_string()))
    }

    /// The dtype of the items as they are stored.
    ///
    /// # Errors
    /// `Unsupported` if there is none.
    pub fn dtype(&self) -> Result<Dtype, MetadataError> {
        let data_type = &self.json["data_type"];
        let unknown = || format!("no dtype for items of {data_type} in this byte order");
        types::dtype(data_type, self.configuration.endian)
            .ok_or_else(|| MetadataError::Unsupported(unknown()))
    }

    /// The fill value: the item of missing chunks.
    ///
    /// # Errors
    /// `Unsupported` if it is no value of the array's dtype; that of [`dtype`](Self::dtype).
    pub fn fill(&self) -> Result<Fill, MetadataError> {
        let (fill, dtype) = (&self.json["fill_value"], self.dtype()?);
        let of_bytes = || STANDARD.decode(fill.as_str()?).ok();
        let found = match dtype.kind() {
            Kind::Bytes | Kind::Void | Kind::Struct { .. } => {
                of_bytes().and_then(|item| padded(item, &dtype))
            }
            Kind::Str if fill == "" => Some(vec![0; dtype.itemsize()]),
            _ => return types::text(fill).map(Fill::Text).ok_or_else(|| unknown(fill)),
        };
        found.map(Fill::Item).ok_or_else(|| unknown(fill))
    }

    /// The key of the chunk at this position in the grid of chunks.
    #[must_use]
    pub fn key(&self, position: &[u64]) -> String {
        let encoding = &self.json["chunk_key_encoding"];
        let (prefix, usual) = if encoding["name"] == "v2" { ("", ".") } else { ("c", "/") };
        key(prefix, encoding["configuration"]["separator"].as_str().unwrap_or(usual), position)
    }

    /// The attributes, with the names of the axes where none of them has these.
    #[must_use]
    pub fn attributes(&self) -> Map<String, Json> {
        let mut attributes = self.json["attributes"].as_object().cloned().unwrap_or_default();
        let names = &self.json["dimension_names"];
        let named = names.as_array().is_some_and(|names| names.iter().any(Json::is_string));
        if named && !AXIS_NAMES.iter().any(|name| attributes.contains_key(*name)) {
            attributes.insert("dimension_names".into(), names.clone());
        }
        attributes
    }
}

/// The names of the axes, if attributes have them.
fn names(attributes: &Map<String, Json>, ndim: usize) -> Option<&Json> {
    AXIS_NAMES.iter().filter_map(|name| attributes.get(*name)).find(|value| {
        value.as_array().is_some_and(|names| names.len() == ndim && names.iter().all(Json::is_string))
    })
}

/// The fill value whose bytes are zero.
fn zero(dtype: &Dtype) -> Json {
    match dtype.kind() {
        Kind::Bool => false.into(),
        Kind::Complex => json!([0.0, 0.0]),
        Kind::Float => 0.0.into(),
        Kind::Bytes | Kind::Str => "".into(),
        Kind::Void | Kind::Struct { .. } => STANDARD.encode(vec![0; dtype.itemsize()]).into(),
        _ => 0.into(),
    }
}

/// An item of text without the zeros at its end, with them.
fn padded(mut item: Vec<u8>, dtype: &Dtype) -> Option<Vec<u8>> {
    if item.len() > dtype.itemsize() || (item.len() < dtype.itemsize() && *dtype.kind() != Kind::Bytes) {
        return None;
    }
    item.resize(dtype.itemsize(), 0);
    Some(item)
}

fn unknown(fill: &Json) -> MetadataError {
    MetadataError::Unsupported(format!("the fill value {fill} is not supported"))
}

/// Lengths of axes.
fn lens<T: DeserializeOwned>(name: &str, json: &Json) -> Result<Vec<T>, MetadataError> {
    serde_json::from_value(json.clone()).map_err(|error| MetadataError::Invalid(format!("{name}: {error}")))
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

/// The error for a frame without an array.
pub(crate) fn no_array<E>() -> Error<E> {
    Error::Unsupported("this is a super-chunk, not an array".into())
}
