//! Arrays that are written, read and changed are those of a model in memory.

use super::encoding::BLOSC2;
use super::input::Input;
use b2nd::array::ArrayParams;
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Index, Reader, Selection};

/// A small array of two dimensions, and its items, each of which has two bytes.
struct Model {
    shape: [usize; 2],
    items: Vec<[u8; 2]>,
}

impl Model {
    /// These values in another shape; new items are zero.
    fn resize(&mut self, shape: [usize; 2]) {
        let old = |y: usize, x: usize| {
            if y < self.shape[0] && x < self.shape[1] { self.items[y * self.shape[1] + x] } else { [0; 2] }
        };
        self.items =
            (0..shape[0]).flat_map(|y| (0..shape[1]).map(move |x| (y, x))).map(|(y, x)| old(y, x)).collect();
        self.shape = shape;
    }

    /// The items of ranges with steps.
    fn get(&self, axes: &[Axis; 2]) -> Vec<u8> {
        let at = |y: usize| axes[1].positions().map(move |x| y * self.shape[1] + x);
        axes[0].positions().flat_map(at).flat_map(|at| self.items[at]).collect()
    }

    fn set(&mut self, axes: &[Axis; 2], items: &[u8]) {
        let width = self.shape[1];
        let at = axes[0].positions().flat_map(|y| axes[1].positions().map(move |x| y * width + x));
        at.zip(items.as_chunks().0).for_each(|(at, item)| self.items[at] = *item);
    }
}

/// A selection of an axis.
struct Axis {
    start: usize,
    stop: usize,
    step: usize,
}

impl Axis {
    fn of(input: &mut Input<'_>, len: usize) -> Self {
        let start = input.below(len + 1);
        Self { start, stop: start + input.below(len - start + 1), step: 1 + usize::from(input.byte() % 3) }
    }

    fn positions(&self) -> impl Iterator<Item = usize> + use<> {
        (self.start..self.stop).step_by(self.step)
    }

    fn index(&self) -> Index {
        let bound = |at: usize| Some(at as i64);
        Index::Range { start: bound(self.start), stop: bound(self.stop), step: self.step as i64 }
    }
}

fn selection(axes: &[Axis; 2]) -> Selection {
    Selection(axes.iter().map(Axis::index).collect())
}

/// An array of any shapes and parameters, and its model; `None` if it is refused.
fn array_of(input: &mut Input<'_>) -> Option<(Editor<Memory>, Model)> {
    let shape = [(); 2].map(|()| input.below(40));
    let mut params = ArrayParams::new(&shape.map(|len| len as u64), "<u2");
    let chunks = [(); 2].map(|()| 1 + u32::from(input.byte() % 20));
    params.blockshape = Some(chunks.iter().map(|&len| 1 + u32::from(input.byte()) % len).collect());
    params.chunkshape = Some(chunks.to_vec());
    params.sparse = input.byte().is_multiple_of(4);
    (params.cparams.codec, params.cparams.clevel) = (input.pick(BLOSC2), input.byte() % 11);
    let editor = Editor::create_array(Memory::default(), &params).ok()?;
    Some((editor, Model { shape, items: vec![[0; 2]; shape[0] * shape[1]] }))
}

/// Bytes for a selection, from the input, again and again.
fn items(input: &mut Input<'_>, axes: &[Axis; 2]) -> Vec<u8> {
    let nbytes = 2 * axes[0].positions().count() * axes[1].positions().count();
    let few = [&[1], &input.0[..input.0.len().min(64)]].concat();
    few.into_iter().cycle().take(nbytes).collect()
}

/// A reader reads the values that were written, by any selections.
pub fn array(bytes: &[u8]) {
    let mut input = Input(bytes);
    let Some((mut editor, mut model)) = array_of(&mut input) else { return };
    let all = model.shape.map(|stop| Axis { start: 0, stop, step: 1 });
    let plain = items(&mut input, &all);
    editor.set(Selection::all(), &plain).expect("items of the whole array");
    model.set(&all, &plain);
    editor.commit().expect("memory");
    let reader = Reader::open(editor.into_sink(), DParams::default()).expect("what was committed");
    for _ in 0..8 {
        let axes = model.shape.map(|len| Axis::of(&mut input, len));
        assert_eq!(reader.get(selection(&axes)).expect("a selection of the array"), model.get(&axes));
    }
}

/// An array that is changed again and again has the items that its model has, also after it was committed and opened again.
pub fn editor(bytes: &[u8]) {
    let mut input = Input(bytes);
    let Some((mut editor, mut model)) = array_of(&mut input) else { return };
    for _ in 0..12 {
        match input.byte() % 6 {
            0 | 1 => {
                let axes = model.shape.map(|len| Axis::of(&mut input, len));
                let items = items(&mut input, &axes);
                editor.set(selection(&axes), &items).expect("as many items as are selected");
                model.set(&axes, &items);
            }
            2 => {
                let axes = model.shape.map(|len| Axis::of(&mut input, len));
                let item = [input.byte(), input.byte()];
                editor.fill(selection(&axes), &item).expect("an item");
                model.set(&axes, &item.repeat(model.items.len()));
            }
            3 => {
                let shape = [(); 2].map(|()| input.below(45));
                editor.resize(&shape.map(|len| len as u64)).expect("a small shape");
                model.resize(shape);
            }
            // How many rows there are is not known where they are empty.
            4 if model.shape[1] > 0 => {
                let [height, width] = model.shape;
                let added = 1 + usize::from(input.byte() % 9);
                model.resize([height + added, width]);
                let axes = [
                    Axis { start: height, stop: height + added, step: 1 },
                    Axis { start: 0, stop: width, step: 1 },
                ];
                let items = items(&mut input, &axes);
                editor.append(0, &items).expect("whole rows");
                model.set(&axes, &items);
            }
            _ => {
                editor.commit().expect("memory");
                editor = Editor::open(editor.into_sink(), DParams::default()).expect("what was committed");
            }
        }
    }
    let all = model.shape.map(|stop| Axis { start: 0, stop, step: 1 });
    assert_eq!(editor.get(Selection::all()).expect("the array"), model.get(&all));
    editor.commit().expect("memory");
    let reader = Reader::open(editor.into_sink(), DParams::default()).expect("what was committed");
    assert_eq!(reader.get(Selection::all()).expect("the array"), model.get(&all));
}
