//! The contents of a frame: an array, or items in one dimension.

use crate::array::Layout;
use crate::base::Error;
use crate::base::Result;
use crate::chunk::Context;
#[cfg(feature = "alloc")]
use crate::frame::Frame;
use crate::plan::{Grid, Index, Plan};
use crate::schunk::SChunk;
use core::borrow::Borrow;

/// An array, or the items of a super-chunk; owned, or borrowed as `Contents<&Layout, &SChunk>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents<A = Layout, S = SChunk> {
    /// An array.
    Array(A),
    /// Items in one dimension.
    Items(S),
}

impl<A: Borrow<Layout>, S: Borrow<SChunk>> Contents<A, S> {
    /// The grid of chunks and blocks.
    pub(crate) fn grid(&self) -> &Grid {
        match self {
            Self::Array(array) => array.borrow().grid(),
            Self::Items(items) => items.borrow().grid(),
        }
    }

    /// Facts that decoding a chunk needs.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let contents = reader.contents()?;
    /// assert_eq!(contents.context().itemsize, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn context(&self) -> Context<'_> {
        match self {
            Self::Array(array) => array.borrow().context(),
            Self::Items(items) => items.borrow().context(),
        }
    }

    /// Bytes of an item.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let contents = reader.contents()?;
    /// assert_eq!(contents.itemsize(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn itemsize(&self) -> u32 {
        self.grid().itemsize as u32
    }

    /// Plans how to read a selection.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let contents = reader.contents()?;
    /// use b2nd::Index;
    /// assert_eq!(contents.plan(&[Index::At(3)])?.shape(), [30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if it does not fit.
    pub fn plan(&self, selection: &[Index]) -> Result<Plan> {
        Plan::new(self.grid(), selection)
    }
}

/// Facts that decoding the chunks of a frame needs. A damaged array does not prevent that.
#[cfg(feature = "alloc")]
pub fn context<'a>(frame: &Frame, array: &'a Result<Option<Layout>, Error>) -> Context<'a> {
    match array {
        Ok(Some(array)) => array.context(),
        _ => frame.context(),
    }
}
