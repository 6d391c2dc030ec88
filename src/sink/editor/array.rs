//! Reading and writing items of an array in an editor.

use super::batch::{Before, Items, Worker, for_all, threads};
use super::{Editor, Written};
use crate::array::Layout;
use crate::base::{ArgumentError, Error, Result as Checked, buffer_len};
use crate::chunk::{Header as ChunkHeader, Scratch, SpecialValue, repeat};
use crate::frame::Location;
use crate::plan::{ChunkTask, Plan, Selection, ToSelection};
use crate::reading::read_chunk;
use crate::sink::WriteAt;
use crate::source::{ReadAt, ReadError};
use alloc::vec::Vec;
use core::ops::Range;

/// Fills a buffer with the items of a box within the result of a selection, in C order. The box is a range for each axis of the
/// result.
pub type Supply<'f, S> =
    dyn FnMut(&[Range<u64>], &mut [u8]) -> Result<(), ReadError<<S as ReadAt>::Error>> + 'f;

impl<S: WriteAt> Editor<S> {
    pub(super) fn must_be_array(&self) -> Checked<&Layout> {
        self.array.as_ref().ok_or(ArgumentError::NotAnArray.into())
    }

    /// Reads the selected items in C order, including changes that are not committed yet.
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// assert_eq!(editor.get(1..)?, [0, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::get`](crate::Reader::get); `Argument` also for a super-chunk.
    pub fn get(&self, selection: impl ToSelection) -> Written<Vec<u8>, S> {
        let plan = self.must_be_array()?.plan(selection)?;
        let mut out = alloc::vec![0; self.dparams.limits.allow_memory(plan.nbytes() as u64)?];
        let mut scratch = Scratch::new(&self.dparams);
        let mut buffer = Vec::new();
        for task in plan.chunks() {
            let chunk = self.open_chunk(task.nchunk(), &mut buffer)?;
            read_chunk(&chunk, (&plan, &task), &mut scratch, &mut out)
                .map_err(|error| error.in_chunk(task.nchunk()))?;
        }
        Ok(out)
    }

    /// Writes items in C order to the positions of a selection. Other items keep their values. With the feature `rayon`, all
    /// its threads encode.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.set(1..3, &[7, 8])?;
    /// assert_eq!(editor.get(..)?, [0, 7, 8, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit the array, or if `items` does not have its length; `Source` if the sink fails;
    /// errors of reading and encoding.
    pub fn set(&mut self, selection: impl ToSelection, items: &[u8]) -> Written<(), S> {
        let plan = self.must_be_array()?.plan(selection)?;
        buffer_len(plan.nbytes(), items)?;
        self.attempt(|editor| editor.write_last(&plan, Some(items), &mut |_, _| Ok(())))
    }

    /// Writes the items of a plan.
    pub(super) fn write_plan(&mut self, plan: &Plan, items: &[u8]) -> Written<(), S> {
        self.write_tasks(plan, plan.chunks(), Some(items), &mut |_, _| Ok(()))
    }

    /// Replaces a chunk by one that an [`ArrayEncoder`](crate::array::ArrayEncoder) has encoded.
    ///
    /// ```
    /// use b2nd::{Editor, array::{ArrayEncoder, ArrayParams}, sink::Memory};
    /// let mut params = ArrayParams::new(&[4], "|u1");
    /// params.chunkshape = Some(vec![2]);
    /// let chunk = ArrayEncoder::new(&params)?.encode(1, &[7, 8])?;
    /// let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// editor.put_chunk(1, &chunk)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for a super-chunk, and if there is no such chunk; `Format` for a chunk with another size, item size or block
    /// size than the array's; `Source` if the sink fails.
    pub fn put_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Written<(), S> {
        self.must_be_array()?;
        self.check_header(nchunk, &ChunkHeader::parse(chunk)?)?;
        self.attempt(|editor| editor.replace_last(nchunk, chunk))
    }

    /// Checks whether a chunk with this header can be chunk `nchunk` of the array.
    pub(super) fn check_header(&self, nchunk: u64, header: &ChunkHeader) -> Checked<()> {
        header.check_nbytes(self.frame.chunk_nbytes(nchunk)?.into())?;
        let typesize = u8::try_from(self.cparams.typesize).unwrap_or(1);
        for (name, found, expected) in [
            ("typesize", header.typesize.into(), typesize.into()),
            ("blocksize", header.blocksize, self.cparams.blocksize),
        ] {
            if found != expected {
                return Err(Error::mismatch(name, found.into(), expected.into()));
            }
        }
        Ok(())
    }

    /// Replaces a chunk as the last step of a change. Only the sink can still fail, so that the chunk takes the old one's place.
    pub(super) fn replace_last(&mut self, nchunk: u64, chunk: &[u8]) -> Written<(), S> {
        self.learn(nchunk)?;
        self.frame.end_soon();
        self.write_chunk(nchunk, chunk, false)
    }

    /// Like [`set`](Self::set), for items that need not all be in memory: `supply` is called for each chunk.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.set_with(.., &mut |place, items| {
    ///     items.iter_mut().zip(place[0].clone()).for_each(|(item, at)| *item = at as u8);
    ///     Ok(())
    /// })?;
    /// assert_eq!(editor.get(..)?, [0, 1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`set`](Self::set), and errors of `supply`.
    pub fn set_with(&mut self, selection: impl ToSelection, supply: &mut Supply<'_, S>) -> Written<(), S> {
        let plan = self.must_be_array()?.plan(selection)?;
        self.attempt(|editor| editor.write_last(&plan, None, supply))
    }

    /// Sets all items of a selection to one value. Chunks that the selection covers completely are stored as that value,
    /// without encoding.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.fill(1.., &[7])?;
    /// assert_eq!(editor.get(..)?, [0, 7, 7, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`set`](Self::set).
    pub fn fill(&mut self, selection: impl ToSelection, item: &[u8]) -> Written<(), S> {
        let plan = self.must_be_array()?.plan(selection)?;
        buffer_len(self.cparams.typesize as usize, item)?;
        self.attempt(|editor| editor.fill_plan(&plan, item))
    }

    pub(super) fn fill_plan(&mut self, plan: &Plan, item: &[u8]) -> Written<(), S> {
        let mut others = Vec::new();
        for task in plan.chunks() {
            // Padding must stay zero: other writers expose it when they enlarge the array.
            if !plan.covers(&task) || plan.has_padding(&task) {
                others.push(task.nchunk());
                continue;
            }
            self.learn(task.nchunk())?;
            if item.iter().all(|byte| *byte == 0) {
                self.frame.set_special(task.nchunk(), SpecialValue::Zeros)?;
            } else {
                let chunk = repeat(item, task.nbytes() as u32, self.cparams.blocksize);
                self.write_chunk(task.nchunk(), &chunk, false)?;
            }
        }
        let tasks = others.into_iter().filter_map(|nchunk| plan.chunk(nchunk));
        let mut supply = |_: &[Range<u64>], items: &mut [u8]| {
            items.chunks_mut(item.len()).for_each(|place| place.copy_from_slice(item));
            Ok(())
        };
        self.write_tasks(plan, tasks, None, &mut supply)
    }

    /// Writes items as the last step of a change. If they are in one chunk, it takes the place of the old one.
    pub(super) fn write_last(
        &mut self,
        plan: &Plan,
        items: Option<&[u8]>,
        supply: &mut Supply<'_, S>,
    ) -> Written<(), S> {
        let first: Vec<ChunkTask> = plan.chunks().take(2).collect();
        if first.len() != 1 {
            return self.write_tasks(plan, plan.chunks(), items, supply);
        }
        let mut workers = core::mem::take(&mut self.workers);
        self.encode_batch(&mut workers, (plan, &first), items, supply)?;
        self.replace_last(first[0].nchunk(), &workers[0].chunk)?;
        self.workers = workers;
        Ok(())
    }

    /// Writes the items of chunks. One chunk per thread is encoded at a time.
    pub(super) fn write_tasks(
        &mut self,
        plan: &Plan,
        mut tasks: impl Iterator<Item = ChunkTask>,
        items: Option<&[u8]>,
        supply: &mut Supply<'_, S>,
    ) -> Written<(), S> {
        let mut workers = core::mem::take(&mut self.workers);
        let mut batch = Vec::new();
        loop {
            batch.clear();
            batch.extend(tasks.by_ref().take(threads()));
            if batch.is_empty() {
                break;
            }
            self.encode_batch(&mut workers, (plan, &batch), items, supply)?;
            for (task, worker) in batch.iter().zip(&workers) {
                self.write_chunk(task.nchunk(), &worker.chunk, false)?;
            }
        }
        self.workers = workers;
        Ok(())
    }

    /// Encodes chunks, each by a worker of its own.
    fn encode_batch(
        &mut self,
        workers: &mut Vec<Worker>,
        (plan, batch): (&Plan, &[ChunkTask]),
        items: Option<&[u8]>,
        supply: &mut Supply<'_, S>,
    ) -> Written<(), S> {
        for (n, task) in batch.iter().enumerate() {
            if n == workers.len() {
                workers.push(Worker::new(&self.cparams, &self.dparams));
            }
            self.learn(task.nchunk())?;
            workers[n].before = if plan.covers(task) { Before::Nothing } else { self.before(task.nchunk())? };
            if items.is_none() {
                let (part, place) = plan.part(task)?;
                workers[n].items.resize(part.nbytes(), 0);
                supply(&place, &mut workers[n].items)?;
            }
        }
        let source = items.map_or(Items::OfChunk, Items::All);
        Ok(self.encode_all(&mut workers[..batch.len()], batch, plan, source)?)
    }

    /// Lets each worker encode its chunk. An automatic choice needs all plain chunks in their order.
    fn encode_all(
        &mut self,
        workers: &mut [Worker],
        tasks: &[ChunkTask],
        plan: &Plan,
        items: Items<'_>,
    ) -> Checked<()> {
        let (context, chooses) = (self.context(), self.choosing.is_some());
        for_all(workers, tasks, |worker, task| {
            worker.assemble(plan, task, context, items)?;
            if chooses { Ok(()) } else { worker.encode() }
        })?;
        if chooses {
            for worker in &mut *workers {
                worker.set_choice(self.choose(worker.plain())?);
            }
            for_all(workers, tasks, |worker, _| worker.encode())?;
        }
        Ok(())
    }

    /// Reads a chunk's content.
    pub(super) fn before(&self, nchunk: u64) -> Written<Before, S> {
        Ok(match self.frame.locate(nchunk)? {
            Location::Special(value) => Before::Special(value),
            Location::Stored { .. } => Before::Stored(self.stored(nchunk, &mut Vec::new())?.to_vec()),
        })
    }

    /// Plans the box `ranges` of the array.
    pub(super) fn plan_box(&self, ranges: &[Range<u64>]) -> Checked<Plan> {
        self.must_be_array()?.plan(Selection::of_ranges(ranges))
    }
}
