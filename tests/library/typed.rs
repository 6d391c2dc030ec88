//! Values of Rust types, and chunks and blocks as regions, against bytes read by other means.

#![cfg(feature = "std")]

use crate::common::{forgery, golden};
use b2nd::array::{ByteOrder, Dtype, Element, Region};
use b2nd::source::{File, Reader};
use b2nd::{ErrorKind, Layout, Limits, ReadError, Selection};

/// Reads all values as `T` and writes them back: the bytes must be those of `get`.
fn circle<T: Element + Clone>(reader: &Reader<File>, dtype: &Dtype) {
    let selection = Selection::all();
    let values = reader.read::<T>(&selection).expect("values");
    let item = match dtype.kind() {
        b2nd::array::Kind::Subarray { item, .. } => item,
        _ => dtype,
    };
    let items = item.encode(values.as_slice()).expect("items");
    assert!(items == reader.get(&selection).expect("items"), "{dtype}");
}

/// All arrays of the corpus whose items are numbers, in both byte orders.
#[test]
fn golden_arrays_as_values() {
    let (mut kinds, mut big) = (Vec::new(), 0);
    for case in golden().iter().filter(|case| case.kind() == "array" && case.error().is_none()) {
        let Ok(reader) = case.open() else { continue };
        let Ok(dtype) = reader.dtype() else { continue };
        let read: fn(&Reader<File>, &Dtype) = match dtype.to_string().trim_start_matches(['<', '>', '|']) {
            "i1" => circle::<i8>,
            "u1" => circle::<u8>,
            "i2" => circle::<i16>,
            "u2" => circle::<u16>,
            "i4" => circle::<i32>,
            "u4" => circle::<u32>,
            "i8" => circle::<i64>,
            "u8" => circle::<u64>,
            "f4" => circle::<f32>,
            "f8" => circle::<f64>,
            "b1" => circle::<bool>,
            "c8" => circle::<[f32; 2]>,
            "c16" => circle::<[f64; 2]>,
            time if time.starts_with(['M', 'm']) => circle::<i64>,
            "('<i4', (2, 3))" => circle::<i32>,
            _ => continue,
        };
        // Lists of zeros would take gigabytes.
        if reader.layout().ok().flatten().is_some_and(|array| array.shape().iter().product::<u64>() < 1 << 20)
        {
            read(&reader, &dtype);
            kinds.push(dtype.code().kind);
            big += usize::from(dtype.byte_order() == ByteOrder::Big);
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() >= 7 && big > 0, "{kinds:?}, {big} of them big-endian");
}

/// Regions cover each item once, and chunks have the items that `Reader::chunk` decodes.
#[test]
fn regions_make_up_the_array() {
    let mut seen = 0;
    for case in golden().iter().filter(|case| case.kind() == "array" && case.error().is_none()) {
        let Ok(reader) = case.open() else { continue };
        let Ok(Some(array)) = reader.layout() else { continue };
        let count: u64 = array.shape().iter().product();
        if count > 1 << 16 {
            continue;
        }
        let chunks: Vec<Region> = array.chunks().collect();
        let numbers = chunks.iter().map(|chunk| chunk.number);
        assert!(numbers.eq(0..chunks.len() as u64), "{}", case.name);
        let volume = |region: &Region| region.shape().iter().product::<u64>();
        assert_eq!(chunks.iter().map(volume).sum::<u64>(), count, "{}", case.name);
        for chunk in &chunks {
            seen += 1;
            let blocks: Vec<Region> = array.blocks(chunk.number).expect("a chunk").collect();
            assert_eq!(blocks.iter().map(volume).sum::<u64>(), volume(chunk), "{}", case.name);
            check_blocks(&reader, array, chunk, &blocks);
        }
        assert!(array.blocks(chunks.len() as u64).is_err());
    }
    assert!(seen > 1000, "{seen} chunks");
}

/// The first item of a block is where the block begins in the decoded chunk.
fn check_blocks(reader: &Reader<File>, array: &Layout, chunk: &Region, blocks: &[Region]) {
    let itemsize = array.itemsize() as usize;
    let plain = reader.chunk(chunk.number).expect("a chunk");
    let whole: Vec<u32> = array.chunkshape().to_vec();
    let len: usize = array.blockshape().unwrap_or(&whole).iter().map(|&len| len as usize).product();
    for block in blocks {
        let first = Selection(block.items.iter().map(|items| b2nd::Index::At(items.start as i64)).collect());
        let at = block.number as usize * len * itemsize;
        assert!(block.items.iter().zip(&chunk.items).all(|(block, chunk)| {
            chunk.start <= block.start && block.start < block.end && block.end <= chunk.end
        }));
        assert_eq!(reader.get(&first).expect("an item"), plain[at..][..itemsize], "block {}", block.number);
    }
}

#[test]
fn sub_arrays_are_axes() {
    let dtype = Dtype::of::<i32>().subarray(&[2, 3]).expect("a dtype");
    let bytes: Vec<u8> = (0..24).collect();
    let case = golden().into_iter().find(|case| case.name.ends_with("sample.b2nd")).expect("the sample");
    let reader = case.open().expect("a reader");
    let error = reader.read_as::<i32>(Selection::all(), &dtype).expect_err("items of 4 bytes");
    assert_eq!(error.to_string(), "itemsize cannot be 24");
    assert!(dtype.decode::<i32>(&bytes).is_err());
    let halves = Dtype::parse("('<u2', (2,))", &Limits::default()).expect("a dtype");
    let values = reader.read_as::<u16>("0, 0", &halves).expect("values");
    assert_eq!(values.shape(), [40, 2]);
    assert_eq!(halves.to_string(), "('<u2', (2,))");
}

/// The claims of a frame are charged before memory is taken, for lists of parts too.
#[test]
fn claims_are_refused() {
    let forgery = forgery::Forgery::of_zeros(1 << 27);
    let reader = Reader::open(forgery.bytes, b2nd::DParams::default()).expect("a reader");
    match reader.read_as::<u8>(Selection::all(), &Dtype::of::<u8>()) {
        Err(ReadError::Blosc(error)) => assert!(matches!(error.kind(), ErrorKind::Limit(_)), "{error}"),
        other => panic!("{other:?}"),
    }
}
