//! Without the feature `auto` chunks have the codec and the filters that are given.

use super::Editor;
use crate::base::Result;
use crate::codec::Codec;
use crate::filter::Pipeline;

/// There is none.
#[derive(Debug, Clone)]
pub(super) enum Choosing {}

impl<S> Editor<S> {
    /// The codec and the filters for a chunk.
    pub(super) const fn choose(&self, _: &[u8]) -> Result<(Codec, Pipeline)> {
        Ok((self.cparams.codec, self.cparams.filters))
    }
}
