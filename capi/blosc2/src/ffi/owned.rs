//! Super-chunks and arrays as callers have them: a struct to read, and the frame behind it.

use crate::codes::{Failure, Result};
use crate::frames::{Facts, Frame};
use crate::types::{
    B2ND_MAX_DIM, BLOSC2_MAX_METALAYERS, BLOSC2_MAX_VLMETALAYERS, b2nd_array_t, blosc2_cparams,
    blosc2_dparams, blosc2_io, blosc2_metalayer, blosc2_schunk, blosc2_storage, chunk_cache_s,
};
use b2nd::Layout;
use core::ffi::{CStr, c_char};
use core::ptr;
use std::ffi::CString;

/// A super-chunk. Callers have a pointer to its first field.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Owned {
    public: blosc2_schunk,
    pub(super) frame: Frame,
    /// The facts of the frame that [`Owned::public`] shows.
    shown: Facts,
    shown_names: Vec<String>,
}

impl Owned {
    /// A super-chunk for the caller, who frees it with [`free`].
    pub(super) fn give(frame: Frame, path: Option<&CStr>) -> *mut blosc2_schunk {
        let path = path.map_or(ptr::null_mut(), |path| path.to_owned().into_raw());
        let cparams = blosc2_cparams::of(&frame.facts().cparams);
        let storage = blosc2_storage {
            contiguous: frame.is_contiguous(),
            urlpath: path,
            cparams: Box::into_raw(Box::new(cparams)),
            dparams: Box::into_raw(Box::new(blosc2_dparams {
                typesize: cparams.typesize,
                ..Default::default()
            })),
            io: Box::into_raw(Box::new(blosc2_io { id: 0, name: ptr::null(), params: ptr::null_mut() })),
        };
        let public = public(&cparams, Box::into_raw(Box::new(storage)));
        let mut owned = Box::new(Self { public, frame, shown: Facts::default(), shown_names: Vec::new() });
        owned.show();
        Box::into_raw(owned).cast()
    }

    /// The names of the variable-length metalayers, as the caller sees them.
    pub(super) fn variable_names(&self) -> Vec<*mut c_char> {
        let layers = &self.public.vlmetalayers[..self.shown_names.len().min(BLOSC2_MAX_VLMETALAYERS)];
        // SAFETY: There are as many, and they are freed only where they are replaced.
        layers.iter().map(|&layer| unsafe { (*layer).name }).collect()
    }

    /// Brings what the caller sees up to date.
    pub(super) fn show(&mut self) {
        let facts = self.frame.facts().clone();
        let public = &mut self.public;
        public.chunksize = facts.chunksize as i32;
        public.blocksize = facts.cparams.blocksize as i32;
        public.nchunks = facts.nchunks as i64;
        public.nbytes = facts.nbytes as i64;
        public.cbytes = facts.cbytes as i64;
        public.change_tick = facts.changes as i64;
        public.ndim = facts.layout.as_ref().map_or(0, |layout| layout.shape().len() as i8);
        if !public.frame.is_null() || self.frame.is_contiguous() {
            public.frame = public.storage.cast();
        }
        if self.shown.metalayers != facts.metalayers {
            let layers = facts.metalayers.iter().map(|layer| (&layer.name[..], Some(&layer.content[..])));
            public.nmetalayers = fill(&mut public.metalayers, layers) as u16;
        }
        if self.shown_names != self.frame.attribute_names() {
            self.shown_names = self.frame.attribute_names().to_vec();
            let names = self.shown_names.iter().map(|name| (name.as_bytes(), None));
            public.nvlmetalayers = fill(&mut public.vlmetalayers, names) as i16;
        }
        self.shown = facts;
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let public = &mut self.public;
        fill(&mut public.metalayers, core::iter::empty());
        fill(&mut public.vlmetalayers, core::iter::empty());
        // SAFETY: It was made in `give`, as were those that it points to, and nothing else frees them.
        let storage = unsafe { Box::from_raw(public.storage) };
        // SAFETY: As above.
        drop(unsafe { Box::from_raw(storage.cparams) });
        // SAFETY: As above.
        drop(unsafe { Box::from_raw(storage.dparams) });
        // SAFETY: As above.
        drop(unsafe { Box::from_raw(storage.io) });
        if !storage.urlpath.is_null() {
            // SAFETY: As above.
            drop(unsafe { CString::from_raw(storage.urlpath) });
        }
    }
}

fn public(cparams: &blosc2_cparams, storage: *mut blosc2_storage) -> blosc2_schunk {
    blosc2_schunk {
        version: 5,
        compcode: cparams.compcode,
        compcode_meta: cparams.compcode_meta,
        clevel: cparams.clevel,
        splitmode: cparams.splitmode as u8,
        typesize: cparams.typesize,
        blocksize: cparams.blocksize,
        chunksize: 0,
        flags2: 0,
        use_dict: cparams.use_dict as u8,
        filters: cparams.filters,
        filters_meta: cparams.filters_meta,
        nchunks: 0,
        current_nchunk: 0,
        nbytes: 0,
        cbytes: 0,
        data: ptr::null_mut(),
        data_len: 0,
        storage,
        frame: ptr::null_mut(),
        cctx: ptr::null_mut(),
        dctx: ptr::null_mut(),
        metalayers: [ptr::null_mut(); BLOSC2_MAX_METALAYERS],
        nmetalayers: 0,
        vlmetalayers: [ptr::null_mut(); BLOSC2_MAX_VLMETALAYERS],
        nvlmetalayers: 0,
        tuner_params: ptr::null_mut(),
        tuner_id: 0,
        ndim: 0,
        blockshape: ptr::null_mut(),
        view: false,
        change_tick: 0,
    }
}

/// Replaces metalayers that callers see. Returns how many there are, of those that there is room for.
fn fill<'a>(
    slots: &mut [*mut blosc2_metalayer],
    layers: impl Iterator<Item = (&'a [u8], Option<&'a [u8]>)>,
) -> usize {
    let mut layers = layers.fuse();
    let mut count = 0;
    for slot in slots {
        if !slot.is_null() {
            // SAFETY: It was made by `metalayer`, and is freed once.
            unsafe { free_metalayer(*slot) };
        }
        let layer = layers.next();
        count += usize::from(layer.is_some());
        *slot = layer.map_or(ptr::null_mut(), |(name, content)| metalayer(name, content));
    }
    count
}

fn metalayer(name: &[u8], content: Option<&[u8]>) -> *mut blosc2_metalayer {
    let name: Vec<u8> = name.iter().copied().take_while(|&byte| byte != 0).collect();
    let name = CString::new(name).unwrap_or_default().into_raw();
    let content_len = content.map_or(0, |content| content.len() as i32);
    let content = content.map_or(ptr::null_mut(), |content| Box::into_raw(Box::<[u8]>::from(content)).cast());
    Box::into_raw(Box::new(blosc2_metalayer { name, content, content_len }))
}

/// # Safety
/// It was made by [`metalayer`], and is not freed twice.
unsafe fn free_metalayer(layer: *mut blosc2_metalayer) {
    // SAFETY: The caller promises it.
    let layer = unsafe { Box::from_raw(layer) };
    // SAFETY: As above.
    drop(unsafe { CString::from_raw(layer.name) });
    if !layer.content.is_null() {
        let content = ptr::slice_from_raw_parts_mut(layer.content, layer.content_len as usize);
        // SAFETY: As above; it was a slice of this length.
        drop(unsafe { Box::from_raw(content) });
    }
}

/// A super-chunk of the caller's.
///
/// # Safety
/// Unless it is null, it was [given](Owned::give), is not freed, and no other call uses it.
pub(super) unsafe fn schunk<'a>(pointer: *mut blosc2_schunk) -> Result<&'a mut Owned> {
    // SAFETY: The caller promises it.
    unsafe { pointer.cast::<Owned>().as_mut() }.ok_or_else(Failure::null)
}

/// Frees a super-chunk, unless it is null.
///
/// # Safety
/// As for [`schunk`]; nothing uses it any more.
pub(super) unsafe fn free(pointer: *mut blosc2_schunk) {
    if !pointer.is_null() {
        // SAFETY: The caller promises it.
        drop(unsafe { Box::from_raw(pointer.cast::<Owned>()) });
    }
}

/// An array for the caller, who frees it with [`free_array`].
///
/// # Errors
/// If the super-chunk is no array, which the caller then keeps.
///
/// # Safety
/// As for [`schunk`].
pub(super) unsafe fn give_array(sc: *mut blosc2_schunk) -> Result<*mut b2nd_array_t> {
    // SAFETY: The caller promises it.
    let owned = unsafe { schunk(sc) }?;
    let layout = owned.frame.facts().layout.as_ref();
    let layout = layout.ok_or_else(|| Failure::argument("the super-chunk is no array"))?;
    let mut array = Box::new(array(sc));
    show_array(&mut array, layout);
    let dtype = layout.dtype().unwrap_or("|u1");
    array.dtype = CString::new(dtype).unwrap_or_default().into_raw();
    Ok(Box::into_raw(array))
}

/// The array of the caller's, and its super-chunk.
///
/// # Safety
/// Unless it is null, it was [given](give_array), is not freed, and no other call uses it.
pub(super) unsafe fn array_mut<'a>(
    pointer: *mut b2nd_array_t,
) -> Result<(&'a mut b2nd_array_t, &'a mut Owned)> {
    // SAFETY: The caller promises it.
    let array = unsafe { pointer.as_mut() }.ok_or_else(Failure::null)?;
    // SAFETY: The caller promises it.
    let owned = unsafe { schunk(array.sc) }?;
    Ok((array, owned))
}

/// Frees an array and its super-chunk, unless it is null.
///
/// # Safety
/// As for [`array_mut`]; nothing uses it any more.
pub(super) unsafe fn free_array(pointer: *mut b2nd_array_t) {
    if pointer.is_null() {
        return;
    }
    // SAFETY: The caller promises it.
    let array = unsafe { Box::from_raw(pointer) };
    // SAFETY: It was made in `give_array`.
    drop(unsafe { CString::from_raw(array.dtype) });
    // SAFETY: The array owns it.
    unsafe { free(array.sc) };
}

fn array(sc: *mut blosc2_schunk) -> b2nd_array_t {
    const ZEROS: [i64; B2ND_MAX_DIM] = [0; B2ND_MAX_DIM];
    b2nd_array_t {
        sc,
        shape: ZEROS,
        chunkshape: [0; B2ND_MAX_DIM],
        extshape: ZEROS,
        blockshape: [0; B2ND_MAX_DIM],
        extchunkshape: ZEROS,
        nitems: 0,
        chunknitems: 0,
        extnitems: 0,
        blocknitems: 0,
        extchunknitems: 0,
        ndim: 0,
        chunk_cache: chunk_cache_s { data: ptr::null_mut(), nchunk: -1 },
        item_array_strides: ZEROS,
        item_chunk_strides: ZEROS,
        item_extchunk_strides: ZEROS,
        item_block_strides: ZEROS,
        block_chunk_strides: ZEROS,
        chunk_array_strides: ZEROS,
        dtype: ptr::null_mut(),
        dtype_format: 0,
        last_tick: 0,
    }
}

/// Brings what the caller sees of an array up to date.
pub(super) fn show_array(array: &mut b2nd_array_t, layout: &Layout) {
    let ndim = layout.shape().len();
    let chunks = layout.chunkshape();
    let blocks = layout.blockshape().unwrap_or(chunks);
    array.ndim = ndim as i8;
    let (mut counts, mut blocks_of_chunk) = ([1; B2ND_MAX_DIM], [1; B2ND_MAX_DIM]);
    for axis in 0..B2ND_MAX_DIM {
        let lens = layout.shape().get(axis).zip(chunks.get(axis)).zip(blocks.get(axis));
        let (shape, chunk, block) = lens.map_or((1, 1, 1), |((shape, &chunk), &block)| {
            (shape as i64, i64::from(chunk), i64::from(block))
        });
        array.shape[axis] = shape;
        (array.chunkshape[axis], array.blockshape[axis]) = (chunk as i32, block as i32);
        array.extshape[axis] = multiple(shape, chunk);
        array.extchunkshape[axis] = multiple(chunk, block);
        counts[axis] = array.extshape[axis] / chunk.max(1);
        blocks_of_chunk[axis] = array.extchunkshape[axis] / block.max(1);
    }
    array.nitems = product(&array.shape);
    array.extnitems = product(&array.extshape);
    array.chunknitems = product(&array.chunkshape.map(i64::from)) as i32;
    array.blocknitems = product(&array.blockshape.map(i64::from)) as i32;
    array.extchunknitems = product(&array.extchunkshape);
    array.item_array_strides = strides(&array.shape, ndim);
    array.item_chunk_strides = strides(&array.chunkshape.map(i64::from), ndim);
    array.item_extchunk_strides = strides(&array.extchunkshape, ndim);
    array.item_block_strides = strides(&array.blockshape.map(i64::from), ndim);
    array.block_chunk_strides = strides(&blocks_of_chunk, ndim);
    array.chunk_array_strides = strides(&counts, ndim);
}

/// The least multiple of `unit` that is not less than `len`.
fn multiple(len: i64, unit: i64) -> i64 {
    if unit == 0 { 0 } else { (len.saturating_add(unit - 1) / unit).saturating_mul(unit) }
}

fn product(lens: &[i64; B2ND_MAX_DIM]) -> i64 {
    lens.iter().fold(1, |product, &len| product.saturating_mul(len))
}

/// Strides in C order.
fn strides(shape: &[i64; B2ND_MAX_DIM], ndim: usize) -> [i64; B2ND_MAX_DIM] {
    let mut strides = [0; B2ND_MAX_DIM];
    let mut stride = 1_i64;
    for axis in (0..ndim).rev() {
        strides[axis] = stride;
        stride = stride.saturating_mul(shape[axis]);
    }
    strides
}
