//! Codecs and filters that an editor chooses by the data.

use super::Editor;
use super::choosing::{Choosing, Chosen};
use crate::base::Result;
use crate::chunk::{Auto, CParams, Choice};
use crate::codec::Codec;
use crate::filter::Pipeline;
use crate::sink::WriteAt;

impl<S: WriteAt> Editor<S> {
    /// Has the editor choose codecs or filters of chunks by their data, or with `None` stop to do so.
    ///
    /// It chooses at the first chunk whose items are not all equal, and then at the chunks 1, 2, 4, 8 and every sixteenth one
    /// that it encodes. Each chunk records its codec and filters. The choice depends on the data and on the order in which chunks
    /// are written, but not on the number of threads. The header of a new frame gets the first choice.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.set_auto(Some(b2nd::chunk::Auto::default()));
    /// editor.set(.., &[1, 2, 3, 4])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_auto(&mut self, auto: Option<Auto>) {
        self.choosing = auto.map(Choosing::new);
        // Their encoders have the last choice.
        self.workers.clear();
    }

    /// The first choice, and what was tried for it; `None` before that.
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4])).unwrap();
    /// assert!(editor.first_choice().is_none());
    /// ```
    pub fn first_choice(&self) -> Option<&Choice> {
        self.choosing.as_ref()?.first.as_ref()
    }

    /// The codecs and filters that were chosen, in the order of their first use.
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4])).unwrap();
    /// assert!(editor.chosen().is_empty());
    /// ```
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
