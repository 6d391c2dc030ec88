//! Axes as attributes describe them: plain lists, those of xarray, and OME-NGFF.

use crate::msgpack::Value;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Attributes that name the axes, in the order in which they count.
pub const AXIS_NAMES: [&str; 5] = ["dims", "dimensions", "dimension_names", "_ARRAY_DIMENSIONS", "axes"];
const STEPS: [&str; 6] = ["voxel", "voxel_size", "spacing", "scale", "resolution", "pixel_size"];
const ORIGINS: [&str; 3] = ["origin", "translation", "offset"];
const UNITS: [&str; 3] = ["units", "axis_units", "unit"];
const COORDINATES: [&str; 2] = ["coords", "coordinates"];

type Attributes = BTreeMap<String, Value>;

/// An axis of an array: its name, and the coordinates of its positions.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Axis {
    /// The name.
    pub name: Option<String>,
    /// The coordinates, if there are any.
    pub coordinates: Option<Coordinates>,
    /// The unit of the coordinates, such as `mm`, `degrees_north` or CF's `hours since 2000-01-01`.
    pub unit: Option<String>,
    /// The calendar of times, as CF names it: `noleap`, for example.
    pub calendar: Option<String>,
}

/// Coordinates along an axis.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Coordinates {
    /// That of position `n` is `origin + n * step`.
    Regular {
        /// The coordinate of the first position.
        origin: f64,
        /// The distance between two positions.
        step: f64,
    },
    /// One for each position: numbers, or texts.
    List(Vec<Value>),
}

impl Axis {
    /// The axes of an array of this shape with these attributes. Attributes that do not fit it are ignored.
    ///
    /// Names are a list, or letters such as `zcyx`, in one of [`AXIS_NAMES`]; all names differ, or there are none. `coords` (or
    /// `coordinates`) has a list for the name of an axis, or a map as xarray's `to_dict` writes it. `spacing` (or `voxel`, `scale`,
    /// `resolution`) and `origin` make regular coordinates. A list that is shorter than the shape is for the axes x, y and z if these are
    /// as many, otherwise for the last axes. What is not there is taken from `multiscales` of OME-NGFF.
    ///
    /// ```
    /// use b2nd::array::{Axis, Coordinates};
    /// use b2nd::msgpack::Value;
    /// let list = |items: &[&str]| Value::Array(items.iter().map(|item| (*item).into()).collect());
    /// let numbers = Value::Array(vec![10.into(), 20.into()]);
    /// let attributes = [
    ///     ("dims".to_string(), list(&["level", "x"])),
    ///     ("coords".to_string(), Value::Map(vec![("level".into(), numbers)])),
    ///     ("spacing".to_string(), Value::Array(vec![0.5.into()])),
    /// ];
    /// let axes = Axis::all(&attributes.into(), &[2, 3]);
    /// assert_eq!(axes[0].coordinates, Some(Coordinates::List(vec![10.into(), 20.into()])));
    /// assert_eq!(axes[1].coordinates, Some(Coordinates::Regular { origin: 0.0, step: 0.5 }));
    /// ```
    pub fn all(attributes: &Attributes, shape: &[u64]) -> Vec<Self> {
        let image = image(attributes);
        let found = Found { image: image.as_ref(), attributes, ndim: shape.len() };
        let names = found.names();
        let is_space =
            |name: &Option<String>| matches!(name.as_deref(), Some("x" | "y" | "z" | "X" | "Y" | "Z"));
        let space: Vec<usize> = (0..shape.len()).filter(|axis| is_space(&names[*axis])).collect();
        let steps = found.list(&STEPS, number, &space);
        let origins = found.list(&ORIGINS, number, &space);
        let units = found.list(&UNITS, text, &space);
        let coordinates =
            COORDINATES.iter().find_map(|key| attributes.get(*key).filter(|value| is_map(value)));
        let axis = |axis: usize| {
            let (name, unit) = (names[axis].clone(), units[axis].clone());
            if let Some(own) = name.as_deref().and_then(|name| listed(coordinates?.get(name)?, shape[axis])) {
                return Self { name, unit: own.unit.or(unit), ..own };
            }
            let step = steps[axis].filter(|step| *step != 0.0);
            let is_regular = step.is_some() || origins[axis].is_some();
            let (origin, step) = (origins[axis].unwrap_or(0.0), step.unwrap_or(1.0));
            let coordinates = is_regular.then_some(Coordinates::Regular { origin, step });
            Self { name, coordinates, unit, calendar: None }
        };
        (0..shape.len()).map(axis).collect()
    }
}

/// Where descriptions are looked for.
struct Found<'a> {
    attributes: &'a Attributes,
    /// The attributes that an OME-NGFF image stands for.
    image: Option<&'a Attributes>,
    ndim: usize,
}

impl Found<'_> {
    fn names(&self) -> Vec<Option<String>> {
        let letters = |key: &&str| {
            let text = self.attributes.get(*key)?.as_str()?;
            let fits = text.len() == self.ndim && text.bytes().all(|byte| byte.is_ascii_alphabetic());
            fits.then(|| text.to_ascii_lowercase().chars().map(|char| Some(char.to_string())).collect())
        };
        let names: Vec<Option<String>> =
            AXIS_NAMES.iter().find_map(letters).unwrap_or_else(|| self.list(&AXIS_NAMES, text, &[]));
        let repeats = |at: usize| names[at].is_some() && names[..at].contains(&names[at]);
        if (0..names.len()).any(repeats) { self.none() } else { names }
    }

    fn none<T>(&self) -> Vec<Option<T>> {
        (0..self.ndim).map(|_| None).collect()
    }

    /// The values for the axes of the first attribute that is a list of such values. A shorter list is for the axes `few` if these are
    /// as many, otherwise for the last ones.
    fn list<T>(&self, keys: &[&str], read: impl Fn(&Value) -> Option<T>, few: &[usize]) -> Vec<Option<T>> {
        let fits = |list: &Vec<Option<T>>| !list.is_empty() && list.len() <= self.ndim;
        let values = |value: &Value| entries(value).map(|list| list.iter().map(&read).collect::<Vec<_>>());
        let plain = keys.iter().filter_map(|key| values(self.attributes.get(*key)?));
        let plain = plain.filter(|list| list.iter().all(Option::is_some)).find(fits);
        let of_image = || keys.iter().find_map(|key| values(self.image?.get(*key)?)).filter(fits);
        let mut all = self.none();
        let Some(list) = plain.or_else(of_image) else { return all };
        let start = self.ndim - list.len();
        for (at, value) in list.into_iter().enumerate() {
            let axis = if few.len() + start == self.ndim { few[at] } else { start + at };
            all[axis] = value;
        }
        all
    }
}

/// The axes and the scale of the first array of an OME-NGFF image, as attributes.
fn image(attributes: &Attributes) -> Option<Attributes> {
    let all =
        attributes.get("ome").map_or_else(|| attributes.get("multiscales"), |ome| ome.get("multiscales"));
    let image = all?.as_array()?.first()?;
    let axes = image.get("axes")?.as_array()?;
    let word = |key: &str| {
        let word = |axis: &Value| axis.get(key).or_else(|| (key == "name").then_some(axis)).cloned();
        Value::Array(axes.iter().map(|axis| word(axis).unwrap_or(Value::Nil)).collect())
    };
    let first = image.get("datasets").and_then(|datasets| datasets.as_array()?.first());
    let steps = [first, Some(image)].into_iter().flatten();
    let steps = steps.filter_map(|holder| holder.get("coordinateTransformations")?.as_array()).flatten();
    let step = |kind: &str| {
        let found = steps.clone().find(|step| step.get("type").and_then(Value::as_str) == Some(kind));
        found.and_then(|step| step.get(kind)).cloned().unwrap_or(Value::Nil)
    };
    let [names, units, scale, origin] = [word("name"), word("unit"), step("scale"), step("translation")];
    let named = [(AXIS_NAMES[0], names), (UNITS[0], units), (STEPS[0], scale), (ORIGINS[0], origin)];
    Some(named.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

/// An axis with a list of coordinates, plain or as xarray's `to_dict` writes it.
fn listed(value: &Value, len: u64) -> Option<Axis> {
    let inside = || value.get("data").or_else(|| value.get("values"));
    let values = entries(value).or_else(|| entries(inside()?))?;
    let is_one = |value: &Value| number(value).is_some() || value.as_str().is_some();
    if values.len() as u64 != len || !values.iter().all(is_one) {
        return None;
    }
    let word = |key: &str| {
        let inner = value.get("attrs").and_then(|attrs| attrs.get(key)).and_then(Value::as_str);
        inner.or_else(|| value.get(key)?.as_str()).map(String::from)
    };
    let coordinates = Some(Coordinates::List(values.to_vec()));
    Some(Axis { name: None, coordinates, unit: word("units"), calendar: word("calendar") })
}

fn entries(value: &Value) -> Option<&[Value]> {
    value.as_tuple().or_else(|| value.as_array())
}

const fn is_map(value: &Value) -> bool {
    matches!(value, Value::Map(_))
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn list<T: Into<Value> + Clone>(values: &[T]) -> Value {
        Value::Array(values.iter().cloned().map(Into::into).collect())
    }

    fn map(pairs: &[(&str, Value)]) -> Value {
        Value::Map(pairs.iter().map(|(key, value)| ((*key).into(), value.clone())).collect())
    }

    fn axes(pairs: &[(&str, Value)], shape: &[u64]) -> Vec<Axis> {
        let pairs = pairs.iter().map(|(key, value)| ((*key).to_string(), value.clone()));
        Axis::all(&pairs.collect(), shape)
    }

    fn names(axes: &[Axis]) -> Vec<&str> {
        axes.iter().map(|axis| axis.name.as_deref().unwrap_or("-")).collect()
    }

    #[test]
    fn names_are_lists_or_letters() {
        let shape = [2, 3, 4];
        assert_eq!(names(&axes(&[("axes", "ZYX".into())], &shape)), ["z", "y", "x"]);
        assert_eq!(
            names(&axes(&[("_ARRAY_DIMENSIONS", list(&["lat", "lon"]))], &shape)),
            ["-", "lat", "lon"]
        );
        assert_eq!(names(&axes(&[("dims", list(&["a", "a", "b"]))], &shape)), ["-"; 3]);
        assert_eq!(names(&axes(&[("dims", list(&["a", "b", "c", "d"]))], &shape)), ["-"; 3]);
        let tuple = list(&["__tuple__", "a", "b", "c"]);
        assert_eq!(names(&axes(&[("dims", 3.into()), ("dimensions", tuple)], &shape)), ["a", "b", "c"]);
    }

    #[test]
    fn coordinates_are_regular_or_lists() {
        let spaced =
            [("axes", "zyxc".into()), ("voxel", list(&[2.0, 0.5, 0.5])), ("units", list(&["mm"; 3]))];
        let found = axes(&spaced, &[2, 3, 4, 5]);
        assert_eq!(found[0].coordinates, Some(Coordinates::Regular { origin: 0.0, step: 2.0 }));
        assert_eq!((&found[3].coordinates, found[2].unit.as_deref()), (&None, Some("mm")));
        let time = map(&[
            ("data", list(&[0, 6])),
            ("attrs", map(&[("units", "hours since 2000-01-01".into()), ("calendar", "noleap".into())])),
        ]);
        let coordinates = map(&[("time", time), ("lat", list(&[1.0]))]);
        let found = axes(&[("dims", list(&["time", "lat"])), ("coords", coordinates)], &[2, 2]);
        assert_eq!(found[0].coordinates, Some(Coordinates::List(vec![0.into(), 6.into()])));
        assert_eq!(found[0].unit.as_deref(), Some("hours since 2000-01-01"));
        assert_eq!(found[0].calendar.as_deref(), Some("noleap"));
        // One coordinate for two positions.
        assert_eq!((found[1].name.as_deref(), &found[1].coordinates), (Some("lat"), &None));
    }

    #[test]
    fn images_of_ngff() {
        let axis = |name: &str| map(&[("name", name.into()), ("unit", "micrometer".into())]);
        let scale = map(&[("type", "scale".into()), ("scale", list(&[1.0, 0.5]))]);
        let dataset = map(&[("coordinateTransformations", Value::Array(vec![scale]))]);
        let image = map(&[
            ("axes", Value::Array(vec![map(&[("name", "c".into())]), axis("y")])),
            ("datasets", Value::Array(vec![dataset])),
        ]);
        let found = axes(&[("ome", map(&[("multiscales", Value::Array(vec![image]))]))], &[3, 4]);
        assert_eq!(names(&found), ["c", "y"]);
        assert_eq!((found[0].unit.as_deref(), found[1].unit.as_deref()), (None, Some("micrometer")));
        assert_eq!(found[1].coordinates, Some(Coordinates::Regular { origin: 0.0, step: 0.5 }));
    }
}
