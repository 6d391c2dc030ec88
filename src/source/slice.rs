//! Frames that lie in memory, of which nothing is copied; and what leads to a source.

use super::ReadAt;
use crate::frame::{Part, Request};
use crate::reading::Merge;
use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::convert::Infallible;

impl ReadAt for [u8] {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, _: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        let within = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.len());
        Ok(match request.part {
            Part::Frame => &self[within(request.range.start)..within(request.range.end)],
            Part::Chunk(_) => &[],
        })
    }
}

/// References and owners of bytes, and references to sources, are sources.
macro_rules! by_deref {
    ($($(#[$on:meta])* [$($generics:tt)*] $source:ty => $target:ty;)*) => {$(
        $(#[$on])*
        impl<$($generics)*> ReadAt for $source {
            type Error = <$target as ReadAt>::Error;

            fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Self::Error> {
                <$target>::read_at(self, request, buffer)
            }

            fn current<'b>(
                &'b self,
                request: &Request,
                buffer: &'b mut Vec<u8>,
            ) -> Result<Option<&'b [u8]>, Self::Error> {
                <$target>::current(self, request, buffer)
            }

            fn error(&self) -> Option<crate::Error> {
                <$target>::error(self)
            }

            fn prefetch(&self, requests: &[Request]) -> Result<(), Self::Error> {
                <$target>::prefetch(self, requests)
            }

            fn merge(&self) -> Merge {
                <$target>::merge(self)
            }
        }
    )*};
}

by_deref! {
    [] Vec<u8> => [u8];
    [const N: usize] [u8; N] => [u8];
    [S: ReadAt + ?Sized] &S => S;
    [S: ReadAt + ?Sized] Box<S> => S;
    [S: ReadAt + ?Sized] Rc<S> => S;
    #[cfg(target_has_atomic = "ptr")]
    [S: ReadAt + ?Sized] Arc<S> => S;
    [S: ReadAt + ToOwned + ?Sized] Cow<'_, S> => S;
    #[cfg(feature = "bytes")]
    [] bytes::Bytes => [u8];
    #[cfg(feature = "memmap2")]
    [] memmap2::Mmap => [u8];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DParams, Reader, Selection};

    const SAMPLE: &[u8] = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");

    fn items(source: impl ReadAt<Error = Infallible>) -> Vec<u8> {
        let reader = Reader::open(source, DParams::default()).unwrap();
        reader.get("3, ::7".parse::<Selection>().unwrap()).unwrap()
    }

    #[test]
    fn what_leads_to_bytes_is_a_source() {
        let expected = items(SAMPLE);
        assert_eq!(items(SAMPLE.to_vec()), expected);
        assert_eq!(items(<[u8; SAMPLE.len()]>::try_from(SAMPLE).unwrap()), expected);
        assert_eq!(items(Arc::<[u8]>::from(SAMPLE)), expected);
        assert_eq!(items(Rc::new(SAMPLE.to_vec())), expected);
        assert_eq!(items(Box::<[u8]>::from(SAMPLE)), expected);
        assert_eq!(items(Cow::Borrowed(SAMPLE)), expected);
        assert_eq!(items(Cow::<[u8]>::Owned(SAMPLE.to_vec())), expected);
        let unknown: Box<dyn ReadAt<Error = Infallible>> = Box::new(SAMPLE);
        assert_eq!(items(unknown), expected);
        #[cfg(feature = "bytes")]
        assert_eq!(items(bytes::Bytes::from_static(SAMPLE)), expected);
    }
}
