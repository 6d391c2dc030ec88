//! Any bytes of a memory that is read by whole words.

/// Bytes of the buffer for parts of words.
const PIECE: usize = 64;

/// A buffer for parts of words, where DMA reaches it.
#[repr(align(4))]
pub(super) struct Piece(pub(super) [u8; PIECE]);

impl Piece {
    pub(super) const fn new(word: usize) -> Self {
        assert!(word > 0 && word <= PIECE, "READ_SIZE is beyond 1 to 64 bytes");
        Self([0; PIECE])
    }
}

/// The whole words among bytes that are wanted.
pub(super) struct Whole {
    /// Bytes before them.
    pub(super) skip: usize,
    /// Where in the destination words can be read to: at an address that is a multiple of 4.
    pub(super) aligned: usize,
    /// Bytes of the words that have room from there on.
    pub(super) len: usize,
}

impl Whole {
    #[inline(always)]
    pub(super) fn of(word: usize, offset: u32, dst: &[u8]) -> Self {
        let skip = (word - offset as usize % word) % word;
        let aligned = if word == 1 { 0 } else { dst.as_ptr().align_offset(4) };
        Self { skip, aligned, len: dst.len().saturating_sub(skip.max(aligned)) / word * word }
    }
}

/// Bytes that are wanted of words in the buffer.
pub(super) struct Part {
    /// Bytes of the first word before them.
    pub(super) skip: usize,
    pub(super) len: usize,
}

impl Part {
    /// As many of the wanted bytes as words in the buffer have.
    #[inline(always)]
    pub(super) fn of(word: usize, offset: u32, wanted: usize) -> Self {
        let skip = offset as usize % word;
        Self { skip, len: wanted.min(PIECE / word * word - skip) }
    }

    /// Bytes of the words.
    #[inline(always)]
    pub(super) fn words(&self, word: usize) -> usize {
        (self.skip + self.len).next_multiple_of(word).min(PIECE)
    }
}
