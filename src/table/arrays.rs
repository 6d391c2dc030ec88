//! The arrays of a store, as the indexes of its tables need them.

use super::Read;
use crate::array::Dtype;
use crate::base::Error;
use crate::source::{ReadAt, ReadError, Reader};
use crate::store::{Member, Store};
use alloc::vec::Vec;
use core::ops::Range;

/// The arrays of a store. [`Indexes`](super::Indexes) read them.
pub trait Arrays {
    /// An array that is open.
    type Array;
    /// Errors of reading, and of what is read.
    type Error: From<Error>;

    /// Whether there is a member under a key.
    ///
    /// # Errors
    /// Errors of reading.
    fn has(&self, key: &str) -> Result<bool, Self::Error>;

    /// Opens the array under a key; `None` if there is no such member.
    ///
    /// # Errors
    /// Errors of reading, and those of members that are no arrays.
    fn open(&self, key: &str) -> Result<Option<IndexArray<Self::Array>>, Self::Error>;

    /// The items of an array with one axis that are in these ranges, one behind the other.
    ///
    /// # Errors
    /// Errors of reading.
    fn items(&self, array: &Self::Array, ranges: &[Range<u64>]) -> Result<Vec<u8>, Self::Error>;
}

/// An array of an index.
#[derive(Debug)]
pub struct IndexArray<A> {
    /// The dtype of its items.
    pub dtype: Dtype,
    /// The lengths of its axes.
    pub shape: Vec<u64>,
    /// The array, for [`Arrays::items`].
    pub array: A,
}

/// The members of a store.
impl<S: ReadAt> Arrays for Store<S> {
    type Array = Reader<Member<S>>;
    type Error = ReadError<S::Error>;

    fn has(&self, key: &str) -> Read<bool, S> {
        Ok(self.storage(key).is_some())
    }

    fn open(&self, key: &str) -> Read<Option<IndexArray<Self::Array>>, S> {
        if !self.has(key)? {
            return Ok(None);
        }
        let array = self.get(key)?;
        let shape = array.layout()?.map(|layout| layout.shape().to_vec()).unwrap_or_default();
        Ok(Some(IndexArray { dtype: array.dtype()?, shape, array }))
    }

    fn items(&self, array: &Self::Array, ranges: &[Range<u64>]) -> Read<Vec<u8>, S> {
        if let [range] = ranges {
            return array.get(range.clone());
        }
        let parts = ranges.iter().map(|range| array.get(range.clone()));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
    }
}
