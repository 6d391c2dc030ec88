//! Where errors keep their details: on the heap, or inline without an allocator.
//!
//! With `small` and without `alloc` they keep only the kind: moving details around took a fifth of the code.

use super::error_kind::Changed;
use super::error_kind::{ArgumentError, ErrorKind, FormatError, LimitError, Unsupported};

#[cfg(feature = "alloc")]
pub(crate) type Boxed<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
pub(crate) type Boxed<T> = T;

#[cfg(feature = "alloc")]
pub(crate) fn boxed<T>(value: T) -> Boxed<T> {
    Boxed::new(value)
}

#[cfg(not(feature = "alloc"))]
pub(crate) const fn boxed<T>(value: T) -> Boxed<T> {
    value
}

#[cfg(any(feature = "alloc", not(feature = "small")))]
mod inner {
    use super::*;

    /// All details.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Details(ErrorKind);

    impl Details {
        pub(crate) const fn format(error: FormatError) -> Self {
            Self(ErrorKind::Format(error))
        }

        pub(crate) const fn unsupported(what: Unsupported) -> Self {
            Self(ErrorKind::Unsupported(what))
        }

        pub(crate) const fn argument(what: ArgumentError) -> Self {
            Self(ErrorKind::Argument(what))
        }

        pub(crate) const fn limit(error: LimitError) -> Self {
            Self(ErrorKind::Limit(error))
        }

        pub(crate) const fn changed(what: Changed) -> Self {
            Self(ErrorKind::Changed(what))
        }

        pub(crate) const fn kind(&self) -> ErrorKind {
            self.0
        }

        /// Changes the details of a `Format` error.
        pub(crate) fn change(&mut self, how: impl FnOnce(&mut FormatError)) {
            if let ErrorKind::Format(error) = &mut self.0 {
                how(error);
            }
        }
    }
}

#[cfg(all(feature = "small", not(feature = "alloc")))]
mod inner {
    use super::*;
    use crate::base::error_kind::{Limit, Malformed};

    /// Only the kind.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Details {
        Format,
        Unsupported(Unsupported),
        Argument,
        Limit,
    }

    impl Details {
        pub(crate) const fn format(_: FormatError) -> Self {
            Self::Format
        }

        pub(crate) const fn unsupported(what: Unsupported) -> Self {
            Self::Unsupported(what)
        }

        pub(crate) const fn argument(_: ArgumentError) -> Self {
            Self::Argument
        }

        pub(crate) const fn limit(_: LimitError) -> Self {
            Self::Limit
        }

        pub(crate) const fn kind(&self) -> ErrorKind {
            match self {
                Self::Format => {
                    let what = Malformed::Unspecified;
                    ErrorKind::Format(FormatError { what, offset: None, chunk: None, block: None })
                }
                Self::Unsupported(what) => ErrorKind::Unsupported(*what),
                Self::Argument => ErrorKind::Argument(ArgumentError::Unspecified),
                Self::Limit => {
                    ErrorKind::Limit(LimitError { limit: Limit::Unspecified, wanted: 0, allowed: 0 })
                }
            }
        }

        pub(crate) fn change(&mut self, _: impl FnOnce(&mut FormatError)) {}
    }
}

pub(crate) use inner::Details;
