//! Writing of values of Rust types.

use super::{Editor, Written};
use crate::array::{Dtype, Element, Values};
use crate::base::{ArgumentError, Result as Checked};
use crate::plan::{Plan, ToSelection};
use crate::sink::WriteAt;
use alloc::vec::Vec;
use core::ops::Range;

/// Bytes of items to convert at a time.
const AT_ONCE: usize = 64 << 20;

impl<S: WriteAt> Editor<S> {
    /// The dtype of the array's items. It is `|V<n>` if the frame has no dtype, an unknown one, or one of another item size.
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// assert_eq!(editor.dtype()?.to_string(), "|u1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for a super-chunk.
    pub fn dtype(&self) -> Checked<Dtype> {
        let array = self.must_be_array()?;
        let itemsize = array.itemsize() as usize;
        let dtype = array.dtype().and_then(|text| Dtype::parse(text, &self.dparams.limits).ok());
        Ok(dtype.filter(|dtype| dtype.itemsize() == itemsize).unwrap_or(Dtype::void(itemsize)))
    }

    /// Reads the selected values, including changes that are not committed yet.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<i16>(&[3, 4]))?;
    /// editor.write((1, ..2), &[5_i16, 6])?;
    /// assert_eq!(editor.read::<i16>((.., 0))?.as_slice(), [0, 5, 0]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`get`](Self::get).
    pub fn read<T: Element>(&self, selection: impl ToSelection) -> Written<Values<T>, S> {
        let (dtype, selection) = (self.dtype()?, selection.to_selection()?);
        let shape = selection.shape(&self.must_be_array()?.shape())?;
        Ok(Values::new(shape, dtype.decode(&self.get(&*selection)?)?)?)
    }

    /// Writes values in C order to the positions of a selection, converted to the byte order of the array.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::new(&[3, 4], ">f4"))?;
    /// editor.write(1, &[0.5_f32, 1.0, 1.5, 2.0])?;
    /// editor.commit()?;
    /// let array = b2nd::Array::from_source(editor.into_sink())?;
    /// assert_eq!(array.read::<f32>((1, 1..3))?.as_slice(), [1.0, 1.5]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype, if the selection does not fit the array, or if it selects another
    /// number of items; errors of [`set`](Self::set).
    pub fn write<T: Element>(&mut self, selection: impl ToSelection, values: &[T]) -> Written<(), S> {
        let (dtype, selection) = (self.dtype()?, selection.to_selection()?);
        let plan = self.must_be_array()?.plan(&*selection)?;
        let expected = (plan.nbytes() / dtype.itemsize().max(1)) as u64;
        if values.len() as u64 != expected {
            return Err(ArgumentError::ValueCount { expected, actual: values.len() as u64 }.into());
        }
        if plan.nbytes() <= AT_ONCE {
            return self.set(&*selection, &dtype.encode(values)?);
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

    /// Writes values that need not all be in memory: `supply` is called for each chunk, with its box in the result of the selection,
    /// a range for each axis, and the values to fill, which are `T::default()` before.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let params = ArrayParams::of_type::<u32>(&[1000]).with_chunks(&[300]);
    /// let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// editor.write_with(.., |items, values| {
    ///     values.iter_mut().zip(items[0].clone()).for_each(|(value, at)| *value = at as u32 * 2);
    ///     Ok(())
    /// })?;
    /// assert_eq!(editor.read::<u32>(700)?.as_slice(), [1400]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`write`](Self::write), and errors of `supply`.
    pub fn write_with<T: Element + Clone + Default>(
        &mut self,
        selection: impl ToSelection,
        mut supply: impl FnMut(&[Range<u64>], &mut [T]) -> Written<(), S>,
    ) -> Written<(), S> {
        let dtype = self.dtype()?;
        dtype.check::<T>()?;
        let mut values = Vec::new();
        self.set_with(selection, &mut |place, items| {
            values.clear();
            values.resize(items.len() / dtype.itemsize().max(1), T::default());
            supply(place, &mut values)?;
            T::encode(&values, &dtype, items);
            Ok(())
        })
    }

    /// Sets all items of a selection to one value, as [`fill`](Self::fill) does.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<f64>(&[3, 4]))?;
    /// editor.fill_value((.., 1), 2.5)?;
    /// assert_eq!(editor.read::<f64>(0)?.as_slice(), [0.0, 2.5, 0.0, 0.0]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`fill`](Self::fill).
    pub fn fill_value<T: Element>(&mut self, selection: impl ToSelection, value: T) -> Written<(), S> {
        let item = self.dtype()?.encode(&[value])?;
        self.fill(selection, &item)
    }

    /// Appends values in C order along an axis, as [`append`](Self::append) does.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<i32>(&[0, 3]))?;
    /// editor.append_values(0, &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(editor.read::<i32>((.., -1))?.as_slice(), [3, 6]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`append`](Self::append).
    pub fn append_values<T: Element>(&mut self, axis: usize, values: &[T]) -> Written<(), S> {
        let items = self.dtype()?.encode(values)?;
        self.append(axis, &items)
    }

    /// Inserts values in C order along an axis before position `at`, as [`insert`](Self::insert) does.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<i32>(&[0]))?;
    /// editor.append_values(0, &[1, 2, 3])?;
    /// editor.insert_values(0, 1, &[-1, -2])?;
    /// assert_eq!(editor.read::<i32>(())?.as_slice(), [1, -1, -2, 2, 3]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`insert`](Self::insert).
    pub fn insert_values<T: Element>(&mut self, axis: usize, at: u64, values: &[T]) -> Written<(), S> {
        let items = self.dtype()?.encode(values)?;
        self.insert(axis, at, &items)
    }

    /// Changes the lengths of the axes, as [`resize_with`](Self::resize_with) does; new items are `value`.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<f32>(&[2]))?;
    /// editor.resize_with_value(&[4], f32::INFINITY)?;
    /// assert_eq!(editor.read::<f32>(())?.as_slice(), [0.0, 0.0, f32::INFINITY, f32::INFINITY]);
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`resize_with`](Self::resize_with).
    pub fn resize_with_value<T: Element>(&mut self, shape: &[u64], value: T) -> Written<(), S> {
        let item = self.dtype()?.encode(&[value])?;
        self.resize_with(shape, &item)
    }
}

fn count(plan: &Plan, dtype: &Dtype) -> usize {
    plan.nbytes() / dtype.itemsize().max(1)
}
