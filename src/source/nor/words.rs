//! Any bytes of a memory that is read by whole words.

/// Bytes of the buffer for parts of words.
const PIECE: usize = 64;

/// A buffer for parts of words, where DMA reaches it.
#[repr(align(4))]
pub(super) struct Piece([u8; PIECE]);

impl Piece {
    pub(super) const fn new(word: usize) -> Self {
        assert!(word > 0 && word <= PIECE, "READ_SIZE is beyond 1 to 64 bytes");
        Self([0; PIECE])
    }
}

/// A read of whole words.
pub(super) struct Step {
    /// Where the first word is in the memory.
    pub(super) at: u32,
    /// Bytes of the words.
    len: usize,
    via: Via,
    /// Where the wanted bytes go, and how many there are.
    to: usize,
    wanted: usize,
}

/// Where words are read to, and the wanted bytes are taken from.
enum Via {
    /// The destination, from this byte on.
    Destination(usize),
    /// The buffer, from this byte of it on.
    Piece(usize),
}

impl Step {
    /// The buffer to read to.
    pub(super) fn target<'b>(&self, dst: &'b mut [u8], piece: &'b mut Piece) -> &'b mut [u8] {
        match self.via {
            Via::Destination(start) => &mut dst[start..][..self.len],
            Via::Piece(_) => &mut piece.0[..self.len],
        }
    }

    /// Puts the wanted bytes of the words that were read to their place.
    pub(super) fn put(&self, dst: &mut [u8], piece: &Piece) {
        match self.via {
            Via::Destination(start) => dst.copy_within(start..start + self.wanted, self.to),
            Via::Piece(skip) => {
                dst[self.to..][..self.wanted].copy_from_slice(&piece.0[skip..][..self.wanted]);
            }
        }
    }
}

/// The reads that bring the bytes from `offset` on to `dst`: all whole words straight to it, at an address that is a multiple of 4, and the
/// parts before and behind them by the buffer.
pub(super) fn words(word: usize, offset: u32, dst: &[u8]) -> impl Iterator<Item = Step> + use<> {
    // Before the first whole word.
    let skip = (word - offset as usize % word) % word;
    let aligned = if word == 1 { 0 } else { dst.as_ptr().align_offset(4) };
    let whole = dst.len().saturating_sub(skip.max(aligned)) / word * word;
    let straight = Step {
        at: offset.saturating_add(skip as u32),
        len: whole,
        via: Via::Destination(aligned),
        to: skip,
        wanted: whole,
    };
    let (before, end) = (skip.min(dst.len()), dst.len());
    let parts = Parts { word, offset, at: 0, end: before };
    let after = Parts { at: before + whole, end, ..parts };
    // The first moves what lies at the ends.
    (whole > 0).then_some(straight).into_iter().chain(parts).chain(after)
}

/// Reads of words that are not wanted whole, or lie where no word can be read to.
#[derive(Clone, Copy)]
struct Parts {
    word: usize,
    /// Where the destination begins in the memory.
    offset: u32,
    /// The place in the destination.
    at: usize,
    end: usize,
}

impl Iterator for Parts {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.at >= self.end {
            return None;
        }
        let offset = self.offset.saturating_add(self.at as u32);
        let skip = offset as usize % self.word;
        let wanted = (self.end - self.at).min(PIECE / self.word * self.word - skip);
        let len = (skip + wanted).next_multiple_of(self.word);
        let step = Step { at: offset - skip as u32, len, via: Via::Piece(skip), to: self.at, wanted };
        self.at += wanted;
        Some(step)
    }
}
