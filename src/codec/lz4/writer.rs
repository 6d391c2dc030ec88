//! Sequences as they are stored.

use crate::base::SMALL_ENCODERS;
#[cfg(feature = "encoders")]
use crate::codec::matcher::optimal::{Node, Prices, State};
use crate::codec::matcher::{MIN_MATCH, Rules, Sequences};

/// The farthest match.
pub(super) const MAX_DIST: usize = 65_535;
/// A length that continues behind the token.
const LONG: usize = 15;
/// Bytes copied at once.
const STEP: usize = 32;

/// Writes the sequences of a block.
pub(super) struct Writer<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    at: usize,
}

impl Sequences for Writer<'_> {
    #[inline(always)]
    fn rules(&self) -> Rules {
        Rules { match_limit: 12, last_literals: 5, ..Rules::within(MAX_DIST) }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sequence(&mut self, start: usize, end: usize, dist: usize, len: usize) -> Option<()> {
        let (literals, more) = (end - start, len - MIN_MATCH);
        if !SMALL_ENCODERS
            && literals < LONG
            && more < LONG
            && let Some(from) = self.src[start..].first_chunk::<16>()
            && let Some(to) = self.dst[self.at..].first_chunk_mut::<20>()
        {
            to[0] = (literals << 4 | more) as u8;
            to[1..17].copy_from_slice(from);
            to[1 + literals..][..2].copy_from_slice(&(dist as u16).to_le_bytes());
            self.at += 3 + literals;
            return Some(());
        }
        self.at =
            Writer { src: self.src, dst: self.dst, at: self.at }.long_sequence(start, end, dist, len)?;
        Some(())
    }
}

/// In 16ths of a byte. Of two ways of the same length, the one with fewer matches is decoded faster.
#[cfg(feature = "encoders")]
impl Prices for Writer<'_> {
    #[inline(always)]
    fn literal(&self, _: u8, run: u32) -> i32 {
        let longer = (run + 1).checked_sub(LONG as u32).is_some_and(|more| more.is_multiple_of(255));
        16 + 16 * i32::from(longer)
    }

    #[inline(always)]
    fn length(&self, len: usize) -> u32 {
        let more = (len - MIN_MATCH).checked_sub(LONG).map_or(0, |more| 1 + more / 255);
        16 * (3 + more as u32) + 1
    }

    #[inline(always)]
    fn distance(&self, _: usize, from: &Node) -> (u32, State) {
        (0, from.state)
    }
}

impl<'a> Writer<'a> {
    /// For a block of the bytes `src`.
    pub(super) const fn new(src: &'a [u8], dst: &'a mut [u8]) -> Self {
        Self { src, dst, at: 0 }
    }

    /// Writes the last literals and returns the length of the block.
    pub(super) fn last(mut self, start: usize) -> Option<usize> {
        self.literals(start, self.src.len())?;
        Some(self.at)
    }

    /// Writes a sequence of any lengths and returns the length of the block.
    #[inline(never)]
    fn long_sequence(mut self, start: usize, end: usize, dist: usize, len: usize) -> Option<usize> {
        let more = len - MIN_MATCH;
        let token = self.at;
        self.literals(start, end)?;
        self.put((dist as u16).to_le_bytes())?;
        *self.dst.get_mut(token)? |= more.min(LONG) as u8;
        Self::length(&mut self, more)?;
        Some(self.at)
    }

    /// Writes a token and its literals.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn literals(&mut self, start: usize, end: usize) -> Option<()> {
        let literals = end - start;
        self.put([(literals.min(LONG) << 4) as u8])?;
        self.length(literals)?;
        // Whole steps, if there is room for them on both sides.
        let whole = literals.next_multiple_of(STEP);
        if !SMALL_ENCODERS
            && whole <= 8 * STEP
            && let Some(from) = self.src.get(start..).and_then(|src| src.get(..whole))
            && let Some(to) = self.dst.get_mut(self.at..).and_then(|dst| dst.get_mut(..whole))
        {
            for (to, from) in to.as_chunks_mut::<STEP>().0.iter_mut().zip(from.as_chunks().0) {
                *to = *from;
            }
        } else {
            let from = self.src.get(start..end)?;
            self.dst.get_mut(self.at..)?.get_mut(..from.len())?.copy_from_slice(from);
        }
        self.at += literals;
        Some(())
    }

    /// Writes what of a length does not fit the token.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn length(&mut self, len: usize) -> Option<()> {
        let Some(mut rest) = len.checked_sub(LONG) else { return Some(()) };
        while rest >= 255 {
            self.put([255])?;
            rest -= 255;
        }
        self.put([rest as u8])
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Option<()> {
        *self.dst.get_mut(self.at..)?.first_chunk_mut()? = bytes;
        self.at += N;
        Some(())
    }
}
