//! Reads values of any length in bounded memory: `.npy`, CSV or raw items, from a file or from standard input.

mod csv;
mod error;
mod invalid;
mod items;
mod npy;
mod parse;
mod spool;

use crate::error::CommandError;
use crate::permissions::restrict_as;
use crate::pipe::{self, STANDARD};
use b2nd::array::Dtype;
use clap::ValueEnum;
use core::ops::Range;
pub(crate) use error::InputError;
pub(crate) use invalid::InvalidInput;
use items::Items;
pub(crate) use parse::parse_item;
use std::fs::File;
#[cfg(feature = "arrow")]
use std::io::Seek;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The size of the read buffer in bytes.
const BUFFER: usize = 256 << 10;

/// An input format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    /// NumPy's file format
    Npy,
    /// A table in the format that get writes
    Csv,
    /// The items in C order; needs a dtype
    Raw,
}

/// The caller's description of an input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InputParams<'a> {
    /// The format; by default it is detected from the name and the first bytes.
    pub(crate) format: Option<InputFormat>,
    pub(crate) shape: Option<&'a [u64]>,
    pub(crate) dtype: Option<&'a Dtype>,
    /// The directory for temporary files.
    pub(crate) folder: &'a Path,
}

/// Values for an array.
pub(crate) struct Input {
    pub(crate) shape: Vec<u64>,
    pub(crate) dtype: Dtype,
    items: Items,
}

impl Input {
    /// Opens the input at a path; `-` is standard input.
    pub(crate) fn open(path: &Path, params: &InputParams<'_>) -> Result<Self, CommandError> {
        open(path, params).map_err(|stop| stop.at(path))
    }

    /// Opens values for an array of this dtype and, if given, of this shape. Tables without a declared dtype get this one; raw
    /// items get the dtype and the shape.
    pub(crate) fn open_for(
        path: &Path,
        params: &InputParams<'_>,
        dtype: &Dtype,
        shape: Option<&[u64]>,
    ) -> Result<Self, CommandError> {
        open_for(path, params, dtype, shape).map_err(|stop| stop.at(path))
    }

    /// Changes the shape of the items. None may have been read.
    pub(crate) fn reshape(self, shape: &[u64]) -> Result<Self, InputError> {
        let count = |shape: &[u64]| shape.iter().fold(1_u64, |count, len| count.saturating_mul(*len));
        let (expected, found) = (count(shape), count(&self.shape));
        if expected != found {
            return Err(InvalidInput::Count { expected, found }.into());
        }
        let Self { dtype, items, .. } = self;
        finish(shape.to_vec(), dtype, false, items)
    }

    /// Bytes of all items.
    pub(crate) fn nbytes(&self) -> u64 {
        self.shape.iter().fold(self.dtype.itemsize() as u64, |nbytes, len| nbytes.saturating_mul(*len))
    }

    /// Fills a buffer with the items of a box, in C order. Callers must request boxes in the order of the first axis.
    pub(crate) fn fill(&mut self, window: &[Range<u64>], out: &mut [u8]) -> Result<(), InputError> {
        self.items.fill(window, out)
    }

    /// Checks the dtype and the shape of an input.
    pub(crate) fn must_be(&self, dtype: &Dtype, shape: &[u64]) -> Result<(), InvalidInput> {
        let differs =
            |what, found: String, wanted: String| Err(InvalidInput::Differs { what, found, wanted });
        if self.dtype != *dtype {
            return differs("dtype", self.dtype.to_string(), dtype.to_string());
        }
        if self.shape != shape {
            return differs("shape", format!("{:?}", self.shape), format!("{shape:?}"));
        }
        Ok(())
    }
}

fn open(path: &Path, params: &InputParams<'_>) -> Result<Input, InputError> {
    let (first, reader, file) = begin(path)?;
    let format = params.format.or_else(|| guess(path, &first)).or(params.dtype.map(|_| InputFormat::Raw));
    read(format.ok_or(InvalidInput::Format)?, reader, file, params)
}

fn open_for(
    path: &Path,
    params: &InputParams<'_>,
    dtype: &Dtype,
    shape: Option<&[u64]>,
) -> Result<Input, InputError> {
    let (first, reader, file) = begin(path)?;
    let format = params.format.or_else(|| guess(path, &first)).unwrap_or(InputFormat::Raw);
    let mut params = *params;
    if format != InputFormat::Npy {
        params.dtype = params.dtype.or(Some(dtype));
        params.shape = params.shape.or(shape);
    }
    read(format, reader, file, &params)
}

/// A reader of all of an input.
pub(crate) fn stream(path: &Path) -> io::Result<Box<dyn Read>> {
    begin(path).map(|(_, reader, _)| reader)
}

/// Opens an input that is read in any order: a copy in a folder, without a name, of one that is no file.
#[cfg(feature = "arrow")]
pub(crate) fn seekable(path: &Path, folder: &Path) -> io::Result<File> {
    match begin(path)? {
        (_, _, Some(file)) => Ok(file),
        (_, reader, None) => {
            let mut file = spool::all(reader, folder)?;
            file.rewind()?;
            Ok(file)
        }
    }
}

/// The first bytes of an input, a reader of all of it, and the file if the input is seekable.
type Begun = (Vec<u8>, Box<dyn Read>, Option<File>);

fn begin(path: &Path) -> io::Result<Begun> {
    let is_standard = path.as_os_str() == STANDARD;
    let mut file = None;
    let mut reader: Box<dyn Read> = if is_standard {
        Box::new(io::stdin())
    } else if pipe::is_pipe(path) {
        pipe::open(path)?
    } else {
        restrict_as(path);
        let reader = File::open(path)?;
        // For reading at positions, which must not move the reader's.
        file = is_regular(&reader).then(|| File::open(path)).transpose()?;
        Box::new(reader)
    };
    let mut first = vec![0; npy::MAGIC.len()];
    let len = read_full(&mut reader, &mut first)?;
    first.truncate(len);
    Ok((first.clone(), Box::new(io::Cursor::new(first).chain(reader)), file))
}

/// Reads an input in a known format. `file` is given if the input is seekable.
pub(crate) fn read(
    format: InputFormat,
    reader: Box<dyn Read>,
    file: Option<File>,
    params: &InputParams<'_>,
) -> Result<Input, InputError> {
    match format {
        InputFormat::Npy => npy::open(reader, file, params),
        InputFormat::Csv => csv::open(BufReader::with_capacity(BUFFER, reader), params),
        InputFormat::Raw => raw(reader, file, params),
    }
}

fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

fn guess(path: &Path, first: &[u8]) -> Option<InputFormat> {
    let name = path.extension().and_then(|name| name.to_str()).map(str::to_ascii_lowercase);
    match name.as_deref() {
        _ if first == npy::MAGIC => Some(InputFormat::Npy),
        Some("npy") => Some(InputFormat::Npy),
        Some("csv") => Some(InputFormat::Csv),
        _ => None,
    }
}

fn raw(reader: Box<dyn Read>, file: Option<File>, params: &InputParams<'_>) -> Result<Input, InputError> {
    let dtype = params.dtype.ok_or(InvalidInput::NoDtype)?.clone();
    let itemsize = dtype.itemsize().max(1) as u64;
    let items = match file {
        Some(file) => Items::of_file(file, 0)?,
        None if params.shape.is_none() => Items::of_file(spool::all(reader, params.folder)?, 0)?,
        None => Items::of_stream(reader, params.folder),
    };
    let shape = match (params.shape, items.nbytes()) {
        (Some(shape), _) => shape.to_vec(),
        (None, nbytes) => {
            let nbytes = nbytes.unwrap_or(0);
            if !nbytes.is_multiple_of(itemsize) {
                return Err(InvalidInput::Truncated {
                    needed: nbytes.next_multiple_of(itemsize),
                    found: nbytes,
                }
                .into());
            }
            vec![nbytes / itemsize]
        }
    };
    finish(shape, dtype, false, items)
}

/// Creates an input of this shape. Sub-array dtypes become axes, as in NumPy.
fn finish(shape: Vec<u64>, dtype: Dtype, is_fortran: bool, items: Items) -> Result<Input, InputError> {
    if dtype.itemsize() == 0 {
        return Err(InvalidInput::NoCells(dtype.to_string()).into());
    }
    let items = items.with_shape(&shape, dtype.itemsize(), is_fortran)?;
    Ok(Input { shape, dtype, items })
}

/// Reads until the buffer is full or the input ends.
fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match reader.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

#[cfg(test)]
mod tests;
