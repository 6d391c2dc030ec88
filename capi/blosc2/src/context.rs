//! Contexts: parameters that are checked once, and memory that calls share.

use crate::chunk::{self, Decoder};
use crate::codes::{Failure, Result};
use crate::types::{blosc2_cparams, blosc2_dparams};
use b2nd::chunk::ChunkEncoder;

/// A context that compresses or decompresses.
#[derive(Debug)]
pub struct Context(pub(crate) Kind);

#[derive(Debug)]
pub(crate) enum Kind {
    Compression { encoder: Box<ChunkEncoder>, cparams: blosc2_cparams },
    Decompression { decoder: Box<Decoder>, dparams: blosc2_dparams },
}

impl Context {
    /// # Errors
    /// For parameters that are out of range.
    pub(crate) fn compression(cparams: &blosc2_cparams) -> Result<Self> {
        let encoder = Box::new(ChunkEncoder::new(cparams.parse()?));
        Ok(Self(Kind::Compression { encoder, cparams: *cparams }))
    }

    /// A context for chunks whose items have `itemsize` bytes, if these are too many for the header of a chunk.
    ///
    /// # Errors
    /// For a function of the caller's.
    pub(crate) fn decompression(dparams: &blosc2_dparams, itemsize: u32) -> Result<Self> {
        if !dparams.postfilter.is_null() {
            return Err(Failure::argument("postfilters are not supported"));
        }
        let decoder = Box::new(Decoder::new(itemsize, threads(dparams.nthreads)));
        Ok(Self(Kind::Decompression { decoder, dparams: *dparams }))
    }

    /// # Errors
    /// If this is a context of decompression, or `src` cannot be compressed.
    pub(crate) fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        match &mut self.0 {
            Kind::Compression { encoder, cparams } => {
                chunk::compress(encoder, threads(cparams.nthreads), src, dst)
            }
            Kind::Decompression { .. } => Err(Failure::argument("this context decompresses")),
        }
    }

    /// # Errors
    /// If this is a context of compression.
    pub(crate) fn decoder(&mut self) -> Result<&mut Decoder> {
        match &mut self.0 {
            Kind::Decompression { decoder, .. } => Ok(decoder),
            Kind::Compression { .. } => Err(Failure::argument("this context compresses")),
        }
    }
}

/// A number of threads, as callers give it.
fn threads(nthreads: i16) -> usize {
    usize::try_from(nthreads).unwrap_or(1).max(1)
}
