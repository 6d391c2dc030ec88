//! Reading of boxes from items in C or Fortran order.

use super::{Stop, Unusable, read_full, spool};
use core::ops::Range;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The maximum number of bytes of whole rows to hold in memory. If the rows of a box are larger, its runs are read one by one
/// from a file.
const MOST: u64 = 24 << 20;

/// The source of the items.
enum Source {
    /// A file with the offset of its first item.
    File(File, u64),
    /// A stream, and the directory for a temporary file if it must be read out of order.
    Stream(Box<dyn Read>, PathBuf),
}

/// Items with a shape.
pub(super) struct Items {
    source: Source,
    /// The shape; reversed for Fortran order, which makes it C order.
    shape: Vec<u64>,
    itemsize: usize,
    is_fortran: bool,
    /// The buffered rows: items at these positions of the first axis.
    rows: Range<u64>,
    row_bytes: Vec<u8>,
}

impl Items {
    /// Reads items from an offset of a file.
    pub(super) fn of_file(file: File, start: u64) -> Result<Self, Stop> {
        Ok(Self::new(Source::File(file, start)))
    }

    /// Reads items from a stream. If boxes cannot be read in one pass, it is copied to a file in the directory.
    pub(super) fn of_stream(stream: Box<dyn Read>, folder: &Path) -> Self {
        Self::new(Source::Stream(stream, folder.into()))
    }

    const fn new(source: Source) -> Self {
        Self { source, shape: Vec::new(), itemsize: 1, is_fortran: false, rows: 0..0, row_bytes: Vec::new() }
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
    ) -> Result<Self, Stop> {
        let needed = shape.iter().try_fold(itemsize as u64, |nbytes, &len| nbytes.checked_mul(len));
        let needed = needed.unwrap_or(u64::MAX);
        match self.nbytes() {
            Some(found) if found < needed => return Err(Unusable::Truncated { needed, found }.into()),
            Some(found) if found > needed => return Err(Unusable::TooLong { needed }.into()),
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
    pub(super) fn fill(&mut self, window: &[Range<u64>], out: &mut [u8]) -> Result<(), Stop> {
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
        let row =
            self.shape.iter().skip(1).fold(self.itemsize as u64, |nbytes, len| nbytes.saturating_mul(*len));
        match window.first() {
            Some(rows) if row.saturating_mul(rows.end - rows.start) <= MOST => {
                self.read_rows(rows, row as usize)?;
                let (start, bytes) = (self.rows.start * row, &self.row_bytes);
                runs(&self.shape, window, self.itemsize, |at, place| {
                    let at = (at - start) as usize;
                    out[place.clone()].copy_from_slice(&bytes[at..at + place.len()]);
                    Ok(())
                })
            }
            _ => self.read_runs(window, out),
        }
    }

    /// Buffers rows. A stream can only provide the next ones.
    fn read_rows(&mut self, rows: &Range<u64>, row: usize) -> Result<(), Stop> {
        if self.rows.start <= rows.start && rows.end <= self.rows.end {
            return Ok(());
        }
        let follows = rows.start == self.rows.end;
        let len = row * (rows.end - rows.start) as usize;
        let ends = rows.end == self.shape[0];
        if !follows {
            self.spool()?;
        }
        self.row_bytes.resize(len, 0);
        let needed = self.shape.iter().fold(self.itemsize as u64, |nbytes, len| nbytes.saturating_mul(*len));
        match &mut self.source {
            Source::Stream(stream, _) => {
                let found = read_full(stream, &mut self.row_bytes)? as u64;
                if found < len as u64 {
                    let before = rows.start * row as u64;
                    return Err(Unusable::Truncated { needed, found: before + found }.into());
                }
                if ends && read_full(stream, &mut [0])? > 0 {
                    return Err(Unusable::TooLong { needed }.into());
                }
            }
            Source::File(file, start) => {
                file.seek(SeekFrom::Start(*start + rows.start * row as u64))?;
                file.read_exact(&mut self.row_bytes)?;
            }
        }
        self.rows = rows.clone();
        Ok(())
    }

    /// Copies a stream to a file, to allow random access.
    fn spool(&mut self) -> Result<(), Stop> {
        let Source::Stream(stream, folder) = &mut self.source else { return Ok(()) };
        if self.rows.end > 0 {
            return Err(Stop::Io(ErrorKind::NotSeekable.into()));
        }
        let needed = self.shape.iter().fold(self.itemsize as u64, |nbytes, len| nbytes.saturating_mul(*len));
        let file = spool::all(stream.take(needed), folder)?;
        let found = file.metadata()?.len();
        if found < needed {
            return Err(Unusable::Truncated { needed, found }.into());
        }
        if read_full(stream, &mut [0])? > 0 {
            return Err(Unusable::TooLong { needed }.into());
        }
        self.source = Source::File(file, 0);
        Ok(())
    }

    /// Reads a box run by run.
    fn read_runs(&mut self, window: &[Range<u64>], out: &mut [u8]) -> Result<(), Stop> {
        self.spool()?;
        let Source::File(file, start) = &mut self.source else { return Ok(()) };
        runs(&self.shape, window, self.itemsize, |at, place| {
            file.seek(SeekFrom::Start(*start + at))?;
            Ok(file.read_exact(&mut out[place])?)
        })
    }
}

/// The contiguous runs of a box in an array in C order: the first byte of each in the array and in the box.
fn runs(
    shape: &[u64],
    window: &[Range<u64>],
    itemsize: usize,
    mut run: impl FnMut(u64, Range<usize>) -> Result<(), Stop>,
) -> Result<(), Stop> {
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
