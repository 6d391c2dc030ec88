use super::*;
use b2nd::Limits;
use std::{env, fs, path::PathBuf, process};

fn folder() -> PathBuf {
    let folder = env::temp_dir().join(format!("b2nd-input-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn dtype(text: &str) -> Dtype {
    Dtype::parse(text, &Limits::default()).unwrap()
}

/// All items of an input, box by box.
fn all(input: &mut Input, chunk: &[u64]) -> Vec<u8> {
    let itemsize = input.dtype.itemsize();
    let shape = input.shape.clone();
    let mut out = vec![0xaa; input.nbytes() as usize];
    let mut position = vec![0; shape.len()];
    loop {
        let window: Vec<Range<u64>> = position
            .iter()
            .zip(chunk)
            .zip(&shape)
            .map(|((at, chunk), len)| *at..(at + chunk).min(*len))
            .collect();
        let count: u64 = window.iter().map(|range| range.end - range.start).product();
        let mut items = vec![0; count as usize * itemsize];
        input.fill(&window, &mut items).unwrap();
        place(&shape, &window, &items, itemsize, &mut out);
        let Some(axis) = (0..shape.len()).rev().find(|&axis| position[axis] + chunk[axis] < shape[axis])
        else {
            break;
        };
        position[axis] += chunk[axis];
        position[axis + 1..].fill(0);
    }
    out
}

/// Copies the items of a box to their positions, one by one.
fn place(shape: &[u64], window: &[Range<u64>], items: &[u8], itemsize: usize, out: &mut [u8]) {
    for (number, item) in items.chunks(itemsize).enumerate() {
        let (mut number, mut at, mut stride) = (number as u64, 0, 1);
        for (range, len) in window.iter().zip(shape).rev() {
            let width = range.end - range.start;
            at += (range.start + number % width) * stride;
            number /= width;
            stride *= len;
        }
        out[at as usize * itemsize..][..itemsize].copy_from_slice(item);
    }
}

const SHAPE: [u64; 3] = [5, 6, 7];

fn bytes() -> Vec<u8> {
    (0..5 * 6 * 7_u16).flat_map(u16::to_le_bytes).collect()
}

/// A stream, or a file, of items in C or Fortran order.
fn items(bytes: &[u8], is_stream: bool, is_fortran: bool) -> Input {
    let mut stored = bytes.to_vec();
    if is_fortran {
        let windows = SHAPE.map(|len| 0..len);
        let reversed: Vec<_> = windows.iter().rev().cloned().collect();
        items::transpose(&reversed, bytes, 2, &mut stored);
    }
    let items = if is_stream {
        Items::of_stream(Box::new(io::Cursor::new(stored)), &folder())
    } else {
        let file = spool::all(&stored[..], &folder()).unwrap();
        Items::of_file(file, 0).unwrap()
    };
    finish(SHAPE.to_vec(), dtype("<u2"), is_fortran, items).unwrap()
}

#[test]
fn boxes_are_read_in_either_order() {
    for chunk in [[5, 6, 7], [2, 6, 7], [2, 4, 3], [1, 1, 7], [5, 1, 2], [1, 1, 1]] {
        for (is_stream, is_fortran) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut input = items(&bytes(), is_stream, is_fortran);
            assert_eq!(
                all(&mut input, &chunk),
                bytes(),
                "{chunk:?}, stream {is_stream}, Fortran {is_fortran}"
            );
        }
    }
}

#[test]
fn streams_must_have_the_length_of_the_shape() {
    let bytes = bytes();
    let longer = [&bytes[..], &[1]].concat();
    for (stored, expected) in [
        (&bytes[..417], InvalidInput::Truncated { needed: 420, found: 417 }),
        (&longer[..], InvalidInput::TooLong { needed: 420 }),
    ] {
        let items = Items::of_stream(Box::new(io::Cursor::new(stored.to_vec())), &folder());
        let mut input = finish(SHAPE.to_vec(), dtype("<u2"), false, items).unwrap();
        let result = input.fill(&[0..5, 0..6, 0..7], &mut [0; 420]);
        assert!(matches!(result, Err(InputError::InvalidInput(what)) if what == expected));
        let file = spool::all(stored, &folder()).unwrap();
        let items = Items::of_file(file, 0).unwrap();
        assert!(
            matches!(finish(SHAPE.to_vec(), dtype("<u2"), false, items), Err(InputError::InvalidInput(what)) if what == expected)
        );
    }
}

fn csv_of(
    text: &str,
    dtype: Option<&Dtype>,
    shape: Option<&[u64]>,
) -> Result<(Vec<u64>, Vec<u8>), InputError> {
    let folder = folder();
    let params = InputParams { format: None, shape, dtype, folder: &folder };
    let mut input = csv::open(BufReader::new(io::Cursor::new(text.as_bytes().to_vec())), &params)?;
    let chunk = input.shape.clone();
    let items = if input.nbytes() == 0 { Vec::new() } else { all(&mut input, &chunk) };
    Ok((input.shape, items))
}

#[test]
fn tables_become_arrays() {
    let of = |text: &str, name: &str| csv_of(text, Some(&dtype(name)), None).unwrap();
    assert_eq!(of("1\n2\n3\n", "u1"), (vec![3], vec![1, 2, 3]));
    assert_eq!(of("1,2\r\n3,4", "u1"), (vec![2, 2], vec![1, 2, 3, 4]));
    assert_eq!(of("x,y\n3,4\n", "u1"), (vec![1, 2], vec![3, 4]));
    assert_eq!(
        of("i0,i1,i2,value\n0,0,0,1\n0,0,1,2\n1,0,0,3\n1,0,1,4\n", "u1"),
        (vec![2, 1, 2], vec![1, 2, 3, 4])
    );
    assert_eq!(of("", "u1"), (vec![0], vec![]));
    assert_eq!(of("a\nb\n", "S1"), (vec![2], b"ab".to_vec()));
    let table = "a,b.c[0][0],b.c[0][1],\"b.x,y\"\n1,2,3,\"\"\"\"\n4,5,6,z\n";
    let record = "[('a', 'u1'), ('b', [('c', 'u1', (1, 2)), ('x,y', 'S1')])]";
    assert_eq!(of(table, record), (vec![2], b"\x01\x02\x03\"\x04\x05\x06z".to_vec()));
    assert_eq!(of("1,2\n", "('u1', (2,))"), (vec![1], vec![1, 2]));
    let floats = csv_of("1.5\nnan\n", None, None).unwrap();
    assert_eq!((floats.0, floats.1[..8].to_vec()), (vec![2], 1.5_f64.to_le_bytes().to_vec()));
    let shaped = csv_of("1,2\n3,4\n", Some(&dtype("u1")), Some(&[4, 1])).unwrap();
    assert_eq!(shaped, (vec![4, 1], vec![1, 2, 3, 4]));
}

#[test]
fn wrong_tables_are_refused_with_their_line() {
    let refused =
        |text: &str, name: &str, shape: Option<&[u64]>| match csv_of(text, Some(&dtype(name)), shape) {
            Err(InputError::InvalidInput(what)) => what,
            other => panic!("{other:?}"),
        };
    let cell = |line, column, text: &str| InvalidInput::Cell {
        line,
        column,
        text: text.into(),
        dtype: "|u1".into(),
    };
    assert_eq!(refused("1\n2\n300\n", "u1", None), cell(3, 1, "300"));
    assert_eq!(refused("1,x\n", "u1", None), cell(1, 2, "x"));
    assert_eq!(refused("1,2\n3\n", "u1", None), InvalidInput::Cells { line: 2, expected: 2, found: 1 });
    assert_eq!(
        refused("1\n", "[('a', 'u1'), ('b', 'u1')]", None),
        InvalidInput::Cells { line: 1, expected: 2, found: 1 }
    );
    assert_eq!(refused("1\n2\n", "u1", Some(&[3])), InvalidInput::Count { expected: 3, found: 2 });
    assert_eq!(
        refused("i0,i1,i2,value\n0,0,1,1\n", "u1", None),
        InvalidInput::Count { expected: 2, found: 1 }
    );
    let order = "i0,value\n1,1\n0,2\n";
    assert!(matches!(refused(order, "u1", None), InvalidInput::Line { line: 3, .. }));
}

/// Streams of all shapes are read slab by slab. Those that do not fit into memory are held in a file, one at a time.
#[test]
fn streams_are_not_copied_to_files() {
    let nowhere = folder().join("missing");
    for (shape, chunk) in [
        ([210, 1, 1], [16, 1, 1]),
        ([1, 210, 1], [1, 16, 1]),
        ([1, 1, 210], [1, 1, 16]),
        ([30, 7, 1], [1, 3, 1]),
        ([5, 6, 7], [1, 4, 3]),
        ([5, 6, 7], [2, 3, 7]),
        ([5, 6, 7], [1, 1, 2]),
    ] {
        let of = |most: u64, folder: &Path| {
            let items = Items::of_stream(Box::new(io::Cursor::new(bytes())), folder).holding(most);
            finish(shape.to_vec(), dtype("<u2"), false, items).unwrap()
        };
        // As many as a row of chunks has.
        let long = (0..3).find(|&axis| chunk[axis] > 1).unwrap_or(2);
        let slab = chunk[long] * shape[long + 1..].iter().product::<u64>() * 2;
        assert_eq!(all(&mut of(slab, &nowhere), &chunk), bytes(), "{shape:?} {chunk:?}");
        let is_whole = chunk[long + 1..] == shape[long + 1..];
        if !is_whole {
            let mut window = chunk.map(|len| 0..len);
            window[long].end = chunk[long];
            let mut out = vec![0; chunk.iter().product::<u64>() as usize * 2];
            let refused = of(slab - 1, &nowhere).fill(&window, &mut out);
            assert!(matches!(refused, Err(InputError::Io(_))), "{shape:?} {chunk:?}");
        }
        let mut input = of(slab - 1, &folder());
        assert_eq!(all(&mut input, &chunk), bytes(), "{shape:?} {chunk:?}");
        assert!(is_whole || input.items.spooled() <= slab, "{shape:?} {chunk:?}");
    }
}

/// A stream is copied to a file if later items are requested first. That fails after reading has begun.
#[test]
fn streams_do_not_skip_items() {
    let all = bytes();
    let window = |rows: Range<u64>| [rows, 0..6, 0..7];
    let mut two = vec![0; 2 * 6 * 7 * 2];
    let mut input = items(&all, true, false);
    input.fill(&window(2..4), &mut two).unwrap();
    assert_eq!(two, all[168..336]);
    input.fill(&window(0..2), &mut two).unwrap();
    assert_eq!(two, all[..168]);

    let mut input = items(&all, true, false);
    input.fill(&window(0..2), &mut two).unwrap();
    assert!(matches!(input.fill(&window(3..5), &mut two), Err(InputError::Io(_))));
}
