//! NumPy's basic indexing, item by item: what selections are compared with.

use b2nd::Index;

/// The indices of a selection in text.
pub(crate) fn indices(text: &str) -> Vec<Index> {
    text.split(',').map(str::trim).filter(|axis| !axis.is_empty()).map(index).collect()
}

fn index(axis: &str) -> Index {
    let bounds: Vec<Option<i64>> = axis.split(':').map(|bound| bound.trim().parse().ok()).collect();
    match bounds[..] {
        _ if axis == "..." => Index::Ellipsis,
        [at] => Index::At(at.expect("a number")),
        [start, stop] => Index::Range { start, stop, step: 1 },
        [start, stop, step] => Index::Range { start, stop, step: step.unwrap_or(1) },
        _ => panic!("{axis} is no index"),
    }
}

/// The positions of all items that a selection takes, in Python's way and one by one.
pub(crate) fn positions(selection: &[Index], shape: &[u64]) -> Vec<Vec<u64>> {
    let given = selection.iter().filter(|index| **index != Index::Ellipsis).count();
    let at = selection.iter().position(|index| *index == Index::Ellipsis).unwrap_or(given);
    let mut indices = selection.to_vec();
    indices.retain(|index| *index != Index::Ellipsis);
    indices.splice(at..at, vec![Index::ALL; shape.len() - given]);
    let mut positions = vec![Vec::new()];
    for (index, &len) in indices.iter().zip(shape) {
        let taken = coordinates(index, len as i64);
        let longer = |position: &Vec<u64>| -> Vec<Vec<u64>> {
            taken.iter().map(|&at| [&position[..], &[at]].concat()).collect()
        };
        positions = positions.iter().flat_map(longer).collect();
    }
    positions
}

fn coordinates(index: &Index, len: i64) -> Vec<u64> {
    let from_start = |at: i64| if at < 0 { at + len } else { at };
    let (mut at, stop, step) = match *index {
        Index::At(at) => (from_start(at), from_start(at) + 1, 1),
        Index::Range { start, stop, step } if step > 0 => {
            (start.map_or(0, from_start).max(0), stop.map_or(len, from_start).min(len), step)
        }
        Index::Range { start, stop, step } => {
            (start.map_or(len - 1, from_start).min(len - 1), stop.map_or(-1, from_start).max(-1), step)
        }
        ref other => unreachable!("{other:?} is replaced"),
    };
    let mut taken = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        taken.push(at as u64);
        at += step;
    }
    taken
}

/// The number, in C order, of a position in a box.
pub(crate) fn number(position: &[u64], lens: &[u64]) -> u64 {
    position.iter().zip(lens).fold(0, |number, (at, len)| number * len + at)
}
