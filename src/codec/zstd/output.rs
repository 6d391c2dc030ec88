//! The output of a frame, which is also its window and, at its end, holds the pending literals. The unwritten part is
//! never shorter than the pending literals, so writing cannot overtake them unless the data is corrupt.
//!
//! Helpful, in speed relative to libzstd:
//! - Loading the match before storing the preceding literals, if neither depends on the other: 64-bit timestamps 0.77
//!   to 1.05, since loads that span recent stores wait for them; all others 0 to 4 %.
//! - Copies that are never calls (the compiler inlines `copy_within` or not): 0.69 to 0.86.
//! - Not reading literals where there are none: the last few may be pending for long, too near to the end to be copied
//!   by 16 bytes. Shuffled timestamps 0.70 to 0.86.
//!
//! No help: matches by 16 or 32 bytes whatever their length; long literals in a loop instead of `memmove`.
//! Raw literals are copied to the end like all others; a second loop that leaves them in the input would save up to a
//! tenth of the time where they dominate.

use crate::codec::Corrupt;
use crate::codec::copy::{LONG, SHORT, SLACK, block, exact, short, wide};

/// Literals that are copied without a branch on their number.
const LITERALS: usize = 16;

/// The destination of a block.
pub(super) struct Output<'a> {
    /// The frame's output up to the end of the literals.
    pub(super) dst: &'a mut [u8],
    /// End of the written part.
    pub(super) at: usize,
    /// Start of the next literal.
    pub(super) literals: usize,
    pub(super) dict: &'a [u8],
}

impl Output<'_> {
    /// Appends the remaining literals. Returns the end of the output.
    pub(super) fn finish(self) -> usize {
        let left = self.dst.len() - self.literals;
        self.dst.copy_within(self.literals.., self.at);
        self.at + left
    }
}

/// Executes a sequence: copies `literals` literals from `from` to `at`, then `len` bytes from `offset` back. The dictionary comes by
/// reference to its slice, which takes one register instead of two.
#[inline(always)]
pub(super) fn sequence(
    dst: &mut [u8],
    dict: &&[u8],
    at: usize,
    from: usize,
    literals: usize,
    offset: usize,
    len: usize,
) -> Result<(), Corrupt> {
    let (to, next) = (at + literals, from + literals);
    // One check for both copies: neither may reach the pending literals. Without literals, reads from the start
    // instead: the last few are often pending for long.
    let source = if literals == 0 { 0 } else { from };
    if to + len + SLACK > next || source + literals + LITERALS > dst.len() {
        return near_the_end(dst, dict, at, from, literals, offset, len);
    }
    if literals + len <= offset && offset <= to && literals <= LITERALS && len <= SHORT {
        // Loaded before the literals are stored: a load that spans the stores would wait for them.
        let matched = dst[to - offset..].first_chunk::<SHORT>().ok_or(Corrupt)?;
        let (a, b, c) = (bytes::<8>(matched, 0), bytes::<8>(matched, 8), bytes::<2>(matched, 16));
        block::<LITERALS>(dst, source, at);
        let room = dst[to..].first_chunk_mut::<SHORT>().ok_or(Corrupt)?;
        room[..8].copy_from_slice(&a);
        room[8..16].copy_from_slice(&b);
        room[16..].copy_from_slice(&c);
        return Ok(());
    }
    block::<LITERALS>(dst, source, at);
    if literals > LITERALS {
        dst.copy_within(from + LITERALS..next, at + LITERALS);
    }
    if offset.wrapping_sub(1) >= to {
        return match_in_dict(dst, dict, to, offset, len);
    }
    if len <= SHORT {
        short(dst, to, offset as u32);
    } else if len <= LONG {
        wide(dst, to, offset, len);
    } else {
        long(dst, to, offset, len);
    }
    Ok(())
}

/// Copies a long match. Inlined, it would leave the loop fewer registers: labels 1.05 instead of 0.97, segments 1.41 instead of 1.32. In
/// WebAssembly [`wide`] is a call by itself.
#[cfg_attr(target_family = "wasm", inline(always))]
#[cfg_attr(not(target_family = "wasm"), inline(never))]
fn long(dst: &mut [u8], to: usize, offset: usize, len: usize) {
    wide(dst, to, offset, len);
}

/// Copies a match that begins in the dictionary, which logically precedes the output.
#[inline(never)]
fn match_in_dict(dst: &mut [u8], dict: &[u8], to: usize, offset: usize, len: usize) -> Result<(), Corrupt> {
    let back = offset.checked_sub(to).filter(|&back| back > 0).ok_or(Corrupt)?;
    let tail = dict.len().checked_sub(back).and_then(|start| dict.get(start..)).ok_or(Corrupt)?;
    if len <= 32
        && let Some(from) = tail.first_chunk::<32>()
        && let Some(room) = dst.get_mut(to..).and_then(|room| room.first_chunk_mut::<32>())
    {
        *room = *from;
        return Ok(());
    }
    let n = back.min(len);
    dst[to..to + n].copy_from_slice(&tail[..n]);
    if n < len {
        exact(dst, to + n, offset, len - n);
    }
    Ok(())
}

/// Like [`sequence`](Self::sequence), where there is less room or hardly a literal left.
#[inline(never)]
fn near_the_end(
    dst: &mut [u8],
    dict: &[u8],
    at: usize,
    from: usize,
    literals: usize,
    offset: usize,
    len: usize,
) -> Result<(), Corrupt> {
    let (to, next) = (at + literals, from + literals);
    if next > dst.len() || to + len > next || offset == 0 {
        return Err(Corrupt);
    }
    if literals > 0 {
        dst.copy_within(from..next, at);
    }
    if offset > to {
        match_in_dict(&mut dst[..to + len], dict, to, offset, len)?;
    } else {
        exact(dst, to, offset, len);
    }
    Ok(())
}

#[inline(always)]
fn bytes<const N: usize>(from: &[u8; SHORT], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&from[at..at + N]);
    bytes
}
