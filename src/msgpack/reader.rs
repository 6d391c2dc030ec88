//! A cursor over MessagePack with a known layout.

use crate::base::{Error, Limits, Malformed, Result, slice_at};

/// Reads one expected element after the other. Offsets in errors count from the start of the bytes.
///
/// Keeps the first error for [`check`](Self::check); what is read afterwards is meaningless, mostly zeros.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    error: Option<Error>,
}

/// The markers without an embedded value.
pub(crate) mod marker {
    pub(crate) const NIL: u8 = 0xc0;
    pub(crate) const FALSE: u8 = 0xc2;
    pub(crate) const TRUE: u8 = 0xc3;
    pub(crate) const BIN8: u8 = 0xc4;
    pub(crate) const BIN16: u8 = 0xc5;
    pub(crate) const BIN32: u8 = 0xc6;
    pub(crate) const EXT8: u8 = 0xc7;
    pub(crate) const EXT16: u8 = 0xc8;
    pub(crate) const EXT32: u8 = 0xc9;
    pub(crate) const F32: u8 = 0xca;
    pub(crate) const F64: u8 = 0xcb;
    pub(crate) const U8: u8 = 0xcc;
    pub(crate) const U16: u8 = 0xcd;
    pub(crate) const U32: u8 = 0xce;
    pub(crate) const U64: u8 = 0xcf;
    pub(crate) const I8: u8 = 0xd0;
    pub(crate) const I16: u8 = 0xd1;
    pub(crate) const I32: u8 = 0xd2;
    pub(crate) const I64: u8 = 0xd3;
    pub(crate) const FIXEXT1: u8 = 0xd4;
    pub(crate) const FIXEXT16: u8 = 0xd8;
    pub(crate) const STR8: u8 = 0xd9;
    pub(crate) const STR16: u8 = 0xda;
    pub(crate) const STR32: u8 = 0xdb;
    pub(crate) const ARRAY16: u8 = 0xdc;
    pub(crate) const ARRAY32: u8 = 0xdd;
    pub(crate) const MAP16: u8 = 0xde;
    pub(crate) const MAP32: u8 = 0xdf;
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0)
    }

    /// A reader over `bytes` that begins at offset `at`.
    pub(crate) const fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, error: None }
    }

    /// Offset of the next element.
    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The bytes left.
    #[cfg(feature = "alloc")]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Records an error, unless there is one.
    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    /// Returns the first error, if any.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// The next `N` bytes, whatever they are.
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).first_chunk().copied().unwrap_or([0; N])
    }

    /// The next `len` bytes, whatever they are.
    #[inline(never)]
    pub(crate) fn take(&mut self, len: usize) -> &'a [u8] {
        match slice_at(self.bytes, self.at, len) {
            Ok(taken) => {
                self.at += len;
                taken
            }
            Err(error) => {
                self.fail(error);
                &[]
            }
        }
    }

    /// The next byte.
    #[inline(never)]
    pub(crate) fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    /// Records that the previous byte is the wrong marker.
    #[inline(never)]
    pub(crate) fn wrong(&mut self, found: u8) {
        self.fail(wrong_marker(found, self.at.saturating_sub(1)));
    }

    /// Expects the byte `expected`; otherwise the `Format` error names the one found.
    #[inline(never)]
    pub(crate) fn marker(&mut self, expected: u8) {
        let found = self.byte();
        if found != expected {
            self.wrong(found);
        }
    }

    /// A number whose width the marker tells. All fields fit in an `i64`.
    #[inline(never)]
    pub(crate) fn int(&mut self, kind: u8) -> i64 {
        self.marker(kind);
        let bytes = self.take(1 << (kind & 3));
        let negative = kind >= marker::I8 && bytes.first().is_some_and(|&byte| byte >= 0x80);
        bytes.iter().fold(-i64::from(negative), |int, &byte| int << 8 | i64::from(byte))
    }

    /// A number that is a field, not less than `least`.
    #[inline(never)]
    pub(crate) fn field(&mut self, name: &'static str, kind: u8, least: i64) -> i64 {
        let at = self.at as u64 + 1;
        let int = self.int(kind);
        if int < least {
            self.fail(Error::field(name, int, at));
        }
        int
    }

    /// A boolean.
    pub(crate) fn bool(&mut self) -> bool {
        let found = self.byte();
        if !matches!(found, marker::FALSE | marker::TRUE) {
            self.wrong(found);
        }
        found == marker::TRUE
    }

    /// The length of a `map16`.
    pub(crate) fn map16(&mut self) -> u16 {
        self.marker(marker::MAP16);
        u16::from_be_bytes(self.array())
    }

    /// A string of at most 31 bytes.
    pub(crate) fn fixstr(&mut self) -> &'a [u8] {
        let found = self.byte();
        if !matches!(found, 0xa0..=0xbf) {
            self.wrong(found);
        }
        self.take(usize::from(found & 0x1f))
    }

    /// A `bin32` or a `str32`: a length and bytes.
    pub(crate) fn bin32(&mut self, limits: &Limits) -> &'a [u8] {
        self.bytes32(limits).1
    }

    /// Like [`bin32`](Self::bin32), and the marker.
    pub(crate) fn bytes32(&mut self, limits: &Limits) -> (u8, &'a [u8]) {
        let found = self.byte();
        if !matches!(found, marker::BIN32 | marker::STR32) {
            self.wrong(found);
        }
        let len = u32::from_be_bytes(self.array());
        if let Err(error) = limits.allow_metadata(len.into()) {
            self.fail(error);
        }
        (found, self.take(len as usize))
    }
}

#[cold]
pub(super) fn wrong_marker(found: u8, at: usize) -> Error {
    Error::format_at(Malformed::Marker { found }, at as u64)
}
