//! Reading of boxes from items in C or Fortran order.

use super::{InputError, InvalidInput, read_full, spool};
use core::ops::Range;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The maximum number of bytes of a slab to hold in memory: a box of all items between the first and the last one of a chunk and
/// of its neighbours. A larger one is held in a temporary file.
const MAX_SLAB_BYTES: u64 = 64 << 20;

/// The source of the items.
enum Source {
    /// A file with the offset of its first item.
    File(File, u64),
    /// A stream, and the directory for a temporary file for what memory does not hold.
    Stream(Box<dyn Read>, PathBuf),
}

/// Items with a shape.
pub(super) struct Items {
    source: Source,
    /// The shape; reversed for Fortran order, which makes it C order.
    shape: Vec<u64>,
    itemsize: usize,
    is_fortran: bool,
    /// The slab that was read last, in bytes of all items.
    slab: Range<u64>,
    held: Held,
    /// The maximum length of a slab in memory.
    most: u64,
}

/// Where the bytes of a slab are.
enum Held {
    Memory(Vec<u8>),
    File(File),
}

impl Items {
    /// Reads items from an offset of a file.
    pub(super) fn of_file(file: File, start: u64) -> Result<Self, InputError> {
        Ok(Self::new(Source::File(file, start)))
    }

    /// Reads items from a stream. If boxes cannot be read in one pass, it is copied to a file in the directory.
    pub(super) fn of_stream(stream: Box<dyn Read>, folder: &Path) -> Self {
        Self::new(Source::Stream(stream, folder.into()))
    }

    const fn new(source: Source) -> Self {
        let held = Held::Memory(Vec::new());
        Self {
            source,
            shape: Vec::new(),
            itemsize: 1,
            is_fortran: false,
            slab: 0..0,
            held,
            most: MAX_SLAB_BYTES,
        }
    }

    /// Holds slabs of up to so many bytes in memory.
    #[cfg(test)]
    pub(super) fn holding(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The length of the temporary file that holds a slab.
    #[cfg(test)]
    pub(super) fn spooled(&self) -> u64 {
        match &self.held {
            Held::File(file) => file.metadata().map_or(0, |metadata| metadata.len()),
            Held::Memory(_) => 0,
        }
    }

    /// The number of bytes, if it is known.
    pub(super) fn nbytes(&self) -> Option<u64> {
        match &self.source {
            Source::File(file, start) => {
                file.metadata().ok().map(|metadata| metadata.len().saturating_sub(*start))
            }
            Source::Stream(..) => None,
        }
    }

    /// Sets the shape, whose number of items must match.
    pub(super) fn with_shape(
        mut self,
        shape: &[u64],
        itemsize: usize,
        is_fortran: bool,
    ) -> Result<Self, InputError> {
        let needed = shape.iter().try_fold(itemsize as u64, |nbytes, &len| nbytes.checked_mul(len));
        let needed = needed.unwrap_or(u64::MAX);
        match self.nbytes() {
            Some(found) if found < needed => return Err(InvalidInput::Truncated { needed, found }.into()),
            Some(found) if found > needed => return Err(InvalidInput::TooLong { needed }.into()),
            _ => {}
        }
        self.shape = shape.to_vec();
        // With at most one axis both orders are the same.
        self.is_fortran = is_fortran && shape.len() > 1;
        if self.is_fortran {
            self.shape.reverse();
        }
        self.itemsize = itemsize;
        Ok(self)
    }

    /// Fills a buffer with the items of a box, in C order.
    pub(super) fn fill(&mut self, window: &[Range<u64>], out: &mut [u8]) -> Result<(), InputError> {
        if out.is_empty() {
            return Ok(());
        }
        if self.is_fortran {
            let reversed: Vec<_> = window.iter().rev().cloned().collect();
            let mut turned = vec![0; out.len()];
            self.read_runs(&reversed, &mut turned)?;
            transpose(window, &turned, self.itemsize, out);
            return Ok(());
        }
        let slab = self.slab_of(window);
        let is_held = self.slab.start <= slab.start && slab.end <= self.slab.end;
        if !is_held {
            if matches!(self.source, Source::Stream(..)) && slab.start != self.slab.end {
                self.spool()?;
            }
            let is_whole = slab.end - slab.start == out.len() as u64;
            match &mut self.source {
                Source::Stream(stream, _) if is_whole => {
                    let found = read_full(stream, out)?;
                    return self.proceed(slab.end..slab.end, slab.end - (out.len() - found) as u64);
                }
                Source::Stream(..) => self.read_next(slab)?,
                Source::File(file, start) if slab.end - slab.start <= self.most => {
                    let bytes = self.held.in_memory(&slab);
                    file.seek(SeekFrom::Start(*start + slab.start))?;
                    file.read_exact(bytes)?;
                    self.slab = slab;
                }
                Source::File(..) => return self.read_runs(window, out),
            }
        }
        let start = self.slab.start;
        let held = &mut self.held;
        runs(&self.shape, window, self.itemsize, |at, place| held.read(at - start, &mut out[place]))
    }

    /// The bytes from the first to the last item of a box, and of all boxes beside it: it spans the axes after the first one
    /// along which the box is longer than 1.
    fn slab_of(&self, window: &[Range<u64>]) -> Range<u64> {
        let long = window.iter().position(|range| range.end - range.start > 1);
        let axis = long.unwrap_or(window.len().saturating_sub(1));
        let inner = |axis: usize| -> u64 { self.shape[axis + 1..].iter().product() };
        let first = |axis: usize| window[axis].start * inner(axis);
        let itemsize = self.itemsize as u64;
        let Some(range) = window.get(axis) else { return 0..itemsize };
        let start: u64 = (0..=axis).map(first).sum();
        start * itemsize..(start + (range.end - range.start) * inner(axis)) * itemsize
    }

    /// Reads the next slab of a stream.
    fn read_next(&mut self, slab: Range<u64>) -> Result<(), InputError> {
        let Source::Stream(stream, folder) = &mut self.source else { return Ok(()) };
        let len = slab.end - slab.start;
        let found = if len <= self.most {
            read_full(stream, self.held.in_memory(&slab))? as u64
        } else {
            spool::refill(self.held.in_file(folder)?, stream.take(len))?
        };
        let end = slab.start + found;
        self.proceed(slab, end)
    }

    /// Notes what was read of a stream: this slab, which should be complete, and so many bytes of all items.
    fn proceed(&mut self, slab: Range<u64>, found: u64) -> Result<(), InputError> {
        let Source::Stream(stream, _) = &mut self.source else { return Ok(()) };
        let needed = self.shape.iter().fold(self.itemsize as u64, |nbytes, len| nbytes.saturating_mul(*len));
        if found < slab.end {
            return Err(InvalidInput::Truncated { needed, found }.into());
        }
        if slab.end == needed && read_full(stream, &mut [0])? > 0 {
            return Err(InvalidInput::TooLong { needed }.into());
        }
        self.slab = slab;
        Ok(())
    }

    /// Copies a stream to a file, to allow random access.
    fn spool(&mut self) -> Result<(), InputError> {
        let Source::Stream(stream, folder) = &mut self.source else { return Ok(()) };
        if self.slab.end > 0 {
            return Err(InputError::Io(ErrorKind::NotSeekable.into()));
        }
        let needed = self.shape.iter().fold(self.itemsize as u64, |nbytes, len| nbytes.saturating_mul(*len));
        let file = spool::all(stream.take(needed), folder)?;
        let found = file.metadata()?.len();
        if found < needed {
            return Err(InvalidInput::Truncated { needed, found }.into());
        }
        if read_full(stream, &mut [0])? > 0 {
            return Err(InvalidInput::TooLong { needed }.into());
        }
        self.source = Source::File(file, 0);
        Ok(())
    }

    /// Reads a box run by run.
    fn read_runs(&mut self, window: &[Range<u64>], out: &mut [u8]) -> Result<(), InputError> {
        self.spool()?;
        let Source::File(file, start) = &mut self.source else { return Ok(()) };
        runs(&self.shape, window, self.itemsize, |at, place| {
            file.seek(SeekFrom::Start(*start + at))?;
            Ok(file.read_exact(&mut out[place])?)
        })
    }
}

impl Held {
    /// A buffer in memory for a slab.
    fn in_memory(&mut self, slab: &Range<u64>) -> &mut [u8] {
        let mut bytes = match self {
            Self::Memory(bytes) => core::mem::take(bytes),
            Self::File(_) => Vec::new(),
        };
        bytes.resize((slab.end - slab.start) as usize, 0);
        *self = Self::Memory(bytes);
        match self {
            Self::Memory(bytes) => bytes,
            Self::File(_) => &mut [],
        }
    }

    /// A temporary file, the same one for all slabs.
    fn in_file(&mut self, folder: &Path) -> Result<&mut File, InputError> {
        if matches!(self, Self::Memory(_)) {
            *self = Self::File(crate::files::unlinked(folder)?);
        }
        match self {
            Self::File(file) => Ok(file),
            Self::Memory(_) => Err(InputError::Io(ErrorKind::NotSeekable.into())),
        }
    }

    /// Reads bytes of a slab.
    fn read(&mut self, at: u64, out: &mut [u8]) -> Result<(), InputError> {
        match self {
            Self::Memory(bytes) => out.copy_from_slice(&bytes[at as usize..at as usize + out.len()]),
            Self::File(file) => {
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(out)?;
            }
        }
        Ok(())
    }
}

/// The contiguous runs of a box in an array in C order: the first byte of each in the array and in the box.
fn runs(
    shape: &[u64],
    window: &[Range<u64>],
    itemsize: usize,
    mut run: impl FnMut(u64, Range<usize>) -> Result<(), InputError>,
) -> Result<(), InputError> {
    // A run spans the last axes that are selected completely, and the axis before them.
    let whole =
        window.iter().zip(shape).rev().take_while(|(range, len)| range.end - range.start == **len).count();
    let axes = (window.len() - whole).saturating_sub(1);
    let lens: Vec<u64> = window.iter().map(|range| range.end - range.start).collect();
    let len = lens[axes..].iter().product::<u64>() as usize * itemsize;
    let mut position: Vec<u64> = window.iter().map(|range| range.start).collect();
    let mut place = 0;
    loop {
        let item = position.iter().zip(shape).fold(0, |item, (at, len)| item * len + at);
        run(item * itemsize as u64, place..place + len)?;
        place += len;
        let Some(axis) = (0..axes).rev().find(|&axis| position[axis] + 1 < window[axis].end) else {
            return Ok(());
        };
        position[axis] += 1;
        for (at, range) in position[axis + 1..axes].iter_mut().zip(&window[axis + 1..axes]) {
            *at = range.start;
        }
    }
}

/// Transposes the items of a box from Fortran order to C order.
pub(super) fn transpose(window: &[Range<u64>], items: &[u8], itemsize: usize, out: &mut [u8]) {
    let lens: Vec<usize> = window.iter().map(|range| (range.end - range.start) as usize).collect();
    let mut strides = vec![itemsize; lens.len()];
    for axis in 1..lens.len() {
        strides[axis] = strides[axis - 1] * lens[axis - 1];
    }
    let mut position = vec![0; lens.len()];
    let mut from = 0;
    for item in out.chunks_exact_mut(itemsize) {
        item.copy_from_slice(&items[from..from + itemsize]);
        for axis in (0..lens.len()).rev() {
            position[axis] += 1;
            from += strides[axis];
            if position[axis] < lens[axis] {
                break;
            }
            from -= strides[axis] * lens[axis];
            position[axis] = 0;
        }
    }
}
