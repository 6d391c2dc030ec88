//! The arrays of indexes, as the caller has read them.

use crate::sections::{Sections, f64s};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use b2nd::array::Dtype;
use b2nd::table::{Arrays, IndexArray};
use b2nd::{Error, Limits};
use core::cell::Cell;
use core::ops::Range;

/// The answers so far, in the order of the questions.
pub(super) struct Answers<'a> {
    sections: Cell<Sections<'a>>,
    limits: Limits,
}

/// Why a call ends before its result.
pub(super) enum Stop {
    /// The next answer is needed: items in these ranges of an array, or else its dtype, empty if there is no member under the key, and
    /// its shape.
    Needs {
        key: String,
        ranges: Option<Vec<Range<u64>>>,
    },
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl<'a> Answers<'a> {
    pub(super) const fn new(sections: Sections<'a>, limits: Limits) -> Self {
        Self { sections: Cell::new(sections), limits }
    }

    fn next(&self) -> Option<&'a [u8]> {
        let mut sections = self.sections.get();
        let section = sections.next();
        self.sections.set(sections);
        section
    }
}

impl Arrays for Answers<'_> {
    type Array = String;
    type Error = Stop;

    fn has(&self, key: &str) -> Result<bool, Stop> {
        Ok(self.open(key)?.is_some())
    }

    fn open(&self, key: &str) -> Result<Option<IndexArray<String>>, Stop> {
        let array = key.to_string();
        let (Some(dtype), Some(shape)) = (self.next(), self.next()) else {
            return Err(Stop::Needs { key: array, ranges: None });
        };
        if dtype.is_empty() {
            return Ok(None);
        }
        let dtype = Dtype::parse(&String::from_utf8_lossy(dtype), &self.limits)?;
        let shape = f64s(shape).map(|len| len as u64).collect();
        Ok(Some(IndexArray { dtype, shape, array }))
    }

    fn items(&self, array: &String, ranges: &[Range<u64>]) -> Result<Vec<u8>, Stop> {
        let needs = || Stop::Needs { key: array.clone(), ranges: Some(ranges.to_vec()) };
        self.next().map(<[u8]>::to_vec).ok_or_else(needs)
    }
}
