//! What is long in an error: in a box, or where there is no allocator inline. With `small` it is not kept, as a fifth of
//! the code would do nothing but move it around.

#[cfg(feature = "alloc")]
mod imp {
    use alloc::boxed::Box;

    pub(crate) type Held<T> = Box<T>;

    pub(crate) fn held<T>(value: T) -> Held<T> {
        Box::new(value)
    }

    pub(crate) fn change<T>(held: &mut Held<T>, how: impl FnOnce(&mut T)) {
        how(held);
    }
}

#[cfg(not(any(feature = "alloc", feature = "small")))]
mod imp {
    pub(crate) type Held<T> = T;

    pub(crate) const fn held<T>(value: T) -> Held<T> {
        value
    }

    pub(crate) fn change<T>(held: &mut Held<T>, how: impl FnOnce(&mut T)) {
        how(held);
    }
}

#[cfg(all(feature = "small", not(feature = "alloc")))]
mod imp {
    use core::fmt;
    use core::marker::PhantomData;

    pub(crate) type Held<T> = Untold<T>;

    /// What is wrong was not kept: the program has the feature `small`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Untold<T>(PhantomData<T>);

    impl<T> fmt::Display for Untold<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("refused")
        }
    }

    pub(crate) fn held<T>(_: T) -> Held<T> {
        Untold(PhantomData)
    }

    pub(crate) fn change<T>(_: &mut Held<T>, _: impl FnOnce(&mut T)) {}
}

#[cfg(all(feature = "small", not(feature = "alloc")))]
pub use imp::Untold;
pub(crate) use imp::{Held, change, held};
