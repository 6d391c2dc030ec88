//! Changes of frames that others wrote.

use super::bounds::{call, dparams};
use super::input::Input;
use b2nd::codec::Codec;
use b2nd::filter::{BITSHUFFLE, BYTEDELTA, DELTA, NDCELL, NOFILTER, SHUFFLE};
use b2nd::sink::{Editor, Memory};
use b2nd::{Index, ReadError, Reader, Selection};
use core::convert::Infallible;

/// Filters that lose nothing. Of the codecs, ZFP does.
const LOSSLESS: [u8; 6] = [NOFILTER, SHUFFLE, BITSHUFFLE, DELTA, BYTEDELTA, NDCELL];

/// The most bytes of an array that is changed, and of one of its chunks.
const MAX_BYTES: u64 = 1 << 20;

/// The shape and the items of an array.
#[derive(Clone)]
struct Model {
    shape: Vec<u64>,
    itemsize: usize,
    items: Vec<u8>,
}

/// Any bytes are a frame, and those behind it are the changes to be made. Each change is made as in a model. One that is
/// refused changes nothing; and what was committed is there when the frame is opened again.
pub fn change(bytes: &[u8]) {
    let len = bytes.get(16..24).map_or(0, |len| u64::from_be_bytes(len.try_into().expect("8 bytes")));
    let (frame, rest) = bytes.split_at(bytes.len().min(len as usize));
    let Some(mut model) = read(Memory::from(frame.to_vec())) else {
        _ = call("edit", || Editor::open(Memory::from(bytes.to_vec()), dparams()));
        return;
    };
    let Some(mut editor) = call("edit", || Editor::open(Memory::from(frame.to_vec()), dparams())) else {
        return;
    };
    let (mut input, mut committed) = (Input(rest), model.clone());
    for _ in 0..6 {
        if input.byte().is_multiple_of(4) {
            if editor.commit().is_err() {
                return same(&committed, read(editor.into_sink()));
            }
            committed = model.clone();
            let sink = editor.into_sink();
            same(&model, read(sink.clone()));
            editor = Editor::open(sink, dparams()).expect("what was committed");
        }
        let before = model.clone();
        if one(&mut editor, &mut model, &mut input).is_err() {
            model = before;
        }
        // An editor reads chunks whole, of which a reader may need less than is damaged.
        let Some(items) = call("get", || editor.get(Selection::all())) else { return };
        assert!(items == model.items, "{:?}", model.shape);
    }
    let Ok(()) = editor.commit() else { return };
    same(&model, read(editor.into_sink()));
}

/// The array in a frame, if all of it can be read.
fn read(sink: Memory) -> Option<Model> {
    let reader = call("open", || Reader::open(sink, dparams()))?;
    let header = &reader.frame().header;
    let is_zfp = matches!(header.codec, Codec::ZFP_ACC | Codec::ZFP_PREC | Codec::ZFP_RATE);
    if is_zfp || !header.filters.slots.iter().all(|filter| LOSSLESS.contains(&filter.id)) {
        return None;
    }
    let array = call("array", || reader.layout())??;
    let plan = call("plan", || reader.plan(Selection::all()))?;
    // Also where there are no items: the model goes from place to place.
    let places = array.shape().iter().try_fold(1_u64, |count, len| count.checked_mul(len.max(1)));
    // An editor encodes chunks whole.
    let chunk = array
        .chunkshape()
        .iter()
        .try_fold(u64::from(array.itemsize()), |len, axis| len.checked_mul(u64::from(*axis)));
    if [Some(plan.nbytes() as u64), places, chunk].iter().any(|size| size.is_none_or(|size| size > MAX_BYTES))
    {
        return None;
    }
    let items = call("get", || reader.get(Selection::all()))?;
    Some(Model { shape: array.shape().to_vec(), itemsize: array.itemsize() as usize, items })
}

fn same(model: &Model, read: Option<Model>) {
    let read = read.expect("what was committed");
    assert_eq!(read.shape, model.shape);
    assert!(read.items == model.items, "{:?}", model.shape);
}

/// Makes one change.
fn one(
    editor: &mut Editor<Memory>,
    model: &mut Model,
    input: &mut Input<'_>,
) -> Result<(), ReadError<Infallible>> {
    let (ndim, few) = (model.shape.len(), u64::from(input.byte() % 5));
    let axis = if ndim == 0 { 0 } else { usize::from(input.byte()) % ndim };
    let item: Vec<u8> = (0..model.itemsize).map(|_| input.byte()).collect();
    let len = model.shape.get(axis).copied().unwrap_or(1);
    let (from, to) = (few.min(len), len.div_ceil(1 + few));
    let range = from.min(to)..to;
    match input.byte() % 6 {
        0 if ndim > 0 => {
            let selection = along(axis, range.start, range.end);
            editor.fill(&selection, &item)?;
            model.fill(axis, range.start, range.end, &item);
        }
        1 => {
            let items = item.repeat(model.items.len() / model.itemsize.max(1));
            editor.set(Selection::all(), &items)?;
            model.items = items;
        }
        2 if ndim > 0 => {
            let mut shape = model.shape.clone();
            shape[axis] = if few > 2 { len / 2 } else { len + few };
            editor.resize(&shape)?;
            model.resize(axis, shape[axis], &vec![0; model.itemsize]);
        }
        3 if ndim > 0 && model.items.len() as u64 <= MAX_BYTES => {
            let others: u64 = model.others(axis);
            if others == 0 {
                return Ok(());
            }
            editor.append(axis, &item.repeat((few * others) as usize))?;
            model.resize(axis, len + few, &item);
        }
        4 if ndim > 0 => {
            editor.delete(axis, range.clone())?;
            model.delete(axis, range.start, range.end);
        }
        _ => editor.compact()?,
    }
    Ok(())
}

fn along(axis: usize, start: u64, stop: u64) -> Selection {
    let mut indices = vec![Index::ALL; axis];
    indices.push(Index::Range { start: Some(start as i64), stop: Some(stop as i64), step: 1 });
    Selection(indices)
}

impl Model {
    /// Items in what lies along all axes but one.
    fn others(&self, axis: usize) -> u64 {
        self.shape.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, len)| len).product()
    }

    /// Bytes of one position along an axis, in each of the runs that the axes before it make.
    fn run(&self, axis: usize) -> usize {
        self.shape[axis + 1..].iter().product::<u64>() as usize * self.itemsize
    }

    /// Replaces the runs along an axis.
    fn runs(&mut self, axis: usize, len: u64, change: impl Fn(&mut Vec<Vec<u8>>)) {
        let (run, old) = (self.run(axis), self.shape[axis] as usize);
        let outer: u64 = self.shape[..axis].iter().product();
        let mut items = Vec::new();
        for nth in 0..outer as usize {
            let start = nth * old * run;
            let mut runs: Vec<Vec<u8>> =
                (0..old).map(|at| self.items[start + at * run..][..run].to_vec()).collect();
            change(&mut runs);
            assert_eq!(runs.len() as u64, len);
            items.extend(runs.concat());
        }
        (self.items, self.shape[axis]) = (items, len);
    }

    fn fill(&mut self, axis: usize, start: u64, stop: u64, item: &[u8]) {
        let run = item.repeat(self.run(axis) / self.itemsize.max(1));
        self.runs(axis, self.shape[axis], |runs| {
            runs[start as usize..stop as usize].iter_mut().for_each(|place| place.clone_from(&run));
        });
    }

    fn resize(&mut self, axis: usize, len: u64, item: &[u8]) {
        let run = item.repeat(self.run(axis) / self.itemsize.max(1));
        self.runs(axis, len, |runs| runs.resize(len as usize, run.clone()));
    }

    fn delete(&mut self, axis: usize, start: u64, stop: u64) {
        self.runs(axis, self.shape[axis] - (stop - start), |runs| {
            drop(runs.drain(start as usize..stop as usize))
        });
    }
}
