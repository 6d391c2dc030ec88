//! Blocks, items and selections of a frame in flash.

use super::{AreaWork, FlashFrame};
use crate::base::{Result, buffer_len, wide};
use crate::plan::{Index, Plan};
use crate::reading::read_chunk;

impl FlashFrame<'_> {
    /// Block `nblock` of chunk `nchunk`, plain; it lies in the area.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// let block = frame.block(0, 0, &mut work)?;
    /// assert!(block.len() % 4 == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such block; `Format` and `Unsupported` for the data; `Limit` if the area is too small.
    pub fn block<'w>(&self, nchunk: u64, nblock: u32, work: &'w mut AreaWork<'_>) -> Result<&'w [u8]> {
        let chunk = self.chunk(nchunk, work)?;
        chunk.block_in(nblock, work).map_err(|error| error.in_chunk(nchunk))
    }

    /// The item at a position, to `out`.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// let mut item = [0; 4];
    /// frame.item(&[3, 20, 7], &mut work, &mut item)?;
    /// println!("{}", f32::from_le_bytes(item));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if it is not in the array or `out` has not its length; those of [`block`](Self::block).
    pub fn item(&self, position: &[u64], work: &mut AreaWork<'_>, out: &mut [u8]) -> Result<()> {
        let grid = self.contents.grid();
        buffer_len(grid.itemsize as usize, out)?;
        let (nchunk, at) = grid.item(position)?;
        let mut chunk = self.chunk(wide(nchunk), work)?;
        chunk.cut(grid.tile_nbytes() as u32);
        chunk.bytes_into(at, out, work).map_err(|error| error.in_chunk(wide(nchunk)))
    }

    /// Plans how to read a part of the array, or of the items in one row if it is none. Large parts are read in
    /// [parts](Plan::parts), or in [rows](Self::read).
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// use b2nd::Index;
    /// assert_eq!(frame.plan(&[Index::At(3), Index::ALL])?.shape(), [30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit.
    #[inline(never)]
    pub fn plan(&self, selection: &[Index]) -> Result<Plan> {
        self.contents.plan(selection)
    }

    /// The items of a plan in C order, in their stored byte order, to `out`, which has [`Plan::nbytes`] bytes.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// use b2nd::Index;
    /// let plan = frame.plan(&[Index::At(3), Index::At(20)])?;
    /// let mut row = [0; 40 * 4];
    /// frame.read(&plan, &mut work, &mut row)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `out` has another length; those of [`block`](Self::block).
    #[inline(never)]
    pub fn read(&self, plan: &Plan, work: &mut AreaWork<'_>, out: &mut [u8]) -> Result<()> {
        buffer_len(plan.nbytes(), out)?;
        for task in plan.chunks() {
            // Both take much of the stack: so they come before what takes the most.
            let location = self.locate(task.nchunk(), work)?;
            let mut chunk = self.chunk_at(task.nchunk(), location);
            // Taken out of the result it would lie on the stack twice.
            let chunk = chunk.as_mut().map_err(|error| error.clone())?;
            chunk.cut(plan.tile_nbytes() as u32);
            read_chunk(chunk, (plan, &task), work, out).map_err(|error| error.in_chunk(task.nchunk()))?;
        }
        Ok(())
    }
}
