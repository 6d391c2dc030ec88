//! Which axes of an array a picture shows: the rules of the viewer (`www/viewer/model/suggest.ts`).

use b2nd::array::{Dtype, Kind};

/// A picture, and the axes that it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// A plane in the colours of a map.
    Plane { x: usize, y: usize },
    /// Colours that are stored, along `z`.
    Colours { x: usize, y: usize, z: usize },
    /// Lines along `x`, one for each position along `y`.
    Lines { x: usize, y: Option<usize> },
}

/// Two-dimensional arrays with at most so many rows are lines.
const MOST_LINES: u64 = 8;

impl Shown {
    /// The picture of an array whose items can be drawn; none of one that has no two items.
    pub(super) fn of(shape: &[u64], dtype: &Dtype) -> Option<Self> {
        let long = shape.iter().filter(|&&len| len > 1).count();
        if long == 0 || shape.contains(&0) {
            return None;
        }
        let (least, most) = (shape.iter().min()?, shape.iter().max()?);
        let are_lines = shape.len() == 2 && *least <= MOST_LINES && *most > 64;
        if long == 1 || are_lines || matches!(dtype.kind(), Kind::Struct { .. }) {
            return Some(Self::lines(shape));
        }
        if is_photograph(shape, dtype) {
            let z = shape.len() - 1;
            let (x, y) = plane(shape, &[z]);
            return Some(Self::Colours { x, y, z });
        }
        let (x, y) = plane(shape, &[]);
        Some(Self::Plane { x, y })
    }

    fn lines(shape: &[u64]) -> Self {
        let x = next(shape, &[]);
        let few = |axis: &usize| *axis != x && (2..=MOST_LINES).contains(&shape[*axis]);
        let y = if shape.len() == 2 { (0..2).rev().find(few) } else { None };
        Self::Lines { x, y }
    }

    /// The axes that are read whole, in the order of the array.
    pub(super) fn axes(self) -> Vec<usize> {
        let mut axes = match self {
            Self::Plane { x, y } => vec![y, x],
            Self::Colours { x, y, z } => vec![y, x, z],
            Self::Lines { x, y } => y.into_iter().chain([x]).collect(),
        };
        axes.sort_unstable();
        axes
    }
}

/// Whether these are certainly colours: small integers with three or four along the last axis.
fn is_photograph(shape: &[u64], dtype: &Dtype) -> bool {
    let is_colour = matches!(dtype.kind(), Kind::Uint) && dtype.itemsize() <= 2;
    is_colour && shape.len() >= 3 && matches!(shape.last(), Some(3 | 4))
}

fn plane(shape: &[u64], taken: &[usize]) -> (usize, usize) {
    let x = next(shape, taken);
    (x, next(shape, &[taken, &[x]].concat()))
}

/// The last axis that is free, rather one with several positions.
fn next(shape: &[u64], taken: &[usize]) -> usize {
    let free = || (0..shape.len()).rev().filter(|axis| !taken.contains(axis));
    free().find(|&axis| shape[axis] > 1).or_else(|| free().next()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_those_of_the_viewer() {
        let [byte, float] = [Dtype::of::<u8>(), Dtype::of::<f32>()];
        let plane = |x, y| Some(Shown::Plane { x, y });
        assert_eq!(Shown::of(&[12, 30, 40], &float), plane(2, 1));
        assert_eq!(Shown::of(&[12, 30, 1], &float), plane(1, 0));
        assert_eq!(Shown::of(&[30, 40, 3], &float), plane(2, 1));
        assert_eq!(Shown::of(&[30, 40, 3], &byte), Some(Shown::Colours { x: 1, y: 0, z: 2 }));
        assert_eq!(Shown::of(&[100], &float), Some(Shown::Lines { x: 0, y: None }));
        assert_eq!(Shown::of(&[1, 100, 1], &float), Some(Shown::Lines { x: 1, y: None }));
        assert_eq!(Shown::of(&[3, 100], &float), Some(Shown::Lines { x: 1, y: Some(0) }));
        assert_eq!(Shown::of(&[100, 3], &float), Some(Shown::Lines { x: 1, y: None }));
        assert_eq!(Shown::of(&[8, 8], &float), plane(1, 0));
        for shape in [&[][..], &[1, 1], &[3, 0]] {
            assert_eq!(Shown::of(shape, &float), None);
        }
    }
}
