//! Changes of an array's shape.

use super::{Editor, Written};
use crate::array::{Axes, Layout};
use crate::base::{ArgumentError, Result as Checked, saturating_times};
use crate::plan::Selection;
use crate::sink::WriteAt;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// No chunk moves.
pub(super) const STILL: (usize, (u64, i64)) = (usize::MAX, (0, 0));

impl<S: WriteAt> Editor<S> {
    /// Changes the lengths of the axes. Items beyond the new shape are lost; new items are zero. Only chunks at the edges are
    /// encoded again.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.resize(&[6])?;
    /// assert_eq!(editor.get(..)?, [0; 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for another number of dimensions, and for a super-chunk; errors of writing.
    pub fn resize(&mut self, shape: &[u64]) -> Written<(), S> {
        let item = vec![0; self.cparams.typesize as usize];
        self.resize_with(shape, &item)
    }

    /// Like [`resize`](Self::resize), but new items are `item`.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[2]))?;
    /// editor.resize_with(&[4], &[7])?;
    /// assert_eq!(editor.get(..)?, [0, 0, 7, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`resize`](Self::resize); `Argument` also for an item of another length.
    pub fn resize_with(&mut self, shape: &[u64], item: &[u8]) -> Written<(), S> {
        self.attempt(|editor| editor.resize_filled(shape, item))
    }

    fn resize_filled(&mut self, shape: &[u64], item: &[u8]) -> Written<(), S> {
        let old = self.must_be_array()?.axes().shape;
        self.clear_cut_off(shape)?;
        self.reshape(shape, STILL)?;
        let zeros = item.iter().all(|byte| *byte == 0);
        // The part of the array that is filled: it grows by one axis per step.
        let mut done: Vec<Range<u64>> = shape.iter().zip(&old).map(|(&new, &old)| 0..new.min(old)).collect();
        for axis in 0..shape.len() {
            let mut new = done.clone();
            new[axis] = old[axis]..shape[axis];
            done[axis] = 0..shape[axis];
            if new.iter().any(Range::is_empty) {
                continue;
            }
            if zeros {
                // New chunks are zeros. Existing ones may contain anything in their padding.
                let rest = self.must_be_array()?.rest_of_chunk(axis, old[axis]);
                let Some(rest) = rest else { continue };
                new[axis] = rest.start..rest.end.min(shape[axis]);
            }
            let plan = self.plan_box(&new)?;
            self.fill_plan(&plan, item)?;
        }
        Ok(())
    }

    /// Clears the items beyond a smaller shape in chunks that stay. They must not reappear when the array grows (FORMAT §8.5).
    fn clear_cut_off(&mut self, shape: &[u64]) -> Written<(), S> {
        let array = self.must_be_array()?;
        let old = array.axes().shape;
        if shape.len() != old.len() {
            return Err(ArgumentError::Dimensions { given: shape.len(), ndim: old.len() }.into());
        }
        let item = vec![0; self.cparams.typesize as usize];
        for axis in 0..old.len() {
            let Some(rest) = self.must_be_array()?.rest_of_chunk(axis, shape[axis]) else { continue };
            // In all chunks that stay, including those at corners.
            let mut cut = self.must_be_array()?.chunks_within(shape);
            cut[axis] = rest.start..rest.end.min(old[axis]);
            if cut.iter().all(|range| !range.is_empty()) {
                let plan = self.plan_box(&cut)?;
                self.fill_plan(&plan, &item)?;
            }
        }
        Ok(())
    }

    /// Changes the array's shape. Chunks stay at their positions or move along one axis.
    pub(super) fn reshape(&mut self, shape: &[u64], (axis, moved): (usize, (u64, i64))) -> Written<(), S> {
        let old = self.must_be_array()?.clone();
        let array = self.with_axes(&old.axes_for(shape)?)?;
        if self.frame.nchunks() == 0 {
            let (chunksize, blocksize) = array.sizes()?;
            self.frame.set_sizes_of_new(chunksize, blocksize);
            self.cparams.blocksize = blocksize;
            self.cparams.blockshape = array.axes().blockshape;
            self.workers.clear();
        }
        if axis < usize::MAX || !array.has_chunks_of(&old) {
            self.dparams.limits.allow_memory(array.grid().nchunks().saturating_mul(32))?;
            self.release_lost(&array, &old, axis, moved)?;
        }
        self.array = Some(array);
        Ok(())
    }

    fn release_lost(
        &mut self,
        array: &Layout,
        old: &Layout,
        axis: usize,
        moved: (u64, i64),
    ) -> Written<(), S> {
        let order = array.chunks_of(old, axis, moved);
        let mut kept = vec![false; self.frame.nchunks() as usize];
        order.iter().flatten().for_each(|&nchunk| kept[nchunk as usize] = true);
        for (nchunk, _) in kept.iter().enumerate().filter(|(_, kept)| !**kept) {
            self.learn(nchunk as u64)?;
        }
        Ok(self.frame.reorder(&order)?)
    }

    /// Returns the array with other axes, and updates its metalayer.
    fn with_axes(&mut self, axes: &Axes) -> Checked<Layout> {
        let names = ["b2nd", "caterva"];
        let of = |name: &&str| self.frame.metalayers().iter().find(|layer| layer.name == name.as_bytes());
        let found = names.iter().find_map(|name| Some((*name, of(name)?.content.clone())));
        let (name, content) = found.ok_or(ArgumentError::NotAnArray)?;
        let (array, content) = self.must_be_array()?.with_axes(axes, &content, name == "caterva")?;
        self.frame.set_metalayer(name.as_bytes(), &content)?;
        Ok(array)
    }

    /// Appends items in C order along an axis. Their number determines how much the axis grows.
    ///
    /// Rows that follow others are collected, up to 32 MiB, until they fill a chunk, or until the next other change or commit.
    /// This is done along the first axis that is longer than 1, and not with codecs and filters of a
    /// [`Registry`](crate::codec::Registry).
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[2]))?;
    /// editor.append(0, &[7, 8])?;
    /// assert_eq!(editor.get(..)?, [0, 0, 7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such axis, or if `items` are not a whole number of slices across it; errors of writing.
    pub fn append(&mut self, axis: usize, items: &[u8]) -> Written<(), S> {
        let at = self.len_of(axis)?;
        let shape = self.longer(axis, items)?;
        if shape[axis] == at {
            return Ok(());
        }
        if let Some(done) = self.collect(axis, &shape, items) {
            return done;
        }
        self.attempt(|editor| {
            // No item moves, so that this needs no code to read items.
            editor.reshape(&shape, STILL)?;
            editor.write_rows_of(axis, at..shape[axis], items)
        })?;
        self.expect_rows(axis, shape[axis]);
        Ok(())
    }

    /// Inserts items in C order along an axis before position `at`. Their number determines how much the axis grows. Unless
    /// `at` is a chunk boundary or the end, the items after it are read and rewritten.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[2]))?;
    /// editor.insert(0, 1, &[7, 8])?;
    /// assert_eq!(editor.get(..)?, [0, 7, 8, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`append`](Self::append); `Argument` also if the axis is shorter.
    pub fn insert(&mut self, axis: usize, at: u64, items: &[u8]) -> Written<(), S> {
        let len = self.len_of(axis)?;
        let shape = self.longer(axis, items)?;
        if at > len {
            return Err(ArgumentError::Index { axis, index: at as i64, len }.into());
        }
        let count = shape[axis] - len;
        if count == 0 {
            return Ok(());
        }
        self.attempt(|editor| editor.insert_at(axis, (at, len), &shape, items))
    }

    /// Inserts items before position `at` of an axis of length `len`, which gets another shape.
    fn insert_at(
        &mut self,
        axis: usize,
        (at, len): (u64, u64),
        shape: &[u64],
        items: &[u8],
    ) -> Written<(), S> {
        let count = shape[axis] - len;
        let chunk = u64::from(self.must_be_array()?.axes().chunkshape[axis]).max(1);
        if at < len && at.is_multiple_of(chunk) && count.is_multiple_of(chunk) {
            self.reshape(shape, (axis, (at / chunk, (count / chunk) as i64)))?;
        } else {
            self.reshape(shape, STILL)?;
            // From the end, so that no item is overwritten before it has moved.
            let mut end = len;
            while end > at {
                let start = (end.saturating_sub(1) / chunk * chunk).max(at);
                self.copy_along(axis, start..end, start + count)?;
                end = start;
            }
        }
        self.write_rows_of(axis, at..at + count, items)
    }

    /// The shape with room for `items` along an axis.
    pub(super) fn longer(&self, axis: usize, items: &[u8]) -> Checked<Vec<u64>> {
        let mut shape = self.must_be_array()?.axes().shape;
        let across = shape.iter().enumerate().filter(|(other, _)| *other != axis);
        let across =
            across.fold(u64::from(self.cparams.typesize), |nbytes, (_, len)| saturating_times(nbytes, *len));
        let actual = items.len() as u64;
        if across == 0 || !actual.is_multiple_of(across) {
            let expected = actual.next_multiple_of(across.max(1));
            return Err(ArgumentError::BufferLen { expected, actual }.into());
        }
        shape[axis] += actual / across;
        Ok(shape)
    }

    /// Writes items to a range along an axis, as the last step of a change.
    pub(super) fn write_rows_of(&mut self, axis: usize, range: Range<u64>, items: &[u8]) -> Written<(), S> {
        let mut new: Vec<Range<u64>> = self.must_be_array()?.shape().iter().map(|len| 0..len).collect();
        new[axis] = range;
        let plan = self.plan_box(&new)?;
        self.write_last(&plan, Some(items), &mut |_, _| Ok(()))
    }

    /// Deletes a range along an axis. Unless the range consists of whole chunks, the items after it are read and rewritten.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.delete(0, 1..3)?;
    /// assert_eq!(editor.layout().expect("an array").shape(), [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such axis or range; errors of writing.
    pub fn delete(&mut self, axis: usize, range: Range<u64>) -> Written<(), S> {
        let len = self.len_of(axis)?;
        if range.start > range.end || range.end > len {
            return Err(ArgumentError::Index { axis, index: range.end as i64, len }.into());
        }
        self.attempt(|editor| editor.delete_at(axis, range, len))
    }

    fn delete_at(&mut self, axis: usize, range: Range<u64>, len: u64) -> Written<(), S> {
        let count = range.end - range.start;
        let mut shape = self.must_be_array()?.axes().shape;
        shape[axis] = len - count;
        let chunk = u64::from(self.must_be_array()?.axes().chunkshape[axis]).max(1);
        if range.end < len && range.start.is_multiple_of(chunk) && count.is_multiple_of(chunk) && count > 0 {
            return self.reshape(&shape, (axis, (range.start / chunk, -((count / chunk) as i64))));
        }
        let mut start = range.end;
        while start < len {
            let end = ((start / chunk + 1) * chunk).min(len);
            self.copy_along(axis, start..end, start - count)?;
            start = end;
        }
        self.resize_filled(&shape, &vec![0; self.cparams.typesize as usize])
    }

    pub(super) fn len_of(&self, axis: usize) -> Checked<u64> {
        let shape = self.must_be_array()?.axes().shape;
        let ndim = shape.len();
        shape.get(axis).copied().ok_or_else(|| ArgumentError::Dimensions { given: axis + 1, ndim }.into())
    }

    /// Copies the items in range `from` of an axis to position `to`.
    fn copy_along(&mut self, axis: usize, from: Range<u64>, to: u64) -> Written<(), S> {
        let shape = self.must_be_array()?.axes().shape;
        let mut ranges: Vec<Range<u64>> = shape.iter().map(|&len| 0..len).collect();
        let len = from.end - from.start;
        ranges[axis] = from;
        let items = self.get(Selection::of_ranges(&ranges))?;
        ranges[axis] = to..to + len;
        let plan = self.plan_box(&ranges)?;
        self.write_plan(&plan, &items)
    }

    /// Adds an axis of length 1 before `axis`, or at the end. No chunk changes.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.expand_dims(0)?;
    /// assert_eq!(editor.layout().expect("an array").shape(), [1, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there are fewer axes, or 16 already.
    pub fn expand_dims(&mut self, axis: usize) -> Written<(), S> {
        let mut axes = self.must_be_array()?.axes();
        let ndim = axes.shape.len();
        if axis > ndim {
            return Err(ArgumentError::Dimensions { given: axis, ndim }.into());
        }
        axes.shape.insert(axis, 1);
        axes.chunkshape.insert(axis, 1);
        axes.blockshape.insert(axis, 1);
        self.replace_axes(&axes)
    }

    /// Removes the axes of length 1. No chunk changes.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.expand_dims(0)?;
    /// editor.squeeze()?;
    /// assert_eq!(editor.layout().expect("an array").shape(), [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if chunks are longer than 1 along such an axis.
    pub fn squeeze(&mut self) -> Written<(), S> {
        let mut axes = self.must_be_array()?.axes();
        for axis in (0..axes.shape.len()).rev().filter(|&axis| self.len_of(axis) == Ok(1)) {
            if axes.chunkshape[axis] != 1 {
                let value = axes.chunkshape[axis].into();
                return Err(ArgumentError::Parameter { name: "chunkshape", value }.into());
            }
            axes.shape.remove(axis);
            axes.chunkshape.remove(axis);
            axes.blockshape.remove(axis);
        }
        self.replace_axes(&axes)
    }

    fn replace_axes(&mut self, axes: &Axes) -> Written<(), S> {
        self.attempt(|editor| {
            let array = editor.with_axes(axes)?;
            editor.cparams.blockshape = axes.blockshape.clone();
            editor.workers.clear();
            editor.array = Some(array);
            Ok(())
        })
    }
}
