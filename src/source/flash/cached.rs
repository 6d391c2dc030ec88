//! Pages of a memory that are kept.

use super::ReadFlash;
use core::fmt;

/// A memory of which the `PAGES` pages of `PAGE` bytes that were used last are kept in RAM.
///
/// It saves most reads of indexes and heads of chunks, which a [`FetchedFrame`](super::FetchedFrame) reads again in each call. What is longer
/// than a page is read past them. `PAGE` is a power of two, of which the memory has a multiple. Its content must not change meanwhile.
///
/// ```
/// use b2nd::source::flash::{Cached, ReadFlash};
///
/// /// A memory that counts its reads.
/// struct Counted(u32);
///
/// impl ReadFlash for Counted {
///     type Error = core::convert::Infallible;
///
///     fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Self::Error> {
///         self.0 += 1;
///         dst.iter_mut().zip(offset..).for_each(|(byte, at)| *byte = at as u8);
///         Ok(())
///     }
/// }
///
/// let mut memory: Cached<Counted, 2, 64> = Cached::new(Counted(0));
/// let mut bytes = [0; 8];
/// for at in [60, 62, 66, 60] {
///     memory.read(at, &mut bytes)?;
///     assert_eq!(bytes[7], at as u8 + 7);
/// }
/// assert_eq!(memory.into_inner().0, 2);
/// # Ok::<(), core::convert::Infallible>(())
/// ```
pub struct Cached<M, const PAGES: usize, const PAGE: usize> {
    memory: M,
    pages: [Page<PAGE>; PAGES],
    /// Reads of pages so far.
    now: u32,
}

/// A page where DMA reaches it.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
struct Page<const PAGE: usize> {
    bytes: [u8; PAGE],
    /// Where it is in the memory, unless it was never read.
    start: Option<u32>,
    /// When it was used last.
    used: u32,
}

impl<M, const PAGES: usize, const PAGE: usize> fmt::Debug for Cached<M, PAGES, PAGE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached").field("now", &self.now).finish_non_exhaustive()
    }
}

impl<M, const PAGES: usize, const PAGE: usize> Cached<M, PAGES, PAGE> {
    /// A memory of which no page is there yet. It can be a `static`.
    pub const fn new(memory: M) -> Self {
        const { assert!(PAGES > 0 && PAGE.is_power_of_two(), "there are no such pages") };
        Self { memory, pages: [Page { bytes: [0; PAGE], start: None, used: 0 }; PAGES], now: 0 }
    }

    /// The memory.
    pub fn into_inner(self) -> M {
        self.memory
    }
}

impl<M: ReadFlash, const PAGES: usize, const PAGE: usize> Cached<M, PAGES, PAGE> {
    /// The page that begins at `start`; `None` without pages.
    fn page(&mut self, start: u32) -> Result<Option<&[u8; PAGE]>, M::Error> {
        self.now = self.now.wrapping_add(1);
        let now = self.now;
        let age = |page: &Page<PAGE>| page.start.map_or(u32::MAX, |_| now.wrapping_sub(page.used));
        // That page, or else the one that was not used for longest.
        let rank = |page: &&mut Page<PAGE>| (page.start == Some(start), age(page));
        let Some(page) = self.pages.iter_mut().max_by_key(rank) else { return Ok(None) };
        if page.start != Some(start) {
            // It stays so if the memory fails.
            page.start = None;
            self.memory.read(start, &mut page.bytes)?;
            page.start = Some(start);
        }
        page.used = now;
        Ok(Some(&page.bytes))
    }
}

impl<M: ReadFlash, const PAGES: usize, const PAGE: usize> ReadFlash for Cached<M, PAGES, PAGE> {
    type Error = M::Error;

    fn read(&mut self, mut offset: u32, mut dst: &mut [u8]) -> Result<(), M::Error> {
        if dst.len() > PAGE {
            return self.memory.read(offset, dst);
        }
        while !dst.is_empty() {
            let skip = offset as usize % PAGE;
            let len = dst.len().min(PAGE - skip);
            let Some(page) = self.page(offset - skip as u32)? else { return self.memory.read(offset, dst) };
            let (now, later) = dst.split_at_mut(len);
            now.copy_from_slice(&page[skip..][..len]);
            (offset, dst) = (offset.wrapping_add(len as u32), later);
        }
        Ok(())
    }
}
