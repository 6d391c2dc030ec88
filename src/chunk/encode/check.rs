//! Parameters that are refused.

use super::cut::Cut;
use super::params::{CParams, ChunkFormat};
use crate::base::{ArgumentError, Result, Unsupported};
use crate::chunk::header::MAX_BLOCKSIZE;
use crate::chunk::wire::EXTENDED_HEADER;
use crate::codec::{Codec, Encode, MAX_CLEVEL};
use crate::filter::{BITSHUFFLE, NDCELL, NDMEAN, SHUFFLE, TRUNC_PREC};

impl CParams {
    /// How a chunk of `nbytes` bytes is cut.
    ///
    /// # Errors
    /// Errors of [`check`](Self::check).
    pub(super) fn checked_cut(&self, nbytes: usize, encoder: &dyn Encode) -> Result<Cut> {
        let cut = Cut::of(self, nbytes);
        self.check(nbytes, &cut, encoder)?;
        Ok(cut)
    }

    /// Checks whether `nbytes` bytes can be written so.
    pub(super) fn check(&self, nbytes: usize, cut: &Cut, encoder: &dyn Encode) -> Result<()> {
        let most = i32::MAX as usize - EXTENDED_HEADER;
        let wrong = |name, value: usize| Err(ArgumentError::Parameter { name, value: value as i64 }.into());
        if self.clevel > MAX_CLEVEL {
            return wrong("clevel", self.clevel.into());
        }
        if self.typesize == 0 || self.typesize as usize > most {
            return wrong("typesize", self.typesize as usize);
        }
        if self.blocksize > MAX_BLOCKSIZE || cut.blocksize > MAX_BLOCKSIZE as usize {
            return wrong("blocksize", cut.blocksize.max(self.blocksize as usize));
        }
        if nbytes > most {
            return wrong("nbytes", nbytes);
        }
        self.check_codec(nbytes, cut, encoder)?;
        self.check_filters(nbytes, cut)
    }

    fn check_codec(&self, nbytes: usize, cut: &Cut, encoder: &dyn Encode) -> Result<()> {
        let plugin = self.registry.get(self.codec);
        // Headers of Blosc1 have no place for the id of a plugin, and C-Blosc2 has no snappy.
        let named = match self.format {
            ChunkFormat::Blosc1 => self.codec.format() < Codec::FIRST_PLUGIN.format(),
            ChunkFormat::Blosc2 => self.codec != Codec::SNAPPY || plugin.is_some(),
        };
        if !named || !plugin.map_or_else(|| encoder.encodes(self.codec), |plugin| plugin.encodes()) {
            return Err(Unsupported::Codec(self.codec.0).into());
        }
        // Without an allocator there are only BloscLZ and LZ4.
        if cfg!(feature = "alloc") { self.check_shaped(nbytes, cut) } else { Ok(()) }
    }

    /// Checks what codecs that depend on the shape of blocks need.
    fn check_shaped(&self, nbytes: usize, cut: &Cut) -> Result<()> {
        let plugin = self.registry.get(self.codec);
        let shapeless = match (plugin, self.codec) {
            (Some(plugin), _) => plugin.needs_shape() && self.blockshape().is_empty(),
            (_, Codec::NDLZ) => !self.has_planes(nbytes, cut),
            (_, codec) => codec.is_zfp() && !self.has_shape(cut),
        };
        if shapeless {
            return Err(Unsupported::Shapeless(self.codec.0).into());
        }
        if self.codec.is_zfp() && plugin.is_none() {
            self.check_zfp()?;
        }
        if self.codec == Codec::NDLZ && plugin.is_none() && !matches!(self.codec_meta, 4 | 8) {
            return Err(ArgumentError::Parameter { name: "codec_meta", value: self.codec_meta.into() }.into());
        }
        Ok(())
    }

    /// Whether blocks have the shape that is given.
    fn has_shape(&self, cut: &Cut) -> bool {
        let lens = self.blockshape().iter();
        let nbytes = lens.fold(self.typesize as usize, |nbytes, &len| nbytes.saturating_mul(len as usize));
        !self.blockshape().is_empty() && nbytes == cut.blocksize
    }

    /// Refuses what ZFP cannot encode.
    fn check_zfp(&self) -> Result<()> {
        let codec = self.codec.0;
        if !matches!(self.typesize, 4 | 8) {
            return Err(ArgumentError::NotFloats(codec).into());
        }
        // The reference does not write blocks smaller than a cell.
        if self.blockshape().len() > 4 || self.blockshape().iter().any(|len| *len < 4) {
            return Err(ArgumentError::BlockShape(codec).into());
        }
        // Other filters would leave no floats in their places.
        let is_host = |id| self.registry.filters().get(id).is_some();
        match self.filters.iter().find(|filter| filter.id != TRUNC_PREC && !is_host(filter.id)) {
            Some(filter) => Err(ArgumentError::Inapplicable(filter.id).into()),
            None => Ok(()),
        }
    }

    /// Whether each stream has one byte of each item of a two-dimensional block, for NDLZ.
    fn has_planes(&self, nbytes: usize, cut: &Cut) -> bool {
        let stream = cut.blocksize / cut.nstreams(cut.blocksize, self);
        let [height, width] = *self.blockshape() else { return false };
        u64::from(height) * u64::from(width) == stream as u64 && nbytes.is_multiple_of(cut.blocksize)
    }

    fn check_filters(&self, nbytes: usize, cut: &Cut) -> Result<()> {
        let typesize = self.header_typesize();
        self.filters.check_forward(typesize, nbytes, self.registry.filters())?;
        let shape =
            self.blockshape().iter().try_fold(typesize, |nbytes, &len| nbytes.checked_mul(len as usize));
        for (n, filter) in self.filters.iter().enumerate() {
            let applicable = match (self.format, filter.id) {
                (ChunkFormat::Blosc1, SHUFFLE) => n == 0 && filter.meta == 0,
                // Readers lose the last bytes (FORMAT §11 B10).
                (ChunkFormat::Blosc1, BITSHUFFLE) => n == 0 && nbytes.is_multiple_of(typesize),
                (ChunkFormat::Blosc1, _) => false,
                // All blocks must be whole ones of the array.
                (_, NDCELL | NDMEAN) => {
                    filter.meta > 0
                        && shape == Some(cut.blocksize)
                        && nbytes.is_multiple_of(cut.blocksize)
                        && (filter.id == NDMEAN || self.has_cell(filter.meta, cut.blocksize))
                }
                _ => true,
            };
            if !applicable {
                return Err(ArgumentError::Inapplicable(filter.id).into());
            }
        }
        Ok(())
    }

    /// Whether a block is no smaller than a cell: C-Blosc2 fails to read smaller ones (FORMAT §5.8).
    fn has_cell(&self, edge: u8, blocksize: usize) -> bool {
        let axes = self.blockshape().iter();
        let cell = axes.fold(self.header_typesize(), |nbytes, _| nbytes.saturating_mul(edge.into()));
        cell <= blocksize
    }
}
