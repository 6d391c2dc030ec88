//! Opens a path.

use crate::args::Args;
use crate::error::{CommandError, read_error};
use crate::origin::Origin;
use crate::permissions::restrict_as;
use crate::source::Source;
use crate::store;
use crate::values::ValueError;
use b2nd::array::Dtype;
use b2nd::objects::{Objects, Tensor};
use b2nd::source::{ReadError, Reader};
use b2nd::store::{Member, Store};
use b2nd::{Layout, Limits};
use std::io;
use std::path::Path;

/// A frame or chunk, and its path for messages.
pub(crate) struct Opened<'a> {
    pub(crate) path: &'a Path,
    pub(crate) reader: Reader<Source>,
    pub(crate) limits: Limits,
    /// The number of available bytes, if they are all in one file.
    pub(crate) len: Option<u64>,
    /// Where the frame begins in the file of the path or of the store, if its chunks are in files as they are.
    pub(crate) start: Option<u64>,
}

impl<'a> Opened<'a> {
    /// Opens a frame, a sparse frame's directory or a chunk.
    pub(crate) fn new(path: &'a Path, args: &Args) -> Result<Self, CommandError> {
        if let Some((store, key)) = store::split(path) {
            return Self::member(path, &store::open(store, args)?, &key, args);
        }
        if store::is_store(path, args) {
            return Err(CommandError::Store(path.into()));
        }
        restrict_as(path);
        let dparams = args.dparams();
        let limits = dparams.limits;
        let source = Source::open(path, args.offset, &limits)?;
        let len = source.len(path, args.offset);
        let start = matches!(source, Source::Origin(_)).then_some(args.offset);
        let reader = Reader::open(source, dparams).map_err(|error| read_error(path, error))?;
        Ok(Self { path, reader, limits, len, start })
    }

    /// Opens a member of a store. `path` is for messages.
    pub(crate) fn member(
        path: &'a Path,
        store: &Store<Origin>,
        key: &str,
        args: &Args,
    ) -> Result<Self, CommandError> {
        if let Some(url) = store.url(key) {
            return Err(CommandError::Remote(path.into(), url.into()));
        }
        let reader = store.get(key).map_err(|error| read_error(path, error))?;
        let mut start = None;
        let reader = reader.map_source(|member| {
            if let Member::Window(window) = &member {
                start = Some(window.range().start);
            }
            Source::Member(member)
        });
        Ok(Self { path, reader, limits: args.limits(), len: None, start })
    }

    /// Adds the path to an error.
    pub(crate) fn of<T>(&self, result: Result<T, ReadError<io::Error>>) -> Result<T, CommandError> {
        result.map_err(|error| read_error(self.path, error))
    }

    /// Its contents, in a word.
    pub(crate) fn kind(&self) -> &'static str {
        let frame = self.reader.frame();
        if frame.is_chunk() {
            return "chunk";
        }
        if matches!(self.reader.layout(), Ok(Some(_))) {
            return "array";
        }
        match Objects::kind_of(&self.reader) {
            Ok(Some(kind)) => kind.name(),
            _ if frame.header.metalayer("b2embed").is_some() => "store",
            _ => "schunk",
        }
    }

    /// The array, if there is one.
    pub(crate) fn array(&self) -> Result<Option<&Layout>, CommandError> {
        self.of(self.reader.layout())
    }

    /// The shape and dtype of the tensor that is packed in a super-chunk, if there is one.
    pub(crate) fn tensor(&self) -> Result<Option<Tensor>, CommandError> {
        if self.array()?.is_some() || self.reader.frame().is_chunk() {
            return Ok(None);
        }
        let trailer = self.of(self.reader.trailer())?;
        let tensor = Tensor::packed(trailer, self.reader.frame().header.nbytes, &self.limits);
        tensor.map_err(|error| CommandError::Blosc(self.path.into(), error))
    }

    /// Bytes of an array's items as in NumPy's `nbytes`, without padding.
    pub(crate) fn nbytes(&self, array: &Layout) -> u64 {
        array.shape().iter().fold(u64::from(array.itemsize()), |nbytes, len| nbytes.saturating_mul(len))
    }

    /// The dtype of the items: `given`, or else the file's. Without one, or if the file's contradicts the item size, the items
    /// are raw bytes.
    pub(crate) fn dtype(&self, given: Option<&Dtype>) -> Result<Dtype, CommandError> {
        let stored = self.stored_dtype()?;
        match given {
            Some(given) if given.itemsize() != stored.itemsize() => {
                Err(ValueError::ItemSize { given: given.itemsize(), stored: stored.itemsize() }.into())
            }
            given => Ok(given.cloned().unwrap_or(stored)),
        }
    }

    fn stored_dtype(&self) -> Result<Dtype, CommandError> {
        if let Some(tensor) = self.tensor()?
            && tensor.dtype.itemsize() == self.reader.frame().header.typesize as usize
        {
            return Ok(tensor.dtype);
        }
        let dtype = self.of(self.reader.dtype())?;
        Ok(if dtype == Dtype::void(1) { Dtype::of::<u8>() } else { dtype })
    }
}
