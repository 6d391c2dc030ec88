//! Chunks of datasets, filtered and back.

use b2nd::array::ArrayParams;
use b2nd::chunk::{CParams, ChunkEncoder, ChunkFormat};
use b2nd::codec::Codec;
use b2nd::filter::{BITSHUFFLE, MAX_FILTERS, Pipeline, SHUFFLE};
use b2nd::frame::{FrameParams, SplitMode};
use b2nd::plan::Plan;
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Limits, Reader, Selection};
use std::cell::RefCell;

/// The most dimensions of arrays that readers know.
pub(crate) const MAX_NDIM: usize = 8;
/// The place of the rank among the values of Blosc2.
const RANK: usize = 7;
/// Defaults for values that are not given: the level, the filter and the codec.
pub(crate) const DEFAULTS: [u32; 3] = [5, 1, 0];

/// One of the filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    Blosc,
    Blosc2,
}

/// The values that a dataset has for a filter (`cd_values`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values<'a>(pub(crate) &'a [u32]);

/// Why a chunk is not filtered.
type Reason = String;

impl Values<'_> {
    fn get(&self, at: usize, default: u32) -> u32 {
        self.0.get(at).copied().unwrap_or(default)
    }

    /// Bytes of a block, or 0. Blosc has a version here.
    fn blocksize(&self) -> u32 {
        self.get(1, 0)
    }

    fn typesize(&self) -> u32 {
        self.get(2, 1).max(1)
    }

    /// Bytes of a chunk of the dataset, before other filters.
    fn chunksize(&self) -> u64 {
        self.get(3, 0).into()
    }

    fn clevel(&self) -> u32 {
        self.get(4, DEFAULTS[0])
    }

    fn shuffle(&self) -> u32 {
        self.get(5, DEFAULTS[1])
    }

    fn codec(&self) -> u32 {
        self.get(6, DEFAULTS[2])
    }

    /// The shape of a chunk of several dimensions.
    fn shape(&self) -> Option<&[u32]> {
        let ndim = *self.0.get(RANK)? as usize;
        self.0.get(RANK + 1..RANK + 1 + ndim).filter(|shape| (2..=MAX_NDIM).contains(&shape.len()))
    }
}

impl Filter {
    /// The stored form of a chunk.
    ///
    /// # Errors
    /// For values that are out of range.
    pub(crate) fn encode(self, values: Values<'_>, plain: &[u8]) -> Result<Vec<u8>, Reason> {
        match self {
            Self::Blosc => encode_chunk(values, plain),
            Self::Blosc2 => match values.shape().filter(|shape| is_array(shape, values.typesize(), plain)) {
                Some(shape) => encode_array(values, shape, plain),
                None => encode_frame(values, plain),
            },
        }
        .map_err(|error| format!("cannot compress {} bytes: {error}", plain.len()))
    }
}

/// The stored form, opened to be decoded.
pub(crate) struct Stored<'a> {
    reader: Reader<&'a [u8]>,
    plan: Plan,
}

impl<'a> Stored<'a> {
    /// # Errors
    /// For bytes that are no chunk or frame, and for those that claim more than the limits allow.
    pub(crate) fn open(values: Values<'_>, bytes: &'a [u8]) -> Result<Self, Reason> {
        let usual = Limits::default();
        let limits = Limits { memory: usual.memory.max(2 * values.chunksize()), ..usual };
        let failed =
            |error: &dyn core::fmt::Display| format!("cannot decompress {} bytes: {error}", bytes.len());
        let reader =
            Reader::open(bytes, DParams { limits, ..DParams::default() }).map_err(|error| failed(&error))?;
        let plan = reader.plan(Selection::all()).map_err(|error| failed(&error))?;
        limits.allow_memory(plan.nbytes() as u64).map_err(|error| failed(&error))?;
        Ok(Self { reader, plan })
    }

    /// The number of plain bytes.
    pub(crate) fn nbytes(&self) -> usize {
        self.plan.nbytes()
    }

    /// Decodes to `plain`, which has as many bytes.
    ///
    /// # Errors
    /// For damaged data.
    pub(crate) fn decode_into(&self, plain: &mut [u8]) -> Result<(), Reason> {
        self.reader.get_into(&self.plan, plain).map_err(|error| format!("cannot decompress: {error}"))
    }
}

type Encoded = Result<Vec<u8>, Box<dyn core::error::Error>>;

thread_local! {
    /// The memory of the codecs, which chunks would otherwise clear anew.
    static ENCODER: RefCell<ChunkEncoder> = RefCell::default();
}

/// A chunk of Blosc1.
fn encode_chunk(values: Values<'_>, plain: &[u8]) -> Encoded {
    let typesize = Some(values.typesize()).filter(|typesize| *typesize <= 255).unwrap_or(1);
    let filter = match values.shuffle() {
        // Old readers lose bytes of incomplete items that are bitshuffled.
        2 if plain.len().is_multiple_of(typesize as usize) => BITSHUFFLE,
        1 | 2 => SHUFFLE,
        0 => 0,
        other => return Err(format!("there is no filter {other}").into()),
    };
    let cparams = CParams {
        typesize,
        filters: pipeline(filter),
        splitmode: SplitMode::ForwardCompat,
        format: ChunkFormat::Blosc1,
        ..cparams(values)?
    };
    ENCODER.with_borrow_mut(|encoder| {
        encoder.set_cparams(cparams);
        Ok(encoder.encode(plain)?)
    })
}

/// A frame with an array of one chunk.
fn encode_array(values: Values<'_>, shape: &[u32], plain: &[u8]) -> Encoded {
    let lens: Vec<u64> = shape.iter().map(|&len| len.into()).collect();
    let mut params = ArrayParams::new(&lens, &format!("|V{}", values.typesize())).with_chunks(shape);
    if values.blocksize() > 0 {
        params.blockshape = Some(rows(shape, values.blocksize() / values.typesize()));
    }
    params.cparams = cparams2(values)?;
    let mut editor = Editor::create_array(Memory::default(), &params)?;
    editor.set(Selection::all(), plain)?;
    editor.commit()?;
    Ok(editor.into_sink().into_bytes())
}

/// A frame with a super-chunk of one chunk.
fn encode_frame(values: Values<'_>, plain: &[u8]) -> Encoded {
    let cparams = cparams2(values)?;
    let is_whole = plain.len().is_multiple_of(cparams.typesize as usize);
    let typesize = if is_whole { cparams.typesize } else { 1 };
    let cparams = CParams { typesize, blocksize: values.blocksize(), ..cparams };
    let params = FrameParams { cparams, chunksize: plain.len().try_into()?, ..FrameParams::default() };
    let mut editor = Editor::create(Memory::default(), &params)?;
    editor.append_chunk(plain)?;
    editor.commit()?;
    Ok(editor.into_sink().into_bytes())
}

/// Whether the bytes are the items of an array. Filters before this one may have added others.
fn is_array(shape: &[u32], typesize: u32, plain: &[u8]) -> bool {
    let nbytes = shape.iter().try_fold(u64::from(typesize), |nbytes, &len| nbytes.checked_mul(len.into()));
    !plain.is_empty() && nbytes == Some(plain.len() as u64)
}

/// Whole rows of a chunk, of about so many items.
fn rows(shape: &[u32], nitems: u32) -> Vec<u32> {
    let mut left = nitems.max(1);
    let mut block: Vec<u32> = shape
        .iter()
        .rev()
        .map(|&len| {
            let taken = len.min(left);
            left = (left / taken.max(1)).max(1);
            taken
        })
        .collect();
    block.reverse();
    block
}

/// The parameters of a chunk of Blosc2.
fn cparams2(values: Values<'_>) -> Result<CParams, Reason> {
    let filter =
        u8::try_from(values.shuffle()).map_err(|_| format!("there is no filter {}", values.shuffle()))?;
    Ok(CParams { typesize: values.typesize(), filters: pipeline(filter), ..cparams(values)? })
}

/// The codec and its level.
fn cparams(values: Values<'_>) -> Result<CParams, Reason> {
    let (codec, clevel) = (values.codec(), values.clevel());
    let codec = u8::try_from(codec).map_err(|_| format!("there is no codec {codec}"))?;
    let level = u8::try_from(clevel).ok().filter(|level| *level <= 9);
    let clevel = level.ok_or_else(|| format!("the level {clevel} is not between 0 and 9"))?;
    Ok(CParams { codec: Codec(codec), clevel, ..CParams::default() })
}

/// The pipeline with one filter, or with none for 0.
fn pipeline(filter: u8) -> Pipeline {
    let mut filters = Pipeline::default();
    filters.slots[MAX_FILTERS - 1].id = filter;
    filters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(filter: Filter, values: &[u32], plain: &[u8]) -> usize {
        let stored = filter.encode(Values(values), plain).unwrap();
        let opened = Stored::open(Values(values), &stored).unwrap();
        let mut decoded = vec![0; opened.nbytes()];
        opened.decode_into(&mut decoded).unwrap();
        assert!(decoded == plain, "{filter:?} {values:?}");
        stored.len()
    }

    fn plain(nbytes: usize) -> Vec<u8> {
        (0..nbytes / 4).flat_map(|item| (item as u32 / 3).to_le_bytes()).collect()
    }

    #[test]
    fn chunks_round_trip() {
        let items = plain(48_000);
        for shuffle in 0..3 {
            for codec in [0, 1, 2, 4, 5] {
                assert!(round_trip(Filter::Blosc, &[2, 2, 4, 48_000, 5, shuffle, codec], &items) < 40_000);
                assert!(round_trip(Filter::Blosc2, &[1, 0, 4, 48_000, 5, shuffle, codec], &items) < 40_000);
                let array = [1, 0, 4, 48_000, 5, shuffle, codec, 2, 100, 120];
                assert!(round_trip(Filter::Blosc2, &array, &items) < 40_000);
            }
        }
        round_trip(Filter::Blosc, &[2, 2, 4, 48_000, 5, 1, 3], &items);
        round_trip(Filter::Blosc2, &[1, 4096, 4, 48_000, 5, 1, 5, 3, 10, 10, 120], &items);
    }

    #[test]
    fn other_filters_may_change_the_length() {
        let items = [plain(48_000), vec![1, 2, 3]].concat();
        round_trip(Filter::Blosc, &[2, 2, 4, 48_000, 5, 2, 1], &items);
        round_trip(Filter::Blosc2, &[1, 0, 4, 48_000, 5, 1, 5, 2, 100, 120], &items);
    }

    #[test]
    fn values_are_checked() {
        let failure =
            |filter: Filter, values: &[u32]| filter.encode(Values(values), &plain(48_000)).unwrap_err();
        assert!(failure(Filter::Blosc, &[2, 2, 4, 0, 10]).ends_with("the level 10 is not between 0 and 9"));
        assert!(failure(Filter::Blosc, &[2, 2, 4, 0, 5, 3]).ends_with("there is no filter 3"));
        assert!(failure(Filter::Blosc2, &[1, 0, 4, 0, 5, 1, 300]).ends_with("there is no codec 300"));
        assert!(Stored::open(Values(&[]), b"no chunk").is_err());
    }

    #[test]
    fn blocks_are_rows() {
        assert_eq!(rows(&[100, 120], 240), [2, 120]);
        assert_eq!(rows(&[100, 120], 7), [1, 7]);
        assert_eq!(rows(&[10, 10, 10], 5000), [10, 10, 10]);
    }
}
