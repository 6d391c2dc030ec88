//! C-Blosc2, loaded as a shared library. All `unsafe` code of this program is here, behind safe functions.
//!
//! Names and layouts are those of `blosc2.h` and `b2nd.h` in the version that [`Reference::load`] requires.

#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null, null_mut};
use std::ffi::CString;
use std::path::Path;

use libloading::Library;

use crate::error::{Error, Result};

const VERSION: &str = "3.3.5";
/// Maximum overhead of a chunk without a dictionary.
pub const OVERHEAD: usize = 32;
/// Room for a dictionary and the table of blocks.
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
                    // SAFETY: the header declares this function with this type.
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

/// The loaded library, which is never unloaded.
pub struct Reference(Functions);

/// Compression parameters of a chunk.
#[derive(Clone, Copy)]
pub struct Params {
    pub codec: u8,
    pub clevel: u8,
    pub typesize: usize,
    /// 0 means the library's default.
    pub blocksize: usize,
    pub dict: bool,
    /// Ids and parameters, in the order of encoding.
    pub filters: &'static [(u8, u8)],
}

/// The value of a special chunk.
#[derive(Clone, Copy)]
pub enum Special {
    Zeros,
    Nans,
    Repeat,
}

/// A filter function.
#[derive(Clone, Copy)]
pub enum Kernel {
    Shuffle,
    Unshuffle,
    Bitshuffle,
    Bitunshuffle,
}

impl Reference {
    pub fn load(path: &Path) -> Result<Self> {
        // SAFETY: the library's initialisers have no requirements.
        let library = unsafe { Library::new(path) };
        let library = library.map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
        let functions = Functions::load(Box::leak(Box::new(library)))
            .map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
        // SAFETY: the first call, as the library requires.
        unsafe { (functions.blosc2_init)() };
        // SAFETY: has no arguments and returns a constant.
        let version = unsafe { (functions.blosc2_get_version_string)() };
        // SAFETY: the constant is a static C string.
        let version = unsafe { CStr::from_ptr(version) }.to_string_lossy();
        if version != VERSION {
            return Err(Error::new(format!("C-Blosc2 {VERSION} is required, not {version}")));
        }
        Ok(Self(functions))
    }

    pub const fn version(&self) -> &'static str {
        VERSION
    }

    pub fn compress(&self, params: &Params, data: &[u8]) -> Result<Vec<u8>> {
        let mut chunk = vec![0; data.len() + OVERHEAD + ROOM];
        // SAFETY: parameters are passed by value and contain no pointers.
        let context = Context(&self.0, unsafe { (self.0.blosc2_create_cctx)(params.to_c()) });
        let (src, dst) = (data.as_ptr(), chunk.as_mut_ptr());
        // SAFETY: the context is live; both pointers are valid for the given lengths.
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
            // SAFETY: the buffer has the 32 bytes of the header.
            Special::Zeros => unsafe { (self.0.blosc2_chunk_zeros)(params, nbytes, dst, room) },
            // SAFETY: as above.
            Special::Nans => unsafe { (self.0.blosc2_chunk_nans)(params, nbytes, dst, room) },
            // SAFETY: the buffer has the header and one item; so has the source.
            Special::Repeat => unsafe {
                (self.0.blosc2_chunk_repeatval)(params, nbytes, dst, room, value.as_ptr())
            },
        };
        shorten(chunk, len, "blosc2_chunk_*")
    }

    /// A context for encoding with this many threads, reusable.
    pub fn encoder(&self, params: &Params, threads: i16) -> Encoder<'_> {
        let params = CParams { nthreads: threads, ..params.to_c() };
        // SAFETY: parameters are passed by value and contain no pointers.
        Encoder(Context(&self.0, unsafe { (self.0.blosc2_create_cctx)(params) }))
    }

    /// A context for decoding on one thread, reusable.
    pub fn decoder(&self) -> Decoder<'_> {
        let params =
            DParams { nthreads: 1, schunk: null_mut(), postfilter: null(), postparams: null(), typesize: 8 };
        // SAFETY: parameters are passed by value; null pointers mean "none".
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
        // SAFETY: both buffers have the given length.
        let len = unsafe { run(typesize as i32, src.len() as i32, src.as_ptr(), dst.as_mut_ptr()) };
        assert_eq!(len as usize, src.len(), "the reference transposes");
    }

    /// Opens a frame from a file.
    pub fn open_schunk(&self, path: &CStr) -> Result<SChunk<'_>> {
        // SAFETY: the path is a C string.
        let handle = unsafe { (self.0.blosc2_schunk_open)(path.as_ptr()) };
        if handle.is_null() { Err(failed("blosc2_schunk_open", -1)) } else { Ok(SChunk(&self.0, handle)) }
    }

    /// Opens an array from a file, to be read with `threads` threads.
    pub fn open_array(&self, path: &CStr, threads: usize) -> Result<Array<'_>> {
        let mut handle = null_mut();
        // SAFETY: the path is a C string; the handle is written to valid memory.
        let status = with_threads(threads, || unsafe { (self.0.b2nd_open)(path.as_ptr(), &mut handle) });
        if status < 0 { Err(failed("b2nd_open", status)) } else { Ok(Array(&self.0, handle, Vec::new())) }
    }

    /// Opens an array in memory, to be read with `threads` threads.
    pub fn array_in(&self, mut frame: Vec<u8>, threads: usize) -> Result<Array<'_>> {
        let (mut handle, bytes, len) = (null_mut(), frame.as_mut_ptr(), frame.len() as i64);
        // SAFETY: the array keeps the frame's bytes for as long as the handle.
        let open = || unsafe { (self.0.b2nd_from_cframe)(bytes, len, false, &mut handle) };
        let status = with_threads(threads, open);
        if status < 0 { Err(failed("b2nd_from_cframe", status)) } else { Ok(Array(&self.0, handle, frame)) }
    }
}

/// Sets the library's environment variable for the number of threads of new contexts.
fn with_threads<T>(threads: usize, make: impl FnOnce() -> T) -> T {
    // SAFETY: this program has one thread whenever it calls this.
    unsafe { std::env::set_var("BLOSC_NTHREADS", threads.to_string()) };
    let made = make();
    // SAFETY: as above.
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
            // BLOSC_FORWARD_COMPAT_SPLIT, the default of blosc2_cparams.
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

/// A context for compression or decompression.
struct Context<'a>(&'a Functions, Handle);

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library, freed once.
        unsafe { (self.0.blosc2_free_ctx)(self.1) };
    }
}

pub struct Encoder<'a>(Context<'a>);

impl Encoder<'_> {
    /// Encodes a chunk into `dst` and returns its length.
    pub fn chunk(&mut self, plain: &[u8], dst: &mut [u8]) -> Result<usize> {
        let (src, len) = (plain.as_ptr(), plain.len() as i32);
        // SAFETY: the context is live; both pointers are valid for the given lengths.
        let done =
            unsafe { (self.0.0.blosc2_compress_ctx)(self.0.1, src, len, dst.as_mut_ptr(), dst.len() as i32) };
        usize::try_from(done).map_err(|_| failed("blosc2_compress_ctx", done))
    }
}

pub struct Decoder<'a>(Context<'a>);

impl Decoder<'_> {
    pub fn chunk(&mut self, chunk: &[u8], dst: &mut [u8]) -> Result {
        let (src, len) = (chunk.as_ptr(), chunk.len() as i32);
        // SAFETY: the context is live; both pointers are valid for the given lengths.
        let done = unsafe {
            (self.0.0.blosc2_decompress_ctx)(self.0.1, src, len, dst.as_mut_ptr(), dst.len() as i32)
        };
        check(done, dst.len(), "blosc2_decompress_ctx")
    }

    pub fn items(&mut self, chunk: &[u8], start: usize, count: usize, dst: &mut [u8]) -> Result {
        let (src, len, room) = (chunk.as_ptr(), chunk.len() as i32, dst.len() as i32);
        let (start, count, out) = (start as c_int, count as c_int, dst.as_mut_ptr());
        // SAFETY: the context is live; both pointers are valid for the given lengths.
        let done = unsafe { (self.0.0.blosc2_getitem_ctx)(self.0.1, src, len, start, count, out, room) };
        check(done, dst.len(), "blosc2_getitem_ctx")
    }
}

pub struct SChunk<'a>(&'a Functions, Handle);

impl SChunk<'_> {
    pub fn chunk(&self, number: i64, dst: &mut [u8]) -> Result {
        let (out, room) = (dst.as_mut_ptr(), dst.len() as i32);
        // SAFETY: the handle is live; the pointer is valid for the length.
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

/// An array, and its frame if that is in memory.
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
        // SAFETY: the handle is live; the slices have one number per axis, which the caller ensures; the library
        // checks the buffer's length against the shape.
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
    CString::new(path.as_os_str().as_encoded_bytes()).map_err(|error| Error::new(error.to_string()))
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

fn failed(what: &str, status: c_int) -> Error {
    Error::new(format!("the reference's {what} returns {status}"))
}
