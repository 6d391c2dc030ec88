use super::*;
use crate::array::{Dtype, TimeUnit};
use crate::table::{ColumnKind, Data, Nulls};
use alloc::format;
use alloc::vec;

/// The table and the rows of python-blosc2's `where` of it, apart from `~b`, for which it gives rows whose `b` is null.
#[test]
fn rows_are_those_of_the_reference() {
    let number = |name: &str, dtype| ColumnSpec::new(name, &ColumnKind::Number(dtype), &Nulls::Mask).unwrap();
    let text = ColumnSpec::new("s", &ColumnKind::Text, &Nulls::Mask).unwrap();
    let (int, float, bool) = (Dtype::of::<i64>(), Dtype::of::<f64>(), Dtype::of::<bool>());
    let specs = [number("x", int.clone()), number("y", float.clone()), text, number("b", bool.clone())];
    let items = |dtype: Dtype, items: Vec<u8>| Data::Items { dtype, items };
    let cells = [
        (items(int.clone(), int.encode(&[1_i64, 9, 3, -4, 5]).unwrap()), vec![true, false, true, true, true]),
        (
            items(float.clone(), float.encode(&[2.5, f64::NAN, 9.0, 1.0, f64::INFINITY]).unwrap()),
            vec![true, true, false, true, true],
        ),
        (Data::Texts(["a", "b", "", "", "a"].map(String::from).into()), vec![true, true, false, true, true]),
        (items(bool, vec![1, 0, 0, 1, 0]), vec![true, true, false, true, false]),
    ];
    let cells = cells.map(|(data, valid)| Cells { data, valid: Some(valid) });
    let rows = |condition: &str| {
        let filter = Filter::parse(condition, &specs).unwrap();
        let number = |name: &String| specs.iter().position(|spec| spec.name == *name).unwrap();
        let cells: Vec<_> = filter.columns().iter().map(|name| cells[number(name)].clone()).collect();
        let matches = filter.matches(&cells).unwrap();
        matches
            .iter()
            .enumerate()
            .filter(|(_, matches)| **matches)
            .map(|(row, _)| row + 1)
            .collect::<Vec<_>>()
    };
    for (condition, expected) in [
        ("x > 2", &[3, 5][..]),
        ("x != 3", &[1, 4, 5]),
        ("~(x > 2)", &[1, 4]),
        ("(x > 2) | (y > 2)", &[1, 3, 5]),
        ("s == 'a'", &[1, 5]),
        ("s != 'a'", &[2, 4]),
        ("b == True", &[1, 4]),
        ("b", &[1, 4]),
        ("y != y", &[2]),
        ("(x > 2) & (s == 'a')", &[5]),
        ("x > y", &[]),
        ("x > 2 and y > 2", &[5]),
        ("not (x > 2)", &[1, 4]),
        ("s > \"a\"", &[2]),
        ("x >= 2.5", &[3, 5]),
        ("-5 < `x` <= 1e0", &[1, 4]),
        ("~b", &[2]),
        ("x is null", &[2]),
        ("b is not null and x is not null", &[1, 4]),
        ("not (s is null or x > 2)", &[1, 4]),
        ("x in (3, -4)", &[3, 4]),
        ("x not in (3, -4)", &[1, 5]),
        ("s in ('a') and y in (2.5, y)", &[1, 5]),
    ] {
        assert_eq!(rows(condition), expected, "{condition}");
    }
}

#[test]
fn wrong_conditions_are_refused() {
    let number =
        |name: &str| ColumnSpec::new(name, &ColumnKind::Number(Dtype::of::<f32>()), &Nulls::None).unwrap();
    let specs =
        [number("x"), number("and"), ColumnSpec::new("o", &ColumnKind::Object, &Nulls::Mask).unwrap()];
    let parse = |text: &str| Filter::parse(text, &specs);
    for text in [
        "",
        "x",
        "x >",
        "x > 1 x",
        "(x > 1",
        "x > 'a",
        "and > 1",
        "x = 1",
        "x > 1 and",
        "1..2 < x",
        "é",
        "`x",
        "-",
        "'\\",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert_eq!(parse("x > 'a'"), Err(FilterError::Types { at: 7 }));
    // Conditions have no values: the comparison would be unknown for all rows.
    for text in ["(x > 1) == true", "true in (x > 1, true)", "(x is null) == false", "(x > 1) is null"] {
        assert!(matches!(parse(text), Err(FilterError::Types { .. })), "{text}");
    }
    assert_eq!(parse("z > 1"), Err(FilterError::NoColumn("z".into())));
    assert_eq!(parse("o == 1"), Err(FilterError::Kind("o".into())));
    assert_eq!(parse(&format!("{}x > 1", "not ".repeat(1000))), Err(FilterError::Depth));
    assert_eq!(parse(&"(".repeat(100_000)), Err(FilterError::Depth));
    assert_eq!(parse("1 < 2"), Err(FilterError::Constant));
    assert!(parse("`and` > 1").is_ok());
    // A number gets the type of the column.
    let filter = parse("x == 0.1").unwrap();
    let dtype = Dtype::of::<f32>();
    let data = Data::Items { items: dtype.encode(&[0.1_f32, 0.2]).unwrap(), dtype };
    assert_eq!(filter.matches(&[Cells { data, valid: None }]), Ok(vec![true, false]));
    assert_eq!(filter.matches(&[]), Err(FilterError::Cells));
}

#[test]
fn times_are_compared_exactly() {
    let spec = |name: &str, unit| {
        ColumnSpec::new(name, &ColumnKind::Timestamp { unit, timezone: None }, &Nulls::Mask).unwrap()
    };
    let specs = [spec("t", TimeUnit::Second), spec("u", TimeUnit::Nanosecond)];
    let cells = |unit: &str, steps: [i64; 4]| {
        let dtype = Dtype::parse(&format!("<M8[{unit}]"), &crate::Limits::default()).unwrap();
        let items = steps.iter().flat_map(|steps| steps.to_le_bytes()).collect();
        Cells { data: Data::Items { dtype, items }, valid: Some(vec![true, true, false, true]) }
    };
    // 2026-01-01, its next second, null, and no time.
    let (first, nat) = (1_767_225_600, i64::MIN);
    let seconds = cells("s", [first, first + 1, first, nat]);
    let nanoseconds = cells("ns", [first * 1_000_000_000, first * 1_000_000_000 + 1, 0, nat]);
    let rows = |condition: &str| {
        let filter = Filter::parse(condition, &specs).unwrap();
        let of = |name: &String| if name == "t" { seconds.clone() } else { nanoseconds.clone() };
        filter.matches(&filter.columns().iter().map(of).collect::<Vec<_>>()).unwrap()
    };
    for (condition, expected) in [
        ("t == 2026-01-01", [true, false, false, false]),
        ("t >= 2026-01-01", [true, true, false, false]),
        ("t != '2026-01-01'", [false, true, false, true]),
        ("'2026-01-01 00:00:00.5' < t", [false, true, false, false]),
        ("t in (2026-01-01T02:00:01+02:00, 2027-01-01)", [false, true, false, false]),
        ("t == u", [true, false, false, false]),
        ("u > t", [false; 4]),
        ("u > 2026-01-01T00:00:00.000000000Z", [false, true, false, false]),
        ("2025-12 <= t < 2026-01-01T00:00:01", [true, false, false, false]),
        ("t is null", [false, false, true, false]),
    ] {
        assert_eq!(rows(condition), expected, "{condition}");
    }
    for (condition, error) in [
        ("t > 2026-02-30", FilterError::Date { at: 4 }),
        ("t > 2026-01-01x", FilterError::Date { at: 4 }),
        ("t > 'today'", FilterError::Date { at: 11 }),
        ("t > 2026", FilterError::Types { at: 8 }),
        ("t > 99999999999999999999-01-01", FilterError::Date { at: 4 }),
    ] {
        assert_eq!(Filter::parse(condition, &specs), Err(error), "{condition}");
    }
}

#[test]
fn large_integers_and_times_before_1970_are_compared_exactly() {
    let number =
        |dtype: &Dtype| ColumnSpec::new("x", &ColumnKind::Number(dtype.clone()), &Nulls::None).unwrap();
    let time =
        |unit| ColumnSpec::new("x", &ColumnKind::Timestamp { unit, timezone: None }, &Nulls::None).unwrap();
    let (signed, unsigned) = (Dtype::of::<i64>(), Dtype::of::<u64>());
    let dtype = |text: &str| Dtype::parse(text, &crate::Limits::default()).unwrap();
    let (seconds, nanoseconds) = (dtype("<M8[s]"), dtype("<M8[ns]"));
    for (spec, dtype, items, condition, expected) in [
        (number(&signed), &signed, 9_007_199_254_740_993_i64.to_le_bytes(), "x == 9007199254740993", true),
        (number(&signed), &signed, 9_007_199_254_740_992_i64.to_le_bytes(), "x == 9007199254740993", false),
        (number(&signed), &signed, 2_i64.to_le_bytes(), "x > 1.5", true),
        (number(&unsigned), &unsigned, u64::MAX.to_le_bytes(), "x >= 18446744073709551615", true),
        (time(TimeUnit::Second), &seconds, (-1_i64).to_le_bytes(), "x == 1969-12-31T23:59:59", true),
        (time(TimeUnit::Second), &seconds, (-2_i64).to_le_bytes(), "x <= 1969-12-31T23:59:58.5", true),
        (time(TimeUnit::Second), &seconds, (-1_i64).to_le_bytes(), "x <= 1969-12-31T23:59:58.5", false),
        (
            time(TimeUnit::Nanosecond),
            &nanoseconds,
            1_767_225_600_123_456_789_i64.to_le_bytes(),
            "x == '2026-01-01T00:00:00.123456789Z'",
            true,
        ),
    ] {
        let cells = Cells { data: Data::Items { dtype: dtype.clone(), items: items.into() }, valid: None };
        assert_eq!(
            Filter::parse(condition, &[spec]).unwrap().matches(&[cells]),
            Ok(vec![expected]),
            "{condition}"
        );
    }
}
