//! Lists of positions, masks, points and views, compared with a plain array in memory; and how often blocks are decoded and
//! requested for them.

#![cfg(all(feature = "std", feature = "indexing", feature = "write"))]

use crate::random::Random;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use b2nd::array::ArrayParams;
use b2nd::codec::Registry;
use b2nd::filter::{Block, Filter, Inapplicable, Pipeline, Plugin};
use b2nd::plan::{Points, View};
use b2nd::reading::Merge;
use b2nd::sink::Memory;
use b2nd::wire::Request;
use b2nd::{ArgumentError, DParams, Editor, Index, ReadAt, Reader, Selection};
use core::cell::RefCell;
use core::convert::Infallible;
use core::sync::atomic::{AtomicUsize, Ordering};

const ITEM: usize = 4;

/// A filter that changes nothing and counts the blocks that are decoded. Chunks that encoding would not make shorter have none.
#[derive(Default)]
struct Counter(AtomicUsize);

impl Counter {
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}

impl Plugin for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn forward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
        dst.copy_from_slice(block.src);
        Ok(())
    }

    fn backward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
        self.0.fetch_add(1, Ordering::Relaxed);
        dst.copy_from_slice(block.src);
        Ok(())
    }
}

/// An array whose items are their numbers, in random chunks and blocks.
struct Case {
    shape: Vec<u64>,
    chunks: Vec<u64>,
    blocks: Vec<u64>,
    bytes: Vec<u8>,
    dparams: DParams,
    counter: Arc<Counter>,
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let ndim = 1 + random.index(4);
        let most = [4000, 60, 20, 9][ndim - 1];
        let shape: Vec<u64> = (0..ndim).map(|_| 1 + random.below(most)).collect();
        let cut = |random: &mut Random, lens: &[u64]| -> Vec<u64> {
            lens.iter().map(|&len| (1 + random.below(len)).max(len / 4)).collect()
        };
        let chunks = cut(random, &shape);
        let blocks = cut(random, &chunks);
        let counter = Arc::new(Counter::default());
        let mut registry = Registry::new();
        registry.insert_shared_filter(200, Arc::clone(&counter) as Arc<dyn Plugin>);
        let dparams = DParams { registry: registry.clone(), ..DParams::default() };
        let mut params = ArrayParams::new(&shape, "<i4");
        let lens = |lens: &[u64]| Some(lens.iter().map(|&len| len as u32).collect());
        (params.chunkshape, params.blockshape) = (lens(&chunks), lens(&blocks));
        let mut filters = Pipeline::default();
        filters.slots[5] = Filter { id: 200, meta: 0 };
        params.cparams.filters = filters;
        params.cparams.registry = registry;
        let items: Vec<u8> = (0..shape.iter().product::<u64>() as i32).flat_map(i32::to_le_bytes).collect();
        let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
        editor.set(Selection::all(), &items).expect("it is written");
        editor.commit().expect("it is committed");
        Self { shape, chunks, blocks, bytes: editor.into_sink().into_bytes(), dparams, counter }
    }

    /// The blocks of these items.
    fn blocks_of(&self, items: &[Vec<u64>]) -> usize {
        let block = |at: &Vec<u64>| -> Vec<(u64, u64)> {
            (0..at.len())
                .map(|axis| (at[axis] / self.chunks[axis], at[axis] % self.chunks[axis] / self.blocks[axis]))
                .collect()
        };
        items.iter().map(block).collect::<BTreeSet<_>>().len()
    }
}

/// Indexing as NumPy would do it: positions in an array of these items.
#[derive(Clone)]
struct Model {
    /// For each axis the array's axis, or none if it is new, and the array's positions along it.
    axes: Vec<(Option<usize>, Vec<u64>)>,
}

impl Model {
    fn of(shape: &[u64]) -> Self {
        Self { axes: shape.iter().enumerate().map(|(axis, &len)| (Some(axis), (0..len).collect())).collect() }
    }

    /// The positions in the array of the selected items, in the order of the result.
    fn taken(&self, selection: &Selection, ndim: usize) -> Vec<Vec<u64>> {
        let mut taken = vec![vec![0; ndim]];
        let mut axis = 0;
        for index in &selection.0 {
            let width = if let Index::Points(points) = index { points.ndim() } else { 1 };
            let axes = &self.axes[axis..axis + width];
            let lens: Vec<u64> = axes.iter().map(|(_, along)| along.len() as u64).collect();
            let along = positions(index, &lens);
            let with = |at: &Vec<u64>, point: &Vec<u64>| {
                let mut at = at.clone();
                for ((number, along), k) in axes.iter().zip(point) {
                    if let Some(number) = number {
                        at[*number] = along[*k as usize];
                    }
                }
                at
            };
            taken = taken.iter().flat_map(|at| along.iter().map(move |point| with(at, point))).collect();
            axis += width;
        }
        taken
    }
}

/// The part that an index takes of axes of these lengths.
fn positions(index: &Index, lens: &[u64]) -> Vec<Vec<u64>> {
    let from_start = |at: i64, len: u64| if at < 0 { at + len as i64 } else { at } as u64;
    match index {
        Index::At(at) => vec![vec![from_start(*at, lens[0])]],
        Index::Range { start, stop, step } => {
            let (start, stop) = (start.unwrap_or(0) as u64, stop.map_or(lens[0], |stop| stop as u64));
            (start..stop.min(lens[0])).step_by(*step as usize).map(|at| vec![at]).collect()
        }
        Index::Points(points) => points
            .iter()
            .map(|point| point.iter().zip(lens).map(|(&at, &len)| from_start(at, len)).collect())
            .collect(),
        _ => unreachable!("no test has one"),
    }
}

/// A random index of an axis. Ranges go forward here: `tests/golden.rs` has others.
fn index(random: &mut Random, len: u64) -> Index {
    match random.below(if len > 0 { 6 } else { 2 }) {
        0 => Index::ALL,
        1 => Index::Range {
            start: Some(random.below(len + 1) as i64),
            stop: None,
            step: 1 + random.below(3) as i64,
        },
        2 => Index::At(random.below(2 * len) as i64 - len as i64),
        3 => Index::mask(&(0..len).map(|_| random.below(3) == 0).collect::<Vec<_>>()),
        _ => {
            let mut list: Vec<i64> =
                (0..random.below(8)).map(|_| random.below(2 * len) as i64 - len as i64).collect();
            if random.below(2) == 0 {
                list.sort_unstable_by_key(|at| at.rem_euclid(len as i64));
            }
            Index::list(list)
        }
    }
}

fn points(random: &mut Random, lens: &[u64]) -> Points {
    let point = |random: &mut Random| {
        lens.iter().map(|&len| random.below(2 * len) as i64 - len as i64).collect::<Vec<_>>()
    };
    let positions = (0..random.below(20)).flat_map(|_| point(random)).collect();
    Points::new(lens.len(), positions).expect("whole points")
}

fn items(taken: &[Vec<u64>], shape: &[u64]) -> Vec<u8> {
    let number = |at: &Vec<u64>| at.iter().zip(shape).fold(0, |number, (at, len)| number * len + at) as i32;
    taken.iter().flat_map(|at| number(at).to_le_bytes()).collect()
}

/// Bytes far away, which remember what is asked of them.
struct Remote<'a> {
    bytes: &'a [u8],
    asked: RefCell<Vec<Request>>,
}

impl ReadAt for &Remote<'_> {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        self.asked.borrow_mut().push(request.clone());
        self.bytes.read_at(request, buffer)
    }

    fn merge(&self) -> Merge {
        Merge { gap: 0, ..Merge::NETWORK }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn selections_read_what_numpy_would() {
    let mut random = Random(0x1D8);
    let (mut joined, mut decoded) = (0, 0);
    for round in 0..60 {
        let case = Case::new(&mut random);
        let reader = Reader::open(&case.bytes[..], case.dparams.clone()).expect("a good frame");
        let remote = Remote { bytes: &case.bytes, asked: RefCell::default() };
        let far = Reader::open(&remote, case.dparams.clone()).expect("a good frame");
        far.index().expect("an index");
        let model = Model::of(&case.shape);
        for _ in 0..50 {
            let mut selection = Selection(case.shape.iter().map(|&len| index(&mut random, len)).collect());
            if random.below(3) == 0 {
                let first = random.index(case.shape.len());
                let axes = first..first + 1 + random.index(case.shape.len() - first);
                joined += usize::from(axes.len() > 1);
                let points = points(&mut random, &case.shape[axes.clone()]);
                selection.0.splice(axes, [Index::Points(points)]);
            }
            let taken = model.taken(&selection, case.shape.len());
            let expected = items(&taken, &case.shape);
            case.counter.take();
            assert!(reader.get(&selection).expect("items") == expected, "round {round}: {selection:?}");
            let count = case.counter.take();
            assert!(count <= case.blocks_of(&taken), "round {round}: blocks decoded twice for {selection:?}");
            decoded += count;
            let values = reader.read::<i32>(&selection).expect("values");
            assert_eq!(values.shape(), selection.shape(&case.shape).expect("a shape"), "round {round}");
            assert!(
                values.as_slice().iter().flat_map(|value| value.to_le_bytes()).eq(expected.iter().copied())
            );
            let plan = reader.plan(&selection).expect("a plan");
            let parts = plan.parts(1 + random.index(200)).map(|part| {
                let mut out = vec![0xAA; part.nbytes()];
                reader.get_into(&part, &mut out).map(|()| out).expect("items")
            });
            assert!(parts.collect::<Vec<_>>().concat() == expected, "round {round}, in parts: {selection:?}");
            #[cfg(feature = "rayon")]
            assert!(
                reader.get_parallel(&selection).expect("items") == expected,
                "round {round}: {selection:?}"
            );
            remote.asked.take();
            assert!(far.get(&selection).expect("items") == expected, "round {round}: {selection:?}");
            let asked = remote.asked.take();
            let twice = asked.iter().enumerate().find(|(k, request)| asked[..*k].contains(request));
            assert!(twice.is_none(), "round {round}: {twice:?} of {selection:?}");
        }
    }
    assert!(
        joined > 200 && decoded > 10_000,
        "{joined} with points in several axes, {decoded} blocks decoded"
    );
}

/// A random change of a view, and the same of the model.
fn change(random: &mut Random, view: View, model: &mut Model) -> View {
    let ndim = model.axes.len();
    match random.below(5) {
        0 => {
            model.axes.reverse();
            view.transpose()
        }
        1 if ndim > 0 => {
            let axis = random.index(ndim);
            model.axes[axis].1.reverse();
            view.flip(axis).expect("an axis")
        }
        2 => {
            model.axes.retain(|axis| axis.1.len() != 1);
            view.squeeze()
        }
        3 if ndim < 6 => {
            let axis = random.index(ndim + 1);
            model.axes.insert(axis, (None, vec![0]));
            view.expand_dims(axis).expect("an axis")
        }
        _ => {
            let mut order: Vec<usize> = (0..ndim).collect();
            (1..ndim).for_each(|k| order.swap(k, random.index(k + 1)));
            model.axes = order.iter().map(|&axis| model.axes[axis].clone()).collect();
            view.permute(&order).expect("an order")
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn views_read_what_numpy_would() {
    let mut random = Random(0x51E3);
    let mut decoded = 0;
    for round in 0..60 {
        let case = Case::new(&mut random);
        let reader = Reader::open(&case.bytes[..], case.dparams.clone()).expect("a good frame");
        for _ in 0..30 {
            let mut model = Model::of(&case.shape);
            let mut view = reader.layout().expect("an array").expect("an array").view();
            for _ in 0..random.below(6) {
                view = change(&mut random, view, &mut model);
            }
            let shape: Vec<u64> = model.axes.iter().map(|axis| axis.1.len() as u64).collect();
            assert_eq!(view.shape(), shape, "round {round}");
            let selection = Selection(shape.iter().map(|&len| index(&mut random, len)).collect());
            let plan = view.plan(&selection).expect("a plan");
            assert_eq!(plan.shape().to_vec(), selection.shape(&shape).expect("a shape"), "round {round}");
            let taken = model.taken(&selection, case.shape.len());
            let expected = items(&taken, &case.shape);
            let mut out = vec![0xAA; plan.nbytes()];
            case.counter.take();
            reader.get_into(&plan, &mut out).expect("items");
            assert!(out == expected, "round {round}: {selection:?} of {view:?}");
            let count = case.counter.take();
            assert!(count <= case.blocks_of(&taken), "round {round}: {selection:?} of {view:?}");
            decoded += count;
            for parts in [plan.parts(1 + random.index(200)).collect::<Vec<_>>(), plan.shares(3)] {
                let mut rest = &expected[..];
                for part in parts {
                    let mut out = vec![0xAA; part.nbytes()];
                    reader.get_into(&part, &mut out).expect("items");
                    let (this, others) = rest.split_at(out.len());
                    assert!(out == this, "round {round}, in parts: {selection:?} of {view:?}");
                    rest = others;
                }
                assert!(rest.is_empty());
            }
        }
    }
    assert!(decoded > 5000, "{decoded} blocks decoded");
}

#[test]
fn what_does_not_fit_is_told() {
    let mut random = Random(7);
    let case = loop {
        let case = Case::new(&mut random);
        if case.shape.len() == 3 && case.shape[1] > 1 {
            break case;
        }
    };
    let reader = Reader::open(&case.bytes[..], case.dparams.clone()).expect("a good frame");
    let len = case.shape[1];
    let error =
        |indices: Vec<Index>| reader.get(Selection(indices)).expect_err("it does not fit").to_string();
    let outside = format!("index {len} is outside axis 1 of length {len}");
    assert_eq!(error(vec![Index::ALL, Index::list([0, len as i64])]), outside);
    assert_eq!(error(vec![Index::points(&[[0, 0, 0], [0, len as i64, 0]])]), outside);
    assert_eq!(error(vec![Index::Ellipsis, Index::points(&[[len as i64, 0]])]), outside);
    assert_eq!(
        error(vec![Index::ALL, Index::mask(&[true])]),
        format!("a mask of 1 for axis 1 of length {len}")
    );
    let mask = Points::of_mask(&[case.shape[0], 1], &vec![true; case.shape[0] as usize]).expect("a mask");
    assert_eq!(error(vec![Index::Points(mask)]), format!("a mask of 1 for axis 1 of length {len}"));
    assert_eq!(error(vec![Index::ALL, Index::ALL, Index::points(&[[0, 0]])]), "3 indices for 3 dimensions");
    assert!(Points::new(2, vec![1, 2, 3]).is_err() && Points::new(0, vec![]).is_err());
    assert!(Points::of_mask(&[2, 2], &[true; 3]).is_err());
    let view = || reader.view().expect("an array");
    let argument = |error: b2nd::Error| {
        if let b2nd::ErrorKind::Argument(error) = error.kind() { error } else { panic!("{error}") }
    };
    assert_eq!(argument(view().flip(3).unwrap_err()), ArgumentError::Axis { axis: 3, ndim: 3 });
    assert_eq!(argument(view().permute(&[0, 1, 0]).unwrap_err()), ArgumentError::Axis { axis: 0, ndim: 3 });
    assert_eq!(argument(view().squeeze_axis(1).unwrap_err()), ArgumentError::AxisLen { axis: 1, len });
    assert_eq!(
        argument(view().plan(Selection(vec![Index::points(&[[0, 0]])])).unwrap_err()),
        ArgumentError::PointsOfView
    );
    let mut many = view();
    for _ in 3..16 {
        many = many.expand_dims(0).expect("an axis");
    }
    assert!(many.expand_dims(0).is_err(), "more axes than an array can have");
}

#[test]
fn items_of_super_chunks_are_taken_by_lists() {
    let reader = b2nd::open("tests/golden/blosc2-4.14.1/sparse-lz4.b2frame").expect("a super-chunk");
    assert!(reader.layout().expect("no array").is_none());
    let (all, size) =
        (reader.get(Selection::all()).expect("items"), reader.schunk().expect("items").itemsize() as usize);
    let len = all.len() / size;
    let list: Vec<i64> = (0..1000).map(|k| (k * 7919 % len) as i64).collect();
    let taken = reader.get(Selection(vec![Index::list(list.iter().copied())])).expect("items");
    let expected: Vec<&[u8]> = list.iter().map(|&at| &all[at as usize * size..][..size]).collect();
    assert!(taken == expected.concat());
}

#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn lists_are_written_to() {
    let mut random = Random(0xED17);
    for round in 0..40 {
        let case = Case::new(&mut random);
        let mut params = ArrayParams::new(&case.shape, "<i4");
        let lens = |lens: &[u64]| Some(lens.iter().map(|&len| len as u32).collect());
        (params.chunkshape, params.blockshape) = (lens(&case.chunks), lens(&case.blocks));
        let mut editor = Editor::create_array(Memory::default(), &params).expect("an array");
        let mut expected = vec![0; case.shape.iter().product::<u64>() as usize * ITEM];
        for write in 0..5 {
            let selection = Selection(case.shape.iter().map(|&len| index(&mut random, len)).collect());
            let taken = Model::of(&case.shape).taken(&selection, case.shape.len());
            let values: Vec<u8> =
                (0..taken.len() as i32).flat_map(|k| (k + write * 10_000).to_le_bytes()).collect();
            editor.set(&selection, &values).expect("it is written");
            for (at, value) in taken.iter().zip(values.chunks(ITEM)) {
                let number =
                    at.iter().zip(&case.shape).fold(0, |number, (at, len)| number * len + at) as usize;
                expected[number * ITEM..][..ITEM].copy_from_slice(value);
            }
            assert!(editor.get(Selection::all()).expect("items") == expected, "round {round}: {selection:?}");
        }
    }
}
