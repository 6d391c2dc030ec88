//! The dictionary of a chunk: bytes that many of its blocks have, which precede each stream (FORMAT §4.1).
//!
//! It consists of segments of the filtered blocks. A segment is worth what its sequences of bytes are worth, which is in how many
//! other blocks they are: what one block repeats the codec finds without a dictionary. Blocks are encoded with dictionaries of
//! several lengths and without, and the shortest result wins. Of a large chunk only a sample takes part, which is tried on other
//! blocks than those that the dictionary was made of.

use super::block_encoder::BlockEncoder;
use super::blocks::{Job, Starts};
use super::params::ChunkFormat;
use crate::base::Result;
use crate::codec::Encoder;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;

/// The longest dictionary.
const MAX_DICT_BYTES: usize = 32 << 10;
/// The shortest one.
const LEAST: usize = 256;
/// Dictionaries that are tried: the end of the longest one, by each of these factors shorter.
const FACTORS: [usize; 4] = [1, 2, 4, 16];
/// Plain bytes that take part, about.
const SAMPLE: usize = 256 << 10;
/// Chunks of fewer blocks get no dictionary.
const MIN_BLOCKS: usize = 4;
/// Of so many parts one must be gained: readers of single blocks have the dictionary to read.
const GAIN: usize = 64;
/// Bytes of a segment.
const SEGMENT: usize = 64;
/// Bytes of a sequence in it.
const SEQUENCE: usize = 8;
/// Slots for sequences, as a power of two.
const BITS: u32 = 16;

/// The dictionary for a chunk, empty if none makes it shorter.
pub(super) fn find(encoder: &mut BlockEncoder, job: &Job<'_>) -> Result<Vec<u8>> {
    let (cparams, nblocks) = (job.cparams, job.nblocks());
    let possible = cfg!(feature = "write")
        && cparams.format == ChunkFormat::Blosc2
        && Encoder::takes_dict(cparams.codec)
        && cparams.registry.get(cparams.codec).is_none();
    if !cparams.use_dict || !possible || nblocks < MIN_BLOCKS {
        return Ok(Vec::new());
    }
    let step = job.plain.len().div_ceil(SAMPLE).min(nblocks / MIN_BLOCKS).max(1);
    let sample = encoder.filtered_blocks(job, (0..nblocks).step_by(step))?;
    let whole = train(&sample, job.cut.blocksize, MAX_DICT_BYTES.min(sample.len() / 8));
    let mut trial = Trial { encoder, job, numbers: (step / 2, step), dst: vec![0; sample.len() * 2] };
    let Some(plain) = trial.len(&[])? else { return Ok(Vec::new()) };
    let mut best: (usize, &[u8]) = (plain - plain / GAIN, &[]);
    for factor in FACTORS {
        let dict = &whole[whole.len() - whole.len() / factor..];
        if dict.len() < LEAST {
            break;
        }
        // Its share of what the dictionary takes.
        let own = (4 + dict.len()) / step;
        if let Some(len) = trial.len(dict)?.map(|len| len + own).filter(|len| *len < best.0) {
            best = (len, dict);
        }
    }
    Ok(best.1.to_vec())
}

/// Writes a dictionary behind its length, if there is one. Returns what is left; `None` if it does not fit.
pub(super) fn put<'a>(dict: &[u8], dst: &'a mut [u8]) -> Option<&'a mut [u8]> {
    if dict.is_empty() {
        return Some(dst);
    }
    let (len, dst) = dst.split_first_chunk_mut()?;
    *len = (dict.len() as u32).to_le_bytes();
    let (to, dst) = dst.split_at_mut_checked(dict.len())?;
    to.copy_from_slice(dict);
    Some(dst)
}

/// Blocks to try dictionaries on.
struct Trial<'a, 'b> {
    encoder: &'a mut BlockEncoder,
    job: &'a Job<'b>,
    /// The first block, and from each to the next.
    numbers: (usize, usize),
    dst: Vec<u8>,
}

impl Trial<'_, '_> {
    /// Bytes that the blocks take with a dictionary.
    fn len(&mut self, dict: &[u8]) -> Result<Option<usize>> {
        let (first, step) = self.numbers;
        let numbers = (first..self.job.nblocks()).step_by(step);
        let mut table = vec![[0; 4]; numbers.len()];
        let starts = Starts { table: &mut table, offset: 0 };
        self.encoder.write(&Job { dict, ..*self.job }, numbers, starts, &mut self.dst)
    }
}

/// At most `len` bytes of `sample`, the best ones last.
fn train(sample: &[u8], blocksize: usize, len: usize) -> Vec<u8> {
    let (mut worths, mut inside) = (worths(sample, blocksize), vec![0; 1 << BITS]);
    let count = (len / SEGMENT).max(1);
    let step = (sample.len() / count).max(SEGMENT);
    let segment = |start: usize| &sample[start..start + SEGMENT];
    // What they are worth, and where they start.
    let mut segments: Vec<(u32, usize)> = Vec::new();
    for (number, part) in sample.chunks(step).enumerate() {
        let (worth, at) = best_segment(part, &worths, &mut inside);
        if worth > 0 {
            let start = number * step + at;
            // Another segment with the same would add nothing.
            hashes(segment(start)).for_each(|hash| worths[hash] = 0);
            segments.push((worth, start));
        }
    }
    segments.sort_unstable();
    let surplus = segments.len().saturating_sub(count);
    segments[surplus..].iter().flat_map(|(_, start)| segment(*start)).copied().collect()
}

/// In how many other blocks there is each sequence, by its hash.
fn worths(sample: &[u8], blocksize: usize) -> Vec<u32> {
    let mut worths = vec![0_u32; 1 << BITS];
    let mut last = vec![0; 1 << BITS];
    for (number, block) in (1_u32..).zip(sample.chunks(blocksize)) {
        for hash in hashes(block) {
            let before = mem::replace(&mut last[hash], number);
            worths[hash] += u32::from(before != 0 && before != number);
        }
    }
    worths
}

/// The value of the best segment of a part, and its place. Repetitions count once; for that it needs zeros, `inside`,
/// which it leaves as they were.
fn best_segment(part: &[u8], worths: &[u32], inside: &mut [u8]) -> (u32, usize) {
    let hashes: Vec<usize> = hashes(part).collect();
    let (mut best, mut worth) = ((0, 0), 0);
    let many = SEGMENT + 1 - SEQUENCE;
    for (end, &hash) in hashes.iter().enumerate() {
        if let Some(start) = end.checked_sub(many) {
            let gone = hashes[start];
            inside[gone] -= 1;
            worth -= if inside[gone] == 0 { worths[gone] } else { 0 };
        }
        worth += if inside[hash] == 0 { worths[hash] } else { 0 };
        inside[hash] += 1;
        if end + 1 >= many && worth > best.0 {
            best = (worth, end + 1 - many);
        }
    }
    hashes.iter().rev().take(many).for_each(|hash| inside[*hash] = 0);
    best
}

fn hashes(bytes: &[u8]) -> impl Iterator<Item = usize> {
    bytes.windows(SEQUENCE).filter_map(<[u8]>::first_chunk::<SEQUENCE>).map(|sequence| {
        (u64::from_le_bytes(*sequence).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS)) as usize
    })
}
