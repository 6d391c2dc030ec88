//! The choice of codecs and filters for one chunk after the other.

use crate::base::Result;
use crate::chunk::{Auto, CParams, Choice, is_special};
use crate::codec::Codec;
use crate::filter::Pipeline;
use alloc::vec::Vec;

/// Every so many chunks the choice is made anew.
const PERIOD: u64 = 16;

/// How many chunks an editor has encoded with a codec and filters that it chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// The codec.
    pub codec: Codec,
    /// The filters.
    pub filters: Pipeline,
    /// Chunks, without those of equal items.
    pub nchunks: u64,
}

/// Choices of an editor.
#[derive(Debug, Clone)]
pub(super) struct Choosing {
    auto: Auto,
    /// Chunks so far.
    nchunks: u64,
    pub(super) first: Option<Choice>,
    pub(super) chosen: Vec<Chosen>,
    /// The entry of `chosen` for the next chunk.
    current: usize,
}

impl Choosing {
    pub(super) const fn new(auto: Auto) -> Self {
        Self { auto, nchunks: 0, first: None, chosen: Vec::new(), current: 0 }
    }

    /// The codec and the filters for the next chunk, `plain`. `None` before the first choice.
    pub(super) fn next(&mut self, cparams: &CParams, plain: &[u8]) -> Result<Option<(Codec, Pipeline)>> {
        if !is_special(plain, cparams.typesize) {
            // Often at first: the first chunks may be unlike the others.
            if (self.nchunks.is_power_of_two() && self.nchunks < PERIOD)
                || self.nchunks.is_multiple_of(PERIOD)
            {
                self.choose(cparams, plain)?;
            }
            self.nchunks += 1;
            if let Some(chosen) = self.chosen.get_mut(self.current) {
                chosen.nchunks += 1;
            }
        }
        Ok(self.chosen.get(self.current).map(|chosen| (chosen.codec, chosen.filters)))
    }

    fn choose(&mut self, cparams: &CParams, plain: &[u8]) -> Result<()> {
        let Some(choice) = self.auto.choose(cparams, plain)? else { return Ok(()) };
        let Choice { codec, filters, .. } = choice;
        let known = |chosen: &Chosen| (chosen.codec, chosen.filters) == (codec, filters);
        self.current = self.chosen.iter().position(known).unwrap_or(self.chosen.len());
        if self.current == self.chosen.len() {
            self.chosen.push(Chosen { codec, filters, nchunks: 0 });
        }
        self.first.get_or_insert(choice);
        Ok(())
    }
}
