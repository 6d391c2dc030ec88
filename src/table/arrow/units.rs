//! Times of Arrow in the units of columns.

use crate::msgpack::Value;
use arrow_schema::{DataType, TimeUnit};

/// Steps of a second, of times and dates; those of days are seconds.
pub(super) fn steps_of(data_type: &DataType) -> Option<i64> {
    Some(match data_type {
        DataType::Date32 | DataType::Timestamp(TimeUnit::Second, _) => 1,
        DataType::Date64 | DataType::Timestamp(TimeUnit::Millisecond, _) => 1_000,
        DataType::Timestamp(TimeUnit::Microsecond, _) => 1_000_000,
        DataType::Timestamp(TimeUnit::Nanosecond, _) => 1_000_000_000,
        _ => return None,
    })
}

/// Converts steps of a type to those of an entry of the schema; `None` if there are no such steps, or it is none for times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    from: i64,
    to: i64,
}

impl Units {
    /// `None` if the type or the entry is none of times, and if only one of them has a zone: a time of day in some place is no moment.
    pub(super) fn new(data_type: &DataType, entry: &Value) -> Option<Self> {
        let zoned = entry.get("timezone").is_some_and(|zone| *zone != Value::Nil);
        let to = match entry.get("unit").and_then(Value::as_str)? {
            "s" => 1,
            "ms" => 1_000,
            "us" => 1_000_000,
            "ns" => 1_000_000_000,
            _ => return None,
        };
        match data_type {
            DataType::Timestamp(_, zone) if zone.is_some() != zoned => None,
            data_type => Some(Self { from: steps_of(data_type)?, to }),
        }
    }

    pub(super) const fn are_equal(self) -> bool {
        self.from == self.to
    }

    /// A step in the other unit; `None` if the unit has no step for it.
    pub(super) const fn convert(self, step: i64) -> Option<i64> {
        if self.to >= self.from {
            step.checked_mul(self.to / self.from)
        } else if step % (self.from / self.to) == 0 {
            Some(step / (self.from / self.to))
        } else {
            None
        }
    }
}
