//! How a column is compressed, as the schema has it.

use super::schema::ColumnSpec;
use crate::base::{ArgumentError, Result};
use crate::chunk::CParams;
use crate::filter::{Filter, MAX_FILTERS, Pipeline};
use crate::msgpack::Value;
use alloc::vec::Vec;

/// The name of the parameters in the entry of a column.
const NAME: &str = "cparams";
/// The highest level that the reference knows.
const MAX_LEVEL: u8 = 9;

impl ColumnSpec {
    /// Compresses the column with these parameters in place of the table's: codec, level up to 9, filters, and whether chunks get
    /// dictionaries. The schema has them, where python-blosc2 looks for them, too.
    ///
    /// ```
    /// use b2nd::{array::Dtype, chunk::CParams, codec::Codec, table::{ColumnKind, ColumnSpec, Nulls}};
    /// let spec = ColumnSpec::new("mass", &ColumnKind::Number(Dtype::of::<f32>()), &Nulls::None)?;
    /// let spec = spec.with_cparams(&CParams { codec: Codec::LZ4, clevel: 9, ..CParams::default() });
    /// assert_eq!(spec.cparams(&CParams::default())?.map(|own| own.codec), Some(Codec::LZ4));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    #[must_use]
    pub fn with_cparams(mut self, cparams: &CParams) -> Self {
        let int = |value: u8| Value::Int(value.into());
        let slots = |part: fn(&Filter) -> u8| {
            Value::Array(cparams.filters.slots.iter().map(|filter| int(part(filter))).collect())
        };
        let own = [
            ("codec", int(cparams.codec.0)),
            ("codec_meta", int(cparams.codec_meta)),
            ("clevel", int(cparams.clevel.min(MAX_LEVEL))),
            ("use_dict", Value::Bool(cparams.use_dict)),
            ("filters", slots(|filter| filter.id)),
            ("filters_meta", slots(|filter| filter.meta)),
        ];
        let own = own.into_iter().map(|(name, value)| (Value::from(name), value)).collect();
        if let Value::Map(entries) = &mut self.entry {
            entries.retain(|(name, _)| name.as_str() != Some(NAME));
            entries.push((NAME.into(), Value::Map(own)));
        }
        self
    }

    /// The column's own parameters, if it has some: the schema may leave out what is as in the `table`.
    ///
    /// ```
    /// use b2nd::{chunk::CParams, msgpack::Value, table::ColumnSpec};
    /// let own = Value::Map(vec![("clevel".into(), 9.into())]);
    /// let spec = ColumnSpec::of(&Value::Map(vec![
    ///     ("name".into(), "a".into()),
    ///     ("kind".into(), "utf8".into()),
    ///     ("cparams".into(), own),
    /// ]))?;
    /// assert_eq!(spec.cparams(&CParams::default())?, Some(CParams { clevel: 9, ..CParams::default() }));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for parameters that are none.
    pub fn cparams(&self, table: &CParams) -> Result<Option<CParams>> {
        let Some(own) = self.entry.get(NAME).filter(|own| **own != Value::Nil) else { return Ok(None) };
        let Value::Map(_) = own else { return Err(wrong(NAME).into()) };
        let mut cparams = table.clone();
        for (name, field) in [
            ("codec", &mut cparams.codec.0),
            ("codec_meta", &mut cparams.codec_meta),
            ("clevel", &mut cparams.clevel),
        ] {
            if let Some(value) = own.get(name) {
                *field = byte(value).ok_or_else(|| wrong(name))?;
            }
        }
        if let Some(value) = own.get("use_dict") {
            cparams.use_dict = *value == Value::Bool(true);
        }
        if let Some(filters) = own.get("filters") {
            cparams.filters = pipeline(filters, own.get("filters_meta")).ok_or_else(|| wrong("filters"))?;
        }
        Ok(Some(cparams))
    }
}

/// Filters from the first slot on.
fn pipeline(filters: &Value, meta: Option<&Value>) -> Option<Pipeline> {
    let bytes = |list: &Value| list.as_array()?.iter().map(byte).collect::<Option<Vec<u8>>>();
    let (ids, meta) = (bytes(filters)?, meta.map_or(Some(Vec::new()), bytes)?);
    if ids.len() > MAX_FILTERS {
        return None;
    }
    let mut pipeline = Pipeline::default();
    for (number, (slot, id)) in pipeline.slots.iter_mut().zip(ids).enumerate() {
        *slot = Filter { id, meta: meta.get(number).copied().unwrap_or(0) };
    }
    Some(pipeline)
}

/// A byte; the reference has negative ones for the parameters of filters.
fn byte(value: &Value) -> Option<u8> {
    match value {
        Value::Int(value) if (-128..256).contains(value) => Some(*value as u8),
        _ => None,
    }
}

const fn wrong(name: &'static str) -> ArgumentError {
    ArgumentError::Parameter { name, value: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::Codec;
    use crate::filter::{BITSHUFFLE, TRUNC_PREC};
    use crate::table::{ColumnKind, Nulls};
    use alloc::vec;

    #[test]
    fn parameters_stay_and_wrong_ones_are_refused() {
        let spec = ColumnSpec::new("a", &ColumnKind::Text, &Nulls::None).unwrap();
        assert_eq!(spec.cparams(&CParams::default()), Ok(None));
        let mut own = CParams { codec: Codec::LZ4HC, clevel: 10, use_dict: true, ..CParams::default() };
        own.filters.slots[4] = Filter { id: TRUNC_PREC, meta: 246 };
        own.filters.slots[5] = BITSHUFFLE.into();
        let spec = spec.with_cparams(&CParams::default()).with_cparams(&own);
        assert_eq!(spec.cparams(&CParams::default()), Ok(Some(CParams { clevel: 9, ..own })));
        for wrong in [
            Value::Int(1),
            Value::Map(vec![("codec".into(), "lz4".into())]),
            Value::Map(vec![("clevel".into(), 256.into())]),
            Value::Map(vec![("filters".into(), 1.into())]),
            Value::Map(vec![("filters".into(), Value::Array(vec![1.into(); 7]))]),
        ] {
            let entries =
                vec![("name".into(), "a".into()), ("kind".into(), "utf8".into()), ("cparams".into(), wrong)];
            let spec = ColumnSpec::of(&Value::Map(entries)).unwrap();
            assert!(spec.cparams(&CParams::default()).is_err(), "{spec:?}");
        }
    }
}
