//! Shuffle, bitshuffle and bytedelta on buffers of the caller's.

use crate::base::{Result, buffer_len};
use crate::simd;

/// Groups bytes of the same significance: byte `j` of item `i` goes to `j * n + i`, for `n` items of `typesize` bytes
/// (FORMAT §5.1). Trailing bytes that make no whole item stay where they are.
///
/// # Errors
/// `Argument` if `dst` is not as long as `src`.
///
/// ```
/// let mut planes = [0; 6];
/// b2nd::filter::shuffle(2, &[1, 2, 11, 12, 21, 22], &mut planes)?;
/// assert_eq!(planes, [1, 11, 21, 2, 12, 22]);
/// # Ok::<(), b2nd::Error>(())
/// ```
pub fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) -> Result<()> {
    buffer_len(src.len(), dst)?;
    simd::shuffle(typesize, src, dst);
    Ok(())
}

/// Undoes [`shuffle`].
///
/// # Errors
/// `Argument` if `dst` is not as long as `src`.
pub fn unshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) -> Result<()> {
    buffer_len(src.len(), dst)?;
    simd::unshuffle(typesize, src, dst);
    Ok(())
}

/// Groups bits of the same significance (FORMAT §5.2). Bytes after the last group of eight items stay where they are.
///
/// # Errors
/// `Argument` if `dst` is not as long as `src`.
///
/// ```
/// let mut rows = [0; 8];
/// b2nd::filter::bitshuffle(1, &[1, 0, 1, 0, 0, 0, 0, 3], &mut rows)?;
/// assert_eq!(rows, [0b1000_0101, 0b1000_0000, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), b2nd::Error>(())
/// ```
pub fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) -> Result<()> {
    buffer_len(src.len(), dst)?;
    simd::bitshuffle(typesize, src, dst);
    Ok(())
}

/// Undoes [`bitshuffle`].
///
/// # Errors
/// `Argument` if `dst` is not as long as `src`.
pub fn bitunshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) -> Result<()> {
    buffer_len(src.len(), dst)?;
    simd::bitunshuffle(typesize, src, dst);
    Ok(())
}

/// Replaces each byte of a stream with its difference from the previous one (FORMAT §5.6).
///
/// # Errors
/// `Argument` if `dst` is not as long as `src`.
pub fn bytedelta(src: &[u8], dst: &mut [u8]) -> Result<()> {
    buffer_len(src.len(), dst)?;
    simd::bytedelta_encode(src, dst);
    Ok(())
}

/// Undoes [`bytedelta`].
///
/// # Errors
/// `Argument` if `dst` is not as long as `src`.
pub fn bytedelta_undo(src: &[u8], dst: &mut [u8]) -> Result<()> {
    buffer_len(src.len(), dst)?;
    simd::bytedelta_decode(src, dst);
    Ok(())
}

/// The instruction set that all filters use here: "avx512", "avx2", "sse2", "neon", "simd128", "portable" or "scalar".
pub fn backend() -> &'static str {
    simd::backend()
}
