//! Sequences as they are stored.

/// The last bytes of a block are literals.
pub(super) const LAST_LITERALS: usize = 5;
/// A length that goes on behind the token.
const LONG: usize = 15;
/// The shortest match.
const MIN_MATCH: usize = 4;

/// Writes the sequences of a block.
pub(super) struct Writer<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    at: usize,
}

impl<'a> Writer<'a> {
    /// For a block of the bytes `src`.
    pub(super) const fn new(src: &'a [u8], dst: &'a mut [u8]) -> Self {
        Self { src, dst, at: 0 }
    }

    /// Writes the literals from `start` to `end` and a match of `len` bytes; `None` where there is no room.
    #[inline(always)]
    pub(super) fn sequence(&mut self, start: usize, end: usize, dist: usize, len: usize) -> Option<()> {
        let (literals, more) = (end - start, len - MIN_MATCH);
        if literals < LONG
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
        self.long_sequence(start, end, dist, len)
    }

    fn long_sequence(&mut self, start: usize, end: usize, dist: usize, len: usize) -> Option<()> {
        let more = len - MIN_MATCH;
        let token = self.literals(start, end)?;
        self.put(&(dist as u16).to_le_bytes())?;
        self.dst[token] |= more.min(LONG) as u8;
        self.length(more)
    }

    /// Writes the last literals, and tells how long the block is.
    pub(super) fn last(mut self, start: usize) -> Option<usize> {
        self.literals(start, self.src.len())?;
        Some(self.at)
    }

    /// Writes a token and its literals, and tells where the token is.
    #[inline(always)]
    fn literals(&mut self, start: usize, end: usize) -> Option<usize> {
        let (token, literals) = (self.at, end - start);
        self.put(&[(literals.min(LONG) << 4) as u8])?;
        self.length(literals)?;
        let src = self.src;
        if literals <= 32
            && let Some(from) = src[start..].first_chunk::<32>()
            && let Some(to) = self.dst[self.at..].first_chunk_mut::<32>()
        {
            *to = *from;
            self.at += literals;
        } else {
            self.put(&src[start..end])?;
        }
        Some(token)
    }

    /// What of a length the token has no room for.
    #[inline(always)]
    fn length(&mut self, len: usize) -> Option<()> {
        let Some(mut rest) = len.checked_sub(LONG) else { return Some(()) };
        while rest >= 255 {
            self.put(&[255])?;
            rest -= 255;
        }
        self.put(&[rest as u8])
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst.get_mut(self.at..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }
}
