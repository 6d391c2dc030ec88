//! Values that can be given as a selection.

use super::regions::Region;
use super::selection::{Index, Selection};
use crate::base::Result;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// A selection for methods that read and write: positions and ranges, tuples and arrays of them, text in NumPy's
/// notation, or a [`Selection`].
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::{Array, Index, Selection};
/// let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// assert_eq!(array.shape(), [12, 30, 40]);
/// assert_eq!(array.read::<f32>(-1)?.shape(), [30, 40]);
/// assert_eq!(array.read::<f32>((2..5, 7, ..10))?.shape(), [3, 10]);
/// assert_eq!(array.read::<f32>((.., .., 5))?.shape(), [12, 30]);
/// assert_eq!(array.read::<f32>((Index::Ellipsis, Index::by(.., 10)))?.shape(), [12, 30, 4]);
/// assert_eq!(array.read::<f32>([5, 20])?.shape(), [40]);
/// assert_eq!(array.read::<f32>("..., ::10")?.shape(), [12, 30, 4]);
/// assert_eq!(array.read::<f32>(&Selection::all())?.shape(), [12, 30, 40]);
/// # Ok(()) }
/// ```
///
/// Negative positions count from the end of the axis. A range ends before its second bound, or with it if written with `..=`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no selection",
    note = "positions, ranges, tuples of up to eight of them, arrays and vectors, text such as \"0:10, ..., -1\", and `Selection` are selections"
)]
pub trait ToSelection {
    /// The selection.
    ///
    /// # Errors
    /// `Argument` for text that is none.
    fn to_selection(&self) -> Result<Cow<'_, Selection>>;
}

impl ToSelection for Selection {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        Ok(Cow::Borrowed(self))
    }
}

impl<T: ToSelection + ?Sized> ToSelection for &T {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        (**self).to_selection()
    }
}

/// As [`Selection`] reads it.
impl ToSelection for str {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        self.parse().map(Cow::Owned)
    }
}

impl ToSelection for String {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        self.as_str().to_selection()
    }
}

/// One index for each axis; [`Index::list`] are positions along one.
impl<T: Clone + Into<Index>> ToSelection for [T] {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        Ok(Cow::Owned(self.iter().cloned().map(T::into).collect()))
    }
}

impl<T: Clone + Into<Index>, const N: usize> ToSelection for [T; N] {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        self[..].to_selection()
    }
}

impl<T: Clone + Into<Index>> ToSelection for Vec<T> {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        self[..].to_selection()
    }
}

/// Its items.
impl ToSelection for Region {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        Ok(Cow::Owned(self.selection()))
    }
}

/// The whole array.
impl ToSelection for () {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        Ok(Cow::Owned(Selection::all()))
    }
}

impl FromIterator<Index> for Selection {
    fn from_iter<I: IntoIterator<Item = Index>>(indices: I) -> Self {
        Self(Vec::from_iter(indices))
    }
}

impl<T: Into<Index>> From<T> for Selection {
    /// One index, for the first axis.
    fn from(index: T) -> Self {
        Self(Vec::from([index.into()]))
    }
}

impl Index {
    /// The positions of a range in steps, which may go backward, as `start:stop:step` in Python. A position stays one.
    ///
    /// ```
    /// use b2nd::{Index, Selection};
    /// assert_eq!(Selection::from(Index::by(10.., -2)).to_string(), "10::-2");
    /// ```
    #[must_use]
    pub fn by(range: impl Into<Self>, step: i64) -> Self {
        match range.into() {
            Self::Range { start, stop, .. } => Self::Range { start, stop, step },
            other => other,
        }
    }

    const fn range(start: Option<i64>, stop: Option<i64>) -> Self {
        Self::Range { start, stop, step: 1 }
    }
}

/// The bound after `last`; none after the last position of an axis.
const fn after(last: i64) -> Option<i64> {
    match last {
        -1 => None,
        last => Some(last.saturating_add(1)),
    }
}

/// Makes a type an index and a selection by itself.
macro_rules! index {
    ($($type:ty: $index:ident => $value:expr;)*) => {$(
        impl From<$type> for Index {
            fn from($index: $type) -> Self {
                $value
            }
        }

        impl ToSelection for $type {
            fn to_selection(&self) -> Result<Cow<'_, Selection>> {
                Ok(Cow::Owned(self.clone().into()))
            }
        }
    )*};
}

/// Makes integers of a type and their ranges selections. No axis has a position that does not fit a signed number.
macro_rules! positions {
    ($($type:ty)*) => {$(
        index! {
            $type: at => Self::At(at.try_into().unwrap_or(i64::MAX));
            Range<$type>: range => Self::range(
                Some(range.start.try_into().unwrap_or(i64::MAX)),
                Some(range.end.try_into().unwrap_or(i64::MAX)),
            );
            RangeFrom<$type>: range => Self::range(Some(range.start.try_into().unwrap_or(i64::MAX)), None);
            RangeTo<$type>: range => Self::range(None, Some(range.end.try_into().unwrap_or(i64::MAX)));
            RangeInclusive<$type>: range => Self::range(
                Some((*range.start()).try_into().unwrap_or(i64::MAX)),
                after((*range.end()).try_into().unwrap_or(i64::MAX)),
            );
            RangeToInclusive<$type>: range => Self::range(None, after(range.end.try_into().unwrap_or(i64::MAX)));
        }
    )*};
}

#[allow(
    clippy::clone_on_copy,
    clippy::useless_conversion,
    clippy::unnecessary_fallible_conversions,
    reason = "one macro for all integers"
)]
mod integers {
    use super::*;

    positions! { i32 i64 u32 u64 usize }

    index! {
        RangeFull: _range => Self::ALL;
    }
}

impl ToSelection for Index {
    fn to_selection(&self) -> Result<Cow<'_, Selection>> {
        Ok(Cow::Owned(self.clone().into()))
    }
}

/// Tuples have an index for each axis, from the first on.
macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Clone + Into<Index>),*> ToSelection for ($($name,)*) {
            #[allow(non_snake_case, reason = "the names of the types")]
            fn to_selection(&self) -> Result<Cow<'_, Selection>> {
                let ($($name,)*) = self;
                Ok(Cow::Owned(Selection(Vec::from([$($name.clone().into()),*]))))
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use alloc::string::ToString;

    fn text(selection: impl ToSelection) -> String {
        selection.to_selection().expect("a selection").to_string()
    }

    #[test]
    #[allow(clippy::reversed_empty_ranges, reason = "its end counts from the end of the axis")]
    fn positions_ranges_and_tuples_are_selections() {
        assert_eq!(text(()), "...");
        assert_eq!(text(5), "5");
        assert_eq!(text(-1_i64), "-1");
        assert_eq!(text(7_usize), "7");
        assert_eq!(text(..), ":");
        assert_eq!(text(2..=-1), "2:");
        assert_eq!(text(..=4), ":5");
        assert_eq!(text((1.., ..3, 4..5_u64, .., -2)), "1:, :3, 4:5, :, -2");
        assert_eq!(text((Index::Ellipsis, Index::by(.., -3))), "..., ::-3");
        assert_eq!(text(&[0..4, 2..3][..]), "0:4, 2:3");
        assert_eq!(text([Index::At(1), Index::ALL]), "1, :");
        assert_eq!(text(Vec::from([5, -1])), "5, -1");
        assert_eq!(text(u64::MAX), i64::MAX.to_string(), "beyond every axis");
        assert_eq!(text(" 1:2 , ..."), "1:2, ...");
    }

    #[test]
    fn text_that_is_none_is_refused() {
        let error = "1, x".to_selection().expect_err("no selection");
        assert!(matches!(error.kind(), ErrorKind::Argument(_)), "{error}");
    }
}
