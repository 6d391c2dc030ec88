//! Arrays as their users open and read them.

use b2nd::array::ArrayParams;
use b2nd::sink::{Editor, Memory};
use b2nd::{ArgumentError, Array, DParams, ErrorKind, ReadError, Reader};
use core::convert::Infallible;

const SAMPLE: &str = "tests/golden/blosc2-4.14.1/sample.b2nd";

fn kind<T, E>(result: Result<T, ReadError<E>>) -> ErrorKind {
    match result {
        Err(ReadError::Blosc(error)) => error.kind(),
        _ => panic!("no error of the library"),
    }
}

/// An array of 16-bit numbers that count, in chunks of 4 × 5.
fn counted() -> Array<Memory> {
    let params = ArrayParams::new(&[10, 7], ">i2").with_chunks(&[4, 5]).with_blocks(&[2, 3]);
    let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
    editor.write((), &Vec::from_iter(0..70_i16)).expect("memory");
    editor.commit().expect("memory");
    Array::from_source(editor.into_sink()).expect("the array")
}

#[test]
fn a_super_chunk_is_no_array() {
    let opened = Array::open("tests/golden/blosc2-4.14.1/sparse-lz4.b2frame");
    assert_eq!(kind(opened), ErrorKind::Argument(ArgumentError::NotAnArray));
}

#[test]
fn values_go_to_slices() {
    let array = counted();
    for selection in ["", "3", "::-1", ":, 2", "1:9:3, ::2", "5:5", "-1, -1"] {
        let values = array.read::<i16>(selection).expect("the values").into_vec();
        let mut out = vec![-1; values.len()];
        array.read_into(selection, &mut out).expect("the values");
        assert_eq!(out, values, "{selection}");
        let mut more = vec![0_i16; values.len() + 1];
        let (expected, actual) = (values.len() as u64, values.len() as u64 + 1);
        let wrong = ErrorKind::Argument(ArgumentError::ValueCount { expected, actual });
        assert_eq!(kind(array.read_into(selection, &mut more)), wrong, "{selection}");
    }
    let wrong = kind(array.read_into((), &mut [0_u16; 70]));
    assert!(matches!(wrong, ErrorKind::Argument(ArgumentError::ValueType { .. })), "{wrong:?}");
}

#[test]
fn one_value_is_at_a_position() {
    let array = counted();
    assert_eq!(array.at::<i16>((3, -1)).expect("a value"), 27);
    for (selection, actual) in [("3", 7), ("5:5, 0", 0)] {
        let wrong = ArgumentError::ValueCount { expected: 1, actual };
        assert_eq!(kind(array.at::<i16>(selection)), ErrorKind::Argument(wrong), "{selection}");
    }
}

#[test]
fn chunks_are_selections() {
    let array = counted();
    let mut sum = 0;
    for chunk in array.chunks() {
        let values = array.read::<i16>(&chunk).expect("the values");
        assert_eq!(values.shape(), chunk.shape());
        sum += values.into_iter().map(i32::from).sum::<i32>();
    }
    assert_eq!(sum, (0..70).sum::<i32>());
}

/// Threads have copies of their own, or share one.
#[test]
fn arrays_are_copied() {
    let array = Array::open(SAMPLE).expect("the sample");
    let copy = array.clone();
    let other = std::thread::spawn(move || copy.get(3).expect("the items"));
    assert_eq!(array.get(3).expect("the items"), other.join().expect("no panic"));
}

#[test]
fn limits_hold_for_values() {
    let bytes = std::fs::read(SAMPLE).expect("the sample");
    let limits = b2nd::Limits { memory: 40_000, ..Default::default() };
    let reader = Reader::open(&bytes[..], DParams { limits, ..DParams::default() }).expect("a reader");
    let array = reader.into_array().expect("an array");
    assert!(matches!(kind(array.read::<f32>(())), ErrorKind::Limit(_)));
    assert_eq!(array.read::<f32>(0).expect("the values").shape(), [30, 40]);
    // The caller's slice is not counted, but what is held besides it is.
    assert!(matches!(kind(array.read_into((), &mut vec![0.0_f32; 14_400])), ErrorKind::Limit(_)));
}

#[test]
fn values_are_written_without_bytes() -> Result<(), ReadError<Infallible>> {
    for dtype in ["<i4", ">i4"] {
        let params = ArrayParams::new(&[0, 3], dtype).with_chunks(&[2, 3]);
        let mut editor = Editor::create_array(Memory::default(), &params)?;
        editor.append_values(0, &[1, 2, 3, 4, 5, 6])?;
        editor.insert_values(0, 1, &[7, 8, 9])?;
        editor.resize_with_value(&[4, 4], -1)?;
        editor.fill_value((-1, ..2), 300)?;
        editor.write_with((.., 1), |items, values: &mut [i32]| {
            values.iter_mut().zip(items[0].clone()).for_each(|(value, at)| *value = 10 * at as i32);
            Ok(())
        })?;
        let expected = [1, 0, 3, -1, 7, 10, 9, -1, 4, 20, 6, -1, 300, 30, -1, -1];
        assert_eq!(editor.read::<i32>(())?.as_slice(), expected, "{dtype}");
        let wrong = kind(editor.append_values(0, &[1_u8; 4]));
        assert!(matches!(wrong, ErrorKind::Argument(ArgumentError::ValueType { .. })), "{wrong:?}");
        editor.commit()?;
        let array = Array::from_source(editor.into_sink())?;
        assert_eq!(array.dtype().to_string(), dtype);
        assert_eq!(array.read::<i32>(())?.as_slice(), expected, "{dtype}");
    }
    Ok(())
}

#[test]
fn attributes_are_values() -> Result<(), ReadError<Infallible>> {
    let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u8>(&[2]))?;
    editor.set_attr("unit", "K")?;
    editor.set_attr("scale", 0.5)?;
    editor.set_attr("count", -3)?;
    editor.set_attr("valid", true)?;
    editor.set_attr("old", 1)?;
    assert!(editor.remove_attr("old") && !editor.remove_attr("none"));
    editor.commit()?;
    let attrs = Array::from_source(editor.into_sink())?.attrs()?;
    let text: Vec<String> = attrs.iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
    assert_eq!(text, ["count: Int(-3)", "scale: Float(0.5)", "unit: Str(\"K\")", "valid: Bool(true)"]);
    Ok(())
}

#[test]
fn an_array_without_a_dtype_has_raw_items() {
    let mut params = ArrayParams::new(&[4], "<f4");
    params.caterva = true;
    let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
    editor.commit().expect("memory");
    let array = Array::from_source(editor.into_sink()).expect("the array");
    assert_eq!(array.dtype().to_string(), "|V4");
    assert_eq!(array.get(1..).expect("the items").len(), 12);
}
