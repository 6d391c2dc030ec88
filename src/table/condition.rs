//! Conditions on rows that programs make, without quoting names and texts.

use super::filter::{Filter, FilterError};
use super::schema::ColumnSpec;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Not;

/// A column, by its name, as a side of a comparison or, if it has booleans, as a [`Condition`].
///
/// ```
/// use b2nd::table::col;
/// let condition = col("x").gt(3).and(col("last name").eq("O'Hare")).or(col("t").lt("2026-01-01"));
/// assert_eq!(condition.to_string(), r"(`x` > 3 and `last name` == 'O\'Hare') or `t` < '2026-01-01'");
/// ```
pub fn col(name: &str) -> Operand {
    Operand(quoted(name, '`'))
}

/// A side of a comparison: a [column](col) or a value. Texts are dates beside columns of times. NaN, with which nothing compares, is a
/// syntax error in a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand(String);

/// A condition on the rows of a table, in the language of [`Filter`]: [`filter`](Self::filter) makes one of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    text: String,
    joint: Option<&'static str>,
}

macro_rules! comparisons {
    ($($(#[$text:meta])* $name:ident $sign:literal;)*) => {$(
        $(#[$text])*
        pub fn $name(&self, other: impl Into<Self>) -> Condition {
            Condition::of(format!(concat!("{} ", $sign, " {}"), self.0, other.into().0))
        }
    )*};
}

impl Operand {
    comparisons! {
        /// Whether both are equal.
        ///
        /// ```
        /// # use b2nd::table::col;
        /// assert_eq!(col("a").eq(true).to_string(), "`a` == true");
        /// ```
        eq "==";
        /// Whether they differ.
        ///
        /// ```
        /// # use b2nd::table::col;
        /// assert_eq!(col("a").ne(col("b")).to_string(), "`a` != `b`");
        /// ```
        ne "!=";
        /// Whether this one is less.
        ///
        /// ```
        /// # use b2nd::table::col;
        /// assert_eq!(col("a").lt(-1).to_string(), "`a` < -1");
        /// ```
        lt "<";
        /// Whether this one is less, or both are equal.
        ///
        /// ```
        /// # use b2nd::table::col;
        /// assert_eq!(col("a").le(2.5).to_string(), "`a` <= 2.5e0");
        /// ```
        le "<=";
        /// Whether this one is greater.
        ///
        /// ```
        /// # use b2nd::table::col;
        /// assert_eq!(col("a").gt("2026-01-01").to_string(), "`a` > '2026-01-01'");
        /// ```
        gt ">";
        /// Whether this one is greater, or both are equal.
        ///
        /// ```
        /// # use b2nd::table::col;
        /// assert_eq!(col("a").ge(0).to_string(), "`a` >= 0");
        /// ```
        ge ">=";
    }

    /// A number as it is written, for those that no type here has; `None` if it is none.
    ///
    /// ```
    /// # use b2nd::table::{Operand, col};
    /// let number = Operand::number("1e-40").expect("a number");
    /// assert_eq!(col("a").gt(number).to_string(), "`a` > 1e-40");
    /// assert_eq!(Operand::number("1 or a"), None);
    /// ```
    pub fn number(text: &str) -> Option<Self> {
        let is_number =
            text.bytes().all(|byte| b"0123456789.eE+-".contains(&byte)) && text.parse::<f64>().is_ok();
        is_number.then(|| Self(text.trim_start_matches('+').into()))
    }

    /// Whether it equals one of some others.
    ///
    /// ```
    /// # use b2nd::table::col;
    /// assert_eq!(col("a").is_in([1, 2]).to_string(), "`a` in (1, 2)");
    /// ```
    pub fn is_in(&self, others: impl IntoIterator<Item = impl Into<Self>>) -> Condition {
        let others: Vec<String> = others.into_iter().map(|other| other.into().0).collect();
        if others.is_empty() {
            // The language has no empty lists.
            return self.is_null().and(self.is_not_null());
        }
        Condition::of(format!("{} in ({})", self.0, others.join(", ")))
    }

    /// Whether it is null. Only columns can be.
    ///
    /// ```
    /// # use b2nd::table::col;
    /// assert_eq!(col("a").is_null().to_string(), "`a` is null");
    /// ```
    pub fn is_null(&self) -> Condition {
        Condition::of(format!("{} is null", self.0))
    }

    /// Whether it is not null. Only columns can be.
    ///
    /// ```
    /// # use b2nd::table::col;
    /// assert_eq!(col("a").is_not_null().to_string(), "`a` is not null");
    /// ```
    pub fn is_not_null(&self) -> Condition {
        Condition::of(format!("{} is not null", self.0))
    }
}

impl Condition {
    const fn of(text: String) -> Self {
        Self { text, joint: None }
    }

    /// Whether both are met.
    ///
    /// ```
    /// # use b2nd::table::col;
    /// assert_eq!(col("a").gt(1).and(col("flag")).to_string(), "`a` > 1 and `flag`");
    /// ```
    pub fn and(self, other: impl Into<Self>) -> Self {
        self.join("and", &other.into())
    }

    /// Whether one of both is met.
    ///
    /// ```
    /// # use b2nd::table::col;
    /// assert_eq!(col("a").gt(1).or(col("b").lt(2)).to_string(), "`a` > 1 or `b` < 2");
    /// ```
    pub fn or(self, other: impl Into<Self>) -> Self {
        self.join("or", &other.into())
    }

    /// The filter for a table with these columns.
    ///
    /// ```
    /// use b2nd::table::{ColumnKind, ColumnSpec, Nulls, col};
    /// let columns = [ColumnSpec::new("name", &ColumnKind::Text, &Nulls::Mask)?];
    /// assert_eq!(col("name").eq("a").filter(&columns)?.columns(), ["name"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Filter::parse`], with places in the text of the condition.
    pub fn filter(&self, columns: &[ColumnSpec]) -> Result<Filter, FilterError> {
        Filter::parse(&self.text, columns)
    }

    /// Long chains of one kind are not nested: the depth of conditions is limited.
    fn join(self, joint: &'static str, other: &Self) -> Self {
        let within = |side: &Self| match side.joint {
            Some(own) if own != joint => format!("({})", side.text),
            _ => side.text.clone(),
        };
        Self { text: format!("{} {joint} {}", within(&self), within(other)), joint: Some(joint) }
    }
}

impl Not for Condition {
    type Output = Self;

    fn not(self) -> Self {
        Self::of(format!("not ({})", self.text))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Operand> for Condition {
    fn from(operand: Operand) -> Self {
        Self::of(operand.0)
    }
}

impl From<&str> for Operand {
    fn from(text: &str) -> Self {
        Self(quoted(text, '\''))
    }
}

impl From<String> for Operand {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl From<$type> for Operand {
            fn from(value: $type) -> Self {
                Self(value.to_string())
            }
        }
    )*};
}

integers! { bool i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl From<$type> for Operand {
            fn from(value: $type) -> Self {
                Self(match value {
                    <$type>::INFINITY => "1e999".into(),
                    <$type>::NEG_INFINITY => "-1e999".into(),
                    _ if value.is_nan() => "-".into(),
                    _ => format!("{value:e}"),
                })
            }
        }
    )*};
}

floats! { f32 f64 }

/// A name or a text in quotes.
fn quoted(text: &str, quote: char) -> String {
    let mut quoted = String::from(quote);
    for char in text.chars() {
        if char == quote || char == '\\' {
            quoted.push('\\');
        }
        quoted.push(char);
    }
    quoted.push(quote);
    quoted
}

#[cfg(all(test, feature = "std", feature = "write"))]
mod tests {
    use super::*;
    use crate::array::Dtype;
    use crate::table::{Cells, ColumnKind, Data, Nulls};
    use alloc::vec;

    /// The rows of 1.5, null, infinity and −2 with the names `a`, ``b'`\``, `` and `a` that meet a condition.
    fn rows(condition: &Condition) -> Vec<bool> {
        let number = ColumnKind::Number(Dtype::of::<f64>());
        let name = "na`me\\";
        let columns = [
            ColumnSpec::new("x", &number, &Nulls::Mask).unwrap(),
            ColumnSpec::new(name, &ColumnKind::Text, &Nulls::None).unwrap(),
        ];
        let items = Dtype::of::<f64>().encode(&[1.5, 0.0, f64::INFINITY, -2.0]).unwrap();
        let valid = Some(vec![true, false, true, true]);
        let x = Cells { data: Data::Items { dtype: Dtype::of::<f64>(), items }, valid };
        let texts = ["a", "b'`\\", "", "a"].map(String::from).into();
        let name = Cells { data: Data::Texts(texts), valid: None };
        let filter = condition.filter(&columns).unwrap_or_else(|error| panic!("{condition}: {error}"));
        let cells: Vec<_> =
            filter.columns().iter().map(|column| if column == "x" { &x } else { &name }).cloned().collect();
        filter.matches(&cells).unwrap()
    }

    #[test]
    fn names_and_values_are_quoted() {
        let name = || col("na`me\\");
        for (condition, expected) in [
            (name().eq("b'`\\"), [false, true, false, false]),
            (name().eq(String::new()), [false, false, true, false]),
            (col("x").eq(f64::INFINITY), [false, false, true, false]),
            (col("x").gt(f32::NEG_INFINITY), [true, false, true, true]),
            (col("x").le(-2), [false, false, false, true]),
            (col("x").eq(1.5_f32), [true, false, false, false]),
            (col("x").lt(1e300), [true, false, false, true]),
            (col("x").is_null(), [false, true, false, false]),
            (col("x").is_in([-2.0, 1.5]), [true, false, false, true]),
            (col("x").is_in(Vec::<i32>::new()), [false; 4]),
            (!name().eq("a"), [false, true, true, false]),
            (name().eq("a").and(col("x").gt(0).or(col("x").is_null())), [true, false, false, false]),
            (name().eq("a").and(col("x").gt(0)).or(col("x").is_null()), [true, true, false, false]),
            (!name().ne("a").and(col("x").ge(0)), [true, false, false, true]),
        ] {
            assert_eq!(rows(&condition), expected, "{condition}");
        }
        assert_eq!(rows(&col("x").gt(u64::MAX).and(col("x").lt(i64::MIN))), [false; 4]);
    }

    #[test]
    fn long_chains_are_not_nested() {
        let many = (0..500).fold(col("x").gt(0), |condition, n| condition.or(col("x").eq(n)));
        assert_eq!(rows(&many), [true, false, true, false]);
    }

    #[test]
    fn nan_is_refused() {
        let columns = [ColumnSpec::new("x", &ColumnKind::Number(Dtype::of::<f64>()), &Nulls::None).unwrap()];
        assert!(matches!(col("x").lt(f64::NAN).filter(&columns), Err(FilterError::Syntax { .. })));
    }
}
