//! The functions as C calls them, also for Miri: what they do with pointers. `tests/` has what other programs make of them.

use super::*;
use crate::codes::{LIST, VERSION};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

const PLAIN: [u8; 400] = {
    let mut plain = [0; 400];
    let mut at = 0;
    while at < 400 {
        plain[at] = (at / 4 * (at % 4)) as u8;
        at += 1;
    }
    plain
};

fn compress(compressor: &CStr, shuffle: c_int, room: usize) -> Result<Vec<u8>, c_int> {
    let mut chunk = vec![0_u8; room];
    let (src, dest) = (PLAIN.as_ptr().cast(), chunk.as_mut_ptr().cast());
    // SAFETY: The buffers have these lengths.
    let len = unsafe { blosc_compress_ctx(5, shuffle, 4, 400, src, dest, room, compressor.as_ptr(), 0, 1) };
    if len <= 0 {
        return Err(len);
    }
    chunk.truncate(len as usize);
    Ok(chunk)
}

fn decompress(chunk: &[u8], room: usize) -> Result<Vec<u8>, c_int> {
    let mut plain = vec![0_u8; room];
    let (src, dest) = (chunk.as_ptr().cast(), plain.as_mut_ptr().cast());
    // SAFETY: The buffers have these lengths.
    let len = unsafe { blosc_decompress_ctx(src, dest, room, 1) };
    if len < 0 { Err(len) } else { Ok(plain[..len as usize].to_vec()) }
}

#[test]
fn all_compressors_round_trip() {
    for name in [c"blosclz", c"lz4", c"lz4hc", c"snappy", c"zlib", c"zstd"] {
        // Under Miri the larger codecs take minutes, and there is no `unsafe` in them.
        if cfg!(miri) && !matches!(name.to_bytes(), b"blosclz" | b"lz4") {
            continue;
        }
        for shuffle in 0..3 {
            let chunk = compress(name, shuffle, 416).unwrap();
            assert_eq!(decompress(&chunk, 400).unwrap(), PLAIN, "{name:?} {shuffle}");
            assert_eq!(decompress(&chunk, 399), Err(-1), "no room");
        }
    }
}

#[test]
fn a_chunk_that_fits_needs_no_more_room() {
    let chunk = compress(c"lz4", 1, 416).unwrap();
    assert!(chunk.len() < 400);
    assert_eq!(compress(c"lz4", 1, chunk.len()).unwrap(), chunk);
    assert_eq!(compress(c"lz4", 1, chunk.len() - 1), Err(0));
    assert_eq!(compress(c"lz4", 1, 15), Err(0));
}

#[test]
fn arguments_are_checked() {
    assert_eq!(compress(c"lz5", 1, 416), Err(-5));
    assert_eq!(compress(c"lz4", 3, 416), Err(-10));
    let mut chunk = [0_u8; 416];
    let dest = chunk.as_mut_ptr().cast::<c_void>();
    let src = PLAIN.as_ptr().cast::<c_void>();
    // SAFETY: The buffers have these lengths, or the pointers are null.
    unsafe {
        assert_eq!(blosc_compress_ctx(10, 1, 4, 400, src, dest, 416, c"lz4".as_ptr(), 0, 1), -10);
        assert_eq!(blosc_compress_ctx(5, 1, 0, 400, src, dest, 416, c"lz4".as_ptr(), 0, 1), -10);
        assert_eq!(blosc_compress_ctx(5, 1, 4, 400, src, dest, 416, ptr::null(), 0, 1), -5);
        assert_eq!(blosc_compress_ctx(5, 1, 4, 400, ptr::null(), dest, 416, c"lz4".as_ptr(), 0, 1), -1);
        assert_eq!(blosc_compress_ctx(5, 1, 4, 400, src, ptr::null_mut(), 416, c"lz4".as_ptr(), 0, 1), -1);
        assert_eq!(blosc_compress_ctx(5, 1, 4, 0, ptr::null(), dest, 416, c"lz4".as_ptr(), 0, 1), 16);
        assert_eq!(blosc_decompress_ctx(dest, ptr::null_mut(), 0, 1), 0, "a chunk of nothing");
        assert_eq!(blosc_decompress_ctx(ptr::null(), dest, 416, 1), -1);
        assert_eq!(blosc_compname_to_compcode(ptr::null()), -1);
    }
}

#[test]
fn items_are_decoded_where_they_are() {
    let chunk = compress(c"blosclz", 1, 416).unwrap();
    let mut items = [0_u8; 12];
    let mut get = |start, nitems| {
        // SAFETY: No more than three items are there to be written.
        unsafe { blosc_getitem(chunk.as_ptr().cast(), start, nitems, items.as_mut_ptr().cast()) }
    };
    assert_eq!([get(98, 3), get(-1, 2), get(101, 0), get(2, -1)], [-1; 4], "out of bounds");
    assert_eq!([get(97, 3), get(100, 0)], [12, 0]);
    assert_eq!(items, PLAIN[388..]);
    let other = [5_u8; 32];
    // SAFETY: The header has 16 bytes.
    assert_eq!(unsafe { blosc_getitem(other.as_ptr().cast(), 0, 1, items.as_mut_ptr().cast()) }, -9);
}

#[test]
fn damaged_chunks_are_refused() {
    let chunk = compress(c"lz4", 1, 416).unwrap();
    for (at, value) in
        [(0, 3), (0, 5), (2, 0x08), (3, 0), (7, 0x80), (8, 0), (11, 0x80), (12, 10), (15, 0x80)]
    {
        let mut damaged = chunk.clone();
        damaged[at] = value;
        if at == 8 {
            damaged[8..12].fill(0);
        }
        if at == 12 {
            damaged[12..16].copy_from_slice(&10_i32.to_le_bytes());
        }
        assert_eq!(decompress(&damaged, 400), Err(-1), "byte {at} is {value}");
    }
}

#[test]
fn chunks_tell_about_themselves() {
    let chunk = compress(c"lz4hc", 1, 416).unwrap();
    let (mut sizes, mut plain, mut typesize, mut ints) = ([0; 3], 0, 0, [0; 3]);
    let [nbytes, cbytes, blocksize] = &mut sizes;
    let [flags, version, compversion] = &mut ints;
    let cbuffer = chunk.as_ptr().cast::<c_void>();
    // SAFETY: The chunk is one, and the references can be written.
    unsafe {
        blosc_cbuffer_sizes(cbuffer, nbytes, cbytes, blocksize);
        blosc_cbuffer_sizes(cbuffer, ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        assert_eq!(blosc_cbuffer_validate(cbuffer, chunk.len(), &raw mut plain), 0);
        blosc_cbuffer_metainfo(cbuffer, &raw mut typesize, flags);
        blosc_cbuffer_versions(cbuffer, version, compversion);
        assert_eq!(CStr::from_ptr(blosc_cbuffer_complib(cbuffer)), c"LZ4");
    }
    assert_eq!((sizes, plain, typesize, ints), ([400, chunk.len(), 400], 400, 4, [1, 2, 1]));
    // SAFETY: The chunk has more bytes than are named.
    unsafe {
        assert_eq!(blosc_cbuffer_validate(cbuffer, chunk.len() - 1, &raw mut plain), -1);
        assert_eq!(blosc_cbuffer_validate(cbuffer, 15, ptr::null_mut()), -1);
    }
    assert_eq!(plain, 0);
}

#[test]
fn compressors_have_names() {
    let (mut name, mut library, mut version) = (ptr::null(), ptr::null_mut(), ptr::null_mut());
    let text = |pointer: *const c_char| {
        // SAFETY: It is one of the library's texts.
        unsafe { CStr::from_ptr(pointer) }
    };
    // SAFETY: The references can be written, and the texts are freed once.
    unsafe {
        assert_eq!(blosc_compcode_to_compname(3, &raw mut name), 3);
        assert_eq!(text(name), c"snappy");
        assert_eq!(blosc_compcode_to_compname(6, &raw mut name), -1);
        assert!(name.is_null());
        assert_eq!(blosc_get_complib_info(c"lz4hc".as_ptr(), &raw mut library, &raw mut version), 1);
        assert_eq!(text(library), c"LZ4");
        assert!(text(version).to_str().unwrap().starts_with("b2nd "));
        libc::free(library.cast());
        libc::free(version.cast());
        assert_eq!(blosc_get_complib_info(c"lz5".as_ptr(), &raw mut library, ptr::null_mut()), -1);
        assert!(library.is_null());
    }
    assert_eq!(text(blosc_list_compressors()), LIST);
    assert_eq!(text(blosc_get_version_string()), VERSION);
}

/// The only test that changes settings, which are those of the process.
#[test]
fn settings_hold_until_they_are_changed() {
    assert_eq!((blosc_get_nthreads(), blosc_get_blocksize()), (1, 0));
    blosc_init();
    assert_eq!((blosc_set_nthreads(2), blosc_set_nthreads(1)), (1, 2));
    // SAFETY: The names are texts.
    unsafe {
        assert_eq!(blosc_set_compressor(c"lz5".as_ptr()), -1);
        assert!(blosc_get_compressor().is_null());
        assert_eq!(blosc_set_compressor(c"lz4".as_ptr()), 1);
        assert_eq!(CStr::from_ptr(blosc_get_compressor()), c"lz4");
    }
    blosc_set_blocksize(128);
    blosc_set_splitmode(crate::codes::BLOSC_NEVER_SPLIT);
    let (mut chunk, mut blocksize) = ([0_u8; 416], 0);
    let dest = chunk.as_mut_ptr().cast::<c_void>();
    // SAFETY: The buffers have these lengths.
    unsafe {
        assert!(blosc_compress(9, 1, 4, 400, PLAIN.as_ptr().cast(), dest, 416) > 0);
        blosc_cbuffer_sizes(dest, ptr::null_mut(), ptr::null_mut(), &raw mut blocksize);
    }
    assert_eq!((blocksize, chunk[2] >> 5), (128, 1), "the block size and the codec");
    blosc_set_blocksize(0);
    assert_eq!(blosc_free_resources(), 0);
    blosc_destroy();
    assert_eq!(blosc_free_resources(), -1);
}
