//! Writes MessagePack of a fixed layout, element by element, as [`Reader`](super::Reader) reads it.

use super::marker;
use alloc::vec::Vec;

/// The longest string whose length fits in the marker.
pub(crate) const FIXSTR: usize = 31;

/// Appends elements to a buffer.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    /// Raw bytes, such as markers.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A number, truncated to the width that the marker tells.
    pub(crate) fn int(&mut self, kind: u8, value: i64) {
        self.bytes.push(kind);
        let bytes = value.to_be_bytes();
        self.raw(&bytes[bytes.len() - (1 << (kind & 3))..]);
    }

    /// A boolean.
    pub(crate) fn bool(&mut self, value: bool) {
        self.bytes.push(if value { marker::TRUE } else { marker::FALSE });
    }

    /// The marker of a `map16` or an `array16`, and its length.
    pub(crate) fn len16(&mut self, kind: u8, len: u16) {
        self.bytes.push(kind);
        self.raw(&len.to_be_bytes());
    }

    /// A string, truncated to [`FIXSTR`] bytes.
    pub(crate) fn fixstr(&mut self, text: &[u8]) {
        let text = &text[..text.len().min(FIXSTR)];
        self.bytes.push(0xa0 | text.len() as u8);
        self.raw(text);
    }

    /// A `bin32` or a `str32`: a length and bytes.
    pub(crate) fn bytes32(&mut self, kind: u8, bytes: &[u8]) {
        self.bytes.push(kind);
        self.raw(&(bytes.len() as u32).to_be_bytes());
        self.raw(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;
    use crate::base::Limits;

    #[test]
    fn the_reader_reads_what_is_written() {
        let mut writer = Writer::default();
        writer.int(marker::I64, -2);
        writer.int(marker::U16, 0xfffe);
        writer.int(marker::I32, i32::MIN.into());
        writer.bool(true);
        writer.len16(marker::MAP16, 3);
        writer.fixstr(b"name");
        writer.bytes32(marker::BIN32, b"content");
        let mut reader = Reader::new(&writer.bytes);
        assert_eq!((reader.int(marker::I64), reader.int(marker::U16)), (-2, 0xfffe));
        assert_eq!((reader.int(marker::I32), reader.bool(), reader.map16()), (i32::MIN.into(), true, 3));
        assert_eq!((reader.fixstr(), reader.bin32(&Limits::default())), (&b"name"[..], &b"content"[..]));
        assert_eq!((reader.left(), reader.check()), (0, Ok(())));
    }
}
