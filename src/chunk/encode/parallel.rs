//! Blocks of one chunk encoded by several threads.
//!
//! Threads take runs of blocks from a queue and encode them to memory of their own, from which they are put together in order:
//! the bytes are those that one thread writes. As a queue holds a few runs for each thread, so does the memory.

use super::block_encoder::BlockEncoder;
use super::blocks::{Job, Starts};
use super::growing::Growing;
use crate::base::Result;
use alloc::vec::Vec;
use core::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Runs in the queue, for each thread.
const RUNS: usize = 2;

/// Encoders of the threads besides the calling one, and the memory of the runs.
#[derive(Debug, Default)]
pub(super) struct Helpers {
    encoders: Vec<BlockEncoder>,
    runs: Vec<Run>,
}

/// Encoded blocks.
#[derive(Debug, Default)]
struct Run {
    bytes: Vec<u8>,
    /// Where they start in these bytes.
    starts: Vec<[u8; 4]>,
    len: Option<usize>,
}

impl Helpers {
    /// Adds all blocks to a chunk, encoded by so many threads; `None` if they do not fit.
    pub(super) fn append(
        &mut self,
        own: &mut BlockEncoder,
        job: &Job<'_>,
        chunk: &mut Growing<'_>,
        threads: usize,
    ) -> Result<Option<()>> {
        self.encode(own, job, threads, |run| {
            run.put_starts(chunk.starts(run.starts.len()));
            chunk.add(run.blocks()?)
        })
    }

    /// Writes all blocks of a chunk by so many threads. Returns their length, or `None` if they do not fit.
    pub(super) fn write(
        &mut self,
        own: &mut BlockEncoder,
        job: &Job<'_>,
        starts: Starts<'_>,
        dst: &mut [u8],
        threads: usize,
    ) -> Result<Option<usize>> {
        let Starts { table, offset } = starts;
        let (mut nblock, mut at) = (0, 0);
        let written = self.encode(own, job, threads, |run| {
            run.put_starts(Starts { table: &mut table[nblock..], offset: offset + at });
            nblock += run.starts.len();
            let blocks = run.blocks()?;
            dst[at..].get_mut(..blocks.len())?.copy_from_slice(blocks);
            at += blocks.len();
            Some(())
        })?;
        Ok(written.map(|()| at))
    }

    /// Encodes all blocks of a chunk by so many threads. `add` takes them, run by run; `None` if it does not.
    fn encode(
        &mut self,
        own: &mut BlockEncoder,
        job: &Job<'_>,
        threads: usize,
        mut add: impl FnMut(&Run) -> Option<()>,
    ) -> Result<Option<()>> {
        self.encoders.resize_with(self.encoders.len().max(threads - 1), Default::default);
        self.runs.resize_with(self.runs.len().max(RUNS * threads), Default::default);
        let Self { encoders, runs } = self;
        let mut numbers = job.runs();
        while numbers.len() > 0 {
            let wave: Vec<_> = runs[..RUNS * threads].iter_mut().zip(numbers.by_ref()).collect();
            let count = wave.len();
            encode_wave(wave, own, &mut encoders[..threads - 1], job)?;
            if runs[..count].iter().try_for_each(&mut add).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }
}

/// Encodes the runs of a wave.
fn encode_wave(
    wave: Vec<(&mut Run, Range<usize>)>,
    own: &mut BlockEncoder,
    helpers: &mut [BlockEncoder],
    job: &Job<'_>,
) -> Result<()> {
    let queue = Mutex::new(wave.into_iter());
    let first_error = Mutex::new(None);
    let work = |encoder: &mut BlockEncoder| {
        // The lock is not held while blocks are encoded.
        let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((run, numbers)) = take() {
            if let Err(error) = run.encode(encoder, job, numbers) {
                first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    };
    // This thread works as well: it does not wait for the others to wake up.
    rayon::in_place_scope(|scope| {
        helpers.iter_mut().for_each(|helper| scope.spawn(|_| work(helper)));
        work(own);
    });
    first_error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

impl Run {
    fn encode(&mut self, encoder: &mut BlockEncoder, job: &Job<'_>, numbers: Range<usize>) -> Result<()> {
        self.bytes.resize(job.room(numbers.len()), 0);
        self.starts.resize(numbers.len(), [0; 4]);
        let starts = Starts { table: &mut self.starts, offset: 0 };
        self.len = encoder.write(job, numbers.step_by(1), starts, &mut self.bytes)?;
        Ok(())
    }

    /// The blocks; `None` if one did not fit.
    fn blocks(&self) -> Option<&[u8]> {
        Some(&self.bytes[..self.len?])
    }

    /// Writes where the blocks start in a chunk.
    fn put_starts(&self, starts: Starts<'_>) {
        for (entry, start) in starts.table.iter_mut().zip(&self.starts) {
            *entry = (starts.offset as u32 + u32::from_le_bytes(*start)).to_le_bytes();
        }
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::super::tests::{Random, codecs, pipeline};
    use crate::chunk::{CParams, Chunk, ChunkEncoder, Scratch};
    use crate::codec::Encoder;
    use crate::filter::{DELTA, INT_TRUNC, SHUFFLE};
    use alloc::vec;
    use alloc::vec::Vec;

    /// A chunk by the threads of `pool`, which is the same in place.
    fn encoded(pool: &rayon::ThreadPool, encoder: &mut ChunkEncoder, plain: &[u8]) -> Vec<u8> {
        let chunk = pool.install(|| encoder.encode_parallel(plain)).unwrap();
        let mut in_place = vec![0; encoder.max_len(plain.len())];
        let len = pool.install(|| encoder.encode_parallel_into(plain, &mut in_place)).unwrap();
        assert!(in_place[..len] == chunk, "{:?}", encoder.cparams);
        let len = encoder.encode_into(plain, &mut in_place).unwrap();
        assert!(in_place[..len] == chunk, "{:?}", encoder.cparams);
        chunk
    }

    #[test]
    fn threads_write_the_same_bytes() {
        let mut random = Random(51);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut encoder = ChunkEncoder::default();
        let mut pipelines: Vec<&[(u8, i8)]> = vec![&[], &[(SHUFFLE, 0)]];
        if cfg!(feature = "filters") {
            pipelines.extend([&[(DELTA, 0), (SHUFFLE, 0)][..], &[(INT_TRUNC, -3), (DELTA, 0)]]);
        }
        for codec in codecs() {
            for filters in &pipelines {
                for blocksize in [0, 1000, 50_000, 300_000] {
                    let cparams =
                        CParams { codec, filters: pipeline(filters), blocksize, ..CParams::default() };
                    encoder.cparams = cparams.clone();
                    let len = [99, 200_008, 1_000_000][random.next() % 3];
                    let plain = random.items(8, len / 8 * 8);
                    let one = ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap();
                    let three = encoded(&pool, &mut encoder, &plain);
                    assert!(one == three, "{len} bytes, {cparams:?}");
                    let decoded = Chunk::new(&three).unwrap().decode(&mut Scratch::default()).unwrap();
                    assert!(decoded == plain || filters.contains(&(INT_TRUNC, -3)), "{cparams:?}");
                }
            }
        }
        for (codec, blocksize) in
            codecs().into_iter().flat_map(|codec| [1000, 4096].map(|size| (codec, size)))
        {
            encoder.cparams = CParams { codec, blocksize, use_dict: true, typesize: 1, ..CParams::default() };
            let plain = random.records(1_000_000);
            let three = encoded(&pool, &mut encoder, &plain);
            assert!(encoder.encode(&plain).unwrap() == three, "{codec:?}");
            assert_eq!(Chunk::new(&three).unwrap().header().uses_dict, Encoder::takes_dict(codec));
        }
        assert_eq!(encoder.helpers.encoders.len(), 2, "they are reused");
    }

    #[test]
    fn memory_is_bounded() {
        let cparams = CParams { blocksize: 1 << 16, ..CParams::default() };
        let mut encoder = ChunkEncoder::new(cparams);
        let plain = Random(52).items(8, 20 << 20);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| encoder.encode_parallel(&plain)).unwrap();
        let memory: usize = encoder.helpers.runs.iter().map(|run| run.bytes.capacity()).sum();
        assert!((1..600 << 10).contains(&memory), "{memory}");
    }

    #[test]
    fn noise_is_copied_and_errors_are_told() {
        let mut random = Random(53);
        let noise: Vec<u8> = (0..1 << 20).map(|_| random.next() as u8).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let mut encoder = ChunkEncoder::new(CParams { blocksize: 1 << 16, ..CParams::default() });
        let bytes = encoded(&pool, &mut encoder, &noise);
        assert!(bytes[32..] == noise);
        encoder.cparams.clevel = 11;
        assert!(pool.install(|| encoder.encode_parallel(&noise)).is_err());
    }
}
