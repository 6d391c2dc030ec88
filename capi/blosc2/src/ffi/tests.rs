//! The functions that C calls, with the pointers that C passes; Miri runs it.

use super::*;
use crate::types::{blosc2_cparams, blosc2_dparams, blosc2_storage};
use core::ffi::CStr;
use core::ptr;

fn items(count: i32) -> Vec<u8> {
    (0..count).flat_map(|item| (item / 3).to_le_bytes()).collect()
}

fn cparams() -> blosc2_cparams {
    blosc2_cparams { typesize: 4, ..blosc2_cparams::default() }
}

#[test]
fn chunks_round_trip() {
    let plain = items(1000);
    let (mut chunk, mut back) = (vec![0_u8; 4032], vec![0_u8; 4000]);
    // SAFETY: The pointers are those of buffers of these lengths, or null, or were given and are freed once.
    unsafe {
        let cctx = blosc2_create_cctx(cparams());
        let cbytes = blosc2_compress_ctx(cctx, plain.as_ptr().cast(), 4000, chunk.as_mut_ptr().cast(), 4032);
        assert!(cbytes > 32 && cbytes < 2000);
        assert_eq!(blosc2_compress_ctx(cctx, plain.as_ptr().cast(), 4000, chunk.as_mut_ptr().cast(), 40), 0);
        assert!(
            blosc2_decompress_ctx(cctx, chunk.as_ptr().cast(), cbytes, back.as_mut_ptr().cast(), 4000) < 0
        );
        blosc2_free_ctx(cctx);
        let dctx = blosc2_create_dctx(blosc2_dparams::default());
        let (src, dest) = (chunk.as_ptr().cast(), back.as_mut_ptr().cast());
        assert_eq!(blosc2_decompress_ctx(dctx, src, cbytes, dest, 4000), 4000);
        assert_eq!(back, plain);
        assert_eq!(blosc2_getitem_ctx(dctx, src, cbytes, 900, 100, dest, 400), 400);
        assert_eq!(back[..400], plain[3600..]);
        assert!(blosc2_getitem_ctx(dctx, src, cbytes, 900, 101, dest, 4000) < 0);
        assert!(blosc2_getitem_ctx(dctx, src, cbytes, -1, 1, dest, 4000) < 0);
        assert!(blosc2_decompress_ctx(dctx, src, cbytes - 1, dest, 4000) < 0);
        assert!(blosc2_decompress_ctx(dctx, src, cbytes, dest, 3999) < 0);
        assert!(blosc2_decompress_ctx(dctx, ptr::null(), cbytes, dest, 4000) < 0);
        assert!(blosc2_decompress_ctx(ptr::null_mut(), src, cbytes, dest, 4000) < 0);
        blosc2_free_ctx(dctx);
        blosc2_free_ctx(ptr::null_mut());
    }
}

#[test]
fn parameters_are_checked() {
    for wrong in [
        blosc2_cparams { clevel: 10, ..cparams() },
        blosc2_cparams { compcode: 31, ..cparams() },
        blosc2_cparams { typesize: 0, ..cparams() },
        blosc2_cparams { blocksize: -1, ..cparams() },
        blosc2_cparams { prefilter: ptr::dangling_mut(), ..cparams() },
    ] {
        assert!(blosc2_create_cctx(wrong).is_null(), "{wrong:?}");
    }
}

#[test]
fn special_chunks_are_short() {
    let (mut chunk, mut back) = ([0_u8; 40], [1_u8; 400]);
    let room = chunk.as_mut_ptr().cast();
    // SAFETY: The buffers have these lengths.
    let decompress = |chunk: &[u8], back: &mut [u8], cbytes| unsafe {
        blosc2_decompress(chunk.as_ptr().cast(), cbytes, back.as_mut_ptr().cast(), 400)
    };
    // SAFETY: The pointers are those of buffers of these lengths, or null, or were given and are freed once.
    unsafe {
        assert_eq!(blosc2_chunk_zeros(cparams(), 400, room, 40), 32);
        assert_eq!(decompress(&chunk, &mut back, 32), 400);
        assert_eq!(back, [0; 400]);
        assert_eq!(blosc2_chunk_nans(cparams(), 400, room, 40), 32);
        assert_eq!(decompress(&chunk, &mut back, 32), 400);
        assert!(f32::from_le_bytes([back[396], back[397], back[398], back[399]]).is_nan());
        assert_eq!(blosc2_chunk_repeatval(cparams(), 400, room, 40, [1_u8, 2, 3, 4].as_ptr().cast()), 36);
        assert_eq!(decompress(&chunk, &mut back, 36), 400);
        assert_eq!(back[396..], [1, 2, 3, 4]);
        assert!(blosc2_chunk_zeros(cparams(), 400, room, 31) < 0);
        assert!(blosc2_chunk_zeros(cparams(), 401, room, 40) < 0);
    }
}

#[test]
fn super_chunks_show_their_changes() {
    let (plain, mut back) = (items(100), vec![0_u8; 400]);
    let mut cparams = cparams();
    let mut storage = blosc2_storage { cparams: &raw mut cparams, ..blosc2_storage::default() };
    // SAFETY: The pointers are those of buffers of these lengths, or null, or were given and are freed once.
    unsafe {
        let schunk = blosc2_schunk_new(&raw mut storage);
        for nchunk in 1..4 {
            assert_eq!(blosc2_schunk_append_buffer(schunk, plain.as_ptr().cast(), 400), nchunk);
        }
        assert_eq!(((*schunk).nchunks, (*schunk).chunksize, (*schunk).nbytes), (3, 400, 1200));
        let mut content = *b"\x93\x01\x02\x03";
        assert_eq!(blosc2_meta_add(schunk, c"grid".as_ptr(), content.as_mut_ptr(), 4), 0);
        assert!(blosc2_meta_add(schunk, c"grid".as_ptr(), content.as_mut_ptr(), 4) < 0);
        assert_eq!(CStr::from_ptr((*(*schunk).metalayers[0]).name), c"grid");
        assert_eq!(blosc2_vlmeta_add(schunk, c"unit".as_ptr(), content.as_mut_ptr(), 4, ptr::null_mut()), 0);
        let (mut names, mut value, mut len) = ([ptr::null_mut(); 1], ptr::null_mut(), 0);
        assert_eq!(blosc2_vlmeta_get_names(schunk, names.as_mut_ptr()), 1);
        assert_eq!(blosc2_vlmeta_get(schunk, names[0], &raw mut value, &raw mut len), 0);
        assert_eq!(core::slice::from_raw_parts(value, len as usize), content);
        libc::free(value.cast());

        let (mut frame, mut needs_free) = (ptr::null_mut(), false);
        let len = blosc2_schunk_to_buffer(schunk, &raw mut frame, &raw mut needs_free);
        assert!(len > 0 && needs_free);
        let copy = blosc2_schunk_from_buffer(frame, len, false);
        libc::free(frame.cast());
        assert_eq!(blosc2_schunk_decompress_chunk(copy, 2, back.as_mut_ptr().cast(), 400), 400);
        assert_eq!(back, plain);
        assert_eq!(blosc2_schunk_delete_chunk(copy, 0), 2);
        assert!(blosc2_schunk_delete_chunk(copy, 2) < 0);
        assert!(blosc2_schunk_decompress_chunk(copy, -1, back.as_mut_ptr().cast(), 400) < 0);
        assert_eq!(blosc2_vlmeta_delete(copy, c"unit".as_ptr()), 0);
        blosc2_schunk_free(copy);
        blosc2_schunk_free(schunk);
        assert!(blosc2_schunk_from_buffer(back.as_mut_ptr(), 400, true).is_null());
        assert!(blosc2_schunk_open(c"/none".as_ptr()).is_null());
    }
}

#[test]
#[cfg_attr(miri, ignore = "threads of rayon make pointers of numbers")]
fn arrays_are_cut_and_resized() {
    let plain = items(100);
    let mut cparams = cparams();
    let storage = blosc2_storage { cparams: &raw mut cparams, ..blosc2_storage::default() };
    let (shape, chunk, block) = ([10_i64, 10], [4, 10], [2, 5]);
    let mut array = ptr::null_mut();
    // SAFETY: The pointers are those of buffers of these lengths, or null, or were given and are freed once.
    unsafe {
        let (dtype, none) = (c"<i4".as_ptr(), ptr::null());
        let ctx =
            b2nd_create_ctx(&storage, 2, shape.as_ptr(), chunk.as_ptr(), block.as_ptr(), dtype, 0, none, 0);
        assert_eq!(b2nd_from_cbuffer(ctx, &raw mut array, plain.as_ptr().cast(), 400), 0);
        assert_eq!(((*array).nitems, (*array).extshape[0], (*array).chunk_array_strides[0]), (100, 12, 1));
        let mut part = [0_u8; 16];
        let (start, stop, lens) = ([9_i64, 6], [10_i64, 10], [1_i64, 4]);
        let read = |array, out: *mut u8, room| {
            b2nd_get_slice_cbuffer(array, start.as_ptr(), stop.as_ptr(), out.cast(), lens.as_ptr(), room)
        };
        assert_eq!(read(array, part.as_mut_ptr(), 16), 0);
        assert_eq!(part, plain[384..]);
        assert!(read(array, part.as_mut_ptr(), 15) < 0);
        assert_eq!(b2nd_resize(array, [11_i64, 10].as_ptr(), ptr::null()), 0);
        assert_eq!(((*array).shape[0], (*array).nitems), (11, 110));
        let mut smaller = ptr::null_mut();
        assert_eq!(b2nd_get_slice(ctx, &raw mut smaller, array, start.as_ptr(), stop.as_ptr()), 0);
        assert_eq!((*smaller).nitems, 4);
        b2nd_free(smaller);
        b2nd_free(array);
        b2nd_free_ctx(ctx);
        b2nd_free(ptr::null_mut());
    }
}

#[test]
fn metalayers_of_arrays_are_read_back() {
    let (shape, chunk, block) = ([10_i64, 10], [4_i32, 10], [2_i32, 5]);
    let (mut ndim, mut meta, mut dtype, mut format) = (0, ptr::null_mut(), ptr::null_mut(), 1);
    let (mut lens, mut chunks, mut blocks) = ([0; 16], [0; 16], [0; 16]);
    // SAFETY: The pointers are those of buffers of these lengths, or null, or were given and are freed once.
    unsafe {
        let text = c"<f8".as_ptr();
        let len =
            b2nd_serialize_meta(2, shape.as_ptr(), chunk.as_ptr(), block.as_ptr(), text, 0, &raw mut meta);
        let (to, to_chunks, to_blocks) = (lens.as_mut_ptr(), chunks.as_mut_ptr(), blocks.as_mut_ptr());
        let read = b2nd_deserialize_meta(
            meta,
            len,
            &raw mut ndim,
            to,
            to_chunks,
            to_blocks,
            &raw mut dtype,
            &raw mut format,
        );
        assert_eq!((read, ndim, format), (len, 2, 0));
        assert_eq!((&lens[..2], &chunks[..2], &blocks[..2]), (&shape[..], &chunk[..], &block[..]));
        assert_eq!(CStr::from_ptr(dtype), c"<f8");
        libc::free(dtype.cast());
        libc::free(meta.cast());
    }
}
