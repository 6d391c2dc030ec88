//! Codecs and filters that editors choose by the data.
#![cfg(all(feature = "auto", feature = "lz4", feature = "zstd", feature = "filters"))]

use crate::random::Random;
use b2nd::array::ArrayParams;
use b2nd::chunk::{Auto, CParams, Goal, SpecialValue};
use b2nd::codec::Codec;
use b2nd::filter::{self, Pipeline};
use b2nd::frame::FrameParams;
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Reader, Selection};

const SIDE: u64 = 256;
/// Rows of a chunk, which has 64 KiB.
const ROWS: u64 = 64;

/// A row of items of 4 bytes.
type Row = fn(&mut Random, u64) -> Vec<i32>;

const ZEROS: Row = |_, _| vec![0; SIDE as usize];
const NOISE: Row = |random, _| (0..SIDE).map(|_| random.below(1 << 32) as i32).collect();
const WALK: Row = |random, _| {
    let step = |at: &mut i32, _| {
        *at += random.below(21) as i32 - 10;
        Some(*at)
    };
    (0..SIDE).scan(1_000_000, step).collect()
};
const LABELS: Row =
    |_, y| (0..SIDE).map(|x| ((x / 37 + 31 * (y / 23)) * 2_654_435_761 % 500) as i32).collect();
const FIELD: Row = |random, y| {
    let wave = |x: u64| (x as f32 * 0.011).sin() * (y as f32 * 0.007).cos() * 15.0 + 280.0;
    (0..SIDE).map(|x| (wave(x) + random.below(100) as f32 * 0.00004).to_bits() as i32).collect()
};

/// Chunks of the given kinds, one below the other.
fn items(kinds: &[Row]) -> Vec<u8> {
    let mut random = Random(0x5EED_A070_0001);
    let rows = (0..).zip(kinds.iter().flat_map(|kind| [kind; ROWS as usize]));
    rows.flat_map(|(y, kind)| kind(&mut random, y)).flat_map(i32::to_le_bytes).collect()
}

fn params(nchunks: usize, codec: Codec, auto: Auto) -> ArrayParams {
    let mut params = ArrayParams::new(&[nchunks as u64 * ROWS, SIDE], "<i4");
    (params.chunkshape, params.blockshape) = (Some(vec![64, 256]), Some(vec![16, 256]));
    (params.cparams.codec, params.auto) = (codec, Some(auto));
    params
}

fn written(params: &ArrayParams, items: &[u8]) -> Editor<Memory> {
    let mut editor = Editor::create_array(Memory::default(), params).unwrap();
    editor.set(Selection::all(), items).unwrap();
    editor.commit().unwrap();
    editor
}

fn describe(filters: &Pipeline) -> String {
    filters.iter().filter_map(|filter| filter::name(filter.id)).collect::<Vec<_>>().join("+")
}

/// The choices, and for how many chunks.
fn chosen(editor: &Editor<Memory>) -> Vec<(String, u64)> {
    editor.chosen().iter().map(|chosen| (describe(&chosen.filters), chosen.nchunks)).collect()
}

#[test]
fn each_kind_of_data_gets_its_filters() {
    let (lz4, zstd) = (Codec::LZ4, Codec::ZSTD);
    let kinds: [(Row, _); 4] = [
        (NOISE, [(lz4, ""), (zstd, "")]),
        (WALK, [(lz4, "bitshuffle"), (zstd, "shuffle+bytedelta")]),
        (LABELS, [(lz4, ""), (Codec::BLOSCLZ, "")]),
        (FIELD, [(lz4, "shuffle+bytedelta"), (zstd, "shuffle+bytedelta")]),
    ];
    for (n, (kind, cases)) in kinds.into_iter().enumerate() {
        for (codec, expected) in cases {
            let plain = items(&[kind]);
            let mut params = params(1, codec, Auto::default());
            let editor = written(&params, &plain);
            assert_eq!(chosen(&editor), [(expected.to_owned(), 1)], "{codec:?}, {n}");
            params.auto = None;
            let [auto, usual] =
                [editor, written(&params, &plain)].map(|editor| editor.into_sink().into_bytes());
            assert!(auto.len() <= usual.len(), "{} and {} bytes", auto.len(), usual.len());
            let reader = Reader::open(&auto[..], DParams::default()).unwrap();
            assert_eq!(describe(&reader.frame().header.filters), expected);
            assert!(reader.get(Selection::all()).unwrap() == plain);
        }
    }
}

#[test]
fn chunks_unlike_the_first_get_other_filters() {
    let kinds: Vec<Row> = [&[ZEROS, NOISE][..], &[WALK; 18], &[ZEROS], &[FIELD; 20]].concat();
    let plain = items(&kinds);
    let editor = written(&params(kinds.len(), Codec::LZ4, Auto::default()), &plain);
    // Chunks of zeros do not count. The choice is made at chunks 0, 1, 2, 4, 8, 16, 32 of the others.
    let expected = [("", 1), ("bitshuffle", 31), ("shuffle+bytedelta", 7)];
    assert_eq!(chosen(&editor), expected.map(|(name, nchunks)| (name.to_owned(), nchunks)));
    let reader = Reader::open(editor.into_sink(), DParams::default()).unwrap();
    let filters = |nchunk| describe(&reader.chunk_info(nchunk).unwrap().header.filters);
    assert_eq!(
        [1, 2, 19, 21, 40].map(filters),
        ["", "bitshuffle", "bitshuffle", "bitshuffle", "shuffle+bytedelta"]
    );
    assert!(reader.get(Selection::all()).unwrap() == plain);
}

#[test]
fn constant_chunks_say_nothing() {
    let editor = written(&params(2, Codec::LZ4, Auto::default()), &items(&[ZEROS, ZEROS]));
    assert!(editor.chosen().is_empty() && editor.first_choice().is_none());
    let reader = Reader::open(editor.into_sink(), DParams::default()).unwrap();
    assert_eq!(reader.chunk_info(1).unwrap().special_value(), Some(SpecialValue::Zeros));
    let uncompressed = |clevel| {
        let cparams = CParams { clevel, typesize: 4, ..CParams::default() };
        Auto::default().choose(&cparams, &items(&[WALK])).unwrap().is_none()
    };
    assert!(uncompressed(0) && !uncompressed(1));
}

#[cfg(feature = "rayon")]
#[test]
fn threads_choose_the_same() {
    let kinds: Vec<Row> = (0..40).map(|n| [NOISE, WALK, ZEROS, LABELS, FIELD][n / 3 % 5]).collect();
    let plain = items(&kinds);
    for auto in [Auto::default(), Auto { codec: true, goal: Goal::Ratio, ..Auto::default() }] {
        let params = params(kinds.len(), Codec::LZ4, auto);
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| written(&params, &plain)).into_sink().into_bytes()
        });
        assert!(one == three);
        assert!(Reader::open(&one[..], DParams::default()).unwrap().get(Selection::all()).unwrap() == plain);
    }
}

#[test]
fn goals_choose_codecs() {
    let plain = items(&[WALK]);
    let codec = |goal, codec| {
        let editor = written(&params(1, codec, Auto { goal, codec: true, ..Auto::default() }), &plain);
        assert_eq!(editor.first_choice().unwrap().codec, editor.chosen()[0].codec);
        let reader = Reader::open(editor.into_sink(), DParams::default()).unwrap();
        assert!(reader.get(Selection::all()).unwrap() == plain);
        reader.frame().header.codec
    };
    assert_eq!(codec(Goal::Ratio, Codec::LZ4), Codec::ZSTD);
    assert_eq!(codec(Goal::Speed, Codec::ZSTD), Codec::LZ4);
}

#[test]
fn old_readers_get_what_they_know() {
    for kind in [NOISE, WALK, LABELS, FIELD] {
        let plain = items(&[kind]);
        let auto = Auto { goal: Goal::Ratio, ..Auto::default() };
        let mut caterva = params(1, Codec::ZSTD, auto);
        caterva.caterva = true;
        let compatible = params(1, Codec::ZSTD, Auto { compatible: true, ..auto });
        for params in [caterva, compatible] {
            let editor = written(&params, &plain);
            let tried = editor.first_choice().unwrap().trials.iter().map(|trial| describe(&trial.filters));
            assert!(tried.eq(["", "shuffle", "bitshuffle"]));
        }
    }
}

#[test]
fn filters_that_are_named_stay() {
    let mut named = params(1, Codec::LZ4, Auto { filters: false, codec: true, ..Auto::default() });
    named.cparams.filters = Pipeline::default();
    named.cparams.filters.slots[2] = filter::Filter { id: filter::TRUNC_PREC, meta: 10 };
    named.dtype = "<f4".into();
    let editor = written(&named, &items(&[FIELD]));
    assert!(editor.chosen().iter().all(|chosen| chosen.filters == named.cparams.filters));
}

#[test]
fn changed_frames_keep_their_parameters() {
    let editor = written(&params(1, Codec::LZ4, Auto::default()), &items(&[WALK]));
    let mut editor = Editor::open(editor.into_sink(), DParams::default()).unwrap();
    assert_eq!(describe(&editor.cparams().filters), "bitshuffle");
    editor.append(0, &items(&[FIELD])).unwrap();
    assert!(editor.chosen().is_empty());
    editor.set_auto(Some(Auto::default()));
    editor.append(0, &items(&[FIELD])).unwrap();
    editor.set_auto(None);
    editor.append(0, &items(&[FIELD])).unwrap();
    editor.commit().unwrap();
    let reader = Reader::open(editor.into_sink(), DParams::default()).unwrap();
    assert_eq!(describe(&reader.frame().header.filters), "bitshuffle");
    let filters = |nchunk| describe(&reader.chunk_info(nchunk).unwrap().header.filters);
    assert_eq!([1, 2, 3].map(filters), ["bitshuffle", "shuffle+bytedelta", "bitshuffle"]);
}

#[test]
fn super_chunks_choose_too() {
    let cparams = CParams { codec: Codec::LZ4, typesize: 4, ..CParams::default() };
    let mut editor =
        Editor::create(Memory::default(), &FrameParams { cparams, ..FrameParams::default() }).unwrap();
    editor.set_auto(Some(Auto::default()));
    let kinds = [LABELS, WALK, NOISE];
    for kind in kinds {
        editor.append_chunk(&items(&[kind])).unwrap();
    }
    editor.commit().unwrap();
    assert_eq!(chosen(&editor), [(String::new(), 2), ("bitshuffle".into(), 1)]);
    let reader = Reader::open(editor.into_sink(), DParams::default()).unwrap();
    for (nchunk, kind) in (0..).zip(kinds) {
        assert!(reader.chunk(nchunk).unwrap() == items(&[kind]));
    }
}
