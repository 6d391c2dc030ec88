//! Plans against the plain way: an array in memory, cut into chunks item by item, and indexed item by item.

use super::grid::Grid;
use super::{ChunkTask, Dims, Index, Plan, Points, Selection};
use crate::chunk::Planes;
use crate::simd;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

/// xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

type Transpose = fn(usize, &[u8], &mut [u8]);

struct Case {
    /// Blocks that could be decoded in part.
    parts: Cell<u32>,
    grid: Grid,
    selection: Selection,
    /// The array's items in C order.
    items: Vec<u8>,
}

fn position(mut number: u64, lens: &[u64]) -> Vec<u64> {
    let mut position = vec![0; lens.len()];
    for axis in (0..lens.len()).rev() {
        position[axis] = number % lens[axis];
        number /= lens[axis];
    }
    position
}

fn number(position: &[u64], lens: &[u64]) -> u64 {
    position.iter().zip(lens).fold(0, |number, (at, len)| number * len + at)
}

fn grid(shape: Dims<u64>, chunk: Dims<u64>, tile: Dims<u64>, itemsize: u64) -> crate::Result<Grid> {
    let mut grid = Grid::new(itemsize, true);
    (grid.shape, grid.chunk, grid.tile) = (shape, chunk, tile);
    grid.check().map(|()| grid)
}

/// The positions that an index takes of an axis, as Python counts.
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
        Index::Ellipsis | Index::Points(_) => unreachable!("no range"),
    };
    let mut taken = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        taken.push(at as u64);
        at += step;
    }
    taken
}

/// The positions of points in axes of these lengths.
fn along(points: &Points, lens: &[u64]) -> Vec<Vec<u64>> {
    let position = |(&at, &len): (&i64, &u64)| if at < 0 { (at + len as i64) as u64 } else { at as u64 };
    points.iter().map(|point| point.iter().zip(lens).map(position).collect()).collect()
}

/// Points, or a mask.
fn points(random: &mut Random, shape: &[u64]) -> Points {
    if random.below(3) == 0 {
        let mask: Vec<bool> = (0..shape.iter().product()).map(|_| random.below(4) == 0).collect();
        return Points::of_mask(shape, &mask).unwrap();
    }
    let mut point = || shape.iter().map(|&len| random.below(2 * len) as i64 - len as i64).collect::<Vec<_>>();
    let positions = (0..shape.len() * 2).flat_map(|_| point()).collect();
    Points::new(shape.len(), positions).unwrap()
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let ndim = random.below(5) as usize;
        let mut lens = |most: u64| -> Dims<u64> { (0..ndim).map(|_| 1 + random.below(most)).collect() };
        let (shape, chunk, tile) = (lens(9), lens(6), lens(4));
        let tile: Dims<u64> = tile.iter().zip(&chunk).map(|(tile, chunk)| *tile.min(chunk)).collect();
        let itemsize = 1 + random.below(5);
        let index = |random: &mut Random, len: u64| match random.below(6) {
            0 => Index::At(random.below(len) as i64 - if random.below(2) == 0 { len as i64 } else { 0 }),
            1 => Index::ALL,
            2 => {
                let mut positions: Vec<i64> =
                    (0..random.below(7)).map(|_| random.below(len) as i64).collect();
                match random.below(4) {
                    0 => positions.iter_mut().for_each(|at| *at -= len as i64 * (*at % 2)),
                    1 => {}
                    _ => positions.sort_unstable(),
                }
                Index::list(positions)
            }
            3 => Index::mask(&(0..len).map(|_| random.below(3) > 0).collect::<Vec<_>>()),
            _ => {
                let mut bound = || Some(random.below(2 * len) as i64 - len as i64).filter(|at| at % 3 != 0);
                let (start, stop) = (bound(), bound());
                let step = [1, 1, 2, 3, -1, -2][random.below(6) as usize];
                Index::Range { start, stop, step }
            }
        };
        let mut selection = Selection(shape.iter().map(|&len| index(random, len)).collect());
        // Points in some axes.
        if ndim > 1 && random.below(4) == 0 {
            let first = random.below(ndim as u64) as usize;
            let axes = first..first + 1 + random.below((ndim - first) as u64) as usize;
            let points = points(random, &shape[axes.clone()]);
            selection.0.splice(axes, [Index::Points(points)]);
        }
        let nbytes = shape.iter().product::<u64>() * itemsize;
        let items = (0..nbytes).map(|_| random.below(256) as u8).collect();
        Self { grid: grid(shape, chunk, tile, itemsize).unwrap(), selection, items, parts: Cell::new(0) }
    }

    fn item(&self, at: &[u64]) -> &[u8] {
        let size = self.grid.itemsize as usize;
        &self.items[number(at, &self.grid.shape) as usize * size..][..size]
    }

    /// Chunk `nchunk` as it is stored: tile after tile, padded.
    fn chunk(&self, nchunk: u64) -> Vec<u8> {
        let Grid { shape, chunk, tile, itemsize, .. } = &self.grid;
        let chunks: Vec<u64> = shape.iter().zip(chunk).map(|(shape, chunk)| shape.div_ceil(*chunk)).collect();
        let origin = position(nchunk, &chunks);
        let tiles: Vec<u64> = chunk.iter().zip(tile).map(|(chunk, tile)| chunk.div_ceil(*tile)).collect();
        let mut bytes = Vec::new();
        for ntile in 0..tiles.iter().product() {
            for inner in 0..tile.iter().product() {
                let (outer, inner) = (position(ntile, &tiles), position(inner, tile));
                let local: Vec<u64> =
                    (0..tile.len()).map(|axis| outer[axis] * tile[axis] + inner[axis]).collect();
                let at: Vec<u64> =
                    (0..tile.len()).map(|axis| origin[axis] * chunk[axis] + local[axis]).collect();
                let inside = (0..tile.len()).all(|axis| local[axis] < chunk[axis] && at[axis] < shape[axis]);
                bytes.extend(if inside { self.item(&at).to_vec() } else { vec![0xee; *itemsize as usize] });
            }
        }
        bytes
    }

    /// The positions of the items that the selection takes, in C order.
    fn taken(&self) -> Vec<Vec<u64>> {
        let mut taken = vec![Vec::new()];
        for index in &self.selection.0 {
            let axis = self.axis_of(index);
            let along: Vec<Vec<u64>> = match index {
                Index::Points(points) => along(points, &self.grid.shape[axis..]),
                _ => {
                    coordinates(index, self.grid.shape[axis] as i64).into_iter().map(|at| vec![at]).collect()
                }
            };
            let longer = |at: &Vec<u64>| -> Vec<Vec<u64>> {
                along.iter().map(|next| [&at[..], next].concat()).collect()
            };
            taken = taken.iter().flat_map(longer).collect();
        }
        taken
    }

    /// The first axis that an index is for.
    fn axis_of(&self, index: &Index) -> usize {
        let before = self.selection.0.iter().take_while(|other| !core::ptr::eq(*other, index));
        before.map(|index| if let Index::Points(points) = index { points.ndim() } else { 1 }).sum()
    }

    fn expected(&self) -> Vec<u8> {
        self.taken().iter().flat_map(|at| self.item(at).to_vec()).collect()
    }

    /// The chunks that the selection touches, and where in them, in bytes, its items start.
    fn touched(&self) -> BTreeMap<u64, BTreeSet<u64>> {
        let Grid { shape, chunk, tile, itemsize, .. } = &self.grid;
        let cells = |outer: &[u64], inner: &[u64]| -> Vec<u64> {
            outer.iter().zip(inner).map(|(outer, inner)| outer.div_ceil(*inner)).collect()
        };
        let apart = |at: &[u64], cell: &[u64]| -> (Vec<u64>, Vec<u64>) {
            at.iter().zip(cell).map(|(at, cell)| (at / cell, at % cell)).unzip()
        };
        let (chunks, tiles) = (cells(shape, chunk), cells(chunk, tile));
        let mut touched: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for at in self.taken() {
            let (outer, within) = apart(&at, chunk);
            let (ntile, within) = apart(&within, tile);
            let item = number(&ntile, &tiles) * tile.iter().product::<u64>() + number(&within, tile);
            touched.entry(number(&outer, &chunks)).or_default().insert(item * itemsize);
        }
        touched
    }

    /// Checks that a block decoded in part gives what the whole gives; false if it cannot be decoded in part.
    fn read_part(
        &self,
        plan: &Plan,
        task: &ChunkTask,
        range: Range<usize>,
        plain: &[u8],
        out: &mut [u8],
    ) -> bool {
        let itemsize = self.grid.itemsize as usize;
        let Some(patch) = plan.patch_of(task, range.clone()) else { return false };
        let mut any = false;
        for (planes, unit) in [(Planes::of_bytes(itemsize), 1), (Planes::of_bits(itemsize), 8)] {
            if !plain.len().is_multiple_of(planes.count) {
                continue;
            }
            let Some((pick, patch)) = patch.pick(&planes, plain.len()) else { continue };
            let (mut shuffled, mut whole) = (vec![0; plain.len()], out.to_vec());
            let (shuffle, unshuffle): (Transpose, Transpose) = match unit {
                1 => (simd::shuffle, simd::unshuffle),
                _ => (simd::bitshuffle, simd::bitunshuffle),
            };
            shuffle(itemsize, plain, &mut shuffled);
            let mut picked = vec![0; pick.len() * planes.count];
            let len = plain.len() / planes.count;
            for (plane, picked) in shuffled.chunks(len).zip(picked.chunks_mut(pick.len())) {
                pick.copy(plane, picked);
            }
            let mut part = vec![0; picked.len()];
            unshuffle(itemsize, &picked, &mut part);
            let mut from_part = whole.clone();
            patch.copy(&part, 0, &mut from_part).unwrap();
            plan.patch_of(task, range.clone()).unwrap().copy(plain, 0, &mut whole).unwrap();
            assert_eq!(from_part, whole, "{pick:?} of {planes:?}");
            any = true;
        }
        any
    }

    /// Whether all lists ascend; only then what a plan takes of a chunk is a box of the result.
    fn ascends(&self, plan: &Plan) -> bool {
        let all = self.selection.0.iter().all(|index| match index {
            Index::Points(points) if points.ndim() > 1 => false,
            Index::Points(points) => along(points, &self.grid.shape[self.axis_of(index)..]).is_sorted(),
            _ => true,
        });
        let parts = plan.chunks().map(|task| plan.part(&task)).collect::<Result<Vec<_>, _>>();
        assert!(parts.is_ok() || !all);
        parts.is_ok()
    }

    /// Reads a part of a plan to its place in the result.
    fn put(&self, plan: &Plan, (part, place): (Plan, Vec<Range<u64>>), out: &mut [u8]) {
        let itemsize = self.grid.itemsize as usize;
        let lens: Vec<u64> = place.iter().map(|range| range.end - range.start).collect();
        assert_eq!(part.shape(), lens[..]);
        for (k, item) in self.read(&part, self.grid.tile_nbytes()).chunks_exact(itemsize).enumerate() {
            let at: Vec<u64> =
                position(k as u64, &lens).iter().zip(&place).map(|(k, range)| k + range.start).collect();
            out[number(&at, &plan.shape()) as usize * itemsize..][..itemsize].copy_from_slice(item);
        }
    }

    /// Reads as a driver would, from blocks of `blocksize` bytes.
    fn read(&self, plan: &Plan, blocksize: usize) -> Vec<u8> {
        let mut out = vec![0x55; plan.nbytes()];
        for task in plan.chunks() {
            let chunk = self.chunk(task.nchunk());
            assert_eq!(chunk.len() as u64, task.nbytes());
            let wanted: Vec<_> = plan.blocks(&task, blocksize as u32).collect();
            assert!(
                !wanted.is_empty() && wanted.is_sorted_by(|a, b| a < b),
                "a chunk is touched for its blocks"
            );
            for (nblock, plain) in chunk.chunks(blocksize).enumerate() {
                let start = nblock * blocksize;
                let range = start..start + plain.len();
                if self.read_part(plan, &task, range, plain, &mut out) {
                    self.parts.set(self.parts.get() + 1);
                }
                if !wanted.contains(&(nblock as u32)) {
                    let before = out.clone();
                    plan.place(&task, start, plain, &mut out).unwrap();
                    assert_eq!(out, before, "block {nblock} was not wanted and yet has items");
                } else if let Some(place) = plan.straight(&task, start..start + plain.len()) {
                    out[place].copy_from_slice(plain);
                } else {
                    plan.place(&task, start, plain, &mut out).unwrap();
                }
            }
        }
        out
    }
}

#[test]
#[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
fn plans_read_what_is_selected() {
    let mut random = Random(0x5eed);
    let mut in_part = 0;
    for round in 0..1500 {
        let case = Case::new(&mut random);
        let plan = Plan::new(&case.grid, &case.selection.0).unwrap();
        let expected = case.expected();
        let tile = case.grid.tile_nbytes();
        let odd = 1 + random.below(2 * tile as u64) as usize;
        for blocksize in [tile, odd] {
            assert_eq!(
                case.read(&plan, blocksize),
                expected,
                "round {round}, blocks of {blocksize}: {:?}",
                case.grid
            );
        }
        let mut seen = Vec::new();
        let count = 1 + random.below(4) as usize;
        let shares = if round % 2 == 0 { plan.shares(count) } else { plan.shares_of_chunks(count) };
        let shares = shares.into_iter().flat_map(|share| {
            for task in share.chunks() {
                for nblock in share.blocks(&task, tile as u32) {
                    assert!(
                        !seen.contains(&(task.nchunk(), nblock)),
                        "round {round}: two shares have a block in common"
                    );
                    seen.push((task.nchunk(), nblock));
                }
            }
            case.read(&share, tile)
        });
        assert_eq!(shares.collect::<Vec<_>>(), expected, "round {round}, in shares");
        in_part += case.parts.get();
        let parts = plan.parts(odd).flat_map(|part| case.read(&part, tile));
        assert_eq!(parts.collect::<Vec<_>>(), expected, "round {round}, in parts of {odd}");
    }
    assert!(in_part > 1000, "{in_part} blocks decoded in part");
}

#[test]
#[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
fn chunks_can_be_read_apart() {
    let mut random = Random(0xa9a7);
    for round in 0..300 {
        let case = Case::new(&mut random);
        let plan = Plan::new(&case.grid, &case.selection.0).unwrap();
        let mut out = vec![0x55; plan.nbytes()];
        let mut touched = Vec::new();
        if !case.ascends(&plan) {
            continue;
        }
        for task in plan.chunks() {
            assert_eq!(plan.chunk(task.nchunk()), Some(task.clone()));
            case.put(&plan, plan.part(&task).unwrap(), &mut out);
            touched.push(task.nchunk());
        }
        assert_eq!(out, case.expected(), "round {round}");
        let others = (0..case.grid.nchunks() + 2).filter(|nchunk| !touched.contains(nchunk));
        others.for_each(|nchunk| assert_eq!(plan.chunk(nchunk), None, "round {round}"));
    }
}

#[test]
#[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
fn chunks_of_a_row_can_be_read_together() {
    let mut random = Random(0x20e5);
    let mut longest = 0;
    for round in 0..300 {
        let case = Case::new(&mut random);
        let plan = Plan::new(&case.grid, &case.selection.0).unwrap();
        let row = case.grid.shape.last().map_or(1, |len| len.div_ceil(*case.grid.chunk.last().unwrap()));
        let mut out = vec![0x55; plan.nbytes()];
        let tasks: Vec<ChunkTask> = plan.chunks().collect();
        if !case.ascends(&plan) {
            continue;
        }
        for tasks in tasks.chunk_by(|a, b| a.nchunk() + 1 == b.nchunk() && b.nchunk() % row > 0) {
            let mut chunk = tasks[0].clone();
            for task in tasks {
                assert_eq!(&chunk, task, "round {round}");
                plan.advance(&mut chunk);
            }
            case.put(&plan, plan.part_of_row(&tasks[0], tasks.last().unwrap()).unwrap(), &mut out);
            longest = longest.max(tasks.len());
        }
        assert_eq!(out, case.expected(), "round {round}");
    }
    assert!(longest > 2);
}

#[test]
#[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
fn chunks_and_blocks_are_counted_and_found_from_anywhere() {
    let mut random = Random(0xc0de);
    for round in 0..500 {
        let case = Case::new(&mut random);
        let plan = Plan::new(&case.grid, &case.selection.0).unwrap();
        let expected = case.touched();
        let touched: Vec<_> = plan.chunks().collect();
        assert!(touched.iter().map(ChunkTask::nchunk).eq(expected.keys().copied()), "round {round}");
        assert_eq!(plan.count_chunks(), expected.len() as u64, "round {round}");
        for from in 0..case.grid.nchunks() + 2 {
            let left = touched.iter().filter(|task| task.nchunk() >= from).cloned();
            assert!(plan.chunks_from(from).eq(left), "round {round}, from {from}");
        }
        for blocksize in [case.grid.tile_nbytes() as u32, 1 + random.below(9) as u32] {
            for task in &touched {
                let (size, itemsize) = (u64::from(blocksize), case.grid.itemsize);
                let starts = &expected[&task.nchunk()];
                let wanted = starts.iter().flat_map(|start| start / size..=(start + itemsize - 1) / size);
                let wanted: BTreeSet<u64> = wanted.collect();
                let blocks: Vec<u64> = plan.blocks(task, blocksize).map(u64::from).collect();
                assert!(blocks.iter().eq(&wanted), "round {round}: {blocks:?}, not {wanted:?}");
                assert_eq!(plan.count_blocks(task, blocksize), wanted.len() as u64, "round {round}");
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
fn chunks_can_be_read_in_pieces() {
    let mut random = Random(0x91ece5);
    let mut cut = 0;
    for round in 0..300 {
        let case = Case::new(&mut random);
        let plan = Plan::new(&case.grid, &case.selection.0).unwrap();
        let tile = case.grid.tile_nbytes();
        let (itemsize, most) = (case.grid.itemsize as usize, tile as u64 * (1 + random.below(6)));
        let mut out = vec![0x55; plan.nbytes()];
        if !case.ascends(&plan) {
            continue;
        }
        for task in plan.chunks() {
            let mut seen = Vec::new();
            let pieces = plan.pieces(&task, tile as u32, most);
            cut += usize::from(pieces.len() > 1);
            for piece in &pieces {
                let (part, place) = plan.part_within(piece).unwrap();
                let blocks: Vec<u32> = part.blocks(&task, tile as u32).collect();
                assert!(blocks.len() as u64 * tile as u64 <= most, "round {round}: a piece is too large");
                assert!(!blocks.iter().any(|nblock| seen.contains(nblock)), "round {round}: a block twice");
                seen.extend(blocks);
                let lens: Vec<u64> = place.iter().map(|range| range.end - range.start).collect();
                for (k, item) in case.read(&part, tile).chunks_exact(itemsize).enumerate() {
                    let at: Vec<u64> = position(k as u64, &lens)
                        .iter()
                        .zip(&place)
                        .map(|(k, range)| k + range.start)
                        .collect();
                    out[number(&at, &plan.shape()) as usize * itemsize..][..itemsize].copy_from_slice(item);
                }
            }
        }
        assert_eq!(out, case.expected(), "round {round}");
    }
    assert!(cut > 100, "{cut} chunks in several pieces");
}

#[test]
fn rows_are_cut_by_blocks_that_are_no_tiles() {
    let case = grid([1000].into(), [500].into(), [500].into(), 4).unwrap();
    let plan = Plan::new(&case, &"100:950".parse::<Selection>().unwrap().0).unwrap();
    let task = plan.chunk(0).unwrap();
    let places = |blocksize, most| -> Vec<_> {
        let pieces = plan.pieces(&task, blocksize, most);
        pieces.iter().map(|piece| plan.part_within(piece).unwrap().1[0].clone()).collect()
    };
    assert_eq!(places(400, 1000), [0..100, 100..300, 300..400]);
    assert_eq!(places(402, 1000), core::slice::from_ref(&(0..400)), "these are not of whole items");
    assert_eq!(places(400, 2000), core::slice::from_ref(&(0..400)), "all of it may be decoded at once");
}

#[test]
fn chunks_of_different_lengths_are_found() {
    let grid = Grid::of_runs([(1, 3), (1, 0), (1, 7), (1, 1)].into_iter(), 1).unwrap();
    let touched = |text: &str| -> Vec<u64> {
        let plan = Plan::new(&grid, &text.parse::<Selection>().unwrap().0).unwrap();
        plan.chunks().map(|task| task.nchunk()).collect()
    };
    assert_eq!(touched(""), [0, 2, 3]);
    assert_eq!(touched("2:4"), [0, 2]);
    assert_eq!(touched("-1"), [3]);
    assert_eq!(touched("::5"), [0, 2, 3]);
    assert_eq!(touched("1:1"), [0; 0]);
    let all = Plan::new(&grid, &[]).unwrap();
    assert_eq!(all.count_chunks(), 3);
    let mut chunk = all.chunk(2).unwrap();
    all.advance(&mut chunk);
    assert_eq!(Some(chunk), all.chunk(3));
    assert_eq!(all.chunks_from(1).map(|task| task.nchunk()).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(all.chunks_from(9).count(), 0);
    let plan = Plan::new(&grid, &"2:4".parse::<Selection>().unwrap().0).unwrap();
    assert_eq!(
        (0..5).map(|nchunk| plan.chunk(nchunk).is_some()).collect::<Vec<_>>(),
        [true, false, true, false, false]
    );
}

#[test]
fn chunks_that_are_alike_are_counted() {
    let grid = Grid::of_runs([(1 << 40, 5), (2, 3)].into_iter(), 1).unwrap();
    let plan = |text: &str| Plan::new(&grid, &text.parse::<Selection>().unwrap().0).unwrap();
    let touched = |text: &str| plan(text).chunks().map(|task| task.nchunk()).collect::<Vec<_>>();
    assert_eq!(touched("-7:"), [(1 << 40) - 1, 1 << 40, (1 << 40) + 1]);
    assert_eq!(touched("4:11:6"), [0, 2]);
    assert_eq!(plan("4:11:6").chunk(1), None);
    assert!(Grid::of_runs([(1 << 40, 1 << 30)].into_iter(), 1).is_err());
}

#[test]
fn products_that_overflow_are_refused() {
    let grid = |shape: &[u64], chunk: &[u64], tile: &[u64], itemsize| {
        let dims = |lens: &[u64]| lens.iter().copied().collect::<Dims<u64>>();
        grid(dims(shape), dims(chunk), dims(tile), itemsize)
    };
    let max = i64::MAX as u64;
    assert!(grid(&[max, max], &[1, 1], &[1, 1], 1).is_err(), "more chunks than can be counted");
    assert!(grid(&[max], &[max], &[1], 1).is_err(), "a chunk of more than 2 GiB");
    assert!(grid(&[10], &[1], &[u32::MAX.into()], 1).is_err(), "padding of more than 2 GiB");
    assert!(grid(&[10], &[0], &[1], 1).is_err() && grid(&[10], &[1], &[0], 1).is_err());
    let all = Plan::new(&grid(&[max], &[1], &[1], 8).unwrap(), &[]);
    assert!(matches!(all.unwrap_err().kind(), crate::ErrorKind::Limit(_)), "a result that no memory holds");
}
