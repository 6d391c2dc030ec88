//! Arrays of several frames as one.

use crate::metadata::Metadata;
use b2nd::plan::MAX_DIM;
use serde_json::{Value as Json, json};

/// The properties that the chunks of all arrays share.
const LAYOUT: [&str; 4] = ["data_type", "chunk_grid", "fill_value", "dimension_names"];
/// Attributes that say what the numbers mean: values of files in which they differ are not those of one array.
const MEANING: [&str; 8] = [
    "add_offset",
    "calendar",
    "missing_value",
    "scale_factor",
    "units",
    "valid_range",
    "_FillValue",
    "_Unsigned",
];

/// How several arrays become one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Join {
    /// There is one array.
    #[default]
    Alone,
    /// Along this axis, a number or a name.
    Concat(String),
    /// Along a new first axis of this name.
    Stack(String),
}

/// An array, and where its chunks are in the whole.
#[derive(Debug)]
pub(crate) struct Joined {
    join: Join,
    /// The axis, when it is known.
    axis: usize,
    whole: Option<Metadata>,
}

impl Joined {
    pub(crate) fn new(join: Join) -> Self {
        Self { join, axis: 0, whole: None }
    }

    pub(crate) fn whole(&self) -> Option<&Metadata> {
        self.whole.as_ref()
    }

    /// Adds an array; returns the number of chunks that are before it along the axis, or else why it does not fit.
    pub(crate) fn add(&mut self, mut part: Metadata) -> Result<u64, String> {
        if let Join::Stack(name) = &self.join {
            if ndim(&part) >= MAX_DIM {
                return Err(format!("an array of {MAX_DIM} axes cannot get another one"));
            }
            stack(&mut part, name);
        }
        let Some(whole) = &mut self.whole else {
            if let Join::Concat(name) = &self.join {
                self.axis = axis(&part.json, name)?;
            }
            self.whole = Some(part);
            return Ok(0);
        };
        if self.join == Join::Alone {
            return Err("several arrays need an axis along which they are joined".into());
        }
        if let Some(name) = difference(whole, &part, self.axis) {
            return Err(format!("{name} differs from that of the arrays before"));
        }
        let len = |metadata: &Metadata| metadata.json["shape"][self.axis].as_u64().unwrap_or_default();
        let chunk = &whole.json["chunk_grid"]["configuration"]["chunk_shape"][self.axis];
        let (before, chunk) = (len(whole), chunk.as_u64().unwrap_or(1).max(1));
        if before % chunk != 0 {
            return Err(format!(
                "the arrays before have {before} items, which are no whole chunks of {chunk}"
            ));
        }
        let sum = before.checked_add(len(&part)).ok_or("there are too many items")?;
        whole.json["shape"][self.axis] = sum.into();
        Ok(before / chunk)
    }

    /// The key of a chunk of a part in the whole.
    pub(crate) fn key(&self, before: u64, position: &[u64]) -> String {
        let new = matches!(self.join, Join::Stack(_)).then_some(0);
        let mut position: Vec<_> = new.into_iter().chain(position.iter().copied()).collect();
        if let Some(at) = position.get_mut(self.axis) {
            *at += before;
        }
        self.whole.as_ref().map_or_else(String::new, |whole| whole.key(&position))
    }
}

fn ndim(metadata: &Metadata) -> usize {
    metadata.json["shape"].as_array().map_or(0, Vec::len)
}

/// The axis of this number or name.
fn axis(json: &Json, name: &str) -> Result<usize, String> {
    let ndim = json["shape"].as_array().map_or(0, Vec::len);
    let names = json["dimension_names"].as_array();
    let named = names.and_then(|names| names.iter().position(|found| found == name));
    let axis = named.or_else(|| name.parse().ok()).filter(|&axis| axis < ndim);
    axis.ok_or_else(|| format!("there is no axis {name:?}"))
}

/// The difference between two arrays that cannot be joined.
fn difference(whole: &Metadata, part: &Metadata, axis: usize) -> Option<&'static str> {
    let shape = |metadata: &Metadata| {
        let mut shape = metadata.json["shape"].clone();
        shape[axis] = 0.into();
        shape
    };
    let attribute = |metadata: &Metadata, name: &str| metadata.json["attributes"][name].clone();
    let (codec, other) = (&whole.configuration, &part.configuration);
    if ndim(whole) != ndim(part) || shape(whole) != shape(part) {
        return Some("the shape");
    }
    if codec.block_shape != other.block_shape {
        return Some("the block shape");
    }
    if codec.endian != other.endian {
        return Some("the byte order");
    }
    let layout = LAYOUT.into_iter().find(|name| whole.json[name] != part.json[name]);
    layout.or_else(|| MEANING.into_iter().find(|name| attribute(whole, name) != attribute(part, name)))
}

/// Gives an array a first axis of one item, in blocks of one: the bytes of its chunks stay the same.
fn stack(metadata: &mut Metadata, name: &str) {
    let ndim = ndim(metadata);
    let json = &mut metadata.json;
    let old = json["dimension_names"].take();
    if let Some(attributes) = json["attributes"].as_object_mut() {
        // They name one axis less.
        attributes.retain(|_, value| old.is_null() || *value != old);
    }
    let mut names = vec![json!(name)];
    names.extend(old.as_array().cloned().unwrap_or_else(|| vec![Json::Null; ndim]));
    json["dimension_names"] = names.into();
    for lens in ["/shape", "/chunk_grid/configuration/chunk_shape"] {
        if let Some(lens) = json.pointer_mut(lens).and_then(Json::as_array_mut) {
            lens.insert(0, 1.into());
        }
    }
    metadata.configuration.block_shape.insert(0, 1);
    json["codecs"][0]["configuration"] = json!(metadata.configuration);
}
