//! Allocation of space in contiguous frames, and of file numbers in sparse ones.

use alloc::vec::Vec;
use core::ops::Range;

/// The unused bytes of a frame file.
///
/// They never include bytes of the committed frame, which therefore stays readable after a crash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Space {
    /// Free ranges before `tail`, disjoint, in order.
    free: Vec<Range<u64>>,
    /// The end of the used bytes.
    tail: u64,
}

impl Space {
    /// Everything from `tail` on is free.
    pub(super) const fn after(tail: u64) -> Self {
        Self { free: Vec::new(), tail }
    }

    /// The end of the used bytes.
    pub(super) const fn end(&self) -> u64 {
        self.tail
    }

    /// Allocates `len` bytes in the first free range that is large enough, or else at the end. Returns their offset.
    pub(super) fn take(&mut self, len: u64) -> u64 {
        let Some(at) = self.free.iter().position(|range| range.end - range.start >= len) else {
            let start = self.tail;
            self.tail += len;
            return start;
        };
        let range = &mut self.free[at];
        let start = range.start;
        range.start += len;
        if range.is_empty() {
            self.free.remove(at);
        }
        start
    }

    /// Frees a range.
    pub(super) fn give(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let at = self.free.partition_point(|other| other.start < range.start);
        self.free.insert(at, range);
        if self.free.get(at + 1).is_some_and(|next| next.start <= self.free[at].end) {
            self.free[at].end = self.free.remove(at + 1).end;
        }
        if at > 0 && self.free[at - 1].end >= self.free[at].start {
            self.free[at - 1].end = self.free.remove(at).end;
        }
        if let Some(last) = self.free.pop_if(|last| last.end >= self.tail) {
            self.tail = last.start;
        }
    }

    /// Completes a commit: `index` is the new end of the frame, and `released` are the ranges that only the old frame used.
    pub(super) fn settle(&mut self, index: Range<u64>, released: impl IntoIterator<Item = Range<u64>>) {
        released.into_iter().for_each(|range| self.give(range));
        let end = self.tail;
        self.tail = u64::MAX;
        self.give(end..index.start.max(end));
        self.free.retain_mut(|range| {
            range.end = range.end.min(index.start);
            range.start < range.end
        });
        self.tail = index.end;
    }
}

/// The unused numbers of chunk files.
///
/// The lowest one is allocated first, because the reference refuses sparse frames with numbers above the stored bytes of all
/// chunks (FORMAT §11 B19).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Files {
    /// In descending order.
    free: Vec<u32>,
    /// This number and all above are free.
    next: u32,
}

impl Files {
    /// All numbers except those in `used`.
    pub(super) fn without(mut used: Vec<u32>) -> Self {
        used.sort_unstable();
        let next = used.last().map_or(0, |last| last + 1);
        // No more than there are chunks, to bound the memory.
        let free = (0..next).filter(|file| used.binary_search(file).is_err()).take(used.len());
        let mut free: Vec<u32> = free.collect();
        free.reverse();
        Self { free, next }
    }

    pub(super) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Takes this number. Those below it that nothing uses stay unused.
    pub(super) fn claim(&mut self, file: u32) {
        if let Ok(at) = self.free.binary_search_by(|other| file.cmp(other)) {
            self.free.remove(at);
        }
        self.next = self.next.max(file.saturating_add(1));
    }

    pub(super) fn give(&mut self, file: u32) {
        let at = self.free.partition_point(|other| *other > file);
        self.free.insert(at, file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_ranges_are_reused() {
        let mut space = Space::after(100);
        assert_eq!([space.take(10), space.take(20), space.take(30)], [100, 110, 130]);
        space.give(110..130);
        assert_eq!((space.take(21), space.take(5), space.take(15)), (160, 110, 115));
        space.give(110..115);
        space.give(100..110);
        space.give(115..130);
        assert_eq!((&space.free[0], space.free.len(), space.tail), (&(100..130), 1, 181));
        space.give(160..181);
        space.give(130..160);
        assert_eq!(space, Space::after(100), "the end moves back");
    }

    #[test]
    fn the_lowest_number_of_a_file_is_taken_first() {
        let mut files = Files::without([7, 0, 3].into());
        assert_eq!([files.take(), files.take()], [1, 2]);
        files.give(0);
        files.give(3);
        files.claim(4);
        files.claim(9);
        assert_eq!([(); 4].map(|()| files.take()), [0, 3, 10, 11]);
    }

    #[test]
    fn after_a_commit_the_old_index_is_free() {
        let mut space = Space::after(150);
        assert_eq!(space.take(20), 150);
        space.settle(170..210, Some(100..150));
        assert_eq!((&space.free[0], space.free.len(), space.tail), (&(100..150), 1, 210));
        // The index returns to its first place.
        space.settle(100..140, [170..210, 150..170]);
        assert_eq!(space, Space::after(140));
    }
}
