//! The chunks and blocks of an array as boxes of its items.

use super::cover::{count, ravel, unravel};
use super::grid::Grid;
use super::{Dims, Selection};
use alloc::vec::Vec;
use core::ops::Range;

/// A chunk or a block as a box of the array's items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its number: that of a chunk in the frame, that of a block in its chunk.
    pub number: u64,
    /// Its position in the grid of chunks, or in the grid of the chunk's blocks; a number for each axis.
    pub position: Vec<u64>,
    /// Its items along each axis of the array. Padding, in which a chunk or block may end, is not included.
    pub items: Vec<Range<u64>>,
}

impl Region {
    /// Selects its items.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let chunk = array.chunks().last().expect("a chunk");
    /// assert_eq!(array.read::<f32>(chunk.selection())?.shape(), chunk.shape());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn selection(&self) -> Selection {
        Selection::of_ranges(&self.items)
    }

    /// Its items along each axis.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let chunk = array.chunks().last().expect("a chunk");
    /// assert_eq!(chunk.shape().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape(&self) -> Vec<u64> {
        self.items.iter().map(|items| items.end - items.start).collect()
    }
}

/// The chunks of an array, or the blocks of a chunk that hold items, in C order.
#[derive(Debug, Clone)]
pub struct Regions {
    /// The first item, and the end, of what is divided.
    origin: Dims<u64>,
    end: Dims<u64>,
    /// Its items along each axis, without and with padding.
    lens: Dims<u64>,
    padded: Dims<u64>,
    /// Items of a part along each axis.
    part: Dims<u64>,
    left: Range<u64>,
}

impl Regions {
    fn new(origin: Dims<u64>, end: Dims<u64>, padded: Dims<u64>, part: Dims<u64>) -> Self {
        let lens: Dims<u64> = end.iter().zip(&origin).map(|(end, origin)| end - origin).collect();
        let left = 0..count(&lens, &part).unwrap_or(0);
        Self { origin, end, lens, padded, part, left }
    }

    fn region(&self, at: u64) -> Region {
        let position = unravel(at, &self.lens, &self.part);
        let items = position.iter().enumerate().map(|(axis, at)| {
            let start = self.origin[axis] + at * self.part[axis];
            start..(start + self.part[axis]).min(self.end[axis])
        });
        let items = items.collect();
        let number = ravel(&position, &self.padded, &self.part);
        Region { number, position: position.to_vec(), items }
    }
}

impl Iterator for Regions {
    type Item = Region;

    fn next(&mut self) -> Option<Region> {
        self.left.next().map(|at| self.region(at))
    }

    fn nth(&mut self, n: usize) -> Option<Region> {
        self.left.nth(n).map(|at| self.region(at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl Grid {
    /// The chunks of an array.
    pub(crate) fn chunks(&self) -> Regions {
        let shape = &self.shape;
        Regions::new(super::dims(0, shape.len()), shape.clone(), shape.clone(), self.chunk.clone())
    }

    /// The tiles of a chunk that hold items.
    pub(crate) fn tiles(&self, nchunk: u64) -> Option<Regions> {
        let chunk = self.chunk_box(nchunk)?;
        Some(Regions::new(chunk.origin, chunk.end, self.chunk.clone(), self.tile.clone()))
    }
}
