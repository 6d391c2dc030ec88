//! The types of output for which the finders are compiled.
//!
//! Natively each format has finders of its own, which know the lengths of their tables and inline what takes the sequences.
//! WebAssembly, which is downloaded, has one copy for all formats.

use super::Sequences;

/// A table as the finders get it: an array, or a slice of any length.
pub(in crate::codec) trait Lend {
    type Lent: ?Sized;

    fn lend(&mut self) -> &mut Self::Lent;
}

#[cfg(not(target_family = "wasm"))]
mod each {
    use super::*;

    impl<T, const N: usize> Lend for [T; N] {
        type Lent = Self;

        #[inline(always)]
        fn lend(&mut self) -> &mut Self {
            self
        }
    }

    #[inline(always)]
    pub(in crate::codec::matcher) const fn lent<S: Sequences>(out: &mut S) -> &mut S {
        out
    }
}

#[cfg(target_family = "wasm")]
mod all {
    use super::*;

    impl<T, const N: usize> Lend for [T; N] {
        type Lent = [T];

        fn lend(&mut self) -> &mut [T] {
            self
        }
    }

    pub(in crate::codec::matcher) fn lent<'a>(out: &'a mut impl Sequences) -> &'a mut (dyn Sequences + 'a) {
        out
    }
}

#[cfg(target_family = "wasm")]
pub(in crate::codec::matcher) use all::*;
#[cfg(not(target_family = "wasm"))]
pub(in crate::codec::matcher) use each::*;
