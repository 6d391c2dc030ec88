//! NumPy's file format, versions 1 to 3: a header in Python, then the items, in C or in Fortran order.

use super::items::Items;
use super::{Input, InputError, InputParams, InvalidInput, finish, read_full};
use b2nd::Limits;
use b2nd::array::Dtype;
use b2nd::export::holds_objects;
use std::fs::File;
use std::io::Read;

pub(super) const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The maximum length of a header.
const MAX_HEADER_BYTES: u32 = 16 << 20;

/// The header.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    dtype: Dtype,
    is_fortran: bool,
    shape: Vec<u64>,
}

pub(super) fn open(
    mut reader: Box<dyn Read>,
    file: Option<File>,
    params: &InputParams<'_>,
) -> Result<Input, InputError> {
    let mut start = [0; 12];
    let known = read_full(&mut reader, &mut start[..8])? == 8 && start.starts_with(MAGIC);
    let bytes = match start[6] {
        1 => 2,
        2 | 3 => 4,
        _ => 0,
    };
    if !known || bytes == 0 || read_full(&mut reader, &mut start[8..8 + bytes])? < bytes {
        return Err(InvalidInput::Npy.into());
    }
    let len = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
    let mut text = Vec::new();
    reader.by_ref().take(len.min(MAX_HEADER_BYTES).into()).read_to_end(&mut text)?;
    if text.len() as u64 != u64::from(len) {
        return Err(InvalidInput::Npy.into());
    }
    let text = match start[6] {
        3 => String::from_utf8(text).map_err(|_| InvalidInput::Npy)?,
        _ => text.into_iter().map(char::from).collect(),
    };
    let Header { dtype, is_fortran, shape } = parse(&text)?;
    check("dtype", params.dtype, &dtype, &|dtype| dtype.to_string())?;
    check("shape", params.shape, &shape[..], &|shape| format!("{shape:?}"))?;
    let items = match file {
        Some(file) => Items::of_file(file, 8 + bytes as u64 + u64::from(len))?,
        None => Items::of_stream(reader, params.folder),
    };
    finish(shape, dtype, is_fortran, items)
}

/// Compares a value with the caller's, if given.
fn check<T: PartialEq + ?Sized>(
    what: &'static str,
    wanted: Option<&T>,
    found: &T,
    text: &dyn Fn(&T) -> String,
) -> Result<(), InvalidInput> {
    match wanted {
        Some(wanted) if wanted != found => {
            Err(InvalidInput::Differs { what, found: text(found), wanted: text(wanted) })
        }
        _ => Ok(()),
    }
}

/// Parses the header, a Python dict.
fn parse(text: &str) -> Result<Header, InputError> {
    let inner =
        text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}')).ok_or(InvalidInput::Npy)?;
    let value = |key: &'static str| {
        let mut entries = split(inner, ',').into_iter().filter_map(|entry| {
            let [name, value] = split(entry, ':')[..] else { return None };
            (name.trim().trim_matches(['\'', '"']) == key).then_some(value.trim())
        });
        entries.next_back().ok_or(InvalidInput::NpyHeader(key))
    };
    let dtype = Dtype::parse(value("descr")?, &Limits::default()).map_err(InputError::Blosc)?;
    if holds_objects(&dtype) {
        return Err(InvalidInput::Objects.into());
    }
    let is_fortran = match value("fortran_order")? {
        "True" => true,
        "False" => false,
        _ => return Err(InvalidInput::NpyHeader("fortran_order").into()),
    };
    let dims = value("shape")?.strip_prefix('(').and_then(|dims| dims.strip_suffix(')'));
    let dims =
        dims.ok_or(InvalidInput::NpyHeader("shape"))?.split(',').map(str::trim).filter(|dim| !dim.is_empty());
    // Python 2 wrote long integers with the suffix L.
    let shape = dims.map(|dim| dim.trim_end_matches('L').parse().ok()).collect::<Option<_>>();
    Ok(Header { dtype, is_fortran, shape: shape.ok_or(InvalidInput::NpyHeader("shape"))? })
}

/// Splits a Python literal at separators outside of brackets and strings.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    let (mut quote, mut escaped) = (None, false);
    for (at, char) in text.char_indices() {
        match (quote, char) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == char => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(char),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) if char == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + char.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_numpy_are_parsed() {
        let dtype = |text: &str| Dtype::parse(text, &Limits::default()).unwrap();
        let header = parse("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   \n").unwrap();
        assert_eq!(header, Header { dtype: dtype("<f4"), is_fortran: false, shape: vec![3] });
        let header =
            parse("{'shape': (), 'fortran_order': True, 'descr': [('a:,}', '<i4', (2,)), ('', '|V3')]}")
                .unwrap();
        assert_eq!((header.dtype.itemsize(), header.is_fortran, header.shape), (11, true, vec![]));
        let header = parse("{'descr': '|S3', 'fortran_order': False, 'shape': (2L, 0L)}").unwrap();
        assert_eq!(header.shape, [2, 0]);
        let quoted =
            parse(r"{'descr': [('it\'s, [', 'u1')], 'fortran_order': False, 'shape': (1, 2)}").unwrap();
        assert_eq!(quoted.dtype, dtype(r"[('it\'s, [', '|u1')]"));
    }

    #[test]
    fn other_headers_are_refused() {
        let refused = |text: &str| match parse(text) {
            Err(InputError::InvalidInput(what)) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused("[]"), InvalidInput::Npy);
        assert_eq!(refused("{}"), InvalidInput::NpyHeader("descr"));
        assert_eq!(refused("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"), InvalidInput::Objects);
        assert_eq!(
            refused("{'descr': '<f4', 'fortran_order': 1, 'shape': ()}"),
            InvalidInput::NpyHeader("fortran_order")
        );
        assert_eq!(
            refused("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
            InvalidInput::NpyHeader("shape")
        );
        assert!(matches!(
            parse("{'descr': '<f3', 'fortran_order': False, 'shape': ()}"),
            Err(InputError::Blosc(_))
        ));
    }
}
