//! Codecs and filters that an editor chooses by the data.

use super::WriteAt;
use super::editor::Editor;
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

/// What an editor has chosen.
#[derive(Debug)]
pub(super) struct Choosing {
    auto: Auto,
    /// Chunks so far.
    nchunks: u64,
    first: Option<Choice>,
    chosen: Vec<Chosen>,
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

impl<S: WriteAt> Editor<S> {
    /// Has the editor choose codecs or filters of chunks by their data, or with `None` stop to do so.
    ///
    /// It chooses at the first chunk whose items are not all equal, and then at the chunks 1, 2, 4, 8 and every sixteenth one
    /// that it encodes. Each chunk records its codec and filters. The choice depends on the data and on the order in which chunks
    /// are written, but not on the number of threads. The header of a new frame gets the first choice.
    pub fn set_auto(&mut self, auto: Option<Auto>) {
        self.choosing = auto.map(Choosing::new);
        // Their encoders have the last choice.
        self.workers.clear();
    }

    /// The first choice, and what was tried for it; `None` before that.
    pub fn first_choice(&self) -> Option<&Choice> {
        self.choosing.as_ref()?.first.as_ref()
    }

    /// The codecs and filters that were chosen, in the order of their first use.
    pub fn chosen(&self) -> &[Chosen] {
        self.choosing.as_ref().map_or(&[], |choosing| &choosing.chosen)
    }

    /// The codec and the filters for a chunk.
    pub(super) fn choose(&mut self, plain: &[u8]) -> Result<(Codec, Pipeline)> {
        let CParams { codec, filters, .. } = self.cparams;
        let Some(choosing) = &mut self.choosing else { return Ok((codec, filters)) };
        let is_first = choosing.first.is_none();
        let Some((codec, filters)) = choosing.next(&self.cparams, plain)? else {
            return Ok((codec, filters));
        };
        if is_first && self.is_new {
            self.frame.set_compression(&CParams { codec, filters, ..self.cparams.clone() });
        }
        Ok((codec, filters))
    }
}
