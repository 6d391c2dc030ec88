//! The error type.

use super::details::{Boxed, Details, boxed};
use super::error_kind::Changed;
use super::error_kind::{ArgumentError, ErrorKind, FormatError, LimitError, Malformed, Unsupported};
use core::fmt;

/// The result of all fallible functions of the crate.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Why an operation failed. Boxed so that `Result` stays small; inline without `alloc`.
///
/// With the feature `small` and without `alloc`, only `Unsupported` errors keep their details.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Boxed<Details>);

impl Error {
    /// The kind, with its details.
    ///
    /// ```
    /// use b2nd::{ErrorKind, chunk::Chunk};
    /// let error = Chunk::new(&[1, 2, 3]).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Format(_)));
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.0.kind()
    }

    /// A `Format` error without an offset.
    #[cold]
    pub(crate) fn format(what: Malformed) -> Self {
        FormatError { what, offset: None, chunk: None, block: None }.into()
    }

    /// A `Format` error at a byte offset.
    #[cold]
    pub(crate) fn format_at(what: Malformed, offset: u64) -> Self {
        FormatError { what, offset: Some(offset), chunk: None, block: None }.into()
    }

    /// A field with an invalid value, at a byte offset.
    #[cold]
    pub(crate) fn field(name: &'static str, value: i64, offset: u64) -> Self {
        Self::format_at(Malformed::Field { name, value }, offset)
    }

    /// Two fields that contradict each other.
    #[cold]
    pub(crate) fn mismatch(name: &'static str, found: u64, expected: u64) -> Self {
        Self::format(Malformed::Mismatch { name, found, expected })
    }

    /// Sets the byte offset, unless there is one.
    pub(crate) fn at(mut self, place: u64) -> Self {
        self.change(|error| _ = error.offset.get_or_insert(place));
        self
    }

    /// Adds `base` to the byte offset.
    pub(crate) fn shifted(mut self, base: u64) -> Self {
        self.change(|error| error.offset = error.offset.map(|offset| offset.saturating_add(base)));
        self
    }

    /// Sets the chunk number.
    ///
    /// ```
    /// let error = b2nd::chunk::Chunk::new(&[1, 2, 3]).unwrap_err().in_chunk(7);
    /// assert!(error.to_string().contains('7'));
    /// ```
    pub fn in_chunk(mut self, nchunk: u64) -> Self {
        self.change(|error| error.chunk = Some(nchunk));
        self
    }

    /// Sets the block number.
    pub(crate) fn in_block(mut self, nblock: u32) -> Self {
        self.change(|error| error.block = Some(nblock));
        self
    }

    fn change(&mut self, how: impl FnOnce(&mut FormatError)) {
        self.0.change(how);
    }
}

impl From<Details> for Error {
    #[cold]
    #[inline(never)]
    fn from(details: Details) -> Self {
        Self(boxed(details))
    }
}

impl From<Unsupported> for Error {
    #[cold]
    fn from(what: Unsupported) -> Self {
        Details::unsupported(what).into()
    }
}

impl From<ArgumentError> for Error {
    #[cold]
    fn from(what: ArgumentError) -> Self {
        Details::argument(what).into()
    }
}

impl From<FormatError> for Error {
    #[cold]
    fn from(error: FormatError) -> Self {
        Details::format(error).into()
    }
}

impl From<LimitError> for Error {
    #[cold]
    fn from(error: LimitError) -> Self {
        Details::limit(error).into()
    }
}

#[cfg(feature = "alloc")]
impl From<Changed> for Error {
    #[cold]
    fn from(what: Changed) -> Self {
        Details::changed(what).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ErrorKind::Format(error) => error.fmt(f),
            ErrorKind::Unsupported(error) => error.fmt(f),
            ErrorKind::Argument(error) => error.fmt(f),
            ErrorKind::Limit(error) => error.fmt(f),
            ErrorKind::Changed(what) => what.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn says_what_and_where() {
        let error = Error::field("blocksize", -3, 8).shifted(100).in_block(2).in_chunk(7);
        assert_eq!(error.to_string(), "blocksize cannot be -3 (chunk 7, block 2, offset 108)");
        assert_eq!(Error::mismatch("nbytes", 1, 2).to_string(), "nbytes is 1, should be 2");
        let cut = Error::format(Malformed::Truncated { needed: 1, available: 0 });
        assert_eq!(cut.to_string(), "truncated: 1 byte needed, 0 there");
        let codec = |id| Error::from(Unsupported::Codec(id)).to_string();
        assert_eq!(codec(33), "codec zfp_acc (33) is not built in");
        assert_eq!(
            codec(37),
            "codec grok (37: images in JPEG 2000, of the package blosc2_grok) is not built in"
        );
        assert_eq!(codec(200), "codec 200 is not built in");
        assert_eq!(Unsupported::Filter(32).to_string(), "filter ndcell (32) is not built in");
    }
}
