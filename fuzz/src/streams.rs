//! Streams of codecs that only decode, whole chunks, and the stored chunks of HDF5.

use super::bounds::{LIMITS, call, dparams};
use super::input::Input;
use b2nd::chunk::{Chunk, Context, Header};
use b2nd::source::decode_into;
use b2nd::{ErrorKind, Reader, Scratch, Selection};

/// The codecs NDLZ and ZFP by their numbers, with the parameters that they have, and the sizes of their items.
const CODECS: [(u8, &[u8], &[u32]); 5] = [
    (32, &[4, 8, 0, 5], &[1, 2]),
    (33, &[0, 0xFD, 0x80, 3], &[4, 8]),
    (34, &[1, 20, 64, 0], &[4, 8]),
    (35, &[1, 37, 50, 100], &[4, 8]),
    (35, &[100, 101, 200, 255], &[4, 8]),
];

/// Any bytes after the parameters are a stream of NDLZ or ZFP. What it decodes to does not depend on what was in memory before, nor on
/// how much of it is wanted.
pub fn stream(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (codec, metas, sizes) = input.pick(&CODECS);
    let (meta, itemsize) = (input.pick(metas), input.pick(sizes));
    let ndim = 1 + usize::from(input.byte() % 4);
    let blockshape: Vec<u32> = (0..ndim).map(|_| 1 + u32::from(input.byte() % 11)).collect();
    let nblocks = 1 + u32::from(input.byte() % 3);
    let block = itemsize * blockshape.iter().product::<u32>();
    let body = input.0;
    let start = 32 + 4 * nblocks;
    let numbers = [nblocks * block, block, start + 4 + body.len() as u32];
    // Blosc2's version 5, no filters, the codec of a plugin in the byte for it.
    const UNSPLIT: u8 = 0x10;
    const PLUGIN: u8 = 0xE0;
    let mut chunk = vec![5, 1, 5 | UNSPLIT | PLUGIN, itemsize as u8];
    chunk.extend_from_slice(numbers.map(u32::to_le_bytes).as_flattened());
    chunk.extend([0; 6]);
    chunk.extend([codec, meta]);
    chunk.extend([0; 8]);
    (0..nblocks).for_each(|_| chunk.extend(start.to_le_bytes()));
    chunk.extend((body.len() as u32).to_le_bytes());
    chunk.extend(body);
    let context = Context { itemsize, blockshape: &blockshape, early_bitshuffle: false };
    one_chunk(&chunk, context);
}

fn one_chunk(bytes: &[u8], context: Context<'_>) {
    let Some(chunk) = call("chunk", || Chunk::with_context(bytes, context)) else { return };
    let Header { nbytes, nblocks, blocksize, .. } = *chunk.header();
    let mut scratch = Scratch::new(&dparams());
    let Some(whole) = call("decode", || chunk.decode(&mut scratch)) else { return };
    assert_eq!(whole.len(), nbytes as usize);
    let mut stale = vec![0xAA; whole.len()];
    chunk.decode_into(&mut stale, &mut scratch).expect("it was decoded");
    assert!(stale == whole, "stale bytes");
    for nblock in 0..nblocks.min(8) {
        let plain = chunk.block(nblock, &mut scratch).expect("it was decoded").to_vec();
        let start = nblock as usize * blocksize as usize;
        assert!(whole[start..].starts_with(&plain), "block {nblock}");
    }
    let nitems = nbytes / context.itemsize.max(1);
    for items in [0..nitems / 3, nitems / 3..nitems, nitems / 2..nitems / 2 + 1] {
        if items.end > nitems {
            continue;
        }
        let range = (items.start * context.itemsize) as usize..(items.end * context.itemsize) as usize;
        let mut some = vec![0x55; range.len()];
        chunk.items_into(items.clone(), &mut some, &mut scratch).expect("they were decoded");
        assert!(some == whole[range], "items {items:?}");
    }
}

/// Any bytes are a stored chunk of HDF5 or give an error: with as many items as it says, one less and one more.
pub fn hdf5(bytes: &[u8]) {
    let Some(reader) = call("open", || Reader::open(bytes, dparams())) else { return };
    let Some(plan) = call("plan", || reader.plan(Selection::all())) else { return };
    let nbytes = plan.nbytes();
    if nbytes as u64 > LIMITS.memory {
        return;
    }
    let expected = call("get", || reader.get(Selection::all()));
    let mut out = vec![0xAA; nbytes];
    let decoded = call("decode", || decode_into(bytes, &mut out, dparams()));
    assert_eq!(decoded.is_some(), expected.is_some());
    let Some(expected) = expected else { return };
    assert!(expected == out, "stale bytes");
    for wrong in [nbytes.checked_sub(1), Some(nbytes + 1)].into_iter().flatten() {
        let error = decode_into(bytes, &mut vec![0; wrong], dparams()).expect_err("another length");
        assert!(matches!(error.kind(), ErrorKind::Argument(_)), "{error}");
    }
}
