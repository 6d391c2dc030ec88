use super::*;
use crate::expression::ExpressionError;
use crate::table::{Cells, ColumnKind, ColumnSpec, Data, Filter, Nulls};
use alloc::format;
use alloc::vec;

fn number(name: &str, dtype: Dtype) -> ColumnSpec {
    ColumnSpec::new(name, &ColumnKind::Number(dtype), &Nulls::Mask).unwrap()
}

/// The rows are those of python-blosc2's `where`, apart from those of `/` and `%`, which are NumPy's.
#[test]
fn rows_are_those_of_the_reference() {
    let text = ColumnSpec::new("s", &ColumnKind::Text, &Nulls::None).unwrap();
    let specs = [number("x", Dtype::of::<i16>()), number("y.z", Dtype::of::<f64>()), text];
    let cells = |dtype: Dtype, items, nulls: usize, first| {
        let valid = (0..14).map(|row| row % nulls != first).collect();
        Cells { data: Data::Items { dtype, items }, valid: Some(valid) }
    };
    let (short, double) = (Dtype::of::<i16>(), Dtype::of::<f64>());
    let x = short.encode(&(-6..8).collect::<Vec<i16>>()).unwrap();
    let y = double.encode(&(-7..7).map(|row| f64::from(row) / 4.0).collect::<Vec<_>>()).unwrap();
    let columns = [cells(short, x, 5, 0), cells(double, y, 4, 1)];
    let rows = |condition: &str| {
        let filter = Filter::parse(condition, &specs).unwrap();
        let of = |name: &String| columns[usize::from(name != "x")].clone();
        let matches = filter.matches(&filter.columns().iter().map(of).collect::<Vec<_>>()).unwrap();
        (0..14).filter(|row| matches[*row]).collect::<Vec<_>>()
    };
    for (condition, expected) in [
        ("x + 2*y.z > 3", &[11, 12][..]),
        ("abs(x) < 2", &[6, 7]),
        ("x*x > `y.z`", &[2, 3, 4, 6, 7, 8, 11, 12]),
        ("-x > 1", &[1, 2, 3, 4]),
        ("x % 3 == 1", &[1, 4, 7, 13]),
        ("((x + y.z)) * 2 > 1", &[7, 8, 11, 12]),
        ("x/2 > y.z", &[6, 7, 8, 11, 12]),
        ("x**2 == 4", &[4, 8]),
        ("x // 2 == -1", &[4]),
        ("(x>0) & (x+y.z > 1)", &[8, 11, 12]),
        ("~(x + y.z > 1)", &[2, 3, 4, 6, 7]),
        ("sqrt(y.z) > 1", &[12]),
        ("x + 1 != 3", &[1, 2, 3, 4, 6, 7, 9, 11, 12, 13]),
        // Integers of 16 bits wrap.
        ("x*30000 > 0", &[2, 4, 7, 9, 11, 13]),
        ("x in (2*2, 10 - 3)", &[13]),
        ("-(2**2) < x < -1*(-2)", &[3, 4, 6, 7]),
        ("isnan(y.z - y.z) or x == 7", &[13]),
        ("not (x - 7 < 0)", &[13]),
    ] {
        assert_eq!(rows(condition), expected, "{condition}");
    }
    let powers = Filter::parse("x ** x > 1", &specs).unwrap();
    assert_eq!(powers.matches(&columns[..1]), Err(FilterError::Power));
}

#[test]
fn wrong_arithmetic_is_refused() {
    let text = ColumnSpec::new("s", &ColumnKind::Text, &Nulls::None).unwrap();
    let specs = [number("x", Dtype::of::<i8>()), text];
    let parse = |text: &str| Filter::parse(text, &specs);
    for text in [
        "x +",
        "x + 1",
        "abs(x",
        "abs(x,) > ,",
        "abs x > 1",
        "x * > 1",
        "(x + 1) and x > 1",
        "x - - > 1",
        "not x + 1",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert_eq!(parse("s + 1 > 2"), Err(FilterError::Types { at: 6 }));
    assert_eq!(parse("(x > 1) + 1 > 2"), Err(FilterError::Types { at: 12 }));
    assert_eq!(parse("1 + 2 > 2"), Err(FilterError::Constant));
    assert_eq!(parse("sum(x) > 1"), Err(FilterError::Expression(ExpressionError::Function("sum".into()))));
    assert_eq!(parse("abs(x, x) > 1"), Err(FilterError::Expression(ExpressionError::Arguments { at: 9 })));
    let overflow = ExpressionError::Overflow { number: 300, dtype: "|i1".into() };
    assert_eq!(parse("x + 300 > 1"), Err(FilterError::Expression(overflow)));
    for text in [
        format!("{}x > 1", "-".repeat(1000)),
        format!("x{} > 1", " + x".repeat(1000)),
        format!("x{} > 1", "**x".repeat(1000)),
    ] {
        assert_eq!(parse(&text), Err(FilterError::Depth));
    }
}

/// Comparisons without arithmetic are still decided by the extremes of blocks.
#[test]
fn extremes_decide_what_is_not_computed() {
    use crate::table::{Extremes, RunContents};
    let specs = [number("x", Dtype::of::<u8>())];
    let cells = |items: [u8; 2]| Cells {
        data: Data::Items { dtype: Dtype::of::<u8>(), items: items.into() },
        valid: None,
    };
    let contents = RunContents { ordered: true, nan: false, null: true };
    let extremes = Extremes { least: cells([0, 6]), most: cells([5, 9]), runs: vec![contents; 2] };
    let may_match =
        |text: &str| Filter::parse(text, &specs).unwrap().may_match(&[Some(extremes.clone())], 2).unwrap();
    assert_eq!(may_match("x > 5 and x * 2 > 100"), [false, true]);
    assert_eq!(may_match("x > 5 or x * 2 > 100"), [true, true]);
    assert_eq!(may_match("x > 2 + 3"), [false, true]);
}
