//! Statistics as reductions of an expression, and those of items that come in parts.

use super::compile::{Leaf, Program};
use super::reduce::Accumulators;
use super::types::Type;
use super::vector::Vector;
use super::{Expression, ExpressionError};
use crate::array::{ByteOrder, Dtype, Kind};
use crate::base::{Error, Result, Unsupported};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Items that are added at a time.
const BATCH_ITEMS: usize = 4096;
/// NaT in items of times.
const NAT: &str = "-9223372036854775808";

/// How the items of a dtype tell what is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    All,
    ButNan,
    ButNat,
}

impl Numbers {
    /// `None` for what is no real number.
    pub(crate) const fn of(kind: &Kind) -> Option<Self> {
        match kind {
            Kind::Bool | Kind::Int | Kind::Uint => Some(Self::All),
            Kind::Float => Some(Self::ButNan),
            Kind::Datetime(_) | Kind::Timedelta(_) => Some(Self::ButNat),
            _ => None,
        }
    }
}

/// The expression with the reductions, in the order in which they are taken: the least, the greatest, mean and deviation, then how many are
/// NaN and infinite. An item that is infinite is none among the first: its difference from itself is NaN.
pub(crate) fn statistics(part: &str, along: &str, numbers: Numbers) -> String {
    let of = |name: &str, items: &str| format!("{name}({items}{along})");
    let names = ["min", "max", "mean", "std"];
    let (finite, counted) = match numbers {
        Numbers::All => return names.map(|name| of(name, part)).join(" + "),
        Numbers::ButNan => {
            (format!("{part} + ({part} - {part})"), [format!("isnan({part})"), format!("isinf({part})")])
        }
        Numbers::ButNat => {
            let is_nat = format!("{part} == {NAT}");
            (format!("where({is_nat}, nan, {part})"), [is_nat, format!("{part} != {part}")])
        }
    };
    let mut reductions: Vec<_> = names.iter().map(|name| of(&format!("nan{name}"), &finite)).collect();
    reductions.extend(counted.iter().map(|counted| of("sum", counted)));
    reductions.join(" + ")
}

/// Statistics of items that come in parts, in any order.
///
/// Times count as integers, of which NaT is none. Numbers are in double precision, rounded like those of [`Statistics`].
///
/// ```
/// use b2nd::expression::Summary;
/// let mut summary = Summary::new(&"|i1".parse()?)?;
/// summary.add(&[1, 2])?;
/// summary.add(&[6])?;
/// let told = summary.finish()?;
/// assert_eq!((told.count, told.min, told.max, told.mean), (3, 1.0, 6.0, 3.0));
/// # Ok::<(), b2nd::Error>(())
/// ```
///
/// [`Statistics`]: crate::source::Statistics
#[derive(Debug)]
pub struct Summary {
    program: Program,
    dtype: Dtype,
    accumulators: Vec<Accumulators>,
    count: u64,
}

/// The statistics of a [`Summary`]: of the finite items all but the counts.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Summarized {
    /// The number of items.
    pub count: u64,
    /// How many of them are NaN or NaT.
    pub nan: u64,
    /// How many are infinite.
    pub infinite: u64,
    /// The least; NaN if there is none, like the others.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation of all items (`ddof=0`).
    pub std: f64,
}

impl Summary {
    /// Of items of a dtype, of which there are none yet.
    ///
    /// ```
    /// assert!(b2nd::expression::Summary::new(&"<c8".parse()?).is_err());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for items that are no real numbers.
    pub fn new(dtype: &Dtype) -> Result<Self> {
        let numbers = Numbers::of(dtype.kind()).ok_or(Unsupported::Dtype)?;
        let dtype = match (numbers, dtype.byte_order()) {
            (Numbers::ButNat, ByteOrder::Big) => ">i8".parse()?,
            (Numbers::ButNat, _) => "<i8".parse()?,
            _ => dtype.clone(),
        };
        let refused = |_: ExpressionError| Error::from(Unsupported::Dtype);
        let expression = Expression::parse(&statistics("a", "", numbers)).map_err(refused)?;
        // How many items there are does not matter.
        let program = expression.compile(&[(&dtype, &[1])]).map_err(refused)?;
        let accumulators = program.stages.iter().map(|stage| Accumulators::new(stage, 1)).collect();
        Ok(Self { program, dtype, accumulators, count: 0 })
    }

    /// Adds items.
    ///
    /// ```
    /// let mut summary = b2nd::expression::Summary::new(&"<f4".parse()?)?;
    /// summary.add(&f32::NAN.to_le_bytes())?;
    /// assert_eq!(summary.finish()?.nan, 1);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if these are no whole items.
    pub fn add(&mut self, items: &[u8]) -> Result<()> {
        let ty = Type::of(&self.dtype).ok_or(Unsupported::Dtype)?;
        for items in items.chunks(BATCH_ITEMS * self.dtype.itemsize().max(1)) {
            let values = Vector::decode(ty, &self.dtype, items)?;
            let len = values.len();
            let leaves = [(Leaf::Input(0), values)];
            for (stage, accumulators) in self.program.stages.iter().zip(&mut self.accumulators) {
                let values = stage.tree.values(&leaves)?;
                accumulators.add(&values, &[(0..len, 0, 0)], 1);
            }
            self.count += len as u64;
        }
        Ok(())
    }

    /// The statistics of all items so far.
    ///
    /// ```
    /// let told = b2nd::expression::Summary::new(&"<u2".parse()?)?.finish()?;
    /// assert!(told.count == 0 && told.min.is_nan() && told.std.is_nan());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of reductions, of which these have none.
    pub fn finish(self) -> Result<Summarized> {
        let mut values = [f64::NAN, f64::NAN, f64::NAN, f64::NAN, 0.0, 0.0];
        let accumulators = self.accumulators.into_iter().filter(|_| self.count > 0);
        for (value, accumulators) in values.iter_mut().zip(accumulators) {
            *value = accumulators.finish()?.to_f64().first().copied().unwrap_or(f64::NAN);
        }
        let [min, max, mean, std, nan, infinite] = values;
        Ok(Summarized { count: self.count, nan: nan as u64, infinite: infinite as u64, min, max, mean, std })
    }
}

/// Percentiles of the finite values, with linear interpolation as in `numpy.percentile`: one for each of `percents`, from 0 to 100; NaN if no
/// value is finite.
///
/// ```
/// let values = vec![4.0, f64::NAN, 1.0, 2.0];
/// assert_eq!(b2nd::expression::percentiles(values, &[0.0, 50.0, 75.0]), [1.0, 2.0, 3.0]);
/// ```
#[must_use]
pub fn percentiles(mut values: Vec<f64>, percents: &[f64]) -> Vec<f64> {
    values.retain(|value| value.is_finite());
    values.sort_unstable_by(f64::total_cmp);
    let percentile = |percent: &f64| {
        let place = percent.clamp(0.0, 100.0) / 100.0 * values.len().saturating_sub(1) as f64;
        let below = values.get(place as usize).copied().unwrap_or(f64::NAN);
        let above = values.get(place as usize + 1).copied().unwrap_or(below);
        below + (above - below) * (place - (place as usize) as f64)
    };
    percents.iter().map(percentile).collect()
}

/// A part of the operand `a`, and the axes along which reductions go, for [`statistics`].
pub(crate) fn part_and_axes(selection: &str, axes: Option<&[i64]>) -> (String, String) {
    let part = if selection.is_empty() { "a".to_string() } else { format!("a[{selection}]") };
    let axes: Option<Vec<String>> = axes.map(|axes| axes.iter().map(|axis| format!("{axis},")).collect());
    (part, axes.map_or_else(String::new, |axes| format!(", axis=({})", axes.concat())))
}

#[cfg(test)]
mod tests {
    use super::{Summarized, Summary, percentiles};

    fn told(dtype: &str, parts: &[&[u8]]) -> Summarized {
        let mut summary = Summary::new(&dtype.parse().unwrap()).unwrap();
        parts.iter().for_each(|part| summary.add(part).unwrap());
        summary.finish().unwrap()
    }

    #[test]
    fn what_is_no_number_is_counted() {
        let items = [1.5, f32::NAN, f32::INFINITY, -2.5].map(f32::to_le_bytes);
        let of_floats = told("<f4", &[items[..1].as_flattened(), items[1..].as_flattened()]);
        assert_eq!((of_floats.count, of_floats.nan, of_floats.infinite), (4, 1, 1));
        assert_eq!((of_floats.min, of_floats.max, of_floats.mean, of_floats.std), (-2.5, 1.5, -0.5, 2.0));
        let of_times = told(">M8[ns]", &[&i64::MIN.to_be_bytes(), &7_i64.to_be_bytes()]);
        assert_eq!((of_times.count, of_times.nan, of_times.min, of_times.max), (2, 1, 7.0, 7.0));
        let of_nan = told("<f8", &[&f64::NAN.to_le_bytes()]);
        assert!((of_nan.count, of_nan.nan) == (1, 1) && of_nan.min.is_nan() && of_nan.std.is_nan());
    }

    #[test]
    fn percentiles_are_those_of_finite_values() {
        let values = alloc::vec![10.0, f64::INFINITY, -2.0, f64::NAN, 4.0, f64::NEG_INFINITY, 5.0];
        assert_eq!(percentiles(values, &[-1.0, 25.0, 50.0, 75.0, 101.0]), [-2.0, 2.5, 4.5, 6.25, 10.0]);
        assert_eq!(percentiles(alloc::vec![3.0], &[0.0, 100.0]), [3.0, 3.0]);
        assert!(percentiles(alloc::vec![f64::NAN], &[50.0])[0].is_nan());
    }
}
