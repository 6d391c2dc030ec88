//! A measured case.

use serde_json::{Map, Value, json};

use crate::timing::Times;

/// Names and measurements of a case.
#[derive(Clone)]
pub struct Case {
    pub group: String,
    pub name: String,
    /// Further properties: codec, filters, typesize, nbytes, and additional measurements of some groups.
    pub facts: Map<String, Value>,
    pub times: Times,
}

impl Case {
    pub fn new(group: &str, name: String, times: Times) -> Self {
        Self { group: group.into(), name, facts: Map::new(), times }
    }

    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(key.into(), value.into());
        self
    }

    /// Adds the times with two threads on both sides.
    pub fn with_two_threads(self, times: Times) -> Self {
        self.with("ours_2_threads_ns", times.ours.round())
            .with("c_2_threads_ns", times.reference.round())
            .with("ratio_2_threads", (times.ratio * 1000.0).round() / 1000.0)
    }

    /// The reference's time over ours.
    pub const fn ratio(&self) -> f64 {
        self.times.ratio
    }

    /// The ratio with two threads on both sides, if measured.
    pub fn by_two_threads(&self) -> Option<Self> {
        let [ours, reference, ratio] =
            ["ours_2_threads_ns", "c_2_threads_ns", "ratio_2_threads"].map(|key| self.number(key));
        Some(Self { times: Times { ours: ours?, reference: reference?, ratio: ratio? }, ..self.clone() })
    }

    pub fn text(&self, key: &str) -> &str {
        self.facts.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn number(&self, key: &str) -> Option<f64> {
        self.facts.get(key).and_then(Value::as_f64)
    }

    pub fn to_json(&self) -> Value {
        let mut value = json!({
            "group": self.group,
            "name": self.name,
            "ours_ns": self.times.ours.round(),
            "c_ns": self.times.reference.round(),
            "ratio": (self.ratio() * 1000.0).round() / 1000.0,
        });
        if let Some(fields) = value.as_object_mut() {
            fields.extend(self.facts.clone());
        }
        value
    }

    /// Parses the output of [`to_json`](Self::to_json).
    pub fn from_json(value: &Value) -> Option<Self> {
        let mut facts = value.as_object()?.clone();
        let text = |value: Option<Value>| Some(value?.as_str()?.to_owned());
        let number = |value: Option<Value>| value?.as_f64();
        let times = Times {
            ours: number(facts.shift_remove("ours_ns"))?,
            reference: number(facts.shift_remove("c_ns"))?,
            ratio: number(facts.shift_remove("ratio"))?,
        };
        Some(Self {
            group: text(facts.shift_remove("group"))?,
            name: text(facts.shift_remove("name"))?,
            times,
            facts,
        })
    }
}

/// The geometric mean of the ratios; `None` without cases.
pub fn mean<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Option<f64> {
    geometric(cases.into_iter().map(Case::ratio))
}

/// The geometric mean; `None` without numbers.
pub fn geometric(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for number in numbers {
        sum += number.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// Our sizes over C's.
pub fn sizes<'a>(cases: &'a [&Case]) -> impl Iterator<Item = f64> + 'a {
    cases.iter().filter_map(|case| case.number("size_ratio"))
}

/// Encoded cases by codec and level, in which they follow each other.
pub fn by_level<'a>(encoded: &[&'a Case]) -> Vec<Vec<&'a Case>> {
    let level = |case: &Case| (case.text("codec").to_owned(), case.number("clevel").map(f64::to_bits));
    encoded.chunk_by(|a, b| level(a) == level(b)).map(<[_]>::to_vec).collect()
}
