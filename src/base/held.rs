//! What errors are made of: in a box, or where there is no allocator inline. With `small` what is long is not kept there,
//! as a fifth of the code would do nothing but move it around.

#[cfg(feature = "alloc")]
mod whole {
    use alloc::boxed::Box;

    pub(crate) type Held<T> = Box<T>;

    pub(crate) fn held<T>(value: T) -> Held<T> {
        Box::new(value)
    }
}

#[cfg(not(feature = "alloc"))]
mod whole {
    pub(crate) type Held<T> = T;

    pub(crate) const fn held<T>(value: T) -> Held<T> {
        value
    }
}

#[cfg(any(feature = "alloc", not(feature = "small")))]
mod part {
    pub(crate) type Kept<T> = T;

    pub(crate) const fn kept<T>(value: T) -> Kept<T> {
        value
    }

    pub(crate) fn change<T>(kept: &mut Kept<T>, how: impl FnOnce(&mut T)) {
        how(kept);
    }
}

#[cfg(all(feature = "small", not(feature = "alloc")))]
mod part {
    use crate::base::{ArgumentError, FormatError, LimitError};
    use core::fmt;
    use core::marker::PhantomData;

    pub(crate) type Kept<T> = Untold<T>;

    /// Details that were not kept, since the program has the feature `small`. `T` still tells who is to blame.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Untold<T>(PhantomData<T>);

    impl fmt::Display for Untold<FormatError> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("malformed data")
        }
    }

    impl fmt::Display for Untold<ArgumentError> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("invalid argument")
        }
    }

    impl fmt::Display for Untold<LimitError> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("beyond the limits")
        }
    }

    pub(crate) fn kept<T>(_: T) -> Kept<T> {
        Untold(PhantomData)
    }

    pub(crate) fn change<T>(_: &mut Kept<T>, _: impl FnOnce(&mut T)) {}
}

#[cfg(all(feature = "small", not(feature = "alloc")))]
pub use part::Untold;
pub(crate) use part::{Kept, change, kept};
pub(crate) use whole::{Held, held};
