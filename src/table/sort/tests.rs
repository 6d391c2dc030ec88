use super::*;
use crate::array::Element;
use alloc::vec;

/// The order of cells, of all and of the first two, which must agree.
fn order(cells: &Cells, descending: bool) -> Vec<u64> {
    let sorted = |most| {
        let mut sorter = Sorter::new(&[descending], most, &Limits::default());
        for at in 0..cells.len() {
            sorter.push([at as u64], &[part(cells, at)]).unwrap();
        }
        sorter.finish()
    };
    let all = sorted(None);
    for most in 0..=all.len() {
        assert_eq!(sorted(Some(most as u64)), all[..most], "the first {most}");
    }
    all
}

fn part(cells: &Cells, at: usize) -> Cells {
    cells.at(&[at])
}

fn items<T: Element>(values: &[T]) -> Cells {
    let dtype = Dtype::of::<T>();
    let items = dtype.encode(values).unwrap();
    Cells { data: Data::Items { dtype, items }, valid: None }
}

#[test]
fn numbers_have_the_order_of_their_values() {
    let floats = items(&[0.0, f64::NAN, -1.5, f64::INFINITY, -0.0, -f64::INFINITY, 1e-300]);
    assert_eq!(order(&floats, false), [5, 2, 0, 4, 6, 3, 1]);
    assert_eq!(order(&floats, true), [3, 6, 0, 4, 2, 5, 1]);
    assert_eq!(order(&items(&[0i8, -128, 127, -1]), false), [1, 3, 0, 2]);
    assert_eq!(order(&items(&[0i64, i64::MIN, i64::MAX, -1]), true), [2, 0, 3, 1]);
    assert_eq!(order(&items(&[256u16, 1, 65535, 255]), false), [1, 3, 0, 2]);
    let big = Dtype::parse(">i2", &Limits::default()).unwrap();
    let big = Cells { data: Data::Items { dtype: big, items: vec![0, 2, 255, 255, 1, 0] }, valid: None };
    assert_eq!(order(&big, false), [1, 0, 2]);
}

#[test]
fn nulls_are_last_and_times_that_are_none_before_them() {
    let mut cells = items(&[5i64, i64::MIN, 7, 1]);
    let Data::Items { dtype, .. } = &mut cells.data else { unreachable!() };
    *dtype = Dtype::parse("<M8[s]", &Limits::default()).unwrap();
    cells.valid = Some(vec![true, true, false, true]);
    assert_eq!(order(&cells, false), [3, 0, 1, 2]);
    assert_eq!(order(&cells, true), [0, 3, 1, 2]);
}

#[test]
fn texts_have_the_order_of_their_code_points() {
    let texts = ["b", "", "a\0", "a", "ab", "é", "\u{1f600}", "\u{ffff}", "a"];
    let cells = Cells { data: Data::Texts(texts.map(String::from).into()), valid: None };
    assert_eq!(order(&cells, false), [1, 3, 8, 2, 4, 0, 5, 7, 6]);
    assert_eq!(order(&cells, true), [6, 7, 5, 0, 4, 2, 3, 8, 1]);
}

#[test]
fn keys_take_memory_and_cells_need_an_order() {
    let few = Limits { memory: 100, ..Limits::default() };
    let mut sorter = Sorter::new(&[false], None, &few);
    let error = (0..10).find_map(|at| sorter.push([at], &[items(&[1u8])]).err());
    assert!(matches!(error.unwrap().kind(), crate::ErrorKind::Limit(_)));
    // The first rows fit.
    let mut sorter = Sorter::new(&[false], Some(1), &few);
    (0..10).for_each(|at| sorter.push([at], &[items(&[9 - at])]).unwrap());
    assert_eq!(sorter.finish(), [9]);
    // Keys of different lengths stay apart when rows are forgotten.
    let texts = ["ccc", "b", "aaaa", "bb", "a", "d", "", "cc"];
    let cells = Cells { data: Data::Texts(texts.map(String::from).into()), valid: None };
    let mut sorter = Sorter::new(&[true], Some(3), &Limits::default());
    (0..8).for_each(|at| sorter.push([at as u64], &[part(&cells, at)]).unwrap());
    assert_eq!(sorter.finish(), [5, 0, 7]);
    let lists = Cells { data: Data::Objects(vec![Value::Array(vec![])]), valid: None };
    assert!(Sorter::new(&[false], None, &few).push([0], &[lists]).is_err());
    assert!(Sorter::new(&[false, true], None, &few).push([0], &[items(&[1u8])]).is_err());
}
