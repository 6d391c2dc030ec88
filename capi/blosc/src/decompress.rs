//! Chunks made plain again.

use crate::header::Header;
use b2nd::chunk::Chunk;
use b2nd::{DParams, Limits, Reader, Scratch, Selection};
use b2nd_c::pool;
use core::cell::Cell;
use core::ops::Range;

thread_local! {
    /// The decoder's memory, which the next call uses.
    static SCRATCH: Cell<Option<Scratch>> = const { Cell::new(None) };
}

/// Gives up the memory that this thread keeps.
pub(crate) fn free() {
    SCRATCH.set(None);
}

/// Why a chunk is not decoded.
type Reason = String;

/// Decodes a whole chunk into the start of `dst`, and returns the number of bytes.
pub(crate) fn decompress(
    src: &[u8],
    header: &Header,
    dst: &mut [u8],
    nthreads: usize,
) -> Result<usize, Reason> {
    check(header)?;
    let nbytes = header.nbytes as usize;
    let room = dst.len();
    let dst = dst
        .get_mut(..nbytes)
        .ok_or_else(|| format!("the chunk has {nbytes} bytes, the destination {room}"))?;
    if nbytes == 0 {
        return Ok(0);
    }
    let blocksize = header.blocksize as usize;
    let several = if nbytes / blocksize > 1 { nthreads } else { 1 };
    pool::run(several, nbytes, |parallel| if parallel { decode_parallel(src, dst) } else { decode(src, dst) })
        .map(|()| nbytes)
}

/// Decodes `items` of a chunk into `dst`, which has their length.
pub(crate) fn items(src: &[u8], header: &Header, items: Range<u32>, dst: &mut [u8]) -> Result<(), Reason> {
    check(header)?;
    let chunk = Chunk::new(src).map_err(reason)?;
    with_scratch(Limits::default(), |scratch| chunk.items_into(items, dst, scratch)).map_err(reason)
}

/// Checks what C-Blosc checks, and the library would read differently: chunks of Blosc2.
fn check(header: &Header) -> Result<(), Reason> {
    if !header.is_known() || header.flags & Header::FUTURE != 0 {
        return Err(format!(
            "version {} with the flags {:#04x} is not one of Blosc1",
            header.version, header.flags
        ));
    }
    if header.nbytes < 0 || header.typesize == 0 || (header.nbytes > 0 && header.blocksize <= 0) {
        return Err(format!("the header contradicts itself: {header:?}"));
    }
    Ok(())
}

fn decode(src: &[u8], dst: &mut [u8]) -> Result<(), Reason> {
    let chunk = Chunk::new(src).map_err(reason)?;
    with_scratch(limits(dst.len()), |scratch| chunk.decode_into(dst, scratch)).map_err(reason)
}

fn decode_parallel(src: &[u8], dst: &mut [u8]) -> Result<(), Reason> {
    let dparams = DParams { limits: limits(dst.len()), ..DParams::default() };
    let reader = Reader::open(src, dparams).map_err(reason)?;
    let plan = reader.plan(Selection::all()).map_err(reason)?;
    reader.get_parallel_into(&plan, dst).map_err(reason)
}

/// The caller has memory for the plain data: blocks, which are no larger, may take as much.
fn limits(nbytes: usize) -> Limits {
    let usual = Limits::default();
    let nbytes = nbytes as u64;
    Limits { memory: usual.memory.max(4 * nbytes), expansion: usual.expansion.max(nbytes), ..usual }
}

fn with_scratch<T>(limits: Limits, work: impl FnOnce(&mut Scratch) -> T) -> T {
    if limits != Limits::default() {
        return work(&mut Scratch::new(&DParams { limits, ..DParams::default() }));
    }
    let mut scratch = SCRATCH.take().unwrap_or_default();
    let done = work(&mut scratch);
    SCRATCH.set(Some(scratch));
    done
}

fn reason(error: impl ToString) -> Reason {
    error.to_string()
}
