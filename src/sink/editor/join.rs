//! Concatenation and stacking of arrays.

use super::copy::{Placement, lift};
use super::{Editor, Written};
use crate::array::ArrayParams;
use crate::base::ArgumentError;
use crate::sink::WriteAt;
use crate::source::{ReadAt, ReadError, Reader};
use alloc::vec;
use alloc::vec::Vec;

impl<S: WriteAt> Editor<S> {
    /// Concatenates arrays along an axis, with the parameters of the first one. The result is not committed yet.
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, Reader, sink::Memory};
    /// # let sample = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = Reader::open(&sample[..], DParams::default())?;
    /// let joined = Editor::concatenate(Memory::default(), &[&reader, &reader], 0)?;
    /// assert_eq!(joined.layout().expect("an array").shape(), [24, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there are no arrays, if shapes differ along other axes, or if there is no such axis; errors of reading and
    /// writing.
    pub fn concatenate<R>(sink: S, readers: &[&Reader<R>], axis: usize) -> Written<Self, S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        let mut params = params_of(readers)?;
        let ndim = params.shape.len();
        if axis >= ndim {
            return Err(ArgumentError::Dimensions { given: axis + 1, ndim }.into());
        }
        let mut starts = Vec::new();
        let mut end = 0_u64;
        for reader in readers {
            let shape = reader.layout().map_err(lift)?.ok_or(ArgumentError::NotAnArray)?.shape().to_vec();
            starts.push(end);
            end = end.saturating_add(*shape.get(axis).unwrap_or(&0));
            must_agree(&shape, &params.shape, axis)?;
        }
        params.shape[axis] = end;
        let mut editor = Self::create_array(sink, &params)?;
        for (reader, start) in readers.iter().zip(starts) {
            let mut at = vec![0; ndim];
            at[axis] = start;
            editor.copy_from(&at, reader)?;
        }
        Ok(editor)
    }

    /// Stacks arrays of equal shape along a new axis, with the parameters of the first one. The result is not committed yet.
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, Reader, sink::Memory};
    /// # let sample = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = Reader::open(&sample[..], DParams::default())?;
    /// let stack = Editor::stack(Memory::default(), &[&reader, &reader], 0)?;
    /// assert_eq!(stack.layout().expect("an array").shape(), [2, 12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`concatenate`](Self::concatenate).
    pub fn stack<R>(sink: S, readers: &[&Reader<R>], axis: usize) -> Written<Self, S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        let mut params = params_of(readers)?;
        let (shape, ndim) = (params.shape.clone(), params.shape.len());
        if axis > ndim {
            return Err(ArgumentError::Dimensions { given: axis, ndim }.into());
        }
        params.shape.insert(axis, readers.len() as u64);
        for lens in [&mut params.chunkshape, &mut params.blockshape].into_iter().flatten() {
            lens.insert(axis, 1);
        }
        let mut editor = Self::create_array(sink, &params)?;
        for (number, reader) in readers.iter().enumerate() {
            let other = reader.layout().map_err(lift)?.ok_or(ArgumentError::NotAnArray)?;
            if other.shape() != shape[..] {
                return Err(ArgumentError::Dimensions { given: other.shape().len(), ndim }.into());
            }
            let mut at = vec![0; ndim + 1];
            at[axis] = number as u64;
            editor.copy_placed(&Placement { at: &at, new_axis: Some(axis) }, reader)?;
        }
        Ok(editor)
    }
}

/// The parameters of the first array.
fn params_of<R: ReadAt, E>(readers: &[&Reader<R>]) -> Result<ArrayParams, ReadError<E>>
where
    R::Error: Into<E>,
{
    let first = readers.first().ok_or(ArgumentError::NotAnArray)?;
    let array = first.layout().map_err(lift)?.ok_or(ArgumentError::NotAnArray)?;
    Ok(ArrayParams::of(first.frame(), array)?)
}

/// Checks that the shapes agree along all axes except `but`.
fn must_agree(shape: &[u64], expected: &[u64], but: usize) -> Result<(), ArgumentError> {
    if shape.len() != expected.len() {
        return Err(ArgumentError::Dimensions { given: shape.len(), ndim: expected.len() });
    }
    for (axis, (&given, &len)) in shape.iter().zip(expected).enumerate() {
        if given != len && axis != but {
            return Err(ArgumentError::Index { axis, index: given as i64, len });
        }
    }
    Ok(())
}
