//! The columns of an array: positions and coordinates along each axis.

use crate::location::Location;
use crate::opened::Opened;
use crate::scan::{Predicate, hull, truth};
use b2nd::array::{Axis, Coordinates};
use b2nd::msgpack::Value;
use core::ops::Range;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Field, Float64Type, Schema, TimeUnit, TimestampMicrosecondType,
};
use datafusion::common::DFSchema;
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::execution_props::ExecutionProps;
use datafusion::logical_expr::expr_rewriter::unnormalize_col;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::physical_expr::create_physical_expr;
use std::sync::Arc;

/// The column with the items.
pub(crate) const VALUE: &str = "value";

/// Coordinates of an axis at most: they are in memory while an array is queried.
const MAX_COORDINATES: u64 = 1 << 22;

/// The columns for an axis.
#[derive(Debug, Clone)]
pub(crate) struct AxisColumns {
    /// The name of the column with positions.
    pub(crate) position: String,
    /// The name of the column with coordinates, and these.
    pub(crate) coordinates: Option<(String, ArrayRef)>,
}

/// The columns for the axes of an array. An axis with coordinates has a column for them under its name, and one for positions
/// (`dim0`, `dim1`, …); others have one for positions under either name.
pub(crate) async fn columns(array: &Opened, location: &Location) -> Result<Vec<AxisColumns>> {
    let shape = array.layout().shape();
    let axes = array.axes(location).await?;
    let mut columns = Vec::new();
    for (number, (mut axis, len)) in axes.into_iter().zip(shape.iter()).enumerate() {
        let numbered = format!("dim{number}");
        let Some(name) = axis.name.clone() else {
            columns.push(AxisColumns { position: numbered, coordinates: None });
            continue;
        };
        let values = match axis.coordinates.take() {
            _ if len > MAX_COORDINATES => None,
            Some(coordinates) => along(&coordinates, len),
            None => array.beside(location, len, &mut axis).await?,
        };
        columns.push(match values {
            Some(values) => {
                AxisColumns { position: numbered, coordinates: Some((name, timed(values, &axis))) }
            }
            None => AxisColumns { position: name, coordinates: None },
        });
    }
    let names = |column: &AxisColumns| {
        let coordinates = column.coordinates.as_ref().map(|(name, _)| name.clone());
        [Some(column.position.clone()), coordinates]
    };
    let mut all: Vec<_> = columns.iter().flat_map(names).flatten().chain([VALUE.into()]).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    if all.len() < count {
        let numbered = |axis| AxisColumns { position: format!("dim{axis}"), coordinates: None };
        return Ok((0..columns.len()).map(numbered).collect());
    }
    Ok(columns)
}

impl AxisColumns {
    /// The fields of the columns.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> {
        let position = Field::new(&self.position, DataType::Int64, false);
        let coordinates = self.coordinates.as_ref();
        [position].into_iter().chain(coordinates.map(|(name, values)| field(name, values)))
    }

    /// The range from the first to the last position for which a filter on coordinates holds, and whether it holds for all between;
    /// `None` for other filters.
    pub(crate) fn selected(&self, filter: &Expr) -> Option<(Range<u64>, bool)> {
        let (name, values) = self.coordinates.as_ref()?;
        let columns = filter.column_refs();
        if columns.is_empty() || columns.iter().any(|column| column.name != *name) {
            return None;
        }
        let schema = Arc::new(Schema::new(vec![field(name, values)]));
        let known = DFSchema::try_from(Arc::clone(&schema)).ok()?;
        let (filter, context) = (unnormalize_col(filter.clone()), PhysicalPlanningContext::default());
        let expr = create_physical_expr(&filter, &known, &ExecutionProps::new(), &context).ok()?;
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::clone(values)]).ok()?;
        let mask = truth(&Predicate { expr, schema }, &batch).ok()?;
        Some(hull(&mask).map_or((0..0, true), |(first, end)| {
            (first as u64..end as u64, mask.true_count() == end - first)
        }))
    }
}

fn field(name: &str, values: &ArrayRef) -> Field {
    Field::new(name, values.data_type().clone(), values.null_count() > 0)
}

/// Coordinates as an array: of integers, floats or texts.
fn along(coordinates: &Coordinates, len: u64) -> Option<ArrayRef> {
    Some(match coordinates {
        Coordinates::Regular { origin, step } => {
            Arc::new(Float64Array::from_iter_values((0..len).map(|at| origin + at as f64 * step)))
        }
        Coordinates::List(list) => {
            let int = |value: &Value| match value {
                Value::Int(value) => i64::try_from(*value).ok(),
                _ => None,
            };
            let float = |value: &Value| match value {
                Value::Int(value) => Some(*value as f64),
                Value::Float(value) => Some(*value),
                _ => None,
            };
            let texts = || list.iter().map(Value::as_str).collect::<Option<Vec<_>>>();
            if let Some(ints) = list.iter().map(int).collect::<Option<Vec<_>>>() {
                Arc::new(Int64Array::from(ints))
            } else if let Some(floats) = list.iter().map(float).collect::<Option<Vec<_>>>() {
                Arc::new(Float64Array::from(floats))
            } else {
                Arc::new(StringArray::from(texts()?))
            }
        }
        _ => return None,
    })
}

/// Times in place of numbers whose unit is that of CF, such as `hours since 2000-01-01`; other values as they are.
fn timed(values: ArrayRef, axis: &Axis) -> ArrayRef {
    times(&values, axis).unwrap_or(values)
}

fn times(values: &ArrayRef, axis: &Axis) -> Option<ArrayRef> {
    let (unit, since) = axis.unit.as_deref()?.split_once(" since ")?;
    let usual = ["standard", "gregorian", "proleptic_gregorian"];
    let is_usual = axis.calendar.as_deref().is_none_or(|calendar| usual.contains(&calendar));
    let micros = match unit.trim().trim_end_matches('s') {
        "day" | "d" => 86_400e6,
        "hour" | "h" | "hr" => 3600e6,
        "minute" | "min" => 60e6,
        "second" | "sec" | "" => 1e6,
        "millisecond" | "m" => 1e3,
        "microsecond" | "u" => 1.0,
        _ => return None,
    };
    let times = DataType::Timestamp(TimeUnit::Microsecond, None);
    let epoch = cast(&StringArray::from(vec![since.trim()]), &times).ok().filter(|_| is_usual)?;
    let epoch = epoch.as_primitive::<TimestampMicrosecondType>().iter().next()??;
    let numbers = cast(values, &DataType::Float64).ok().filter(|_| values.data_type().is_numeric())?;
    let time = |number: f64| {
        let time = (number * micros).round();
        (time.abs() < i64::MAX as f64).then(|| epoch.checked_add(time as i64))?
    };
    let numbers = numbers.as_primitive::<Float64Type>().iter();
    let times = numbers.map(|number| time(number?)).collect::<Option<Vec<_>>>()?;
    Some(Arc::new(TimestampMicrosecondArray::from(times)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::logical_expr::{col, lit};

    fn axis(values: ArrayRef) -> AxisColumns {
        AxisColumns { position: "dim0".into(), coordinates: Some(("lat".into(), values)) }
    }

    #[test]
    fn filters_on_coordinates_are_ranges() {
        let falling = axis(Arc::new(Float64Array::from(vec![30.0, 20.0, 10.0, 0.0])));
        let mixed = axis(Arc::new(Float64Array::from(vec![5.0, 1.0, 5.0, 2.0])));
        let on = |filter: Expr| [falling.selected(&filter), mixed.selected(&filter)];
        assert_eq!(on(col("lat").gt(lit(10.0))), [Some((0..2, true)), Some((0..0, true))]);
        assert_eq!(on(col("lat").eq(lit(5.0))), [Some((0..0, true)), Some((0..3, false))]);
        let either = col("lat").lt(lit(1.5)).or(col("lat").eq(lit(10.0)));
        assert_eq!(on(either), [Some((2..4, true)), Some((1..2, true))]);
        assert_eq!(on(col("other").eq(lit(5.0))), [None, None]);
        assert_eq!(on(col("lat").eq(col("other"))), [None, None]);
    }

    #[test]
    fn units_of_time_make_times() {
        let time = |unit: &str, calendar: Option<&str>| {
            let mut axis = Axis::default();
            (axis.unit, axis.calendar) = (Some(unit.into()), calendar.map(String::from));
            let values = timed(Arc::new(Int64Array::from(vec![0, 36])), &axis);
            let values = values.as_primitive_opt::<TimestampMicrosecondType>()?;
            Some((values.value(1) - values.value(0)) / 1_000_000)
        };
        assert_eq!(time("hours since 2000-01-01", None), Some(36 * 3600));
        assert_eq!(time("days since 1970-01-01T12:00:00", Some("gregorian")), Some(36 * 86_400));
        assert_eq!(time("seconds since 2000-01-01 00:00:00", None), Some(36));
        assert_eq!(time("hours since 2000-01-01", Some("noleap")), None);
        assert_eq!(time("months since 2000-01-01", None), None);
        assert_eq!(time("mm", None), None);
    }
}
