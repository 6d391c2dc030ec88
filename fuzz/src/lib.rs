//! What holds for any input: properties that the fuzz targets and `tests/properties.rs` check.
//!
//! Each function takes bytes, reads its parameters from the first of them, and panics if the property does not hold.

use b2nd::array::ArrayParams;
use b2nd::chunk::{CParams, Chunk, ChunkEncoder, ChunkFormat, Context, SplitMode};
use b2nd::codec::{Codec, Encoder};
use b2nd::filter::{BITSHUFFLE, BYTEDELTA, DELTA, Filter, NDCELL, NOFILTER, Pipeline, SHUFFLE};
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Index, Limits, Reader, Scratch, Selection};

const CODECS: [Codec; 5] = [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD];

/// Numbers from bytes; zeros at the end.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    /// A number less than `bound`, which is at most 2^16.
    fn below(&mut self, bound: usize) -> usize {
        (usize::from(self.byte()) << 8 | usize::from(self.byte())) % bound.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }
}

/// A stream decodes to what was encoded, and fits the room that there is: also with a byte less than it needs.
pub fn codec(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (codec, clevel) = (input.pick(&CODECS), 1 + input.byte() % 10);
    let plain = input.0;
    let mut encoder = Encoder::new();
    let mut room = plain.len() + plain.len() / 8 + 64;
    // What fits is encoded; then there is less room, until it does not fit.
    for _ in 0..4 {
        let mut stream = vec![0xEE; room];
        let encoded =
            encoder.encode(codec, clevel, plain, &mut stream).expect("a codec and a level that exist");
        let Some(len) = encoded else { return };
        assert!(len <= room, "{codec:?} at level {clevel} needs {len} of {room} bytes");
        if len < plain.len() {
            let chunk = chunk_of(codec, &stream[..len], plain.len());
            let decoded = Chunk::new(&chunk).and_then(|chunk| chunk.decode(&mut Scratch::default()));
            assert!(decoded.is_ok_and(|decoded| decoded == plain), "{codec:?} at level {clevel}");
        }
        let Some(less) = len.checked_sub(1) else { return };
        room = less.min(plain.len());
    }
}

/// A chunk of Blosc1 of one block that is one stream, shorter than what it decodes to.
fn chunk_of(codec: Codec, stream: &[u8], nbytes: usize) -> Vec<u8> {
    const START: usize = 16 + 4;
    let format = match codec {
        Codec::BLOSCLZ => 0,
        Codec::LZ4 | Codec::LZ4HC => 1,
        Codec::ZLIB => 3,
        _ => 4,
    };
    const UNSPLIT: u8 = 0x10;
    let numbers = [nbytes, nbytes, START + 4 + stream.len(), START, stream.len()];
    let numbers = numbers.map(|number| (number as u32).to_le_bytes());
    [&[2, 1, format << 5 | UNSPLIT, 1], numbers.as_flattened(), stream].concat()
}

/// A chunk of any parameters is refused or decodes to what was encoded; with a byte less of room it is shorter or refused.
pub fn chunk(bytes: &[u8]) {
    let mut input = Input(bytes);
    let cparams = cparams(&mut input);
    let plain = input.0;
    let mut encoder = ChunkEncoder::new(cparams.clone());
    let Ok(chunk) = encoder.encode(plain) else { return };
    let context =
        Context { itemsize: cparams.typesize, blockshape: &cparams.blockshape, early_bitshuffle: false };
    let check = |chunk: &[u8]| {
        let decoded =
            Chunk::with_context(chunk, context).and_then(|chunk| chunk.decode(&mut Scratch::default()));
        assert!(decoded.is_ok_and(|decoded| decoded == plain), "{cparams:?}, {} bytes", plain.len());
    };
    check(&chunk);
    let mut dst = vec![0xEE; chunk.len()];
    if let Ok(len) = encoder.encode_into(plain, &mut dst) {
        check(&dst[..len]);
    }
    if let Ok(len) = encoder.encode_into(plain, &mut dst[1..]) {
        check(&dst[1..][..len]);
    }
}

/// Parameters, most of which are possible, of filters that lose nothing.
fn cparams(input: &mut Input<'_>) -> CParams {
    let typesize = input.pick(&[1, 2, 3, 4, 7, 8, 16, 17, 255, 256, 300]);
    let blockshape = match input.byte() % 4 {
        0 => (0..1 + input.byte() % 3).map(|_| 1 + u32::from(input.byte() % 20)).collect(),
        _ => vec![],
    };
    let blocksize = match (&blockshape[..], input.byte() % 2) {
        ([], 0) => 0,
        ([], _) => input.below(1 << 14) as u32,
        (shape, _) => typesize * shape.iter().product::<u32>(),
    };
    let mut filters = Pipeline::default();
    for slot in &mut filters.slots[..usize::from(input.byte() % 4)] {
        *slot = Filter {
            id: input.pick(&[NOFILTER, SHUFFLE, BITSHUFFLE, DELTA, BYTEDELTA, NDCELL]),
            meta: input.byte() % 9,
        };
    }
    CParams {
        codec: input.pick(&CODECS),
        clevel: input.byte() % 11,
        typesize,
        filters,
        blocksize,
        splitmode: input.pick(&[SplitMode::Always, SplitMode::Never, SplitMode::Auto]),
        use_dict: input.byte().is_multiple_of(4),
        blockshape,
        format: input.pick(&[ChunkFormat::Blosc2, ChunkFormat::Blosc2, ChunkFormat::Blosc1]),
        ..CParams::default()
    }
}

/// Any bytes are a frame, of which all can be read within the limits, or give errors.
pub fn frame(bytes: &[u8]) {
    let limits = Limits { memory: 1 << 24, metadata: 1 << 20, ..Limits::default() };
    let dparams = DParams { limits, ..DParams::default() };
    let Ok(reader) = Reader::open(bytes, dparams) else { return };
    if let Ok(Some(array)) = reader.array() {
        _ = (array.shape().len(), array.dtype().map(str::len));
    }
    for nchunk in 0..3 {
        _ = reader.chunk_info(nchunk);
    }
    _ = reader.get(&Selection::all());
}

/// A small array of two dimensions, and its items, each of which has two bytes.
struct Model {
    shape: [usize; 2],
    items: Vec<[u8; 2]>,
}

impl Model {
    /// The same with another shape; new items are zero.
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

/// What is selected of an axis.
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
    (params.cparams.codec, params.cparams.clevel) = (input.pick(&CODECS), input.byte() % 11);
    let editor = Editor::create_array(Memory::default(), &params).ok()?;
    Some((editor, Model { shape, items: vec![[0; 2]; shape[0] * shape[1]] }))
}

/// Bytes for a selection, from the input, again and again.
fn items(input: &mut Input<'_>, axes: &[Axis; 2]) -> Vec<u8> {
    let nbytes = 2 * axes[0].positions().count() * axes[1].positions().count();
    let few = [&[1], &input.0[..input.0.len().min(64)]].concat();
    few.into_iter().cycle().take(nbytes).collect()
}

/// What a reader reads of an array, by any selections, is what was written.
pub fn array(bytes: &[u8]) {
    let mut input = Input(bytes);
    let Some((mut editor, mut model)) = array_of(&mut input) else { return };
    let all = model.shape.map(|stop| Axis { start: 0, stop, step: 1 });
    let plain = items(&mut input, &all);
    editor.set(&Selection::all(), &plain).expect("items of the whole array");
    model.set(&all, &plain);
    editor.commit().expect("memory");
    let reader = Reader::open(editor.into_sink(), DParams::default()).expect("what was committed");
    for _ in 0..8 {
        let axes = model.shape.map(|len| Axis::of(&mut input, len));
        assert_eq!(reader.get(&selection(&axes)).expect("a selection of the array"), model.get(&axes));
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
                editor.set(&selection(&axes), &items).expect("as many items as are selected");
                model.set(&axes, &items);
            }
            2 => {
                let axes = model.shape.map(|len| Axis::of(&mut input, len));
                let item = [input.byte(), input.byte()];
                editor.fill(&selection(&axes), &item).expect("an item");
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
    assert_eq!(editor.get(&Selection::all()).expect("the array"), model.get(&all));
    editor.commit().expect("memory");
    let reader = Reader::open(editor.into_sink(), DParams::default()).expect("what was committed");
    assert_eq!(reader.get(&Selection::all()).expect("the array"), model.get(&all));
}
