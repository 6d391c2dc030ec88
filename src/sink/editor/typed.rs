//! Writing of values of Rust types.

use super::{Editor, Written};
use crate::array::{Dtype, Element};
use crate::base::{ArgumentError, Result as Checked};
use crate::plan::{Plan, Selection};
use crate::sink::WriteAt;

/// Bytes of items to convert at a time.
const AT_ONCE: usize = 64 << 20;

impl<S: WriteAt> Editor<S> {
    /// The dtype of the array's items. It is `|V<n>` if the frame has no dtype, an unknown one, or one of another item size.
    ///
    /// # Errors
    /// `Argument` for a super-chunk.
    pub fn dtype(&self) -> Checked<Dtype> {
        let array = self.must_be_array()?;
        let itemsize = array.itemsize() as usize;
        let dtype = array.dtype().and_then(|text| Dtype::parse(text, &self.dparams.limits).ok());
        Ok(dtype.filter(|dtype| dtype.itemsize() == itemsize).unwrap_or(Dtype::void(itemsize)))
    }

    /// Writes values in C order to the positions of a selection, converted to the byte order of the array.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// use b2nd::{DParams, Reader, Selection};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::new(&[3, 4], ">f4"))?;
    /// editor.write(&"1".parse::<Selection>()?, &[0.5_f32, 1.0, 1.5, 2.0])?;
    /// editor.commit()?;
    /// let reader = Reader::open(editor.into_sink(), DParams::default())?;
    /// assert_eq!(reader.read::<f32>(&"1, 1:3".parse()?)?.as_slice(), [1.0, 1.5]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype, if the selection does not fit the array, or if it selects another
    /// number of items; errors of [`set`](Self::set).
    pub fn write<T: Element>(&mut self, selection: &Selection, values: &[T]) -> Written<(), S> {
        let dtype = self.dtype()?;
        let plan = self.must_be_array()?.plan(selection)?;
        let expected = (plan.nbytes() / dtype.itemsize().max(1)) as u64;
        if values.len() as u64 != expected {
            return Err(ArgumentError::ValueCount { expected, actual: values.len() as u64 }.into());
        }
        if plan.nbytes() <= AT_ONCE {
            return self.set(selection, &dtype.encode(values)?);
        }
        self.attempt(|editor| {
            let mut rest = values;
            for share in plan.shares(plan.nbytes().div_ceil(AT_ONCE)) {
                let (these, others) = rest.split_at(count(&share, &dtype));
                editor.write_plan(&share, &dtype.encode(these)?)?;
                rest = others;
            }
            Ok(())
        })
    }
}

fn count(plan: &Plan, dtype: &Dtype) -> usize {
    plan.nbytes() / dtype.itemsize().max(1)
}
