//! Cutting chunks into pieces that decode in a short time.

use super::Dims;
use super::cover::{ChunkBox, Cover};
use super::reading::{ChunkTask, Plan};
use crate::base::{Result, wide};
use alloc::vec::Vec;
use core::ops::Range;

/// A box of a chunk that consists of whole blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece(ChunkBox);

impl Plan {
    /// Cuts a chunk into pieces that have no block in common, and tells those that the selection touches, in C order. A
    /// piece has blocks of `blocksize` bytes that are `most` bytes together, or one block that is longer. A chunk whose
    /// blocks are no boxes of the array is one piece.
    pub fn pieces(&self, task: &ChunkTask, blocksize: u32, most: u64) -> Vec<Piece> {
        let Some(mut lens) = self.block_lens(blocksize).filter(|_| task.nbytes() > most) else {
            return Vec::from([Piece(task.chunk.clone())]);
        };
        // From the last axis on, as many blocks as there is room for.
        let mut room = most / u64::from(blocksize).max(1);
        for (axis, len) in lens.iter_mut().enumerate().rev() {
            let blocks = wide(self.grid.chunk[axis].div_ceil(*len));
            *len *= blocks.min(room.max(1));
            room /= blocks.max(1);
        }
        let cells = Cover::of_chunk(&self.axes, &task.chunk, &lens);
        let window = |position: Dims<u64>| {
            let mut window = task.chunk.clone();
            for (axis, at) in position.iter().enumerate() {
                window.origin[axis] += at * lens[axis];
                window.end[axis] = window.end[axis].min(window.origin[axis] + lens[axis]);
            }
            Piece(window)
        };
        cells.map(window).collect()
    }

    /// The part of the plan within a piece, as [`part`](Self::part) tells it of a chunk.
    ///
    /// # Errors
    /// Errors of planning.
    pub fn part_within(&self, piece: &Piece) -> Result<(Self, Vec<Range<u64>>)> {
        self.part_of_box(&piece.0)
    }
}
