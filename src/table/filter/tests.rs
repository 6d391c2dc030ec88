use super::*;
use crate::array::Dtype;
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
