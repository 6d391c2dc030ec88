//! Values that the tool reads: `.npy` and CSV. Included by crates that have the tool's modules at their root.

use super::input::{Input, InputFormat, InputParams};
use super::values::{Format, writer};
use b2nd::Limits;
use b2nd::array::{Dtype, Kind};
use b2nd::export::Style;
use std::io::Cursor;
use std::{env, fs, process, thread};

/// The most bytes of values that are read.
const MAX_BYTES: u64 = 1 << 20;

/// The kinds of cells of a table.
const DTYPES: [&str; 9] =
    ["<f8", "|u1", "<i2", "|b1", "|S3", "<U2", "<M8[s]", "<c8", "[('a', '<i4'), ('b', '|S2', (2,))]"];

/// Any bytes are `.npy`, a table, or are refused: in a file and in a stream alike. What the tool writes of the values is read as these.
pub fn input(bytes: &[u8]) {
    let formats = if bytes.starts_with(b"\x93NUMPY") {
        vec![(InputFormat::Npy, None)]
    } else {
        DTYPES.iter().map(|text| (InputFormat::Csv, Some(dtype(text)))).collect()
    };
    for (format, dtype) in formats {
        let Some((dtype, shape, items)) = read(bytes, format, dtype.as_ref()) else { continue };
        again(Format::Npy, InputFormat::Npy, (&dtype, &shape, &items));
        // Other texts have no zeros at their end, floats have NaNs of one kind; and a table has at least one line and column.
        let is_exact = match dtype.kind() {
            Kind::Bool => items.iter().all(|byte| *byte < 2),
            Kind::Int | Kind::Uint | Kind::Bytes => true,
            _ => false,
        };
        if is_exact && !shape.is_empty() && !shape.contains(&0) {
            again(Format::Csv, InputFormat::Csv, (&dtype, &shape, &items));
        }
    }
}

fn dtype(text: &str) -> Dtype {
    Dtype::parse(text, &Limits::default()).expect("a dtype")
}

/// A dtype, a shape and items.
type Values = (Dtype, Vec<u64>, Vec<u8>);

/// Reads values from a file and from a stream, whole and row by row.
fn read(bytes: &[u8], format: InputFormat, dtype: Option<&Dtype>) -> Option<Values> {
    let folder = env::temp_dir();
    let path = folder.join(format!("b2nd-values-{}-{:?}", process::id(), thread::current().id()));
    fs::write(&path, bytes).expect("a temporary file");
    let params = InputParams { format: Some(format), shape: None, dtype, folder: &folder };
    let opened = Input::open(&path, &params);
    fs::remove_file(&path).expect("a temporary file");
    let stream = super::input::read(format, Box::new(Cursor::new(bytes.to_vec())), None, &params);
    let whole = opened.ok().filter(|input| input.nbytes() <= MAX_BYTES).and_then(|mut input| {
        let (dtype, shape) = (input.dtype.clone(), input.shape.clone());
        let mut items = vec![0xAA; input.nbytes() as usize];
        let window: Vec<_> = shape.iter().map(|&len| 0..len).collect();
        input.fill(&window, &mut items).ok().map(|()| (dtype, shape, items))
    });
    let by_rows = stream.ok().filter(|input| input.nbytes() <= MAX_BYTES).and_then(|mut input| {
        let (dtype, shape) = (input.dtype.clone(), input.shape.clone());
        let rows = shape.first().copied().unwrap_or(1).max(1);
        // What a stream has too much is noticed when the last row is read.
        let mut items = vec![0x55; input.nbytes() as usize];
        let row = items.len() / rows as usize;
        for at in 0..rows.min(shape.first().copied().unwrap_or(1)) {
            let mut window: Vec<_> = shape.iter().map(|&len| 0..len).collect();
            window.iter_mut().take(1).for_each(|first| *first = at..at + 1);
            input.fill(&window, &mut items[at as usize * row..][..row]).ok()?;
        }
        Some((dtype, shape, items))
    });
    let is_empty = |values: &Values| values.2.is_empty();
    // Of a stream that is to have no items nothing is read.
    if !by_rows.as_ref().is_some_and(is_empty) {
        assert_eq!(whole, by_rows, "a file and a stream");
    }
    whole
}

/// Writes values as the tool does, and reads them.
fn again(format: Format, input: InputFormat, values: (&Dtype, &[u64], &[u8])) {
    let (dtype, shape, items) = values;
    let (mut text, style) = (Vec::new(), Style::default());
    let Ok(mut writer) = writer((format, &style), dtype, shape, &mut text) else { return };
    writer.write(items).expect("memory");
    writer.finish().expect("memory");
    drop(writer);
    let given = (input == InputFormat::Csv).then_some(dtype);
    let found = read(&text, input, given);
    let (_, lens, again) = found.unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&text)));
    assert!(again == items, "{dtype} {shape:?}: {:?}", String::from_utf8_lossy(&text));
    if input == InputFormat::Npy && !matches!(dtype.kind(), Kind::Subarray { .. }) {
        assert_eq!(lens, shape);
    }
}
