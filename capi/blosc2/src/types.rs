//! The structs that callers fill in or read, as C-Blosc2 3 lays them out.

use core::ffi::{c_char, c_int, c_void};
use core::ptr;

/// The most filters of a chunk.
pub const BLOSC2_MAX_FILTERS: usize = 6;
/// The most metalayers of a super-chunk.
pub const BLOSC2_MAX_METALAYERS: usize = 16;
/// The most bytes of a metalayer's name.
pub const BLOSC2_METALAYER_NAME_MAXLEN: usize = 31;
/// The most variable-length metalayers of a super-chunk.
pub const BLOSC2_MAX_VLMETALAYERS: usize = 8192;
/// The most dimensions of an array.
pub const B2ND_MAX_DIM: usize = 16;

/// A context of compression or decompression.
#[allow(non_camel_case_types)]
pub type blosc2_context = crate::context::Context;
/// The parameters of arrays to create.
#[allow(non_camel_case_types)]
pub type b2nd_context_t = crate::array::Plan;

/// Compression parameters.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct blosc2_cparams {
    /// The code of the compressor.
    pub compcode: u8,
    /// Its parameter.
    pub compcode_meta: u8,
    /// The level, 0 to 9.
    pub clevel: u8,
    /// Whether blocks share a dictionary.
    pub use_dict: c_int,
    /// Bytes of an item.
    pub typesize: i32,
    /// The number of threads.
    pub nthreads: i16,
    /// Bytes of a block; 0 to choose them.
    pub blocksize: i32,
    /// When blocks are split: `BLOSC_ALWAYS_SPLIT` and so on.
    pub splitmode: i32,
    /// Not used.
    pub schunk: *mut c_void,
    /// The filters, in the order in which they are applied.
    pub filters: [u8; BLOSC2_MAX_FILTERS],
    /// Their parameters.
    pub filters_meta: [u8; BLOSC2_MAX_FILTERS],
    /// A function of the caller's: must be null.
    pub prefilter: *mut c_void,
    /// Not used.
    pub preparams: *mut c_void,
    /// Not used.
    pub tuner_params: *mut c_void,
    /// Not used.
    pub tuner_id: c_int,
    /// Not used.
    pub instr_codec: bool,
    /// Not used.
    pub codec_params: *mut c_void,
    /// Not used.
    pub filter_params: [*mut c_void; BLOSC2_MAX_FILTERS],
}

impl Default for blosc2_cparams {
    fn default() -> Self {
        Self {
            compcode: 0,
            compcode_meta: 0,
            clevel: 5,
            use_dict: 0,
            typesize: 8,
            nthreads: 1,
            blocksize: 0,
            splitmode: crate::codes::BLOSC_FORWARD_COMPAT_SPLIT,
            schunk: ptr::null_mut(),
            filters: [0, 0, 0, 0, 0, 1],
            filters_meta: [0; BLOSC2_MAX_FILTERS],
            prefilter: ptr::null_mut(),
            preparams: ptr::null_mut(),
            tuner_params: ptr::null_mut(),
            tuner_id: 0,
            instr_codec: false,
            codec_params: ptr::null_mut(),
            filter_params: [ptr::null_mut(); BLOSC2_MAX_FILTERS],
        }
    }
}

/// Decompression parameters.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct blosc2_dparams {
    /// The number of threads.
    pub nthreads: i16,
    /// The super-chunk that chunks are of, or null. Only its item size is used.
    pub schunk: *mut c_void,
    /// A function of the caller's: must be null.
    pub postfilter: *mut c_void,
    /// Not used.
    pub postparams: *mut c_void,
    /// Bytes of an item of chunks whose items have more than 255 bytes.
    pub typesize: i32,
}

impl Default for blosc2_dparams {
    fn default() -> Self {
        let none = ptr::null_mut();
        Self { nthreads: 1, schunk: none, postfilter: none, postparams: none, typesize: 8 }
    }
}

/// How data are read and written.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct blosc2_io {
    /// 0 for files: nothing else is known.
    pub id: u8,
    /// Not used.
    pub name: *const c_char,
    /// Not used.
    pub params: *mut c_void,
}

/// Where a new super-chunk goes.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct blosc2_storage {
    /// Whether it is one file rather than a directory. In memory it always is one frame.
    pub contiguous: bool,
    /// The path, or null for memory.
    pub urlpath: *mut c_char,
    /// Compression parameters, or null for the defaults.
    pub cparams: *mut blosc2_cparams,
    /// Decompression parameters, or null for the defaults.
    pub dparams: *mut blosc2_dparams,
    /// Files, or null for them.
    pub io: *mut blosc2_io,
}

impl Default for blosc2_storage {
    fn default() -> Self {
        let urlpath = ptr::null_mut();
        let (cparams, dparams, io) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        Self { contiguous: false, urlpath, cparams, dparams, io }
    }
}

/// A metalayer.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug)]
pub struct blosc2_metalayer {
    /// Its name.
    pub name: *mut c_char,
    /// Its content; null for variable-length metalayers, whose content `blosc2_vlmeta_get` returns.
    pub content: *mut u8,
    /// Bytes of the content.
    pub content_len: i32,
}

/// A super-chunk: what callers read of it. Nothing that they change has an effect.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug)]
pub struct blosc2_schunk {
    /// The version of the format.
    pub version: u8,
    /// The code of the compressor.
    pub compcode: u8,
    /// Its parameter.
    pub compcode_meta: u8,
    /// The level.
    pub clevel: u8,
    /// When blocks are split.
    pub splitmode: u8,
    /// Bytes of an item.
    pub typesize: i32,
    /// Bytes of a block, or 0.
    pub blocksize: i32,
    /// Bytes of a chunk, but for the last one; 0 without chunks, or if they differ.
    pub chunksize: i32,
    /// Not used.
    pub flags2: u8,
    /// Whether blocks share a dictionary.
    pub use_dict: u8,
    /// The filters.
    pub filters: [u8; BLOSC2_MAX_FILTERS],
    /// Their parameters.
    pub filters_meta: [u8; BLOSC2_MAX_FILTERS],
    /// The number of chunks.
    pub nchunks: i64,
    /// Not used.
    pub current_nchunk: i64,
    /// Plain bytes.
    pub nbytes: i64,
    /// Compressed bytes.
    pub cbytes: i64,
    /// Always null: chunks are in a frame.
    pub data: *mut *mut u8,
    /// Always 0.
    pub data_len: usize,
    /// How it is stored, with its parameters.
    pub storage: *mut blosc2_storage,
    /// Not null for frames of one file or in memory.
    pub frame: *mut c_void,
    /// Always null.
    pub cctx: *mut blosc2_context,
    /// Always null.
    pub dctx: *mut blosc2_context,
    /// The metalayers.
    pub metalayers: [*mut blosc2_metalayer; BLOSC2_MAX_METALAYERS],
    /// Their number.
    pub nmetalayers: u16,
    /// The variable-length metalayers.
    pub vlmetalayers: [*mut blosc2_metalayer; BLOSC2_MAX_VLMETALAYERS],
    /// Their number.
    pub nvlmetalayers: i16,
    /// Always null.
    pub tuner_params: *mut c_void,
    /// Always 0.
    pub tuner_id: c_int,
    /// The number of dimensions, or 0.
    pub ndim: i8,
    /// Always null.
    pub blockshape: *mut i64,
    /// Always false.
    pub view: bool,
    /// The number of changes.
    pub change_tick: i64,
}

/// A decoded chunk that is kept.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug)]
pub struct chunk_cache_s {
    /// Always null.
    pub data: *mut u8,
    /// Always -1.
    pub nchunk: i64,
}

/// An array. Lengths beyond its dimensions are 1, strides 0.
#[allow(non_camel_case_types)]
#[repr(C)]
#[derive(Debug)]
pub struct b2nd_array_t {
    /// The super-chunk, which the array owns.
    pub sc: *mut blosc2_schunk,
    /// Items along each axis.
    pub shape: [i64; B2ND_MAX_DIM],
    /// Items of a chunk along each axis.
    pub chunkshape: [i32; B2ND_MAX_DIM],
    /// `shape`, made multiples of `chunkshape`.
    pub extshape: [i64; B2ND_MAX_DIM],
    /// Items of a block along each axis.
    pub blockshape: [i32; B2ND_MAX_DIM],
    /// `chunkshape`, made multiples of `blockshape`.
    pub extchunkshape: [i64; B2ND_MAX_DIM],
    /// The product of `shape`.
    pub nitems: i64,
    /// The product of `chunkshape`.
    pub chunknitems: i32,
    /// The product of `extshape`.
    pub extnitems: i64,
    /// The product of `blockshape`.
    pub blocknitems: i32,
    /// The product of `extchunkshape`.
    pub extchunknitems: i64,
    /// The number of dimensions.
    pub ndim: i8,
    /// Not used.
    pub chunk_cache: chunk_cache_s,
    /// Strides of `shape`, in items.
    pub item_array_strides: [i64; B2ND_MAX_DIM],
    /// Strides of `chunkshape`, in items.
    pub item_chunk_strides: [i64; B2ND_MAX_DIM],
    /// Strides of `extchunkshape`, in items.
    pub item_extchunk_strides: [i64; B2ND_MAX_DIM],
    /// Strides of `blockshape`, in items.
    pub item_block_strides: [i64; B2ND_MAX_DIM],
    /// Strides of the blocks of a chunk, in blocks.
    pub block_chunk_strides: [i64; B2ND_MAX_DIM],
    /// Strides of the chunks of the array, in chunks.
    pub chunk_array_strides: [i64; B2ND_MAX_DIM],
    /// The dtype.
    pub dtype: *mut c_char,
    /// 0: the notation of NumPy.
    pub dtype_format: i8,
    /// Not used.
    pub last_tick: i64,
}
