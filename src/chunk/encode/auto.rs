//! Choosing codecs and filters by the data: a sample of a chunk is encoded with each candidate.
//!
//! The choice depends on nothing but the parameters and the data: times are estimates from tables.

mod candidates;
mod cost;
mod sample;

use super::block_encoder::BlockEncoder;
use super::blocks::{Job, Starts};
use super::cut::Cut;
use super::params::CParams;
use super::special;
use crate::base::Result;
use crate::codec::{Codec, MAX_CLEVEL};
use crate::filter::Pipeline;
use alloc::vec;
use alloc::vec::Vec;
pub use cost::Goal;
use sample::Sample;

/// The part of the least cost that a simpler candidate may cost more.
const MARGIN: u64 = 64;

/// Which compression parameters are chosen by the data, and for what.
///
/// Candidates for the filters are none, shuffle, bitshuffle, shuffle with bytedelta, the filters of the parameters, and for
/// [`Goal::Ratio`] the same after NDCELL if blocks have two or more axes, each of at least 4 items. DELTA is no candidate, because C-Blosc2 reads slices of it wrongly
/// (FORMAT §11 B4). Lossy filters and those of the host stay as they are. Candidates for the codec are LZ4, LZ4HC, BloscLZ and zstd, and the codec of the
/// parameters.
///
/// ```
/// use b2nd::chunk::{Auto, CParams, ChunkEncoder};
/// use b2nd::codec::Codec;
/// use b2nd::filter::BYTEDELTA;
/// let plain: Vec<u8> = (0..50_000_u32).flat_map(|n| (n * n / 7).to_le_bytes()).collect();
/// let cparams = CParams { codec: Codec::LZ4, typesize: 4, ..CParams::default() };
/// let choice = Auto::default().choose(&cparams, &plain)?.expect("the items are not equal");
/// assert!(choice.filters.contains(BYTEDELTA));
/// let chosen = CParams { filters: choice.filters, ..cparams.clone() };
/// let [len, usual] = [chosen, cparams].map(|cparams| ChunkEncoder::new(cparams).encode(&plain).unwrap().len());
/// assert!(len < usual);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Auto {
    /// What the choice minimizes; [`Goal::Balanced`] by default.
    pub goal: Goal,
    /// Whether filters are chosen; true by default.
    pub filters: bool,
    /// Whether the codec is chosen; false by default. The level stays.
    pub codec: bool,
    /// Whether only none, shuffle and bitshuffle are candidates for the filters, which all releases of C-Blosc2 and Caterva
    /// read; false by default. C-Blosc2 has bytedelta from 2.10 on, and NDCELL from 2.0 on.
    pub compatible: bool,
}

impl Default for Auto {
    fn default() -> Self {
        Self { goal: Goal::default(), filters: true, codec: false, compatible: false }
    }
}

/// The codec and filters that [`Auto::choose`] chose, and what it tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The codec.
    pub codec: Codec,
    /// The filters.
    pub filters: Pipeline,
    /// All candidates, simpler ones first. The first one whose cost is at most 1/64 above the least is chosen.
    pub trials: Vec<Trial>,
}

/// A candidate, and how it fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// The codec.
    pub codec: Codec,
    /// The filters.
    pub filters: Pipeline,
    /// Plain bytes of the sample.
    pub nbytes: usize,
    /// Encoded bytes of the sample, by a fast level of the codec.
    pub cbytes: usize,
    /// What the [goal](Goal) minimizes, without unit.
    pub cost: u64,
}

impl Auto {
    /// Chooses for chunks like `plain`, a chunk with these parameters. `None` if there is nothing to choose: if all items are
    /// equal, at level 0, and if every candidate is refused.
    ///
    /// It encodes 64 KiB of the chunk with each candidate, and 512 KiB if one of them makes less than a sixteenth of it.
    ///
    /// # Errors
    /// Those of encoding.
    pub fn choose(&self, cparams: &CParams, plain: &[u8]) -> Result<Option<Choice>> {
        if cparams.clevel == 0
            || plain.is_empty()
            || special::find(plain, cparams.typesize as usize).is_some()
        {
            return Ok(None);
        }
        let mut trials = self.trials(cparams, plain, sample::SHORT)?;
        let least = trials.iter().map(|trial| trial.cbytes).min().unwrap_or_default();
        if trials.iter().any(|trial| least < trial.nbytes / 16) {
            trials = self.trials(cparams, plain, sample::LONG)?;
        }
        let least = trials.iter().map(|trial| trial.cost).min().unwrap_or_default();
        let best = trials.iter().find(|trial| trial.cost <= least + least / MARGIN);
        Ok(best.copied().map(|Trial { codec, filters, .. }| Choice { codec, filters, trials }))
    }

    /// Encodes slices of a chunk with each candidate.
    fn trials(&self, cparams: &CParams, plain: &[u8], len: usize) -> Result<Vec<Trial>> {
        let mut trials = Vec::new();
        let mut encoder = BlockEncoder::default();
        let mut sample = Sample::new(plain, cparams, len);
        for filters in candidates::filters(self, cparams, plain.len()) {
            for codec in candidates::codecs(self, cparams) {
                let candidate = CParams { codec, filters, ..cparams.clone() };
                if let Ok(cut) = candidate.checked_cut(plain.len(), &encoder.encoder) {
                    let cbytes = sample.encoded(&mut encoder, &candidate, cut)?;
                    let nbytes = sample.nbytes();
                    let cost = self.goal.cost(&candidate, nbytes as u64, cbytes as u64);
                    trials.push(Trial { codec, filters, nbytes, cbytes, cost });
                }
            }
        }
        Ok(trials)
    }
}

impl Sample<'_> {
    /// The encoded length of the sample.
    fn encoded(&mut self, encoder: &mut BlockEncoder, candidate: &CParams, cut: Cut) -> Result<usize> {
        let (plain, blocksize, rest) = self.blocks(encoder, candidate)?;
        let (codec, clevel) = probe(candidate);
        let cparams = CParams { codec, clevel, filters: rest, ..candidate.clone() };
        let job = Job::new(&cparams, Cut { blocksize, split: cut.split }, plain);
        let count = job.nblocks();
        let lengths = 4 * job.cut.nstreams(blocksize, &cparams) * count;
        let mut table = vec![[0; 4]; count];
        let mut dst = vec![0; plain.len() + lengths];
        let starts = Starts { table: &mut table, offset: 0 };
        let len = encoder.write(&job, 0..count, starts, &mut dst)?.unwrap_or(dst.len());
        // The blocks of the chunk are longer, so that fewer lengths of streams are stored.
        Ok(len.saturating_sub(lengths).max(1))
    }
}

/// The codec and the level that tell how a candidate fares. Of the slow codecs that is the fastest level, which ranks filters
/// as the others do.
fn probe(candidate: &CParams) -> (Codec, u8) {
    match candidate.codec {
        Codec::LZ4 => (Codec::LZ4, MAX_CLEVEL),
        codec @ (Codec::LZ4HC | Codec::ZLIB | Codec::ZSTD) => (codec, 1),
        // It gives up early at low levels, and ranks otherwise at others.
        _ => (Codec::BLOSCLZ, candidate.clevel),
    }
}

/// Whether all items of a chunk are equal, so that it tells nothing about others.
pub(crate) fn is_special(plain: &[u8], typesize: u32) -> bool {
    special::find(plain, typesize as usize).is_some()
}
