//! Matches that were found.

/// A match.
#[derive(Clone, Copy)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) dist: usize,
    pub(super) len: usize,
}

impl Match {
    pub(super) const fn end(&self) -> usize {
        self.start + self.len
    }

    /// Extends the match backward to where it can begin, of at most `most` bytes.
    #[inline(always)]
    pub(super) fn extended(mut self, src: &[u8], low: usize, most: usize) -> Self {
        while self.start > low
            && self.len < most
            && self.start > self.dist
            && src[self.start - 1] == src[self.start - 1 - self.dist]
        {
            self.start -= 1;
            self.len += 1;
        }
        self
    }
}
