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

/// Data that encodes to less than this part of it takes little time.
const LITTLE: usize = 16;
/// The highest level that samples are encoded with by slow codecs.
const SLOW: u8 = 5;
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Auto {
    /// The quantity that the choice minimizes; [`Goal::Balanced`] by default.
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
    /// The quantity that the [goal](Goal) minimizes, without unit.
    pub cost: u64,
}

impl Auto {
    /// Chooses for chunks like `plain`, a chunk with these parameters. `None` if there is nothing to choose: if all items are
    /// equal, at level 0, and if every candidate is refused.
    ///
    /// It encodes 64 KiB of the chunk with each candidate, and 512 KiB if one of them makes less than a sixteenth of it.
    ///
    /// ```
    /// use b2nd::{chunk::{Auto, CParams}, filter::BITSHUFFLE};
    /// let plain: Vec<u8> = (0..100_000_u32).flat_map(|n| (n % 100).to_le_bytes()).collect();
    /// let choice = Auto::default().choose(&CParams { typesize: 4, ..CParams::default() }, &plain)?;
    /// assert!(choice.is_some_and(|choice| !choice.trials.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of encoding.
    pub fn choose(&self, cparams: &CParams, plain: &[u8]) -> Result<Option<Choice>> {
        if cparams.clevel == 0
            || plain.is_empty()
            || special::find(plain, cparams.typesize as usize).is_some()
        {
            return Ok(None);
        }
        let mut trials = self.trials(cparams, plain, sample::SHORT)?;
        let least = trials.iter().map(|trial| trial.cbytes).min().unwrap_or_default();
        if trials.iter().any(|trial| least < trial.nbytes / LITTLE) {
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
                    let size = sample.encoded(&mut encoder, &candidate, cut)?;
                    let cost = self.goal.cost(&candidate, &size);
                    let Size { nbytes, cbytes, .. } = size;
                    trials.push(Trial { codec, filters, nbytes, cbytes, cost });
                }
            }
        }
        Ok(trials)
    }
}

impl Sample<'_> {
    /// Encodes the sample.
    fn encoded(&mut self, encoder: &mut BlockEncoder, candidate: &CParams, cut: Cut) -> Result<Size> {
        let (codec, clevel) = self.probe(candidate);
        let (plain, blocksize, rest) = self.blocks(encoder, candidate)?;
        let cparams = CParams { codec, clevel, filters: rest, ..candidate.clone() };
        let job = Job::new(&cparams, Cut { blocksize, split: cut.split }, plain);
        let count = job.nblocks();
        let nstreams = job.cut.nstreams(blocksize, &cparams);
        let mut table = vec![[0; 4]; count];
        let mut dst = vec![0; plain.len() + 4 * nstreams * count];
        let starts = Starts { table: &mut table, offset: 0 };
        let len = encoder.write(&job, (0..count).step_by(1), starts, &mut dst)?.unwrap_or(dst.len());
        let dense = dense(&dst[..len], blocksize / nstreams);
        // The blocks of the chunk are longer, so that fewer lengths of streams are stored.
        let cbytes = len.saturating_sub(4 * nstreams * count).max(1);
        Ok(Size { nbytes: plain.len(), cbytes, dense })
    }

    /// The codec and the level that tell how a candidate fares. Of the slow codecs that is the fastest level, which mostly
    /// ranks filters as the others do. It does not where much repeats, but there other levels are fast as well.
    fn probe(&self, candidate: &CParams) -> (Codec, u8) {
        match candidate.codec {
            Codec::LZ4 => (Codec::LZ4, MAX_CLEVEL),
            codec @ (Codec::LZ4HC | Codec::ZLIB | Codec::ZSTD) => {
                (codec, if self.is_long { candidate.clevel.min(SLOW) } else { 1 })
            }
            // It gives up early at low levels, and ranks otherwise at others.
            _ => (Codec::BLOSCLZ, candidate.clevel),
        }
    }
}

/// How a sample was encoded.
struct Size {
    /// Plain bytes.
    nbytes: usize,
    /// Encoded bytes.
    cbytes: usize,
    /// Plain bytes of the streams that take long: those that are neither stored as they are nor encoded to little.
    dense: usize,
}

/// The plain bytes of the dense streams, each of `len` plain bytes.
fn dense(mut streams: &[u8], len: usize) -> usize {
    let mut dense = 0;
    while let Some((csize, rest)) = streams.split_first_chunk() {
        let csize = i32::from_le_bytes(*csize);
        // A run has one byte, or none if it is of zeros.
        let stored = usize::try_from(csize).unwrap_or(1);
        dense += if (len / LITTLE + 1..len).contains(&stored) { len } else { 0 };
        streams = rest.get(stored..).unwrap_or_default();
    }
    dense
}

/// Whether all items of a chunk are equal, so that it tells nothing about others.
pub(crate) fn is_special(plain: &[u8], typesize: u32) -> bool {
    special::find(plain, typesize as usize).is_some()
}
