//! Arrays with the codec `b2nd`: their chunks are those of frames.

use b2nd::array::{ArrayParams, ByteOrder, Dtype, Kind};
use b2nd::frame::Location;
use b2nd::sink::Editor;
use b2nd::zarr::Configuration;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use zarrs::array::{Array, ArrayBytes, ArraySubset, Indexer};
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableStorageTraits, ReadableWritableStorageTraits, StoreKey, WritableStorageTraits};

type Store = Arc<PerformanceMetricsStorageAdapter<MemoryStore>>;
type Stored = Array<dyn ReadableWritableStorageTraits>;

const TYPES: [(&str, &str); 8] = [
    ("bool", "|b1"),
    ("uint8", "|u1"),
    ("int16", "<i2"),
    ("uint16", "<u2"),
    ("int32", "<i4"),
    ("float32", "<f4"),
    ("float64", "<f8"),
    ("complex128", "<c16"),
];

/// Numbers from a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// An array that is to be.
#[derive(Debug, Clone)]
struct Case {
    shape: Vec<u64>,
    chunks: Vec<u64>,
    data_type: &'static str,
    dtype: String,
    codec: String,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let ndim = 1 + random.below(5) as usize;
        let most = [4000, 70, 20, 9, 7][ndim - 1];
        let mut lens = |bounds: &[u64]| bounds.iter().map(|&most| 1 + random.below(most)).collect::<Vec<_>>();
        let shape = lens(&vec![most; ndim]);
        let chunks = lens(&shape);
        let blocks = lens(&chunks);
        let (data_type, dtype) = TYPES[random.below(8) as usize];
        let endian = ["little", "big"][random.below(2) as usize];
        let cname = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"][random.below(5) as usize];
        let filters = ["", r#""shuffle""#, r#""bitshuffle""#, r#""shuffle", "bytedelta""#, r#""delta""#]
            [random.below(5) as usize];
        let codec = format!(
            r#"{{"block_shape":{blocks:?},"endian":"{endian}","cname":"{cname}","clevel":{},"filters":[{filters}]}}"#,
            random.below(10)
        );
        Self { shape, chunks, data_type, dtype: dtype.into(), codec }
    }

    fn configuration(&self) -> Configuration {
        serde_json::from_str(&self.codec).unwrap()
    }

    fn metadata(&self) -> String {
        let Self { shape, chunks, data_type, codec, .. } = self;
        let fill = match *data_type {
            "bool" => "false",
            "complex128" => "[0.0, 0.0]",
            _ => "0",
        };
        format!(
            r#"{{ "zarr_format": 3, "node_type": "array", "shape": {shape:?}, "data_type": "{data_type}", "fill_value": {fill},
            "chunk_grid": {{ "name": "regular", "configuration": {{ "chunk_shape": {chunks:?} }} }},
            "chunk_key_encoding": {{ "name": "default" }},
            "codecs": [{{ "name": "b2nd", "configuration": {codec} }}] }}"#
        )
    }

    fn array(&self) -> (Stored, Store) {
        b2nd_zarrs::register();
        let store = Arc::new(PerformanceMetricsStorageAdapter::new(Arc::new(MemoryStore::new())));
        store.set(&StoreKey::new("zarr.json").unwrap(), self.metadata().into_bytes().into()).unwrap();
        (Array::open(store.clone() as Arc<dyn ReadableWritableStorageTraits>, "/").unwrap(), store)
    }

    fn itemsize(&self) -> usize {
        Dtype::parse(&self.dtype, &b2nd::Limits::default()).unwrap().itemsize()
    }

    /// Items of little noise, in the order of this machine; a chunk of zeros here and there.
    fn items(&self, random: &mut Random) -> Vec<u8> {
        let nbytes = self.shape.iter().product::<u64>() as usize * self.itemsize();
        let quiet = random.below(4) == 0;
        let most = if self.data_type == "bool" { 2 } else { 5 };
        (0..nbytes).map(|_| if quiet { 0 } else { random.below(most) as u8 }).collect()
    }

    /// The chunks' numbers along each axis, in C order.
    fn places(&self) -> Vec<Vec<u64>> {
        let counts = self.shape.iter().zip(&self.chunks).map(|(len, chunk)| len.div_ceil(*chunk));
        counts.fold(vec![vec![]], |places, count| {
            places.iter().flat_map(|place| (0..count).map(|at| [&place[..], &[at]].concat())).collect()
        })
    }
}

fn key(place: &[u64]) -> String {
    place.iter().fold("c".into(), |key, at| format!("{key}/{at}"))
}

fn bytes(array: &Stored, part: &ArraySubset) -> Vec<u8> {
    let items: ArrayBytes<'static> = array.retrieve_array_subset(part).unwrap();
    items.into_fixed().unwrap().into_owned()
}

/// Swaps the bytes of numbers that are stored the other way round.
fn native(items: Vec<u8>, dtype: &Dtype, endian: ByteOrder) -> Vec<u8> {
    let number = if *dtype.kind() == Kind::Complex { dtype.itemsize() / 2 } else { dtype.itemsize() };
    let swapped = endian == if cfg!(target_endian = "big") { ByteOrder::Little } else { ByteOrder::Big };
    if !swapped {
        return items;
    }
    items.chunks(number).flat_map(|number| number.iter().rev().copied()).collect()
}

#[test]
fn arrays_are_read_as_they_were_written() {
    let mut random = Random(27);
    for number in 0..150 {
        let case = Case::random(&mut random);
        let (array, _) = case.array();
        let items = case.items(&mut random);
        array.store_array_subset(&array.subset_all(), ArrayBytes::new_flen(items.as_slice())).unwrap();
        assert!(bytes(&array, &array.subset_all()) == items, "{number}: {case:?}");
        let ranges: Vec<_> = case
            .shape
            .iter()
            .map(|&len| {
                let start = random.below(len);
                start..start + 1 + random.below(len - start)
            })
            .collect();
        let part = ArraySubset::new_with_ranges(&ranges);
        let whole = ArrayBytes::new_flen(items.as_slice());
        let expected = whole.extract_array_subset(&part, &case.shape, array.data_type()).unwrap();
        assert!(bytes(&array, &part) == *expected.into_fixed().unwrap(), "{number}: {ranges:?} of {case:?}");
        let text = serde_json::to_value(array.metadata()).unwrap();
        let codec: serde_json::Value = serde_json::from_str(&case.codec).unwrap();
        assert_eq!(text["codecs"][0]["configuration"], codec);
    }
}

/// Items in any order, of one chunk.
#[test]
fn single_items_are_read() {
    let case = Case {
        shape: vec![30, 40],
        chunks: vec![30, 40],
        data_type: "int16",
        dtype: "<i2".into(),
        codec: r#"{"block_shape":[7,9],"endian":"little","cname":"lz4","clevel":5,"filters":[]}"#.into(),
    };
    let (array, _) = case.array();
    let items: Vec<i16> = (0..1200).collect();
    array.store_array_subset(&array.subset_all(), &items).unwrap();
    let places: Vec<Vec<u64>> = [[29, 39], [0, 1], [12, 12]].map(Vec::from).into();
    let chunk = array.partial_decoder(&[0, 0]).unwrap();
    let found = chunk.partial_decode(&places.as_slice() as &dyn Indexer, &Default::default()).unwrap();
    let found = found.into_fixed().unwrap();
    assert_eq!(*found, [1199_i16, 1, 492].map(i16::to_ne_bytes).concat());
}

#[test]
fn a_part_of_a_chunk_brings_only_its_blocks() {
    let case = Case {
        shape: vec![4000, 2000],
        chunks: vec![4000, 2000],
        data_type: "float32",
        dtype: "<f4".into(),
        codec:
            r#"{"block_shape":[64,128],"endian":"little","cname":"zstd","clevel":1,"filters":["shuffle"]}"#
                .into(),
    };
    let (array, store) = case.array();
    let items: Vec<f32> =
        (0..8_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 12) as f32).collect();
    array.store_chunk(&[0, 0], &items).unwrap();
    let (written, before, reads) = (store.bytes_written(), store.bytes_read(), store.reads());
    let part = ArraySubset::new_with_ranges(&[1000..1400, 700..900]);
    let found: Vec<f32> = array.retrieve_array_subset(&part).unwrap();
    let expected = (1000..1400).flat_map(|row| (700..900).map(move |column| row * 2000 + column));
    assert!(found.into_iter().eq(expected.map(|at: usize| items[at])));
    let bytes = store.bytes_read() - before;
    println!("{bytes} of {written} bytes in {} reads", store.reads() - reads);
    assert!(bytes < written / 20, "{bytes} of {written} bytes");
}

#[test]
fn chunks_of_other_configurations_are_errors() {
    let case = |block_shape: &str, data_type| Case {
        shape: vec![24, 30],
        chunks: vec![24, 30],
        data_type,
        dtype: "<i4".into(),
        codec: format!(
            r#"{{"block_shape":{block_shape},"endian":"little","cname":"lz4","clevel":5,"filters":["shuffle"]}}"#
        ),
    };
    let (array, store) = case("[8, 10]", "int32").array();
    array.store_chunk(&[0, 0], (0..720).map(|at| at * at).collect::<Vec<i32>>()).unwrap();
    let chunk = store.get(&StoreKey::new("c/0/0").unwrap()).unwrap().unwrap();
    let others = [("[8, 15]", "int32"), ("[7, 10]", "int32"), ("[8, 10]", "int16"), ("[8, 10]", "float64")];
    for (block_shape, data_type) in others {
        let (other, store) = case(block_shape, data_type).array();
        store.set(&StoreKey::new("c/0/0").unwrap(), chunk.clone()).unwrap();
        for part in [other.subset_all(), ArraySubset::new_with_ranges(&[3..4, 5..6])] {
            let read: Result<ArrayBytes<'static>, _> = other.retrieve_array_subset(&part);
            assert!(read.is_err(), "{block_shape} {data_type}");
        }
    }
    for text in [
        r#"{"cname":"lz4","clevel":5,"filters":[]}"#,
        r#"{"block_shape":[2],"cname":"lzma","clevel":5,"filters":[]}"#,
        r#"{"block_shape":[2],"cname":"lz4","clevel":5,"filters":["shuffle"],"level":3}"#,
    ] {
        assert!(serde_json::from_str::<Configuration>(text).is_err(), "{text}");
    }
}

/// The case of a frame, and its chunks; `None` for what Zarr has no type for.
fn of_frame(path: &Path) -> Option<(Case, Vec<Option<Vec<u8>>>)> {
    let file = std::fs::read(path).unwrap();
    let array = b2nd::Array::open(path).ok()?;
    let (reader, layout) = (array.reader(), array.layout());
    let dtype = Dtype::parse(layout.dtype()?, &b2nd::Limits::default()).ok()?;
    let known = |(_, known): &&(&str, &str)| dtype.to_string().get(1..) == known.get(1..);
    let (data_type, _) = TYPES.iter().find(known)?;
    let params = ArrayParams::of(reader.frame(), layout).unwrap();
    params.blockshape.as_ref()?;
    // Not what refers to values elsewhere.
    reader.index().ok()?;
    let configuration = Configuration::of(&params, dtype.byte_order());
    let chunk = |nchunk| {
        let info = reader.chunk_info(nchunk).unwrap();
        let Location::Stored { offset, .. } = info.location else { return None };
        Some(file[offset as usize..][..info.header.cbytes as usize].to_vec())
    };
    let chunks = (0..reader.nchunks().unwrap()).map(chunk).collect();
    let lens = layout.chunkshape().iter().map(|&len| len.into()).collect();
    let (shape, codec) = (layout.shape().iter().collect(), serde_json::to_string(&configuration).unwrap());
    Some((Case { shape, chunks: lens, data_type, dtype: dtype.to_string(), codec }, chunks))
}

/// The chunks of frames that python-blosc2 wrote.
#[test]
fn chunks_of_frames_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut read = 0;
    for release in ["blosc2-4.14.1", "blosc2-2.7.1"] {
        for entry in std::fs::read_dir(folder.join(release)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "b2nd") || path.is_dir() {
                continue;
            }
            let Some((case, chunks)) = of_frame(&path) else { continue };
            // Chunks that are stored nowhere are the fill value in Zarr, which is zero here.
            if case.shape.contains(&0) || chunks.iter().any(Option::is_none) {
                continue;
            }
            let (array, store) = case.array();
            for (place, chunk) in case.places().iter().zip(chunks) {
                store.set(&StoreKey::new(key(place)).unwrap(), chunk.unwrap().into()).unwrap();
            }
            let expected = b2nd::Array::open(&path).unwrap().get("...").unwrap();
            let dtype = Dtype::parse(&case.dtype, &b2nd::Limits::default()).unwrap();
            let expected = native(expected, &dtype, dtype.byte_order());
            assert!(bytes(&array, &array.subset_all()) == expected, "{}", path.display());
            read += 1;
        }
    }
    println!("{read} frames");
    assert!(read > 30, "{read} frames");
}

fn python(what: &str, folder: &Path) {
    let python = std::env::var_os("B2ND_PYTHON").expect("B2ND_PYTHON names a Python with blosc2");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frames.py");
    assert!(Command::new(python).args([script, what]).arg(folder).status().expect("Python").success());
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The chunks of arrays that zarrs wrote make frames that python-blosc2 reads, and the other way round.
#[test]
#[ignore = "takes a Python with blosc2: B2ND_PYTHON=… cargo test -- --ignored"]
fn chunks_are_exchanged_with_python_blosc2() {
    let folder = folder("blosc2");
    let mut random = Random(5);
    for number in 0..60 {
        let mut case = Case::random(&mut random);
        case.codec = case.codec.replace("\"big\"", "\"little\"");
        let (array, store) = case.array();
        let items = case.items(&mut random);
        array.store_array_subset(&array.subset_all(), ArrayBytes::new_flen(items.as_slice())).unwrap();
        let chunkshape: Vec<u32> = case.chunks.iter().map(|&len| len as u32).collect();
        let params = case.configuration().params(&case.shape, &chunkshape, &case.dtype);
        let path = folder.join(format!("{number}.b2nd"));
        let mut editor =
            Editor::create_array(b2nd::sink::File::create(&path, false).unwrap(), &params).unwrap();
        for (nchunk, place) in case.places().iter().enumerate() {
            let chunk = store.get(&StoreKey::new(key(place)).unwrap()).unwrap();
            if let Some(chunk) = chunk {
                editor.put_chunk(nchunk as u64, &chunk).unwrap();
            }
        }
        editor.commit().unwrap();
        drop(editor);
        std::fs::write(folder.join(format!("{number}.raw")), items).unwrap();
    }
    python("read", &folder);
    python("write", &folder);
    let mut read = 0;
    for number in 0..60 {
        let path = folder.join(format!("python-{number}.b2nd"));
        let (case, chunks) = of_frame(&path).unwrap();
        let (array, store) = case.array();
        for (place, chunk) in case.places().iter().zip(chunks) {
            if let Some(chunk) = chunk {
                store.set(&StoreKey::new(key(place)).unwrap(), chunk.into()).unwrap();
            }
        }
        let expected = std::fs::read(folder.join(format!("python-{number}.raw"))).unwrap();
        assert!(bytes(&array, &array.subset_all()) == expected, "{number}: {case:?}");
        read += 1;
    }
    assert_eq!(read, 60);
}
