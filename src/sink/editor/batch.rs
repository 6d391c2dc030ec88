//! Encoding of several chunks in parallel.

use crate::base::Result;
use crate::chunk::{CParams, Chunk, ChunkEncoder, Context, DParams, Header, Scratch, SpecialValue};
use crate::codec::Codec;
use crate::filter::Pipeline;
use crate::plan::{ChunkTask, Plan};
use alloc::vec::Vec;

/// The buffers and encoders of one thread, reused for all of its chunks.
#[derive(Debug)]
pub(super) struct Worker {
    encoder: ChunkEncoder,
    scratch: Scratch,
    /// The uncompressed chunk.
    plain: Vec<u8>,
    /// The chunk's content before the change.
    pub(super) before: Before,
    /// The selected items of the chunk, if the caller supplies them chunk by chunk.
    pub(super) items: Vec<u8>,
    /// The encoded chunk.
    pub(super) chunk: Vec<u8>,
}

/// A chunk's content before a change.
#[derive(Debug)]
pub(super) enum Before {
    /// Every item is replaced.
    Nothing,
    /// All items have one value.
    Special(SpecialValue),
    /// An encoded chunk.
    Stored(Vec<u8>),
}

/// Where the items of a chunk come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Items<'a> {
    /// The items of the whole selection.
    All(&'a [u8]),
    /// Each worker has the items of its chunk.
    OfChunk,
}

impl Worker {
    pub(super) fn new(cparams: &CParams, dparams: &DParams) -> Self {
        Self {
            encoder: ChunkEncoder::new(cparams.clone()),
            scratch: Scratch::new(dparams),
            plain: Vec::new(),
            before: Before::Nothing,
            items: Vec::new(),
            chunk: Vec::new(),
        }
    }

    /// Assembles the plain chunk with the new items.
    pub(super) fn assemble(
        &mut self,
        plan: &Plan,
        task: &ChunkTask,
        context: Context<'_>,
        items: Items<'_>,
    ) -> Result<()> {
        let nbytes = task.nbytes() as usize;
        self.plain.clear();
        self.plain.resize(nbytes, 0);
        match &self.before {
            Before::Nothing => {}
            Before::Special(value) => {
                let header = Header::of_special(*value, nbytes as u32, context.itemsize)?;
                Chunk::of_special(header).decode_into(&mut self.plain, &mut self.scratch)?;
            }
            Before::Stored(bytes) => {
                let chunk = Chunk::with_context(bytes, context)?;
                chunk.header().check_nbytes(nbytes as u64)?;
                chunk.decode_into(&mut self.plain, &mut self.scratch)?;
            }
        }
        match items {
            Items::All(items) => plan.gather(task, items, &mut self.plain),
            Items::OfChunk => plan.part(task)?.0.gather(task, &self.items, &mut self.plain),
        }
        Ok(())
    }

    /// The plain chunk.
    pub(super) fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// Sets the codec and the filters for the next chunks.
    pub(super) const fn set_choice(&mut self, choice: (Codec, Pipeline)) {
        self.encoder.set_choice(choice);
    }

    /// Encodes the plain chunk.
    pub(super) fn encode(&mut self) -> Result<()> {
        self.encoder.encode_to(&self.plain, &mut self.chunk, 1)
    }
}

/// Lets each worker do its chunk's work, in parallel with the feature `rayon`.
pub(super) fn for_all(
    workers: &mut [Worker],
    tasks: &[ChunkTask],
    work: impl Fn(&mut Worker, &ChunkTask) -> Result<()> + Sync,
) -> Result<()> {
    #[cfg(feature = "rayon")]
    {
        use rayon::iter::{
            IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
        };
        if tasks.len() > 1 {
            let pairs = workers.par_iter_mut().zip(tasks.par_iter());
            return pairs.try_for_each(|(worker, task)| work(worker, task));
        }
    }
    workers.iter_mut().zip(tasks).try_for_each(|(worker, task)| work(worker, task))
}

/// How many chunks are encoded at the same time.
pub(super) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}
