//! C-Blosc2, loaded into this process: everything that is unsafe here, behind functions that are not.
//!
//! Names and layouts are those of `blosc2.h` and `b2nd.h` of the version that [`Reference::load`] insists on.

#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null, null_mut};
use std::ffi::CString;
use std::path::Path;

use libloading::Library;

use crate::failure::{Failure, Result};

const VERSION: &str = "3.3.5";
/// What a chunk may be longer than its data.
const OVERHEAD: usize = 32;
/// Room for a dictionary and for the table of blocks besides.
const ROOM: usize = 1 << 20;

/// `blosc2_cparams`.
#[repr(C)]
#[derive(Clone, Copy)]
struct CParams {
    compcode: u8,
    compcode_meta: u8,
    clevel: u8,
    use_dict: c_int,
    typesize: i32,
    nthreads: i16,
    blocksize: i32,
    splitmode: i32,
    schunk: *mut c_void,
    filters: [u8; 6],
    filters_meta: [u8; 6],
    prefilter: *const c_void,
    preparams: *const c_void,
    tuner_params: *const c_void,
    tuner_id: c_int,
    instr_codec: bool,
    codec_params: *const c_void,
    filter_params: [*const c_void; 6],
}

/// `blosc2_dparams`.
#[repr(C)]
#[derive(Clone, Copy)]
struct DParams {
    nthreads: i16,
    schunk: *mut c_void,
    postfilter: *const c_void,
    postparams: *const c_void,
    typesize: i32,
}

type Transpose = unsafe extern "C" fn(i32, i32, *const u8, *mut u8) -> i32;
type Handle = *mut c_void;

macro_rules! functions {
    ($($name:ident: $kind:ty,)*) => {
        struct Functions { $($name: $kind),* }

        impl Functions {
            fn load(library: &'static Library) -> Result<Self, libloading::Error> {
                Ok(Self { $(
                    // SAFETY: the header declares the function of this name with this type.
                    $name: *unsafe { library.get::<$kind>(stringify!($name)) }?,
                )* })
            }
        }
    };
}

functions! {
    blosc2_init: unsafe extern "C" fn(),
    blosc2_get_version_string: unsafe extern "C" fn() -> *const c_char,
    blosc2_create_cctx: unsafe extern "C" fn(CParams) -> Handle,
    blosc2_create_dctx: unsafe extern "C" fn(DParams) -> Handle,
    blosc2_free_ctx: unsafe extern "C" fn(Handle),
    blosc2_compress_ctx: unsafe extern "C" fn(Handle, *const u8, i32, *mut u8, i32) -> c_int,
    blosc2_decompress_ctx: unsafe extern "C" fn(Handle, *const u8, i32, *mut u8, i32) -> c_int,
    blosc2_getitem_ctx: unsafe extern "C" fn(Handle, *const u8, i32, c_int, c_int, *mut u8, i32) -> c_int,
    blosc2_chunk_zeros: unsafe extern "C" fn(CParams, i32, *mut u8, i32) -> c_int,
    blosc2_chunk_nans: unsafe extern "C" fn(CParams, i32, *mut u8, i32) -> c_int,
    blosc2_chunk_repeatval: unsafe extern "C" fn(CParams, i32, *mut u8, i32, *const u8) -> c_int,
    blosc2_shuffle: Transpose,
    blosc2_unshuffle: Transpose,
    blosc2_bitshuffle: Transpose,
    blosc2_bitunshuffle: Transpose,
    blosc2_schunk_open: unsafe extern "C" fn(*const c_char) -> Handle,
    blosc2_schunk_free: unsafe extern "C" fn(Handle) -> c_int,
    blosc2_schunk_decompress_chunk: unsafe extern "C" fn(Handle, i64, *mut u8, i32) -> c_int,
    b2nd_open: unsafe extern "C" fn(*const c_char, *mut Handle) -> c_int,
    b2nd_from_cframe: unsafe extern "C" fn(*mut u8, i64, bool, *mut Handle) -> c_int,
    b2nd_get_slice_cbuffer:
        unsafe extern "C" fn(Handle, *const i64, *const i64, *mut u8, *const i64, i64) -> c_int,
    b2nd_free: unsafe extern "C" fn(Handle) -> c_int,
}

/// The loaded library. Nothing unloads it.
pub struct Reference(Functions);

/// How to compress a chunk.
#[derive(Clone, Copy)]
pub struct Params {
    pub codec: u8,
    pub clevel: u8,
    pub typesize: usize,
    /// 0 lets the library choose.
    pub blocksize: usize,
    pub dict: bool,
    /// Numbers and metas, in the order of encoding.
    pub filters: &'static [(u8, u8)],
}

/// A chunk that is one value throughout.
#[derive(Clone, Copy)]
pub enum Special {
    Zeros,
    Nans,
    Repeat,
}

/// The transpositions.
#[derive(Clone, Copy)]
pub enum Kernel {
    Shuffle,
    Unshuffle,
    Bitshuffle,
    Bitunshuffle,
}

impl Reference {
    pub fn load(path: &Path) -> Result<Self> {
        // SAFETY: the wheel's library has no initialisers that ask anything of this process.
        let library = unsafe { Library::new(path) };
        let library = library.map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        let functions = Functions::load(Box::leak(Box::new(library)))
            .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        // SAFETY: the first call of all, as the library wants it.
        unsafe { (functions.blosc2_init)() };
        // SAFETY: it takes nothing and gives a constant.
        let version = unsafe { (functions.blosc2_get_version_string)() };
        // SAFETY: that constant is a string, and stays.
        let version = unsafe { CStr::from_ptr(version) }.to_string_lossy();
        if version != VERSION {
            return Err(Failure::new(format!("this is about C-Blosc2 {VERSION}, not {version}")));
        }
        Ok(Self(functions))
    }

    pub const fn version(&self) -> &'static str {
        VERSION
    }

    pub fn compress(&self, params: &Params, data: &[u8]) -> Result<Vec<u8>> {
        let mut chunk = vec![0; data.len() + OVERHEAD + ROOM];
        // SAFETY: parameters by value, without pointers in them.
        let context = Context(&self.0, unsafe { (self.0.blosc2_create_cctx)(params.to_c()) });
        let (src, dst) = (data.as_ptr(), chunk.as_mut_ptr());
        // SAFETY: a live context; both pointers are good for the lengths that go with them.
        let len = unsafe {
            (self.0.blosc2_compress_ctx)(context.1, src, data.len() as i32, dst, chunk.len() as i32)
        };
        shorten(chunk, len, "blosc2_compress_ctx")
    }

    pub fn special(&self, kind: Special, typesize: usize, nbytes: usize) -> Result<Vec<u8>> {
        let mut chunk = vec![0; OVERHEAD + typesize];
        let filters = &[];
        let params = Params { codec: 1, clevel: 5, typesize, blocksize: 0, dict: false, filters }.to_c();
        let (nbytes, dst, room) = (nbytes as i32, chunk.as_mut_ptr(), chunk.len() as i32);
        let value: Vec<u8> = (1..=typesize as u8).collect();
        let len = match kind {
            // SAFETY: the header's 32 bytes are there.
            Special::Zeros => unsafe { (self.0.blosc2_chunk_zeros)(params, nbytes, dst, room) },
            // SAFETY: the same.
            Special::Nans => unsafe { (self.0.blosc2_chunk_nans)(params, nbytes, dst, room) },
            // SAFETY: the header and one item are there, and the item to repeat.
            Special::Repeat => unsafe {
                (self.0.blosc2_chunk_repeatval)(params, nbytes, dst, room, value.as_ptr())
            },
        };
        shorten(chunk, len, "blosc2_chunk_*")
    }

    /// A context for decoding on one thread, to be used again and again.
    pub fn decoder(&self) -> Decoder<'_> {
        let params =
            DParams { nthreads: 1, schunk: null_mut(), postfilter: null(), postparams: null(), typesize: 8 };
        // SAFETY: parameters by value; the null pointers mean "none".
        Decoder(Context(&self.0, unsafe { (self.0.blosc2_create_dctx)(params) }))
    }

    pub fn transpose(&self, kernel: Kernel, typesize: usize, src: &[u8], dst: &mut [u8]) {
        assert_eq!(src.len(), dst.len());
        let run = match kernel {
            Kernel::Shuffle => self.0.blosc2_shuffle,
            Kernel::Unshuffle => self.0.blosc2_unshuffle,
            Kernel::Bitshuffle => self.0.blosc2_bitshuffle,
            Kernel::Bitunshuffle => self.0.blosc2_bitunshuffle,
        };
        // SAFETY: both buffers have the length that is passed.
        let len = unsafe { run(typesize as i32, src.len() as i32, src.as_ptr(), dst.as_mut_ptr()) };
        assert_eq!(len as usize, src.len(), "the reference transposes");
    }

    /// The frame in a file.
    pub fn open_schunk(&self, path: &CStr) -> Result<SChunk<'_>> {
        // SAFETY: a path that ends with a zero.
        let handle = unsafe { (self.0.blosc2_schunk_open)(path.as_ptr()) };
        if handle.is_null() { Err(failed("blosc2_schunk_open", -1)) } else { Ok(SChunk(&self.0, handle)) }
    }

    /// The array in a file, with so many threads to read it.
    pub fn open_array(&self, path: &CStr, threads: usize) -> Result<Array<'_>> {
        let mut handle = null_mut();
        // SAFETY: a path that ends with a zero, and a place for the handle.
        let status = with_threads(threads, || unsafe { (self.0.b2nd_open)(path.as_ptr(), &mut handle) });
        if status < 0 { Err(failed("b2nd_open", status)) } else { Ok(Array(&self.0, handle, Vec::new())) }
    }

    /// The array in memory, with so many threads to read it.
    pub fn array_in(&self, mut frame: Vec<u8>, threads: usize) -> Result<Array<'_>> {
        let (mut handle, bytes, len) = (null_mut(), frame.as_mut_ptr(), frame.len() as i64);
        // SAFETY: the frame's bytes, which the array that is made here keeps for as long as it has the handle.
        let open = || unsafe { (self.0.b2nd_from_cframe)(bytes, len, false, &mut handle) };
        let status = with_threads(threads, open);
        if status < 0 { Err(failed("b2nd_from_cframe", status)) } else { Ok(Array(&self.0, handle, frame)) }
    }
}

/// The library's own switch: contexts that are made meanwhile get so many threads.
fn with_threads<T>(threads: usize, make: impl FnOnce() -> T) -> T {
    // SAFETY: this program has one thread whenever it calls here.
    unsafe { std::env::set_var("BLOSC_NTHREADS", threads.to_string()) };
    let made = make();
    // SAFETY: the same.
    unsafe { std::env::remove_var("BLOSC_NTHREADS") };
    made
}

impl Params {
    fn to_c(self) -> CParams {
        let (mut filters, mut filters_meta) = ([0; 6], [0; 6]);
        let first = filters.len() - self.filters.len();
        for (slot, &(id, meta)) in (first..).zip(self.filters) {
            (filters[slot], filters_meta[slot]) = (id, meta);
        }
        CParams {
            compcode: self.codec,
            compcode_meta: 0,
            clevel: self.clevel,
            use_dict: self.dict.into(),
            typesize: self.typesize as i32,
            nthreads: 1,
            blocksize: self.blocksize as i32,
            // What blosc2_cparams has by default: BLOSC_FORWARD_COMPAT_SPLIT.
            splitmode: 4,
            schunk: null_mut(),
            filters,
            filters_meta,
            prefilter: null(),
            preparams: null(),
            tuner_params: null(),
            tuner_id: 0,
            instr_codec: false,
            codec_params: null(),
            filter_params: [null(); 6],
        }
    }
}

/// A context of either kind.
struct Context<'a>(&'a Functions, Handle);

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library, freed once.
        unsafe { (self.0.blosc2_free_ctx)(self.1) };
    }
}

pub struct Decoder<'a>(Context<'a>);

impl Decoder<'_> {
    pub fn chunk(&mut self, chunk: &[u8], dst: &mut [u8]) -> Result {
        let (src, len) = (chunk.as_ptr(), chunk.len() as i32);
        // SAFETY: a live context; both pointers are good for the lengths that go with them.
        let done = unsafe {
            (self.0.0.blosc2_decompress_ctx)(self.0.1, src, len, dst.as_mut_ptr(), dst.len() as i32)
        };
        check(done, dst.len(), "blosc2_decompress_ctx")
    }

    pub fn items(&mut self, chunk: &[u8], start: usize, count: usize, dst: &mut [u8]) -> Result {
        let (src, len, room) = (chunk.as_ptr(), chunk.len() as i32, dst.len() as i32);
        let (start, count, out) = (start as c_int, count as c_int, dst.as_mut_ptr());
        // SAFETY: a live context; both pointers are good for the lengths that go with them.
        let done = unsafe { (self.0.0.blosc2_getitem_ctx)(self.0.1, src, len, start, count, out, room) };
        check(done, dst.len(), "blosc2_getitem_ctx")
    }
}

pub struct SChunk<'a>(&'a Functions, Handle);

impl SChunk<'_> {
    pub fn chunk(&self, number: i64, dst: &mut [u8]) -> Result {
        let (out, room) = (dst.as_mut_ptr(), dst.len() as i32);
        // SAFETY: a live handle; the pointer is good for the length.
        let done = unsafe { (self.0.blosc2_schunk_decompress_chunk)(self.1, number, out, room) };
        check(done, dst.len(), "blosc2_schunk_decompress_chunk")
    }
}

impl Drop for SChunk<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library, freed once.
        unsafe { (self.0.blosc2_schunk_free)(self.1) };
    }
}

/// An array, and the frame that it refers to if it is in memory.
pub struct Array<'a>(
    &'a Functions,
    Handle,
    #[expect(dead_code, reason = "the handle points into it")] Vec<u8>,
);

impl Array<'_> {
    /// The items from `start` to `stop` along each axis.
    pub fn slice(&self, start: &[i64], stop: &[i64], dst: &mut [u8]) -> Result {
        let shape: Vec<i64> = start.iter().zip(stop).map(|(start, stop)| stop - start).collect();
        let (from, to, out, len) = (start.as_ptr(), stop.as_ptr(), dst.as_mut_ptr(), dst.len() as i64);
        // SAFETY: a live handle, as many numbers as it has axes (the caller goes by its shape), and the buffer with
        // its length, which the library checks against the shape.
        let status = unsafe { (self.0.b2nd_get_slice_cbuffer)(self.1, from, to, out, shape.as_ptr(), len) };
        if status < 0 { Err(failed("b2nd_get_slice_cbuffer", status)) } else { Ok(()) }
    }
}

impl Drop for Array<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library, freed once, and before the frame.
        unsafe { (self.0.b2nd_free)(self.1) };
    }
}

pub fn c_path(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_encoded_bytes()).map_err(|error| Failure::new(error.to_string()))
}

fn shorten(mut chunk: Vec<u8>, len: c_int, what: &str) -> Result<Vec<u8>> {
    if len <= 0 {
        return Err(failed(what, len));
    }
    chunk.truncate(len as usize);
    Ok(chunk)
}

fn check(done: c_int, wanted: usize, what: &str) -> Result {
    if usize::try_from(done) == Ok(wanted) { Ok(()) } else { Err(failed(what, done)) }
}

fn failed(what: &str, status: c_int) -> Failure {
    Failure::new(format!("the reference's {what} returns {status}"))
}
