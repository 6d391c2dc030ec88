//! Filters as conditions of the library, which its summaries decide for runs of rows.
//!
//! A condition holds for all rows for which the filter holds, and maybe for more: rows are tested by DataFusion.

use b2nd::table::{ColumnSpec, Filter};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

/// The condition for all of these filters; `None` if nothing is known of them.
pub(crate) fn condition(filters: &[Expr], columns: &[ColumnSpec]) -> Option<Filter> {
    let texts: Vec<_> = filters.iter().filter_map(|filter| text(filter, columns)).collect();
    Filter::parse(&texts.join(" and "), columns).ok()
}

fn text(filter: &Expr, columns: &[ColumnSpec]) -> Option<String> {
    let part = |part: &Expr| text(part, columns);
    let parsed = |text: String| Filter::parse(&text, columns).is_ok().then_some(text);
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => match (part(left), part(right)) {
            (Some(left), Some(right)) => Some(format!("({left} and {right})")),
            (left, right) => left.or(right),
        },
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            Some(format!("({} or {})", part(left)?, part(right)?))
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (&**left, &**right) {
            (column, Expr::Literal(value, _)) => parsed(comparison(&name(column)?, *op, value)?),
            (Expr::Literal(value, _), column) => parsed(comparison(&name(column)?, op.swap()?, value)?),
            _ => None,
        },
        Expr::InList(InList { expr, list, negated: false }) => {
            let equal = |item: &Expr| match item {
                Expr::Literal(value, _) => parsed(comparison(&name(expr)?, Operator::Eq, value)?),
                _ => None,
            };
            let tests = list.iter().map(equal).collect::<Option<Vec<_>>>()?;
            (!tests.is_empty()).then(|| format!("({})", tests.join(" or ")))
        }
        Expr::IsNull(column) => parsed(format!("{} is null", name(column)?)),
        Expr::IsNotNull(column) => parsed(format!("{} is not null", name(column)?)),
        Expr::Not(column) => parsed(format!("not {}", name(column)?)),
        column => parsed(name(column)?),
    }
}

/// The name of a column, as conditions have it.
fn name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Column(column) => Some(quoted(&column.name, '`')),
        _ => None,
    }
}

fn comparison(column: &str, op: Operator, value: &ScalarValue) -> Option<String> {
    let literal = literal(value)?;
    let is_float = matches!(value, ScalarValue::Float32(_) | ScalarValue::Float64(_));
    let sign = match op {
        // DataFusion orders floats: numbers that are none are largest or smallest, and zeros are two numbers.
        Operator::Lt | Operator::LtEq if is_float => return Some(format!("not {column} > {literal}")),
        Operator::Gt | Operator::GtEq if is_float => return Some(format!("not {column} < {literal}")),
        Operator::NotEq if is_float => return None,
        Operator::Eq => "==",
        Operator::NotEq => "!=",
        Operator::Lt => "<",
        Operator::LtEq => "<=",
        Operator::Gt => ">",
        Operator::GtEq => ">=",
        _ => return None,
    };
    Some(format!("{column} {sign} {literal}"))
}

fn literal(value: &ScalarValue) -> Option<String> {
    Some(match value {
        ScalarValue::Boolean(Some(value)) => value.to_string(),
        ScalarValue::Int8(Some(value)) => value.to_string(),
        ScalarValue::Int16(Some(value)) => value.to_string(),
        ScalarValue::Int32(Some(value)) => value.to_string(),
        ScalarValue::Int64(Some(value)) => value.to_string(),
        ScalarValue::UInt8(Some(value)) => value.to_string(),
        ScalarValue::UInt16(Some(value)) => value.to_string(),
        ScalarValue::UInt32(Some(value)) => value.to_string(),
        ScalarValue::UInt64(Some(value)) => value.to_string(),
        ScalarValue::Float32(Some(value)) if value.is_finite() => format!("{:?}", f64::from(*value)),
        ScalarValue::Float64(Some(value)) if value.is_finite() => format!("{value:?}"),
        ScalarValue::Utf8(Some(text))
        | ScalarValue::LargeUtf8(Some(text))
        | ScalarValue::Utf8View(Some(text)) => quoted(text, '\''),
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
fn date(moment: ScalarValue) -> Option<String> {
    let moment = moment.to_array().ok()?;
    let format = FormatOptions::default();
    let formatter = ArrayFormatter::try_new(&moment, &format).ok()?;
    Some(quoted(&formatter.value(0).try_to_string().ok()?, '\''))
}

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
            (col("f").gt(lit(1.5)), Some("not `f` < 1.5")),
            (col("f").lt_eq(lit(-0.0)), Some("not `f` > -0.0")),
            (col("f").not_eq(lit(1.0)), None),
            (col("f").lt(lit(f64::NAN)), None),
            (quote().eq(lit(r"a'\")), Some(r"`it\`s` == 'a\'\\'")),
            (quote().is_null(), Some(r"`it\`s` is null")),
            (col("i").in_list(vec![lit(1), lit(2)], false), Some("(`i` == 1 or `i` == 2)")),
            (col("i").in_list(vec![lit(1)], true), None),
            (unknown(), None),
            (unknown().and(col("i").eq(lit(1))), Some("`i` == 1")),
            (unknown().or(col("i").eq(lit(1))), None),
            // They are of different kinds.
            (col("i").eq(lit("a")), None),
            (col("none").eq(lit(1)), None),
        ] {
            assert_eq!(text(&filter, &columns()).as_deref(), expected, "{filter}");
        }
    }

    #[test]
    fn times_become_dates() {
        let at = ScalarValue::TimestampNanosecond(Some(1_500_000_000), Some("Europe/Berlin".into()));
        assert_eq!(literal(&at).unwrap(), "'1970-01-01T00:00:01.500'");
    }
}
