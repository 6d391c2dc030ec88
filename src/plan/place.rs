//! Scattering the items of a plain tile to the result.

use super::Dims;
use super::axis::{Axis, Listed};
use super::cover::cells;
use super::grid::{ChunkBox, Grid};
use super::layout::Inward;
use crate::base::{Error, Extent, Result, SMALL, put_at, slice_at};
use crate::chunk::{Pick, Planes};
use core::ops::Range;

/// Results up to this size stay in the processor's caches. Writing longer ones is limited by memory, where `memcpy`, with
/// more stores in flight, is faster.
const NEAR: usize = 8 << 20;

/// The items that a selection takes of one tile, and where they go.
///
/// The innermost axes that are contiguous on both sides are merged to runs of bytes; the others are loops.
pub(crate) struct Patch<'p> {
    /// Bytes that are copied at once.
    run: usize,
    /// Offset of the first run in the tile and in the result.
    src: usize,
    dst: usize,
    loops: Dims<Loop<'p>>,
}

/// Offsets of a run in the tile and in the items of the result.
#[derive(Clone, Copy)]
pub(super) struct Starts {
    pub(super) tile: usize,
    pub(super) items: usize,
}

/// A loop over one axis: its count, and its strides on both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loop<'p> {
    pub(super) count: usize,
    src: isize,
    dst: usize,
    list: Listed<'p>,
}

/// A patch while axes are added to it, from the innermost on.
struct Building<'p> {
    patch: Patch<'p>,
    /// The distances between neighbours along the next axis in the tile, and of all that remain in the result.
    src_stride: usize,
    dst_strides: Inward<'p>,
    /// Whether all axes so far are contiguous on both sides.
    merging: bool,
}

impl<'p> Building<'p> {
    /// Adds an axis, of which the tile has `tile`. `None` if nothing of that is taken.
    fn add(&mut self, axis: &'p Axis, tile: Range<Extent>) -> Option<()> {
        let taken = axis.within(tile.start, tile.end);
        let count = (taken.end - taken.start) as usize;
        if count == 0 {
            return None;
        }
        let dst = self.dst_strides.next(axis.count as usize);
        let (list, first) = Listed::new(axis, &taken);
        self.patch.src += (axis.coordinate(taken.start) - tile.start) as usize * self.src_stride;
        self.patch.dst += first * dst;
        if count > 1 {
            // Within a tile no step is longer than the tile; that of a single item may be.
            let src = axis.step as isize * self.src_stride as isize;
            self.push(Loop { count, src, dst, list }, axis.step == 1);
        }
        Some(())
    }

    /// Adds the loop of an axis to the run, or else to the loops.
    fn push(&mut self, this: Loop<'p>, all: bool) {
        let patch = &mut self.patch;
        self.merging &= all && !this.is_list() && patch.run == self.src_stride && patch.run == this.dst;
        if self.merging {
            patch.run *= this.count;
        } else {
            // There is room: at most one for each axis.
            let _ = patch.loops.push(this);
        }
    }
}

impl<'p> Patch<'p> {
    /// The items that the selection takes of tile `ntile`; `None` if nothing.
    pub(super) fn new(
        grid: &Grid,
        axes: &'p [Axis],
        dst_strides: Inward<'p>,
        chunk: &ChunkBox,
        ntile: Extent,
    ) -> Option<Self> {
        let run = grid.itemsize as usize;
        let patch = Self { run, src: 0, dst: 0, loops: Dims::new() };
        let mut building = Building { patch, src_stride: run, dst_strides, merging: true };
        let mut rest = ntile;
        let lens = grid.chunk.iter().zip(&grid.tile);
        let chunks = chunk.origin.iter().zip(&chunk.end);
        for (axis, ((&len, &tile), (&origin, &end))) in axes.iter().zip(lens.zip(chunks)).rev() {
            let tiles = cells(len, tile).max(1);
            let origin = origin + rest % tiles * tile;
            rest /= tiles;
            building.add(axis, origin..end.min(origin + tile))?;
            building.src_stride *= tile as usize;
        }
        building.patch.loops.reverse();
        Some(building.patch)
    }

    /// Bytes that are copied at once.
    pub(super) const fn run(&self) -> usize {
        self.run
    }

    pub(super) const fn starts(&self) -> Starts {
        Starts { tile: self.src, items: self.dst }
    }

    pub(super) fn loops(&self) -> &[Loop<'p>] {
        &self.loops
    }

    /// Clips the patch to the bytes `window` of the tile. False if nothing is left, or if the patch has loops.
    pub(super) fn clip(&mut self, window: Range<usize>) -> bool {
        let (from, to) = (self.src.max(window.start), (self.src + self.run).min(window.end));
        let some = self.loops.is_empty() && from < to;
        if some {
            self.dst += from - self.src;
            (self.run, self.src) = (to - from, from - window.start);
        }
        some
    }

    /// The byte of the tile after the last one that is taken.
    pub(crate) fn end(&self) -> usize {
        self.src.saturating_add_signed(self.inner(0).1)
    }

    /// The part to decode of a shuffled tile of `len` bytes, and where that goes. `None` if decoding all of it is about as cheap.
    pub(crate) fn pick(&self, planes: &Planes, len: usize) -> Option<(Pick, Self)> {
        let group = planes.count;
        // Only loops from group to group can be picked; what the others reach is decoded in one piece.
        let even = |outer: &&Loop<'_>| !outer.is_list() && outer.src % group as isize == 0;
        let most = self.loops.iter().take_while(even).count();
        let costs = (0..=most).map(|outer| (self.pick_cost(planes, outer), outer));
        let (cost, outer) = costs.min()?;
        if 4 * cost > 3 * planes.cost(1, len / group) {
            return None;
        }
        let row = self.row(group, outer);
        let mut pick = Pick::new(row.start / group, row.len() / group);
        let mut loops = self.loops[..outer].iter().rev();
        let fits = loops.all(|this| pick.repeat(this.count, this.src / group as isize));
        fits.then(|| (pick, self.picked(group, outer)))
    }

    fn pick_cost(&self, planes: &Planes, outer: usize) -> u64 {
        let (mut rows, mut row) = (1, self.row(planes.count, outer).len());
        for this in self.loops[..outer].iter().rev() {
            if rows == 1 && this.src == row as isize {
                row *= this.count;
            } else {
                rows *= this.count;
            }
        }
        planes.cost(rows, row / planes.count)
    }

    /// Where the inner loops start and end, in whole groups.
    fn row(&self, group: usize, outer: usize) -> Range<usize> {
        let (down, up) = self.inner(outer);
        let start = self.src.saturating_add_signed(down) / group * group;
        start..self.src.saturating_add_signed(up).next_multiple_of(group)
    }

    /// Adapts the patch to a tile of which only the picked bytes are left.
    fn picked(&self, group: usize, outer: usize) -> Self {
        let row = self.row(group, outer);
        let mut patch = Self { src: self.src - row.start, loops: self.loops.clone(), ..*self };
        let mut nbytes = row.len();
        for this in patch.loops[..outer].iter_mut().rev() {
            this.src = nbytes as isize;
            nbytes *= this.count;
        }
        patch
    }

    /// Where these bytes of the tile go, if all of them are taken and contiguous in the result.
    pub(crate) fn straight(&self, bytes: Range<usize>) -> Option<Range<usize>> {
        let whole = self.loops.is_empty() && self.src <= bytes.start && bytes.end <= self.src + self.run;
        whole.then(|| self.dst + bytes.start - self.src..self.dst + bytes.end - self.src)
    }

    /// Copies what lies in `bytes`, which begin `start` bytes after the tile's start, to `out`.
    ///
    /// # Errors
    /// `Format` (truncated) if `out` ends before.
    pub(crate) fn copy(&self, bytes: &[u8], start: usize, out: &mut [u8]) -> Result<()> {
        let (down, up) = self.inner(0);
        let whole = self.src as isize + down >= start as isize
            && self.src as isize + up <= (start + bytes.len()) as isize;
        if whole && !SMALL {
            self.copy_loops(&self.loops, self.src - start, self.dst, bytes, out);
            return Ok(());
        }
        let mut fits = true;
        self.walk(0, self.src, self.dst, start..start + bytes.len(), &mut |src, dst| {
            let from = src.max(start);
            let to = (src + self.run).min(start + bytes.len());
            if from < to {
                let bytes = slice_at(bytes, from - start, to - from);
                fits &= bytes.and_then(|bytes| put_at(out, dst + from - src, bytes)).is_ok();
            }
        });
        if fits { Ok(()) } else { Err(Error::truncated(self.dst, self.run, out.len())) }
    }

    /// Copies all runs without clipping.
    fn copy_loops(&self, loops: &[Loop<'_>], src: usize, dst: usize, bytes: &[u8], out: &mut [u8]) {
        let near = out.len() <= NEAR;
        match loops {
            [] => out[dst..dst + self.run].copy_from_slice(&bytes[src..src + self.run]),
            [last] => last.copy_runs(self.run, bytes, src, &mut out[dst..], near),
            [this, inner @ ..] => {
                for k in 0..this.count {
                    let src = src.wrapping_add_signed(this.src(k));
                    self.copy_loops(inner, src, dst + this.dst(k), bytes, out);
                }
            }
        }
    }

    /// Whether any of the tile's bytes in `window` are taken.
    #[cfg(not(feature = "small"))]
    pub(super) fn takes(&self, window: Range<usize>) -> bool {
        let mut found = false;
        self.walk(0, self.src, self.dst, window.clone(), &mut |src, _| {
            found |= src < window.end && src + self.run > window.start;
        });
        found
    }

    /// Calls `run(src, dst)` for all runs that may have bytes in `window` of the tile, and for few others.
    fn walk(
        &self,
        depth: usize,
        src: usize,
        dst: usize,
        window: Range<usize>,
        run: &mut dyn FnMut(usize, usize),
    ) {
        let Some(this) = self.loops.get(depth) else { return run(src, dst) };
        for k in self.reach(depth, src, &window) {
            let src = src.wrapping_add_signed(this.src(k));
            self.walk(depth + 1, src, dst + this.dst(k), window.clone(), run);
        }
    }

    /// How far the loops from `depth` on, run included, reach below and above their start.
    fn inner(&self, depth: usize) -> (isize, isize) {
        let reaches =
            self.loops.get(depth..).unwrap_or_default().iter().map(|inner| inner.src(inner.count - 1));
        reaches.fold((0, self.run as isize), |(down, up), reach| (down + reach.min(0), up + reach.max(0)))
    }

    /// The iterations of a loop in which the inner loops can reach `window`.
    fn reach(&self, depth: usize, src: usize, window: &Range<usize>) -> Range<usize> {
        let Some(&Loop { count, src: step, list, .. }) = self.loops.get(depth) else { return 0..0 };
        let (down, up) = self.inner(depth + 1);
        let (lo, hi) = (window.start as isize - up - src as isize, window.end as isize - down - src as isize);
        if let Some(positions) = list.positions() {
            let from_first = |at: &Extent| (at - positions[0]) as isize * step;
            let first = positions.partition_point(|at| from_first(at) <= lo);
            return first..positions.partition_point(|at| from_first(at) < hi).max(first);
        }
        // Iterations `k` with lo < k * step < hi. A negative step mirrors the bounds.
        let (lo, hi) = if step < 0 { (-hi, -lo) } else { (lo, hi) };
        let step = step.unsigned_abs().max(1);
        let first = if lo < 0 { 0 } else { lo as usize / step + 1 };
        let end = if hi <= 0 { 0 } else { (hi as usize).div_ceil(step) };
        first.min(count)..end.min(count)
    }
}

impl Loop<'_> {
    const fn is_list(&self) -> bool {
        self.list.positions().is_some()
    }

    /// Offset of iteration `k` in the tile, from the first.
    pub(super) fn src(&self, k: usize) -> isize {
        match self.list.positions() {
            Some(positions) => (positions[k] - positions[0]) as isize * self.src,
            None => self.src * k as isize,
        }
    }

    /// Offset of iteration `k` in the result, from the first.
    pub(super) fn dst(&self, k: usize) -> usize {
        match self.list.order() {
            [] => self.dst * k,
            order => order[k] as usize * self.dst,
        }
    }

    /// Copies `count` runs of `len` bytes. Items of common sizes are copied as such: a call for each would take
    /// longer than the copy.
    fn copy_runs(&self, len: usize, bytes: &[u8], src: usize, out: &mut [u8], near: bool) {
        match (len, usize::try_from(self.src)) {
            _ if SMALL || self.is_list() => self.copy_any(len, bytes, src, out),
            (1, Ok(step)) => self.copy_items::<1>(step, &bytes[src..], out),
            (2, Ok(step)) => self.copy_items::<2>(step, &bytes[src..], out),
            (4, Ok(step)) => self.copy_items::<4>(step, &bytes[src..], out),
            (8, Ok(step)) => self.copy_items::<8>(step, &bytes[src..], out),
            (16, Ok(step)) => self.copy_items::<16>(step, &bytes[src..], out),
            (32, Ok(step)) if near => self.copy_items::<32>(step, &bytes[src..], out),
            (64, Ok(step)) if near => self.copy_items::<64>(step, &bytes[src..], out),
            (128, Ok(step)) if near => self.copy_items::<128>(step, &bytes[src..], out),
            _ => self.copy_any(len, bytes, src, out),
        }
    }

    fn copy_any(&self, len: usize, bytes: &[u8], src: usize, out: &mut [u8]) {
        for k in 0..self.count {
            let src = src.wrapping_add_signed(self.src(k));
            out[self.dst(k)..][..len].copy_from_slice(&bytes[src..src + len]);
        }
    }

    fn copy_items<const N: usize>(&self, step: usize, bytes: &[u8], out: &mut [u8]) {
        let (mut from, mut to) = (0, 0);
        for _ in 0..self.count {
            let item = bytes.get(from..).and_then(|rest| rest.first_chunk::<N>());
            let room = out.get_mut(to..).and_then(|rest| rest.first_chunk_mut::<N>());
            let (Some(item), Some(room)) = (item, room) else { return };
            *room = *item;
            from += step;
            to += self.dst;
        }
    }
}
