//! Selections and views of small arrays, compared with a model of what NumPy takes.

use super::input::Input;
use b2nd::array::ArrayParams;
use b2nd::plan::{Plan, Points, View};
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Index, Reader, Selection};

/// The positions along each axis that a view or selection takes, and the array's axis, if it is no new one.
type Axes = Vec<(Option<usize>, Vec<u64>)>;

/// Indexing as NumPy would do it with an array whose items are their numbers.
#[derive(Clone)]
struct Model {
    shape: Vec<u64>,
    axes: Axes,
}

/// Selections of an array and of views of it take what NumPy would, in whichever way they are read and written; and NumPy would
/// refuse what is refused.
pub fn plan(bytes: &[u8]) {
    let mut input = Input(bytes);
    let Some((bytes, shape)) = numbered(&mut input) else { return };
    let reader = Reader::open(&bytes[..], DParams::default()).expect("a good frame");
    let axes = shape.iter().enumerate().map(|(axis, &len)| (Some(axis), (0..len).collect())).collect();
    let model = Model { shape: shape.clone(), axes };
    for _ in 0..3 {
        let selection = selection(&mut input, &shape, true);
        let expected = model.taken(&selection);
        let planned = reader.plan(&selection);
        assert_eq!(planned.is_ok(), expected.is_some(), "{selection:?} of {shape:?}: {:?}", planned.err());
        if let (Ok(plan), Some((lens, positions))) = (planned, expected) {
            assert_eq!(plan.shape().to_vec(), lens, "{selection:?} of {shape:?}");
            assert_eq!(selection.shape(&shape).expect("it was planned"), lens);
            let numbers = model.numbers(&positions);
            read(&mut input, &reader, &plan, &numbers, &selection);
            written(&bytes, &selection, &numbers, model.numbers(&model.all()));
        }
        let (view, model) = changed(&mut input, &reader, model.clone());
        let selection = self::selection(&mut input, &view.shape(), false);
        let expected = model.taken(&selection);
        let planned = view.plan(&selection);
        assert_eq!(planned.is_ok(), expected.is_some(), "{selection:?} of {view:?}: {:?}", planned.err());
        if let (Ok(plan), Some((lens, positions))) = (planned, expected) {
            assert_eq!(plan.shape().to_vec(), lens, "{selection:?} of {view:?}");
            read(&mut input, &reader, &plan, &model.numbers(&positions), &selection);
        }
    }
}

/// A frame with an array of any shapes, and its shape.
fn numbered(input: &mut Input<'_>) -> Option<(Vec<u8>, Vec<u64>)> {
    let ndim = usize::from(input.byte() % 5);
    let most = [1, 200, 24, 9, 6][ndim];
    let shape: Vec<u64> = (0..ndim).map(|_| (input.below(most + 1)) as u64).collect();
    let mut params = ArrayParams::new(&shape, "<i4");
    let chunks: Vec<u32> = shape.iter().map(|&len| 1 + u32::from(input.byte()) % (len as u32 + 2)).collect();
    params.blockshape = Some(chunks.iter().map(|&len| 1 + u32::from(input.byte()) % len).collect());
    params.chunkshape = Some(chunks);
    params.cparams.clevel = input.pick(&[0, 1]);
    let count = shape.iter().product::<u64>() as i32;
    let mut editor = Editor::create_array(Memory::default(), &params).ok()?;
    let items: Vec<u8> = (0..count).flat_map(i32::to_le_bytes).collect();
    editor.set(Selection::all(), &items).expect("items of the whole array");
    editor.commit().expect("memory");
    Some((editor.into_sink().into_bytes(), shape))
}

/// A selection that mostly fits.
fn selection(input: &mut Input<'_>, shape: &[u64], with_points: bool) -> Selection {
    let mut indices: Vec<Index> = shape.iter().map(|&len| index(input, len)).collect();
    if with_points && !shape.is_empty() && input.byte().is_multiple_of(3) {
        let first = input.below(shape.len());
        let axes = first..first + 1 + input.below(shape.len() - first);
        let lens = &shape[axes.clone()];
        let count = if lens.contains(&0) { 0 } else { input.byte() % 12 };
        let point = |input: &mut Input<'_>| lens.iter().map(|&len| position(input, len)).collect::<Vec<_>>();
        let positions = (0..count).flat_map(|_| point(input)).collect();
        indices.splice(axes, [Index::Points(Points::new(lens.len(), positions).expect("whole points"))]);
    } else if input.byte().is_multiple_of(4) {
        let first = input.below(indices.len() + 1);
        let last = first + input.below(indices.len() - first + 1);
        indices.splice(first..last, [Index::Ellipsis]);
    } else if input.byte().is_multiple_of(8) {
        indices.truncate(input.below(indices.len() + 1));
    } else if input.byte() == 255 {
        indices.push(Index::At(0));
    }
    Selection(indices)
}

fn index(input: &mut Input<'_>, len: u64) -> Index {
    match input.byte() % 6 {
        0 => Index::ALL,
        1 if len > 0 => Index::At(position(input, len)),
        2 if len > 0 => Index::list((0..input.byte() % 9).map(|_| position(input, len)).collect::<Vec<_>>()),
        3 => Index::mask(&(0..len).map(|_| input.byte().is_multiple_of(3)).collect::<Vec<_>>()),
        _ => {
            let far = input.pick(&[i64::MIN, i64::MAX, -1, 0, 1 << 62]);
            let mut bound = || match input.byte() % 8 {
                0 => None,
                1 => Some(far),
                _ => Some(input.below(2 * len as usize + 3) as i64 - len as i64 - 1),
            };
            let (start, stop) = (bound(), bound());
            let step = input.pick(&[1, 1, 2, 3, -1, -2, 7, 1 << 30, 1 << 62, i64::MIN, i64::MAX, 0]);
            Index::Range { start, stop, step }
        }
    }
}

/// A position that is nearly always in the axis.
fn position(input: &mut Input<'_>, len: u64) -> i64 {
    let at = input.below(2 * len as usize) as i64 - len as i64;
    if input.byte() == 255 { at * 3 } else { at }
}

impl Model {
    /// All positions of the array.
    fn all(&self) -> Vec<Vec<u64>> {
        let mut taken = vec![vec![]];
        for &len in &self.shape {
            taken = taken.iter().flat_map(|at| (0..len).map(move |k| [&at[..], &[k]].concat())).collect();
        }
        taken
    }

    fn numbers(&self, positions: &[Vec<u64>]) -> Vec<i32> {
        let number =
            |at: &Vec<u64>| at.iter().zip(&self.shape).fold(0, |number, (at, len)| number * len + at);
        positions.iter().map(|at| number(at) as i32).collect()
    }

    /// The shape of the result, and the positions in the array of its items in their order; `None` if NumPy refuses.
    fn taken(&self, selection: &Selection) -> Option<(Vec<u64>, Vec<Vec<u64>>)> {
        let width = |index: &Index| match index {
            Index::Points(points) => points.ndim(),
            Index::Ellipsis => 0,
            _ => 1,
        };
        let given: usize = selection.0.iter().map(width).sum();
        let rest = vec![Index::ALL; self.axes.len().checked_sub(given)?];
        let mut indices = selection.0.clone();
        let at = indices.iter().position(|index| *index == Index::Ellipsis);
        match at {
            Some(at) => drop(indices.splice(at..=at, rest)),
            None => indices.extend(rest),
        }
        let (mut lens, mut taken, mut axis) = (Vec::new(), vec![vec![0; self.shape.len()]], 0);
        for index in &indices {
            let axes = &self.axes[axis..axis + width(index)];
            let along = along(index, axes)?;
            lens.extend((!matches!(index, Index::At(_))).then_some(along.len() as u64));
            let with = |at: &Vec<u64>, point: &Vec<u64>| {
                let mut at = at.clone();
                for ((number, along), k) in axes.iter().zip(point) {
                    number.iter().for_each(|number| at[*number] = along[*k as usize]);
                }
                at
            };
            taken = taken.iter().flat_map(|at| along.iter().map(move |point| with(at, point))).collect();
            axis += axes.len();
        }
        Some((lens, taken))
    }
}

/// The part that an index takes of axes: positions in them.
fn along(index: &Index, axes: &[(Option<usize>, Vec<u64>)]) -> Option<Vec<Vec<u64>>> {
    let from_start = |at: i64, len: usize| {
        let at = if at < 0 { at.checked_add(len as i64)? } else { at };
        u64::try_from(at).ok().filter(|at| *at < len as u64)
    };
    let len = axes.first().map_or(0, |axis| axis.1.len());
    match index {
        Index::At(at) => Some(vec![vec![from_start(*at, len)?]]),
        Index::Points(points) => {
            let point = |point: &[i64]| {
                point.iter().zip(axes).map(|(&at, axis)| from_start(at, axis.1.len())).collect()
            };
            points.iter().map(point).collect()
        }
        Index::Range { start, stop, step } => {
            let (len, step) = (len as i128, i128::from(*step));
            let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
            let bound = |at: i64| {
                let at = i128::from(at);
                (if at < 0 { at + len } else { at }).clamp(low, high)
            };
            let (first, last) = if step > 0 { (low, high) } else { (high, low) };
            let (mut at, stop) = (start.map_or(first, bound), stop.map_or(last, bound));
            let mut taken = Vec::new();
            while if step > 0 { at < stop } else { at > stop } {
                taken.push(vec![at as u64]);
                // A step of zero goes nowhere.
                at += if step == 0 { return None } else { step };
            }
            (step != 0).then_some(taken)
        }
        other => panic!("{other:?} was replaced"),
    }
}

/// Reads a plan at once, and in parts of any size.
fn read(input: &mut Input<'_>, reader: &Reader<&[u8]>, plan: &Plan, numbers: &[i32], what: &Selection) {
    let get = |plan: &Plan| {
        let mut out = vec![0xAA; plan.nbytes()];
        reader.get_into(plan, &mut out).expect("a good frame");
        out.as_chunks().0.iter().map(|item| i32::from_le_bytes(*item)).collect::<Vec<_>>()
    };
    assert_eq!(get(plan), numbers, "{what:?}");
    let parts: Vec<Vec<i32>> = plan.parts(4 * (1 + input.below(60))).map(|part| get(&part)).collect();
    assert_eq!(parts.concat(), numbers, "{what:?} in parts");
    let shares: Vec<Vec<i32>> = plan.shares(3).iter().map(get).collect();
    assert_eq!(shares.iter().map(Vec::len).sum::<usize>(), numbers.len(), "shares of {what:?}");
}

/// Writes other items to the selection of the array, where those of repeated positions are equal.
fn written(frame: &[u8], selection: &Selection, numbers: &[i32], mut all: Vec<i32>) {
    let mut editor = Editor::open(Memory::from(frame.to_vec()), DParams::default()).expect("a good frame");
    let items: Vec<u8> = numbers.iter().flat_map(|number| (!number).to_le_bytes()).collect();
    editor.set(selection, &items).expect("it was planned");
    numbers.iter().for_each(|&number| all[number as usize] = !number);
    let expected: Vec<u8> = all.iter().flat_map(|number| number.to_le_bytes()).collect();
    assert!(editor.get(Selection::all()).expect("an array") == expected, "{selection:?}");
}

/// Changes of a view, and the same of its model.
fn changed(input: &mut Input<'_>, reader: &Reader<&[u8]>, mut model: Model) -> (View, Model) {
    let mut view = reader.layout().expect("an array").expect("an array").view();
    for _ in 0..input.byte() % 6 {
        let ndim = model.axes.len();
        view = match input.byte() % 6 {
            0 => {
                model.axes.reverse();
                view.transpose()
            }
            1 if ndim > 0 => {
                let axis = input.below(ndim);
                model.axes[axis].1.reverse();
                view.flip(axis).expect("an axis")
            }
            2 => {
                model.axes.retain(|axis| axis.1.len() != 1);
                view.squeeze()
            }
            3 => {
                let axis = input.below(ndim + 1);
                model.axes.insert(axis, (None, vec![0]));
                view.expand_dims(axis).expect("few axes")
            }
            4 if ndim > 0 => {
                let axis = input.below(ndim);
                let is_one = model.axes[axis].1.len() == 1;
                let squeezed = view.clone().squeeze_axis(axis);
                assert_eq!(squeezed.is_ok(), is_one, "axis {axis} of {view:?}");
                is_one.then(|| model.axes.remove(axis));
                squeezed.unwrap_or(view)
            }
            _ => {
                let mut order: Vec<usize> = (0..ndim).collect();
                (1..ndim).for_each(|k| order.swap(k, input.below(k + 1)));
                model.axes = order.iter().map(|&axis| model.axes[axis].clone()).collect();
                view.permute(&order).expect("an order")
            }
        };
        let lens: Vec<u64> = model.axes.iter().map(|axis| axis.1.len() as u64).collect();
        assert_eq!(view.shape(), lens);
    }
    (view, model)
}
