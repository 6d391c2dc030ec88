//! Block devices with the trait of `embedded-sdmmc`.

#[cfg(feature = "encode")]
mod writing;

use super::flash::ReadFlash;
use crate::base::ArgumentError;
use crate::source::ReadError;
use core::ops::Range;
use core::slice;
use embedded_sdmmc_types::blockdevice::{Block, BlockDevice, BlockIdx};

/// Bytes of a block.
const BLOCK: u32 = Block::LEN_U32;
/// Blocks that offsets reach.
const MAX_BLOCKS: u32 = u32::MAX / BLOCK;

/// A card, or another block device with the trait of the crate `embedded-sdmmc`, or a part of it such as a partition.
///
/// It is [`ReadFlash`], for [`FetchedFrame`](super::flash::FetchedFrame); with the feature `encode` it is `Flash`, for a `Logger`.
/// It keeps one block in RAM. For files in FAT, see `source::Io`.
///
/// ```
/// use b2nd::source::Card;
/// use b2nd::source::flash::ReadFlash;
/// use core::cell::RefCell;
/// use core::convert::Infallible;
/// use embedded_sdmmc::{Block, BlockCount, BlockDevice, BlockIdx};
///
/// /// A card, simulated.
/// struct Ram(RefCell<Vec<Block>>);
///
/// impl BlockDevice for Ram {
///     type Error = Infallible;
///
///     fn read(&self, blocks: &mut [Block], start: BlockIdx) -> Result<(), Infallible> {
///         blocks.clone_from_slice(&self.0.borrow()[start.0 as usize..][..blocks.len()]);
///         Ok(())
///     }
///
///     fn write(&self, blocks: &[Block], start: BlockIdx) -> Result<(), Infallible> {
///         self.0.borrow_mut()[start.0 as usize..][..blocks.len()].clone_from_slice(blocks);
///         Ok(())
///     }
///
///     fn num_blocks(&self) -> Result<BlockCount, Infallible> {
///         Ok(BlockCount(self.0.borrow().len() as u32))
///     }
/// }
///
/// // The blocks of a partition.
/// let mut card = Card::with_range(Ram(RefCell::new(vec![Block::new(); 2048])), 1024..2048)?;
/// assert_eq!(card.capacity(), 512 * 1024);
/// let mut bytes = [1; 3];
/// card.read(511, &mut bytes)?;
/// assert_eq!(bytes, [0; 3]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Card<D> {
    device: D,
    range: Range<u32>,
    /// The block that was read or written last, and its number in the part.
    block: Block,
    number: Option<u32>,
    /// The block in RAM is to be erased, and has not been written yet.
    erased: bool,
}

impl<D: BlockDevice> Card<D> {
    /// All of a card, or the first 4 GiB of it.
    ///
    /// # Errors
    /// The card's own.
    pub fn new(device: D) -> Result<Self, D::Error> {
        let len = device.num_blocks()?.0;
        Ok(Self::of(device, 0..len))
    }

    /// The blocks `range` of a card.
    ///
    /// # Errors
    /// `Argument` if the card does not have these; `Source` if it fails.
    pub fn with_range(device: D, range: Range<u32>) -> Result<Self, ReadError<D::Error>> {
        let len = device.num_blocks().map_err(ReadError::Source)?.0;
        let wrong = |name, value: u32| ArgumentError::Parameter { name, value: value.into() };
        if range.start > range.end {
            return Err(wrong("start", range.start).into());
        }
        if range.end > len {
            return Err(wrong("end", range.end).into());
        }
        Ok(Self::of(device, range))
    }

    fn of(device: D, range: Range<u32>) -> Self {
        let range = range.start..range.start + range.len().min(MAX_BLOCKS as usize) as u32;
        Self { device, range, block: Block::new(), number: None, erased: false }
    }

    /// How many bytes the card, or its part, has.
    pub const fn capacity(&self) -> u32 {
        (self.range.end - self.range.start) * BLOCK
    }

    /// The card.
    pub fn into_inner(self) -> D {
        self.device
    }

    /// Writes the zeros of a block that has been erased.
    fn finish_erase(&mut self) -> Result<(), D::Error> {
        if let (true, Some(number)) = (self.erased, self.number) {
            self.device.write(slice::from_ref(&self.block), self.index(number))?;
            self.erased = false;
        }
        Ok(())
    }

    /// Where a block of the part is on the card.
    const fn index(&self, number: u32) -> BlockIdx {
        // Behind the last one no card has blocks.
        BlockIdx(self.range.start.saturating_add(number))
    }

    /// A block, read unless it was the last one.
    fn block(&mut self, number: u32) -> Result<&[u8; Block::LEN], D::Error> {
        if self.number != Some(number) {
            self.finish_erase()?;
            self.number = None;
            let index = self.index(number);
            self.device.read(slice::from_mut(&mut self.block), index)?;
            self.number = Some(number);
        }
        Ok(&self.block.contents)
    }
}

impl<D: BlockDevice> ReadFlash for Card<D> {
    type Error = D::Error;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), D::Error> {
        let (mut number, mut skip, mut rest) = (offset / BLOCK, (offset % BLOCK) as usize, dst);
        while !rest.is_empty() {
            let len = rest.len().min(Block::LEN - skip);
            let (now, later) = rest.split_at_mut(len);
            now.copy_from_slice(&self.block(number)?[skip..][..len]);
            (number, skip, rest) = (number + 1, 0, later);
        }
        Ok(())
    }
}
