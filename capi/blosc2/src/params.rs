//! Compression parameters of callers, checked.

use crate::codes::{BLOSC_ALWAYS_SPLIT, BLOSC_AUTO_SPLIT, BLOSC_NEVER_SPLIT, Compressor, Failure, Result};
use crate::types::{BLOSC2_MAX_FILTERS, blosc2_cparams};
use b2nd::chunk::CParams;
use b2nd::filter::{Filter, Pipeline};
use b2nd::frame::SplitMode;

/// Levels, from 0.
const LEVELS: u8 = 10;

impl blosc2_cparams {
    /// The parameters for the library.
    ///
    /// # Errors
    /// For values that are out of range, and for functions of the caller's.
    pub(crate) fn parse(&self) -> Result<CParams> {
        if !self.prefilter.is_null() {
            return Err(Failure::argument("prefilters are not supported"));
        }
        if self.clevel >= LEVELS {
            return Err(Failure::argument(format!("the level {} is not between 0 and 9", self.clevel)));
        }
        let positive = |name, value: i32, least| match u32::try_from(value) {
            Ok(value) if value >= least => Ok(value),
            _ => Err(Failure::argument(format!("{name} cannot be {value}"))),
        };
        let compressor = Compressor::of_code(self.compcode.into())
            .ok_or_else(|| Failure::argument(format!("there is no compressor {}", self.compcode)))?;
        Ok(CParams {
            codec: compressor.codec,
            codec_meta: self.compcode_meta,
            clevel: self.clevel,
            typesize: positive("typesize", self.typesize, 1)?,
            filters: self.pipeline(),
            blocksize: positive("blocksize", self.blocksize, 0)?,
            splitmode: splitmode(self.splitmode),
            use_dict: self.use_dict != 0,
            ..CParams::default()
        })
    }

    fn pipeline(&self) -> Pipeline {
        let mut filters = Pipeline::default();
        let pairs = self.filters.into_iter().zip(self.filters_meta);
        filters.slots.iter_mut().zip(pairs).for_each(|(slot, (id, meta))| *slot = Filter { id, meta });
        filters
    }

    /// The parameters that a frame has.
    pub(crate) fn of(cparams: &CParams) -> Self {
        let mut filled = Self {
            compcode: cparams.codec.0,
            compcode_meta: cparams.codec_meta,
            clevel: cparams.clevel,
            use_dict: cparams.use_dict.into(),
            typesize: cparams.typesize as i32,
            blocksize: cparams.blocksize as i32,
            splitmode: splitmode_code(cparams.splitmode),
            ..Self::default()
        };
        let slots = &cparams.filters.slots[..BLOSC2_MAX_FILTERS];
        for (at, slot) in slots.iter().enumerate() {
            (filled.filters[at], filled.filters_meta[at]) = (slot.id, slot.meta);
        }
        filled
    }
}

const fn splitmode(code: i32) -> SplitMode {
    match code {
        BLOSC_ALWAYS_SPLIT => SplitMode::Always,
        BLOSC_NEVER_SPLIT => SplitMode::Never,
        BLOSC_AUTO_SPLIT => SplitMode::Auto,
        _ => SplitMode::ForwardCompat,
    }
}

const fn splitmode_code(mode: SplitMode) -> i32 {
    match mode {
        SplitMode::Always => BLOSC_ALWAYS_SPLIT,
        SplitMode::Never => BLOSC_NEVER_SPLIT,
        SplitMode::Auto => BLOSC_AUTO_SPLIT,
        SplitMode::ForwardCompat => crate::codes::BLOSC_FORWARD_COMPAT_SPLIT,
    }
}
