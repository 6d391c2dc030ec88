//! Filters as conditions of the library, which its summaries decide for runs of rows.
//!
//! A condition holds for all rows for which the filter holds, and maybe for more: rows are tested by DataFusion.

use b2nd::table::{ColumnSpec, Condition, Filter, Operand, col};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

/// The condition for all of these filters; `None` if nothing is known of them.
pub(crate) fn condition(filters: &[Expr], columns: &[ColumnSpec]) -> Option<Filter> {
    let known = filters.iter().filter_map(|filter| part(filter, columns));
    known.reduce(Condition::and)?.filter(columns).ok()
}

fn part(filter: &Expr, columns: &[ColumnSpec]) -> Option<Condition> {
    let part = |filter: &Expr| part(filter, columns);
    let valid = |condition: Condition| condition.filter(columns).is_ok().then_some(condition);
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => match (part(left), part(right)) {
            (Some(left), Some(right)) => Some(left.and(right)),
            (left, right) => left.or(right),
        },
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => Some(part(left)?.or(part(right)?)),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (&**left, &**right) {
            (side, Expr::Literal(value, _)) => valid(comparison(&column(side)?, *op, value)?),
            (Expr::Literal(value, _), side) => valid(comparison(&column(side)?, op.swap()?, value)?),
            _ => None,
        },
        Expr::InList(InList { expr, list, negated: false }) => {
            let items = list.iter().map(|item| match item {
                Expr::Literal(value, _) => literal(value),
                _ => None,
            });
            valid(column(expr)?.is_in(items.collect::<Option<Vec<_>>>()?))
        }
        Expr::IsNull(side) => valid(column(side)?.is_null()),
        Expr::IsNotNull(side) => valid(column(side)?.is_not_null()),
        Expr::Not(side) => valid(!Condition::from(column(side)?)),
        side => valid(column(side)?.into()),
    }
}

fn column(expr: &Expr) -> Option<Operand> {
    match expr {
        Expr::Column(column) => Some(col(&column.name)),
        _ => None,
    }
}

fn comparison(column: &Operand, op: Operator, value: &ScalarValue) -> Option<Condition> {
    let other = literal(value)?;
    let is_float = matches!(value, ScalarValue::Float32(_) | ScalarValue::Float64(_));
    Some(match op {
        // DataFusion orders floats: numbers that are none are largest or smallest, and zeros are two numbers.
        Operator::Lt | Operator::LtEq if is_float => !column.gt(other),
        Operator::Gt | Operator::GtEq if is_float => !column.lt(other),
        Operator::NotEq if is_float => return None,
        Operator::Eq => column.eq(other),
        Operator::NotEq => column.ne(other),
        Operator::Lt => column.lt(other),
        Operator::LtEq => column.le(other),
        Operator::Gt => column.gt(other),
        Operator::GtEq => column.ge(other),
        _ => return None,
    })
}

fn literal(value: &ScalarValue) -> Option<Operand> {
    Some(match value {
        ScalarValue::Boolean(Some(value)) => (*value).into(),
        ScalarValue::Int8(Some(value)) => (*value).into(),
        ScalarValue::Int16(Some(value)) => (*value).into(),
        ScalarValue::Int32(Some(value)) => (*value).into(),
        ScalarValue::Int64(Some(value)) => (*value).into(),
        ScalarValue::UInt8(Some(value)) => (*value).into(),
        ScalarValue::UInt16(Some(value)) => (*value).into(),
        ScalarValue::UInt32(Some(value)) => (*value).into(),
        ScalarValue::UInt64(Some(value)) => (*value).into(),
        ScalarValue::Float32(Some(value)) if value.is_finite() => f64::from(*value).into(),
        ScalarValue::Float64(Some(value)) if value.is_finite() => (*value).into(),
        ScalarValue::Utf8(Some(text))
        | ScalarValue::LargeUtf8(Some(text))
        | ScalarValue::Utf8View(Some(text)) => text.as_str().into(),
        ScalarValue::Dictionary(_, value) => literal(value)?,
        ScalarValue::TimestampSecond(Some(at), _) => date(ScalarValue::TimestampSecond(Some(*at), None))?,
        ScalarValue::TimestampMillisecond(Some(at), _) => {
            date(ScalarValue::TimestampMillisecond(Some(*at), None))?
        }
        ScalarValue::TimestampMicrosecond(Some(at), _) => {
            date(ScalarValue::TimestampMicrosecond(Some(*at), None))?
        }
        ScalarValue::TimestampNanosecond(Some(at), _) => {
            date(ScalarValue::TimestampNanosecond(Some(*at), None))?
        }
        _ => return None,
    })
}

/// A moment in UTC, as ISO 8601 has it.
fn date(moment: ScalarValue) -> Option<Operand> {
    let moment = moment.to_array().ok()?;
    let format = FormatOptions::default();
    let formatter = ArrayFormatter::try_new(&moment, &format).ok()?;
    Some(formatter.value(0).try_to_string().ok()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use b2nd::array::Dtype;
    use b2nd::table::{ColumnKind, Nulls};
    use datafusion::logical_expr::{col, lit};

    fn columns() -> Vec<ColumnSpec> {
        let number =
            |name: &str, dtype| ColumnSpec::new(name, &ColumnKind::Number(dtype), &Nulls::None).unwrap();
        vec![
            number("i", Dtype::of::<i32>()),
            number("f", Dtype::of::<f64>()),
            ColumnSpec::new("it`s", &ColumnKind::Text, &Nulls::Mask).unwrap(),
        ]
    }

    #[test]
    fn filters_become_conditions() {
        let quote = || Expr::Column(datafusion::common::Column::new_unqualified("it`s"));
        let unknown = || (col("i") + lit(1)).gt(lit(2));
        for (filter, expected) in [
            (col("i").gt(lit(3)), Some("`i` > 3")),
            (lit(3_u64).gt(col("i")), Some("`i` < 3")),
            (col("f").gt(lit(1.5)), Some("not (`f` < 1.5e0)")),
            (col("f").lt_eq(lit(-0.0)), Some("not (`f` > -0e0)")),
            (col("f").not_eq(lit(1.0)), None),
            (col("f").lt(lit(f64::NAN)), None),
            (quote().eq(lit(r"a'\")), Some(r"`it\`s` == 'a\'\\'")),
            (quote().is_null(), Some(r"`it\`s` is null")),
            (col("i").in_list(vec![lit(1), lit(2)], false), Some("`i` in (1, 2)")),
            (col("i").in_list(vec![lit(1)], true), None),
            (unknown(), None),
            (unknown().and(col("i").eq(lit(1))), Some("`i` == 1")),
            (unknown().or(col("i").eq(lit(1))), None),
            // They are of different kinds.
            (col("i").eq(lit("a")), None),
            (col("none").eq(lit(1)), None),
        ] {
            let condition = part(&filter, &columns()).map(|condition| condition.to_string());
            assert_eq!(condition.as_deref(), expected, "{filter}");
        }
    }

    #[test]
    fn times_become_dates() {
        let at = ScalarValue::TimestampNanosecond(Some(1_500_000_000), Some("Europe/Berlin".into()));
        assert_eq!(literal(&at), Some("1970-01-01T00:00:01.500".into()));
    }
}
