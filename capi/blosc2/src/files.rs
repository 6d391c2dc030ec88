//! Where frames are: in memory or in files, read and written alike.

use b2nd::ReadAt;
use b2nd::reading::Merge;
use b2nd::sink::{self, Memory, WriteAt};
use b2nd::source;
use b2nd::wire::{Part, Request, Revision};
use std::io;
use std::path::PathBuf;

/// A frame to read.
#[derive(Debug)]
pub(crate) enum Source {
    Bytes(Vec<u8>),
    File(source::File),
}

impl ReadAt for Source {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        match self {
            Self::Bytes(bytes) => bytes.read_at(request, buffer).map_err(|never| match never {}),
            Self::File(file) => file.read_at(request, buffer),
        }
    }

    fn current<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<Option<&'b [u8]>> {
        match self {
            Self::Bytes(_) => Ok(None),
            Self::File(file) => file.current(request, buffer),
        }
    }

    fn reopen(&mut self) -> io::Result<()> {
        match self {
            Self::Bytes(_) => Ok(()),
            Self::File(file) => file.reopen(),
        }
    }

    fn merge(&self) -> Merge {
        Merge::LOCAL
    }
}

/// A frame to change.
#[derive(Debug)]
pub(crate) enum Sink {
    Memory(Memory),
    File(Box<sink::File>),
}

/// Calls a method of the sink that there is.
macro_rules! each {
    ($self:expr, $sink:ident => $call:expr) => {
        match $self {
            Self::Memory($sink) => $call.map_err(|never| match never {}),
            Self::File($sink) => $call,
        }
    };
}

impl ReadAt for Sink {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        each!(self, sink => sink.read_at(request, buffer))
    }

    fn current<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<Option<&'b [u8]>> {
        each!(self, sink => sink.current(request, buffer))
    }
}

impl WriteAt for Sink {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> io::Result<()> {
        each!(self, sink => sink.write_at(part, offset, bytes))
    }

    fn compare(&mut self, revision: &Revision) -> io::Result<bool> {
        each!(self, sink => sink.compare(revision))
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        each!(self, sink => sink.replace(bytes))
    }

    fn sync(&mut self) -> io::Result<()> {
        each!(self, sink => sink.sync())
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        each!(self, sink => sink.truncate(len))
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> io::Result<()> {
        each!(self, sink => sink.remove(unused))
    }

    fn successor(&self) -> io::Result<Self> {
        Ok(match self {
            Self::Memory(_) => Self::Memory(Memory::default()),
            Self::File(file) => Self::File(Box::new(file.successor()?)),
        })
    }

    fn publish(&mut self) -> io::Result<()> {
        each!(self, sink => sink.publish())
    }
}

/// The place of a frame.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    Memory,
    File(PathBuf),
    /// Within another file, which is only read.
    Within,
}

impl Place {
    /// A sink for a new frame, which like that of C-Blosc2 replaces nothing.
    pub(crate) fn create(&self, sparse: bool) -> io::Result<Sink> {
        match self {
            Self::File(path) if path.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Self::Memory => Ok(Sink::Memory(Memory::default())),
            Self::File(path) => Ok(Sink::File(Box::new(sink::File::create(path, sparse)?))),
            Self::Within => Err(io::ErrorKind::ReadOnlyFilesystem.into()),
        }
    }

    /// The frame that a source has read, to be changed.
    pub(crate) fn edit(&self, source: Source) -> io::Result<Sink> {
        match (self, source) {
            (Self::File(path), _) => Ok(Sink::File(Box::new(sink::File::open(path)?))),
            (Self::Memory, Source::Bytes(bytes)) => Ok(Sink::Memory(Memory::from(bytes))),
            _ => Err(io::ErrorKind::ReadOnlyFilesystem.into()),
        }
    }

    /// The frame that a sink has written, to be read.
    pub(crate) fn read(&self, sink: Sink) -> io::Result<Source> {
        match (self, sink) {
            (Self::File(path), sink) => {
                // Others may write it from now on.
                drop(sink);
                Ok(Source::File(source::File::open(path)?))
            }
            (_, Sink::Memory(memory)) => Ok(Source::Bytes(memory.into_bytes())),
            (_, Sink::File(_)) => Err(io::ErrorKind::NotFound.into()),
        }
    }
}
