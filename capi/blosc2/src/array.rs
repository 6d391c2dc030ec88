//! Arrays: their parameters, their metalayer, and boxes of items that are copied.

use crate::codes::{Failure, Result};
use crate::files::Place;
use crate::frames::Frame;
use b2nd::array::{ArrayParams, Dtype};
use b2nd::chunk::{CParams, SpecialValue};
use b2nd::sink::Memory;
use b2nd::{Editor, Limits};
use core::ops::Range;

/// The parameters of arrays to create: a context of `b2nd_create_ctx`.
#[derive(Debug)]
pub struct Plan {
    pub(crate) params: ArrayParams,
    pub(crate) place: Place,
    pub(crate) sparse: bool,
    pub(crate) cparams: CParams,
}

impl Plan {
    /// A new array.
    ///
    /// # Errors
    /// For shapes and a dtype that contradict each other, and for a place that cannot be written.
    pub(crate) fn create(&self, value: SpecialValue) -> Result<Frame> {
        let cparams = self.cparams.clone();
        Frame::create(self.place.clone(), self.sparse, cparams, Some((&self.params, value)))
    }

    /// An array of this shape, or of the planned one, with these items.
    ///
    /// # Errors
    /// Those of [`create`](Self::create), and for another number of bytes.
    pub(crate) fn filled(&self, shape: Option<&[u64]>, items: &[u8]) -> Result<Frame> {
        let mut params = self.params.clone();
        if let Some(shape) = shape {
            params.shape = shape.to_vec();
        }
        let cparams = self.cparams.clone();
        let new = Some((&params, SpecialValue::Zeros));
        let mut frame = Frame::create(self.place.clone(), self.sparse, cparams, new)?;
        frame.change(|editor| Ok(editor.set(.., items)?))?;
        Ok(frame)
    }
}

/// The dtype of items of so many bytes: the given one if it has as many, or one without a meaning.
pub(crate) fn dtype(given: &str, typesize: u32) -> String {
    match Dtype::parse(given, &Limits::default()) {
        Ok(dtype) if dtype.itemsize() == typesize as usize => given.to_owned(),
        _ => format!("|V{typesize}"),
    }
}

/// The metalayer `b2nd` of an array with these parameters.
///
/// # Errors
/// For shapes and a dtype that contradict each other.
pub(crate) fn metalayer(params: &ArrayParams) -> Result<Vec<u8>> {
    let editor = Editor::create_array(Memory::default(), params)?;
    let metalayer = editor.frame().metalayers().first();
    metalayer.map(|metalayer| metalayer.content.clone()).ok_or_else(|| Failure::argument("no metalayer"))
}

/// Items of a box within a buffer of this shape.
pub(crate) struct Boxed<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) ranges: &'a [Range<usize>],
}

impl Boxed<'_> {
    /// Whether the box is in the buffer.
    fn fits(&self) -> bool {
        let lens = self.ranges.iter().zip(self.shape);
        self.ranges.len() == self.shape.len()
            && lens.into_iter().all(|(range, &len)| range.start <= range.end && range.end <= len)
    }

    /// The place of the item at a position within the box.
    fn place(&self, position: &[usize]) -> usize {
        let axes = self.shape.iter().zip(self.ranges).zip(position);
        axes.fold(0, |place, ((len, range), at)| place * len + range.start + at)
    }
}

/// Items that a shape has.
///
/// # Errors
/// If they are too many.
pub(crate) fn product(shape: &[usize]) -> Result<usize> {
    let product = shape.iter().try_fold(1_usize, |product, &len| product.checked_mul(len));
    product.ok_or_else(|| Failure::argument(format!("the shape {shape:?} is too large")))
}

/// Copies a box of items to one of the same shape.
///
/// # Errors
/// If a box is not in its buffer.
pub(crate) fn copy_box(
    itemsize: usize,
    (src, from): (&[u8], &Boxed<'_>),
    (dst, to): (&mut [u8], &Boxed<'_>),
) -> Result<()> {
    let lens: Vec<usize> = from.ranges.iter().map(ExactSizeIterator::len).collect();
    let same = to.ranges.iter().map(ExactSizeIterator::len).eq(lens.iter().copied());
    if !(from.fits() && to.fits() && same) {
        return Err(Failure::argument("the items are not all within the buffers"));
    }
    let Some((&run, outer)) = lens.split_last() else {
        // One item, without an axis.
        dst[..itemsize].copy_from_slice(&src[..itemsize]);
        return Ok(());
    };
    if run == 0 {
        return Ok(());
    }
    let mut position = vec![0; lens.len()];
    for nrow in 0..product(outer)? {
        let mut rest = nrow;
        for (at, &len) in position.iter_mut().zip(outer).rev() {
            (*at, rest) = (rest % len, rest / len);
        }
        let (read, write) = (from.place(&position) * itemsize, to.place(&position) * itemsize);
        dst[write..write + run * itemsize].copy_from_slice(&src[read..read + run * itemsize]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_copied_to_their_place() {
        let src: Vec<u8> = (0..24).collect();
        let mut dst = vec![0; 20];
        let from = Boxed { shape: &[2, 3, 4], ranges: &[1..2, 0..2, 1..3] };
        let to = Boxed { shape: &[1, 4, 5], ranges: &[0..1, 2..4, 0..2] };
        copy_box(1, (&src, &from), (&mut dst, &to)).unwrap();
        assert_eq!((&dst[10..12], &dst[15..17]), (&[13, 14][..], &[17, 18][..]));
        assert_eq!(dst.iter().filter(|&&item| item > 0).count(), 4);
        let wrong = Boxed { shape: &[2, 3, 4], ranges: &[1..3, 0..2, 1..3] };
        assert!(copy_box(1, (&src, &wrong), (&mut dst, &to)).is_err());
    }
}
