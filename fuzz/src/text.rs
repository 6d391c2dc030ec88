//! Text: what is read of it is written as text that is read as the same.

use super::bounds::{LIMITS, call};
use super::input::Input;
use b2nd::array::{Dtype, Kind, StructBuilder};
use b2nd::{ErrorKind, Index, Selection};

/// Any text is no dtype, or one whose normal form is the same dtype.
pub fn dtype(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some(dtype) = call("dtype", || Dtype::parse(&text, &LIMITS)) else { return };
    let normal = dtype.to_string();
    let again = Dtype::parse(&normal, &LIMITS);
    assert!(
        again.as_ref() == Ok(&dtype),
        "{text:?}: {normal:?} is {:?}",
        again.map(|again| again.to_string())
    );
    rebuilt(&dtype);
}

/// A structure that is built of the parts of another is equal to it.
fn rebuilt(dtype: &Dtype) {
    let Kind::Struct { fields, aligned } = dtype.kind() else { return };
    let mut builder = StructBuilder::default().itemsize(dtype.itemsize());
    for field in fields {
        builder = builder.field_at(field.offset, &field.name, field.dtype.clone());
        if let Some(title) = &field.title {
            builder = builder.title(title);
        }
    }
    let builder = if *aligned { builder.aligned() } else { builder };
    assert_eq!(builder.build().as_ref(), Ok(dtype));
}

/// Any text is a selection or blamed at a place within it; and what is written of a selection is read as that.
pub fn selection(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Selection>() {
        Ok(selection) => written(selection, &mut Input(bytes)),
        Err(error) => match error.kind() {
            ErrorKind::Argument(b2nd::ArgumentError::Selection { at }) => {
                assert!(at <= text.len() && text.is_char_boundary(at), "{at} of {text:?}");
            }
            ErrorKind::Argument(b2nd::ArgumentError::ZeroStep { .. }) => {}
            _ => panic!("{error}"),
        },
    }
    let mut input = Input(bytes);
    let indices = (0..1 + input.byte() % 5).map(|_| index(&mut input));
    written(Selection(indices.collect()), &mut input);
}

fn index(input: &mut Input<'_>) -> Index {
    match input.byte() % 6 {
        0 => Index::Ellipsis,
        1 => Index::list((0..input.byte() % 4).map(|_| number(input)).collect::<Vec<_>>()),
        2 => Index::At(number(input)),
        _ => {
            let mut bound = || (!input.byte().is_multiple_of(3)).then(|| number(input));
            let (start, stop, step) = (bound(), bound(), bound().filter(|step| *step != 0).unwrap_or(1));
            Index::Range { start, stop, step }
        }
    }
}

fn number(input: &mut Input<'_>) -> i64 {
    let small = i64::from(input.byte()) - 128;
    input.pick(&[small, small, small << 20, i64::MIN, i64::MAX, 0])
}

/// Writes a selection as people do, with spaces here and there, and compares what is read.
fn written(selection: Selection, input: &mut Input<'_>) {
    let parts: Vec<String> = selection.0.iter().map(|index| part(index, input)).collect();
    let [one] = &selection.0[..] else { return compare(&selection, parts.join(",")) };
    // A list by itself is a list of positions, not a selection in brackets.
    let is_list = matches!(one, Index::Points(_));
    compare(&selection, if is_list { format!("{},", parts[0]) } else { parts.join("") });
    if !is_list && !matches!(one, Index::At(_)) {
        compare(&selection, format!("[{}]", parts[0]));
    }
}

fn part(index: &Index, input: &mut Input<'_>) -> String {
    let mut space = || ["", " ", "", "\t "][usize::from(input.byte() % 4)];
    let bound = |bound: &Option<i64>| bound.map(|at| at.to_string()).unwrap_or_default();
    match index {
        Index::At(at) => format!("{}{at}{}", space(), space()),
        Index::Ellipsis => format!("{}...{}", space(), space()),
        Index::Points(points) => {
            let positions: Vec<String> =
                points.iter().map(|point| format!("{}{}{}", space(), point[0], space())).collect();
            format!("{}[{}]{}", space(), positions.join(","), space())
        }
        Index::Range { start, stop, step: 1 } => {
            format!("{}{}:{}{}", space(), bound(start), space(), bound(stop))
        }
        Index::Range { start, stop, step } => {
            format!("{}{}:{}{}:{}{step}", space(), bound(start), bound(stop), space(), space())
        }
        other => panic!("{other:?}"),
    }
}

fn compare(selection: &Selection, text: String) {
    assert_eq!(text.parse::<Selection>().as_ref(), Ok(selection), "{text:?}");
}
