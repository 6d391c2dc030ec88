//! The parts of an array that are read.

use b2nd::{Index, Selection};

use crate::data::Random;
use crate::error::Result;
use crate::reference::Array;

/// The kinds of parts read from every array.
pub const KINDS: &[Kind] = &[
    Kind::Plane(0),
    Kind::Plane(1),
    Kind::Plane(2),
    Kind::Plane(3),
    Kind::Plane(4),
    Kind::Cube,
    Kind::Item,
    Kind::Strided,
    Kind::Whole,
];

#[derive(Clone, Copy)]
pub enum Kind {
    /// All items at one position of an axis.
    Plane(usize),
    /// 10 items along each axis.
    Cube,
    Item,
    /// Every third item along each axis, in a box of half the length.
    Strided,
    Whole,
}

/// A part, in the forms that both sides need.
pub struct Part {
    pub selection: Selection,
    pub nbytes: usize,
    start: Vec<i64>,
    stop: Vec<i64>,
    step: usize,
    itemsize: usize,
    /// Bytes that the reference reads: the bounding box, since it does not support steps.
    pub box_nbytes: usize,
}

impl Kind {
    pub fn name(&self) -> String {
        match self {
            Self::Plane(axis) => format!("plane across axis {axis}"),
            Self::Cube => "cube of 10".into(),
            Self::Item => "one item".into(),
            Self::Strided => "every third in half".into(),
            Self::Whole => "whole".into(),
        }
    }

    /// An axis that the array must have.
    pub const fn axis(&self) -> Option<usize> {
        if let Self::Plane(axis) = self { Some(*axis) } else { None }
    }

    /// Several parts of equal size, spread over the array.
    pub fn parts(&self, shape: &[u64], itemsize: usize) -> Vec<Part> {
        let mut random = Random::new(7);
        let count = match self {
            Self::Plane(_) => 3,
            Self::Cube => 16,
            Self::Item => 64,
            Self::Strided | Self::Whole => 1,
        };
        (0..count).map(|_| self.part(shape, itemsize, &mut random)).collect()
    }

    fn part(&self, shape: &[u64], itemsize: usize, random: &mut Random) -> Part {
        let step = if matches!(self, Self::Strided) { 3 } else { 1 };
        let ranges = shape.iter().enumerate().map(|(axis, &len)| {
            let wanted = match self {
                Self::Plane(across) if *across == axis => 1,
                Self::Plane(_) | Self::Whole => len,
                Self::Cube => len.min(10),
                Self::Item => 1,
                Self::Strided => len / 2,
            };
            let start = random.below(len - wanted + 1);
            (start as i64, (start + wanted) as i64)
        });
        let (start, stop): (Vec<i64>, Vec<i64>) = ranges.unzip();
        let lens = || start.iter().zip(&stop).map(|(start, stop)| (stop - start) as usize);
        let index = |(&start, &stop): (&i64, &i64)| Index::Range {
            start: Some(start),
            stop: Some(stop),
            step: step as i64,
        };
        Part {
            selection: Selection(start.iter().zip(&stop).map(index).collect()),
            nbytes: lens().map(|len| len.div_ceil(step)).product::<usize>() * itemsize,
            box_nbytes: lens().product::<usize>() * itemsize,
            step,
            itemsize,
            start,
            stop,
        }
    }
}

impl Part {
    /// Reads a part with the reference: the box, from which strided items are then picked.
    pub fn read(&self, array: &Array<'_>, boxed: &mut [u8], picked: &mut [u8]) -> Result {
        array.slice(&self.start, &self.stop, boxed)?;
        if self.step > 1 {
            let lens: Vec<usize> =
                self.start.iter().zip(&self.stop).map(|(start, stop)| (stop - start) as usize).collect();
            self.pick(&lens, boxed, &mut picked.chunks_exact_mut(self.itemsize));
        }
        Ok(())
    }

    /// Where [`read`](Self::read) left the items.
    pub fn result<'a>(&self, boxed: &'a [u8], picked: &'a [u8]) -> &'a [u8] {
        if self.step > 1 { picked } else { boxed }
    }

    fn pick<'a>(&self, lens: &[usize], boxed: &[u8], picked: &mut impl Iterator<Item = &'a mut [u8]>) {
        let [len, inner @ ..] = lens else { return };
        for slab in boxed.chunks_exact(boxed.len() / len).step_by(self.step) {
            if inner.is_empty() {
                picked.next().expect("as many as were counted").copy_from_slice(slab);
            } else {
                self.pick(inner, slab, picked);
            }
        }
    }
}
