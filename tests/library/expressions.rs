//! Expressions of arrays.
#![cfg(all(feature = "expression", feature = "write", feature = "zstd"))]

use b2nd::array::{ArrayParams, Element};
use b2nd::expression::{Expression, ExpressionError};
use b2nd::sink::{Editor, Memory};
use b2nd::{ArgumentError, Array, DParams, ErrorKind, LazyArray, Limits, ReadError, Reader};

fn frame<T: Element>(shape: &[u64], chunks: &[u32], blocks: &[u32], values: &[T]) -> Vec<u8> {
    let params = ArrayParams::of_type::<T>(shape).with_chunks(chunks).with_blocks(blocks);
    let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
    editor.write(.., values).expect("values");
    editor.commit().expect("a frame");
    editor.into_sink().into_bytes()
}

fn array<T: Element>(shape: &[u64], chunks: &[u32], blocks: &[u32], values: &[T]) -> Array<Vec<u8>> {
    Array::from_source(frame(shape, chunks, blocks, values)).expect("an array")
}

/// 0, 1, … as `i32` in 6 × 10.
fn numbers() -> Array<Vec<u8>> {
    array(&[6, 10], &[4, 7], &[3, 2], &(0..60).collect::<Vec<i32>>())
}

fn lazy(text: &str, operands: Vec<Array<Vec<u8>>>) -> Result<LazyArray<Vec<u8>>, ExpressionError> {
    LazyArray::new(&Expression::parse(text)?, operands)
}

fn wrong(text: &str) -> ExpressionError {
    lazy(text, vec![numbers()]).expect_err(text)
}

#[test]
fn operators_bind_as_in_python() {
    let value = |text: &str| {
        let operands = if text.contains('a') { vec![array(&[1], &[1], &[1], &[3_i64])] } else { vec![] };
        lazy(text, operands).expect(text).get(()).expect(text)
    };
    for (text, expected) in [
        ("a - 2 - 1", 0_i64),
        ("-a ** 2", -9),
        ("2 ** a ** 2", 512),
        ("2 + a * 4 % 5", 4),
        ("1 | a & 6 ^ 5", 7),
        ("a << 1 + 1", 12),
        ("-7 // a", -3),
        ("-7 % a", 2),
        ("~a", -4),
        ("a.sum(axis=0) + abs(-a)", 6),
        ("where(2 < a <= 3, 5, 6)", 5),
        ("where(not a == 3 or a > 4 and a < 9, 1, 2)", 2),
        ("clip(a, 5, 300)", 5),
    ] {
        assert_eq!(value(text), expected.to_le_bytes(), "{text}");
    }
}

#[test]
fn parts_are_broadcast_and_reduced() {
    let row = || array(&[10], &[4], &[3], &(0..10).map(f64::from).collect::<Vec<_>>());
    let lazy = lazy("a * b + sum(a, axis=1, keepdims=True)", vec![numbers(), row()]).expect("an expression");
    assert_eq!((lazy.shape(), lazy.dtype().to_string()), (&[6, 10][..], "<f8".to_string()));
    let at = |i: u64, j: u64| ((i * 10 + j) * j + i * 100 + 45) as f64;
    let whole = lazy.read::<f64>(..).expect("values");
    assert!((0..6).all(|i| (0..10).all(|j| whole.get(&[i, j]) == Some(&at(i, j)))));
    let part = lazy.read::<f64>("::-2, 3:9:4").expect("values");
    assert_eq!(part.as_slice(), [(5, 3), (5, 7), (3, 3), (3, 7), (1, 3), (1, 7)].map(|(i, j)| at(i, j)));
    assert_eq!(lazy.read::<f64>((2, -1)).expect("a value").as_slice(), [at(2, 9)]);
    assert!(
        matches!(lazy.get("[1, 3]"), Err(ReadError::Blosc(error)) if error.kind() == ErrorKind::Argument(ArgumentError::ListOfLazy))
    );
}

#[test]
fn parts_of_operands_are_operands() {
    let values = lazy("a[::-1, 4] - a[0, 1:7]", vec![numbers()]).expect("an expression");
    assert_eq!(values.read::<i32>(..).expect("values").as_slice(), [53, 42, 31, 20, 9, -2]);
    let far = lazy("a[::9223372036854775807, 3]", vec![numbers()]).expect("an expression");
    assert_eq!(far.read::<i32>("::9223372036854775807").expect("values").as_slice(), [3]);
    let stored = lazy("a.slice((slice(1, 3, None), 2)) * 2", vec![numbers()]).expect("an expression");
    assert_eq!(stored.read::<i32>(..).expect("values").as_slice(), [24, 44]);
}

#[test]
fn wrong_expressions_are_told() {
    for (text, at) in
        [("", 0), ("a +", 3), ("(a", 2), ("a b", 2), ("1 < a + 1 < 3", 10), ("a[1", 2), ("3x", 1)]
    {
        assert_eq!(wrong(text), ExpressionError::Syntax { at }, "{text}");
    }
    assert_eq!(wrong("eval(a)"), ExpressionError::Function("eval".into()));
    assert_eq!(wrong("sin(a, a)"), ExpressionError::Arguments { at: 9 });
    assert_eq!(wrong("a + b"), ExpressionError::NoOperand("b".into()));
    assert_eq!(
        wrong("a + 3000000000"),
        ExpressionError::Overflow { number: 3_000_000_000, dtype: "<i4".into() }
    );
    assert_eq!(wrong("a + a[:, 1]"), ExpressionError::Shapes);
    assert_eq!(wrong("sum(a, axis=(0, -2))"), ExpressionError::Axis(-2));
    assert_eq!(wrong("~(a / 2)"), ExpressionError::Types { function: "invert".into(), dtype: "<f8".into() });
    let power = lazy("2 ** (a - 1)", vec![numbers()]).expect("an expression").get(());
    assert!(
        matches!(power, Err(ReadError::Blosc(error)) if error.kind() == ErrorKind::Argument(ArgumentError::NegativePower))
    );
    let least = lazy("min(a[:0])", vec![numbers()]).expect("an expression").get(());
    assert!(
        matches!(least, Err(ReadError::Blosc(error)) if error.kind() == ErrorKind::Argument(ArgumentError::NoItems))
    );
}

/// Neither the parser nor the evaluation runs out of stack or memory, whatever the text.
#[test]
fn depth_is_limited() {
    for text in [
        "(".repeat(100_000),
        "-".repeat(100_000),
        "a+".repeat(100_000),
        "a<".repeat(100_000),
        "a**".repeat(100_000),
    ] {
        assert!(Expression::parse(&text).is_err());
    }
    let chain = |terms: usize| ["a"].repeat(terms).join("+");
    assert_eq!(Expression::parse(&chain(1000)), Err(ExpressionError::Depth));
    let sum = lazy(&chain(100), vec![numbers()]).expect("an expression");
    assert_eq!(sum.read::<i32>((5, 9)).expect("a value").as_slice(), [5900]);
}

/// Numbers of the text are divided without an overflow, whatever their size.
#[test]
fn large_numbers_are_divided() {
    let text = "a + (-170141183460469231731687303715884105727 % 85070591730234615865843651857942052865)";
    let sum = lazy(text, vec![numbers()]).expect("an expression");
    assert_eq!(sum.read::<i32>((0, 0)).expect("a value").as_slice(), [3]);
}

/// The values of all reductions are in memory together.
#[test]
fn reductions_are_limited() {
    let column = frame(&[1000, 1], &[1000, 1], &[1000, 1], &(0..1000).collect::<Vec<i64>>());
    let sums = |count: usize| {
        let outer = |inner: String, _| format!("sum({inner} + a, axis=1, keepdims=True)");
        let text = (0..count).fold("a".to_string(), outer);
        let params = DParams { limits: Limits { memory: 70_000, ..Limits::default() }, ..DParams::default() };
        let array = Reader::open(column.clone(), params).and_then(Reader::into_array).expect("an array");
        lazy(&text, vec![array]).expect("an expression").get(..)
    };
    assert!(sums(2).is_ok());
    assert!(matches!(sums(10), Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Limit(_))));
}

/// A result's memory is charged before it is allocated.
#[test]
fn results_are_limited() {
    let params = ArrayParams::of_type::<u8>(&[1 << 40]).with_chunks(&[1 << 20]).with_blocks(&[1 << 20]);
    let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
    editor.commit().expect("a frame");
    let array = Array::from_source(editor.into_sink().into_bytes()).expect("an array");
    let lazy = lazy("a + 1", vec![array]).expect("an expression");
    assert!(
        matches!(lazy.get(()), Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Limit(_)))
    );
    assert_eq!(lazy.get(1_i64 << 39).ok().as_deref(), Some(&[1][..]));
}

/// Reductions and values of what is stored nowhere need no reading, whatever a file claims; with stored items beside it, they are those of
/// the plain items.
#[test]
fn equal_items_are_taken_at_once() {
    let claimed = |shape: &[u64], chunk: &[u32]| {
        let params = ArrayParams::of_type::<f32>(shape).with_chunks(chunk).with_blocks(chunk);
        let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
        editor.commit().expect("a frame");
        Array::from_source(editor.into_sink().into_bytes()).expect("an array")
    };
    // 10^12 items in 10^7 chunks.
    let huge = |text: &str| {
        let lazy = lazy(text, vec![claimed(&[1_000_000, 1_000_000], &[1000, 100])]).expect(text);
        lazy.read::<f32>(()).expect(text).as_slice()[0]
    };
    assert_eq!(huge("sum(a + 1.5)"), 1.5e12);
    assert_eq!(huge("mean(a[::3, 5:] - 2) + std(a) + max(a)"), -2.0);
    assert_eq!(huge("a[5, 7] + nansum(a) + prod(a + 1)"), 1.0);
    let rows = lazy("sum(a + 1, axis=0)", vec![claimed(&[1_000_000_000, 100], &[1000, 100])]).expect("rows");
    assert_eq!(rows.read::<f32>(..).expect("sums").as_slice(), [1e9_f32; 100]);

    // One stored chunk in the middle, beside NumPy's numbers.
    let params = ArrayParams::of_type::<i32>(&[60, 70]).with_chunks(&[7, 9]).with_blocks(&[3, 9]);
    let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
    editor.write("30:33, 20:25", &(1..=15).collect::<Vec<i32>>()).expect("values");
    editor.commit().expect("a frame");
    let sparse = editor.into_sink().into_bytes();
    let of =
        |text: &str| lazy(text, vec![Array::from_source(sparse.clone()).expect("an array")]).expect(text);
    let mut plain = [[0_i32; 70]; 60];
    (0..15).for_each(|n| plain[30 + n / 5][20 + n % 5] = n as i32 + 1);
    let (all, count) = (plain.concat(), 4200.0);
    assert_eq!(
        of("sum(a) + min(a) * 1000 + max(a) * 1000").read::<i64>(()).expect("a sum").as_slice(),
        [15_120]
    );
    let mean = all.iter().map(|item| f64::from(*item)).sum::<f64>() / count;
    let variance = all.iter().map(|item| (f64::from(*item) - mean).powi(2)).sum::<f64>() / count;
    let found = of("var(a)").read::<f64>(()).expect("a variance").as_slice()[0];
    assert!((found - variance).abs() < 1e-12 * variance, "{found} {variance}");
    let rows = of("sum(a[::-1, 1:] + 1, axis=1)").read::<i64>(..).expect("rows");
    let expected = plain.iter().rev().map(|row| 69 + i64::from(row[1..].iter().sum::<i32>()));
    assert_eq!(rows.as_slice(), expected.collect::<Vec<_>>());
    let columns = of("max(a, axis=0)").read::<i32>(..).expect("columns");
    let expected = (0..70).map(|at| plain.iter().map(|row| row[at]).max().unwrap_or(0));
    assert_eq!(columns.as_slice(), expected.collect::<Vec<_>>());
    assert_eq!(of("a * 2 + 1").read::<i32>("28:35, ::2").expect("values").as_slice().len(), 7 * 35);
    assert_eq!(of("a + 7").read::<i32>("0, 5:9").expect("values").as_slice(), [7; 4]);
}
