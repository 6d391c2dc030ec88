//! NumPy's file format: a header in Python, then the items.

use super::{ExportError, Values};
use crate::array::{Dtype, Kind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The header's length is a multiple of this, to align the items.
const ALIGNMENT: usize = 64;

/// Writes the header before the first items, then the items unchanged.
#[derive(Debug)]
pub(super) struct Npy {
    /// The header; empty after it was written.
    header: Vec<u8>,
}

impl Npy {
    pub(super) fn new(dtype: &Dtype, shape: &[u64]) -> Result<Self, ExportError> {
        let descr = dtype.to_descr().ok_or(ExportError::FieldOrder)?;
        Ok(Self { header: header(&descr, shape) })
    }
}

impl Values for Npy {
    fn write(&mut self, items: &[u8], out: &mut Vec<u8>) {
        out.append(&mut self.header);
        out.extend(items);
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.header);
    }
}

/// Whether items hold addresses of Python objects, which mean nothing in a file.
///
/// ```
/// let dtype = |text: &str| b2nd::array::Dtype::parse(text, &Default::default());
/// assert!(b2nd::export::holds_objects(&dtype("[('a', '|O')]")?) && !b2nd::export::holds_objects(&dtype("<f4")?));
/// # Ok::<(), b2nd::Error>(())
/// ```
pub fn holds_objects(dtype: &Dtype) -> bool {
    match dtype.kind() {
        Kind::Object => true,
        Kind::Subarray { item, .. } => holds_objects(item),
        Kind::Struct { fields, .. } => fields.iter().any(|field| holds_objects(&field.dtype)),
        _ => false,
    }
}

/// Version 1 has a 16-bit header length, version 2 a 32-bit one; version 3 also allows names outside Latin-1.
fn header(descr: &str, shape: &[u64]) -> Vec<u8> {
    let dims: String = shape.iter().map(|dim| format!("{dim}, ")).collect();
    // A trailing comma makes a single dimension a tuple.
    let dims = if shape.len() == 1 { dims.trim_end() } else { dims.trim_end_matches(", ") };
    let dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({dims}), }}");
    let latin1: Option<Vec<u8>> = dict.chars().map(|char| u8::try_from(char).ok()).collect();
    let (version, mut text) = match latin1 {
        Some(text) if padded_len(10, text.len()) - 10 <= usize::from(u16::MAX) => (1, text),
        Some(text) => (2, text),
        None => (3, dict.into_bytes()),
    };
    let start = if version == 1 { 10 } else { 12 };
    text.resize(padded_len(start, text.len()) - start - 1, b' ');
    text.push(b'\n');
    let mut header = [b"\x93NUMPY".as_slice(), &[version, 0]].concat();
    // The dtype's text is limited as metadata, so the length fits in 32 bits.
    header.extend_from_slice(&(text.len() as u32).to_le_bytes()[..start - 8]);
    header.extend(text);
    header
}

/// The offset of the items after a header text of this length and a line feed.
const fn padded_len(start: usize, text: usize) -> usize {
    (start + text + 1).next_multiple_of(ALIGNMENT)
}

#[cfg(test)]
mod tests {
    use super::super::{Exporter, Format, testing::dtype};
    use super::*;

    fn npy(text: &str, shape: &[u64], items: &[u8]) -> Vec<u8> {
        let dtype = dtype(text);
        let mut out = Vec::new();
        let mut exporter = Exporter::new(Format::Npy, &dtype, shape).unwrap();
        exporter.write(items, &mut out);
        exporter.finish(&mut out);
        out
    }

    fn refused(text: &str) -> Option<ExportError> {
        Exporter::new(Format::Npy, &dtype(text), &[1]).err()
    }

    #[test]
    fn header_is_numpys() {
        let file = npy("<f4", &[3], &[7; 12]);
        assert_eq!(file[..10], *b"\x93NUMPY\x01\x00\x76\x00");
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
        assert_eq!(file[10..128], *format!("{text:<117}\n").as_bytes());
        assert_eq!(file[128..], [7; 12]);
        assert!(npy("<f4", &[2, 3], &[]).windows(6).any(|part| part == b"(2, 3)"));
        assert!(npy("<f4", &[], &[]).windows(11).any(|part| part == b"'shape': ()"));
        assert!(npy("('<f4', (2,))", &[5], &[]).windows(6).any(|part| part == b"(5, 2)"));
    }

    #[test]
    fn version_follows_names_and_length() {
        assert_eq!(npy("[('é', '<i4')]", &[0], &[])[6..8], [1, 0]);
        let kanji = npy("[('名', '<i4')]", &[0], &[]);
        assert_eq!((kanji[6], kanji.len() % 64), (3, 0));
        let fields: Vec<String> = (0..5000).map(|number| format!("('field{number}', '<i4')")).collect();
        let long = npy(&format!("[{}]", fields.join(", ")), &[0], &[]);
        assert_eq!((long[6], long.len() % 64), (2, 0));
        assert_eq!(u32::from_le_bytes(long[8..12].try_into().unwrap()) as usize, long.len() - 12);
    }

    #[test]
    fn what_npy_cannot_say_is_refused() {
        assert_eq!(refused("|O"), Some(ExportError::Objects));
        assert_eq!(refused("[('a', [('b', '|O', (2,))])]"), Some(ExportError::Objects));
        let overlap = "{'names': ['a', 'b'], 'formats': ['<i4', '<i4'], 'offsets': [0, 2]}";
        assert_eq!(refused(overlap), Some(ExportError::FieldOrder));
        assert_eq!(refused("<U0"), Some(ExportError::NoBytes));
        assert_eq!(refused("<i4"), None);
    }
}
