//! The lengths of axes, as they are handed out.

use crate::base::{Extent, wide};
use core::fmt;

/// Items along each axis.
///
/// How many bits a length takes here depends on the features of the build, so that it is seen as `u64`, one by one. With
/// `alloc` it is a slice of them.
///
/// ```
/// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// # let frame = b2nd::source::flash::FlashFrame::open(&file)?;
/// # let array = frame.layout().unwrap();
/// let shape = array.shape();
/// assert_eq!(shape, [12, 30, 40]);
/// assert_eq!((shape.len(), shape.get(2), shape.get(3)), (3, Some(40), None));
/// assert_eq!(shape.iter().product::<u64>(), 14_400);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Shape<'a>(&'a [Extent]);

impl<'a> Shape<'a> {
    pub(crate) const fn new(lens: &'a [Extent]) -> Self {
        Self(lens)
    }

    /// How many axes there are.
    ///
    /// ```
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let frame = b2nd::source::flash::FlashFrame::open(&file)?;
    /// let shape = frame.layout().expect("an array").shape();
    /// assert_eq!(shape.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no axes: a single item.
    ///
    /// ```
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let frame = b2nd::source::flash::FlashFrame::open(&file)?;
    /// let shape = frame.layout().expect("an array").shape();
    /// assert!(!shape.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Items along an axis; `None` if there is no such axis.
    ///
    /// ```
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let frame = b2nd::source::flash::FlashFrame::open(&file)?;
    /// let shape = frame.layout().expect("an array").shape();
    /// assert_eq!((shape.get(2), shape.get(3)), (Some(40), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, axis: usize) -> Option<u64> {
        self.0.get(axis).copied().map(wide)
    }

    /// Items along each axis, first to last.
    ///
    /// ```
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let frame = b2nd::source::flash::FlashFrame::open(&file)?;
    /// let shape = frame.layout().expect("an array").shape();
    /// assert_eq!(shape.iter().product::<u64>(), 14_400);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + Clone + use<'a> {
        self.0.iter().copied().map(wide)
    }

    /// All of them as a slice.
    ///
    /// ```
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let frame = b2nd::source::flash::FlashFrame::open(&file)?;
    /// let shape = frame.layout().expect("an array").shape();
    /// assert_eq!(shape.as_slice(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub const fn as_slice(&self) -> &'a [u64] {
        self.0
    }
}

/// With `alloc` a shape is a slice.
#[cfg(feature = "alloc")]
impl core::ops::Deref for Shape<'_> {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        self.0
    }
}

impl fmt::Debug for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq<[u64]> for Shape<'_> {
    fn eq(&self, lens: &[u64]) -> bool {
        self.iter().eq(lens.iter().copied())
    }
}

impl PartialEq<&[u64]> for Shape<'_> {
    fn eq(&self, lens: &&[u64]) -> bool {
        *self == **lens
    }
}

impl<const N: usize> PartialEq<[u64; N]> for Shape<'_> {
    fn eq(&self, lens: &[u64; N]) -> bool {
        *self == lens[..]
    }
}
