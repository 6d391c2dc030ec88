//! Chunks of one value, made without their items.

use super::params::CParams;
use super::special;
use crate::chunk::header::SpecialValue;
use crate::chunk::wire::flag;
use alloc::vec;
use alloc::vec::Vec;

/// A chunk of `nbytes` bytes that repeats `value`, whose length is that of an item and divides `nbytes`. `blocksize` is that of
/// the other chunks, which the reference expects here as well; 0 chooses.
pub(crate) fn repeat(value: &[u8], nbytes: u32, blocksize: u32) -> Vec<u8> {
    let cparams = CParams { typesize: value.len() as u32, blocksize, ..CParams::default() };
    let cut = super::Cut::of(&cparams, nbytes as usize);
    let mut header = cparams.header(nbytes as usize, cut.blocksize);
    header.blosc2_flags = special::bits(SpecialValue::Repeat { width: value.len() as u32 });
    header.flags = flag::EXTENDED;
    let len = header.len();
    header.cbytes = (len + value.len()) as i32;
    let mut chunk = Vec::from(&header.emit()[..len]);
    chunk.extend_from_slice(value);
    chunk
}

/// A stored chunk of `nbytes` bytes with this value. The reference reads it in frames whose chunks differ in size, where it
/// fails on zeros, NaNs and uninitialized items (FORMAT §11 B9).
pub(crate) fn repeated(value: SpecialValue, nbytes: u32, typesize: u32, blocksize: u32) -> Vec<u8> {
    let width = if nbytes.is_multiple_of(typesize.max(1)) { typesize.max(1) as usize } else { 1 };
    let mut item = vec![0; width];
    if value == SpecialValue::Nan {
        match width {
            4 => item.copy_from_slice(&f32::NAN.to_le_bytes()),
            _ => item[..8].copy_from_slice(&f64::NAN.to_le_bytes()),
        }
    }
    repeat(&item, nbytes, blocksize)
}
