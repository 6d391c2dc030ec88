//! The options of commands that write.

use super::choice::{Aim, CodecChoice, codec};
use super::layers::{Named, named};
use crate::input::InputFormat;
use b2nd::array::{ArrayParams, Dtype};
use b2nd::chunk::{Auto, CParams, Goal, SplitMode};
use b2nd::filter::{self, BYTEDELTA, BYTEDELTA_BUGGY, DELTA, Filter, MAX_FILTERS, NDCELL, NDMEAN, Pipeline};
use b2nd::frame::Metalayer;
use clap::ValueEnum;

/// Values to write.
#[derive(Debug, clap::Args)]
pub(crate) struct Source {
    /// Format of the input; by default detected from its name and first bytes
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<InputFormat>,
    /// Items along each axis, such as 480,640
    #[arg(long, value_name = "LENS", value_parser = shape)]
    pub(crate) shape: Option<Lens<u64>>,
    /// The dtype of the items in NumPy's syntax, such as "<f4"
    #[arg(long, value_parser = super::dtype)]
    pub(crate) dtype: Option<Dtype>,
}

/// How an array is stored.
#[derive(Debug, clap::Args)]
pub(crate) struct Storage {
    /// Items of a chunk along each axis, such as 100,200 [default: about 4 MiB, longer along later axes]
    #[arg(long, value_name = "LENS", value_parser = lens)]
    pub(crate) chunks: Option<Lens<u32>>,
    /// Items of a block along each axis [default: about 128 KiB, longer along later axes]
    #[arg(long, value_name = "LENS", value_parser = lens)]
    pub(crate) blocks: Option<Lens<u32>>,
    /// blosclz, lz4, lz4hc, zlib or zstd; or auto: chosen by the data; or, of floats and with losses, zfp_acc:1e-3 with errors up to
    /// this power of 10, zfp_prec:16 with about so many significant bits, or zfp_rate:25 with this percentage of the size
    #[arg(long, value_parser = codec)]
    pub(crate) codec: Option<CodecChoice>,
    /// Compression level, from 0 (no compression) to 10 (slow; stored as 9, which is the highest of the formats)
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=10))]
    pub(crate) clevel: Option<u8>,
    /// Names in the order of application, such as shuffle,bytedelta or trunc_prec:10,shuffle, which keeps 10 bits of a mantissa; or
    /// none; or auto: chosen by the data. C-Blosc2 misreads parts of arrays with delta
    #[arg(long, value_name = "NAMES", value_parser = filters)]
    pub(crate) filters: Option<Filters>,
    /// The aim of auto; chooses filters, if none are named [default: balanced]
    #[arg(long, value_enum)]
    pub(crate) goal: Option<Aim>,
    /// When blocks are split into streams
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) split: Option<Split>,
    /// Write a dictionary into each chunk that one makes shorter, with lz4, lz4hc or zstd; for small blocks
    #[arg(long)]
    pub(crate) dict: bool,
    /// Write a sparse frame: a directory with a file per chunk
    #[arg(long)]
    pub(crate) sparse: bool,
    /// Write Caterva's metalayer, which has no dtype, instead of b2nd
    #[arg(long)]
    pub(crate) caterva: bool,
    /// A metalayer of fixed length in the header; may be repeated
    #[arg(long, value_name = "NAME=JSON", value_parser = named)]
    pub(crate) metalayer: Vec<Named>,
    /// An attribute; may be repeated
    #[arg(long, value_name = "NAME=JSON", value_parser = named)]
    pub(crate) attr: Vec<Named>,
    /// Threads that compress [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Print the parameters on standard error, and what auto tried; with --json there as well
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print what info --json prints of the result
    #[arg(long)]
    pub(crate) json: bool,
}

/// Lengths along axes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lens<T>(pub(crate) Vec<T>);

/// A choice of filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Filters {
    Auto,
    These(Vec<Filter>),
}

/// Blosc's split modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Split {
    /// Blocks for which it is expected to help
    Auto,
    /// All blocks
    Always,
    /// No blocks
    Never,
    /// Like auto, as C-Blosc2 writes it by default; python-blosc2 2.0 refuses such frames
    Forward,
}

impl Storage {
    /// Whether no parameter is given.
    pub(crate) fn is_default(&self) -> bool {
        let is_none =
            self.chunks.is_none() && self.blocks.is_none() && self.codec.is_none() && self.clevel.is_none();
        let is_none = is_none && self.filters.is_none() && self.goal.is_none() && self.split.is_none();
        is_none
            && !(self.dict || self.sparse || self.caterva)
            && self.metalayer.is_empty()
            && self.attr.is_empty()
    }

    /// The parts that are chosen by the data; filters also if none are named and `filters` is true.
    pub(crate) fn auto(&self, filters: bool) -> Option<Auto> {
        let filters =
            self.filters.as_ref().map_or(filters || self.goal.is_some(), |filters| *filters == Filters::Auto);
        let codec = self.codec == Some(CodecChoice::Auto);
        let goal = self.goal.map_or(Goal::default(), Goal::from);
        (filters || codec).then_some(Auto { goal, filters, codec, compatible: false })
    }

    /// Applies the given options to parameters.
    pub(crate) fn apply(&self, params: &mut ArrayParams) {
        if let Some(Lens(chunks)) = &self.chunks {
            params.chunkshape = Some(chunks.clone());
            // The old block shape may not fit the new chunks.
            params.blockshape = None;
        }
        if let Some(Lens(blocks)) = &self.blocks {
            params.blockshape = Some(blocks.clone());
        }
        params.sparse |= self.sparse;
        params.caterva |= self.caterva;
        self.apply_to(&mut params.cparams);
        let metalayer =
            |named: &Named| Metalayer { name: named.name.clone().into(), content: named.content.clone() };
        for new in self.metalayer.iter().map(metalayer) {
            params.metalayers.retain(|old| old.name != new.name);
            params.metalayers.push(new);
        }
    }

    /// Like `apply`, for super-chunks.
    pub(crate) fn apply_to(&self, cparams: &mut CParams) {
        if let Some(codec) = self.codec {
            codec.apply_to(cparams);
        }
        cparams.clevel = self.clevel.unwrap_or(cparams.clevel);
        cparams.use_dict |= self.dict;
        if let Some(Filters::These(filters)) = &self.filters {
            cparams.filters = pipeline(filters);
            if filters.iter().any(|filter| filter.id == DELTA) {
                eprintln!("b2nd: warning: C-Blosc2 misreads parts of arrays with the filter delta");
            }
        }
        cparams.splitmode = match self.split {
            None => cparams.splitmode,
            Some(Split::Auto) => SplitMode::Auto,
            Some(Split::Always) => SplitMode::Always,
            Some(Split::Never) => SplitMode::Never,
            Some(Split::Forward) => SplitMode::ForwardCompat,
        };
    }
}

/// Puts the filters into the last slots, as the reference does with a single one.
pub(crate) fn pipeline(filters: &[Filter]) -> Pipeline {
    let mut pipeline = Pipeline::default();
    let start = MAX_FILTERS - filters.len().min(MAX_FILTERS);
    pipeline.slots[start..].copy_from_slice(&filters[..MAX_FILTERS - start]);
    pipeline
}

fn numbers<T: core::str::FromStr>(text: &str) -> Option<Lens<T>> {
    let inner = text.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    let parts = inner.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().ok()).collect::<Option<_>>().map(Lens)
}

pub(crate) fn shape(text: &str) -> Result<Lens<u64>, String> {
    numbers(text).ok_or_else(|| "lengths of axes, such as 480,640".into())
}

fn lens(text: &str) -> Result<Lens<u32>, String> {
    let lens = numbers(text).filter(|lens| lens.0.iter().all(|&len| len > 0));
    lens.ok_or_else(|| "lengths of axes, such as 100,200, none of them 0".into())
}

pub(super) fn filters(text: &str) -> Result<Filters, String> {
    let one = |text: &str| {
        let (name, meta) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
        // Only filters that this build can also undo.
        let mut ids = (1..=u8::MAX).filter(|id| *id != BYTEDELTA_BUGGY);
        let id = ids.find(|&id| filter::name(id) == Some(name))?;
        // The parameter of lossy filters is the number of bits to keep or, if negative, to remove.
        let meta = meta.parse::<i16>().ok().filter(|meta| (-128..256).contains(meta))?;
        Some(Filter { id, meta: meta as u8 })
    };
    match text {
        "auto" => Ok(Filters::Auto),
        "none" => Ok(Filters::These(Vec::new())),
        names => {
            let filters: Option<Vec<_>> = names.split(',').map(one).collect();
            let filters = filters.filter(|filters| filters.len() <= MAX_FILTERS);
            filters.map(Filters::These).ok_or_else(|| {
                let ids = [
                    filter::SHUFFLE,
                    filter::BITSHUFFLE,
                    DELTA,
                    filter::TRUNC_PREC,
                    BYTEDELTA,
                    filter::INT_TRUNC,
                    NDCELL,
                    NDMEAN,
                ];
                let names: Vec<&str> = ids.iter().filter_map(|&id| filter::name(id)).collect();
                format!(
                    "auto, none, or up to six of {}, each perhaps with a parameter, as in trunc_prec:10",
                    names.join(", ")
                )
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::describe;
    use b2nd::filter::{SHUFFLE, TRUNC_PREC};

    #[test]
    fn filters_have_names_and_parameters() {
        let filter = |id, meta| Filter { id, meta };
        assert_eq!(filters("none"), Ok(Filters::These(vec![])));
        assert_eq!(filters("auto"), Ok(Filters::Auto));
        let three = vec![filter(TRUNC_PREC, 246), filter(SHUFFLE, 0), filter(BYTEDELTA, 4)];
        assert_eq!(filters("trunc_prec:-10, shuffle,bytedelta:4"), Ok(Filters::These(three.clone())));
        assert_eq!(pipeline(&three).slots[3..], three[..]);
        assert_eq!(describe(&pipeline(&three)), "trunc_prec:246,shuffle,bytedelta:4");
        assert_eq!(describe(&pipeline(&[])), "none");
        for wrong in [
            "",
            "shufle",
            "shuffle:x",
            "shuffle:300",
            "bytedelta_buggy",
            "delta,delta,delta,delta,delta,delta,delta",
        ] {
            assert!(filters(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lengths_are_numbers() {
        assert_eq!(lens("10,20"), Ok(Lens(vec![10, 20])));
        assert_eq!(shape(" (3, ) "), Ok(Lens(vec![3])));
        assert_eq!(shape("()"), Ok(Lens(vec![])));
        assert!(lens("0,1").is_err() && lens("-1").is_err() && shape("x").is_err());
    }
}
