//! Where errors keep their details: on the heap, or inline without an allocator.
//!
//! With `small` and without `alloc` they keep only the blame: moving details around took a fifth of the code.

use super::blame::Changed;
use super::blame::{ArgumentError, Blame, FormatError, LimitError, Unsupported};

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
    pub(crate) struct Details(Blame);

    impl Details {
        pub(crate) const fn format(error: FormatError) -> Self {
            Self(Blame::Format(error))
        }

        pub(crate) const fn unsupported(what: Unsupported) -> Self {
            Self(Blame::Unsupported(what))
        }

        pub(crate) const fn argument(what: ArgumentError) -> Self {
            Self(Blame::Argument(what))
        }

        pub(crate) const fn limit(error: LimitError) -> Self {
            Self(Blame::Limit(error))
        }

        pub(crate) const fn changed(what: Changed) -> Self {
            Self(Blame::Changed(what))
        }

        pub(crate) const fn blame(&self) -> Blame {
            self.0
        }

        /// Changes the details of a `Format` error.
        pub(crate) fn change(&mut self, how: impl FnOnce(&mut FormatError)) {
            if let Blame::Format(error) = &mut self.0 {
                how(error);
            }
        }
    }
}

#[cfg(all(feature = "small", not(feature = "alloc")))]
mod inner {
    use super::*;
    use crate::base::blame::{Limit, Malformed};

    /// Only who is to blame.
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

        pub(crate) const fn blame(&self) -> Blame {
            match self {
                Self::Format => {
                    let what = Malformed::Unspecified;
                    Blame::Format(FormatError { what, offset: None, chunk: None, block: None })
                }
                Self::Unsupported(what) => Blame::Unsupported(*what),
                Self::Argument => Blame::Argument(ArgumentError::Unspecified),
                Self::Limit => Blame::Limit(LimitError { limit: Limit::Unspecified, wanted: 0, allowed: 0 }),
            }
        }

        pub(crate) fn change(&mut self, _: impl FnOnce(&mut FormatError)) {}
    }
}

pub(crate) use inner::Details;
