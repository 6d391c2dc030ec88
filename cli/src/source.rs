//! Input: a file, the directory of a sparse frame, a URL, or standard input.

use crate::error::CommandError;
use crate::origin::Origin;
use crate::pipe::{self, STANDARD};
use b2nd::store::Member;
use b2nd::wire::Request;
use b2nd::{Limit, LimitError, Limits, ReadAt};
use std::io::{self, Read};
use std::path::Path;

/// A source of a frame or chunk.
pub(crate) enum Source {
    Origin(Origin),
    /// All of standard input or of a pipe, which have no positions.
    Memory(Vec<u8>),
    /// A member of a store.
    Member(Member<Origin>),
}

impl Source {
    /// Opens the path's file, standard input or a pipe, at byte `offset`.
    pub(crate) fn open(path: &Path, offset: u64, limits: &Limits) -> Result<Self, CommandError> {
        if path.as_os_str() == STANDARD {
            return Ok(Self::Memory(all(io::stdin().lock(), path, offset, limits.memory)?));
        }
        if pipe::is_pipe(path) {
            let pipe = pipe::open(path).map_err(|error| CommandError::Input(path.into(), error))?;
            return Ok(Self::Memory(all(pipe, path, offset, limits.memory)?));
        }
        let origin = Origin::open(path, offset).map_err(|error| CommandError::Input(path.into(), error))?;
        Ok(Self::Origin(origin))
    }

    /// The number of bytes after the offset, if the source is one file.
    pub(crate) fn len(&self, path: &Path, offset: u64) -> Option<u64> {
        match self {
            Self::Origin(origin) => origin.len(path, offset),
            Self::Memory(bytes) => Some(bytes.len() as u64),
            Self::Member(_) => None,
        }
    }
}

/// All bytes of an input after `offset`, within the limits.
fn all(mut input: impl Read, path: &Path, offset: u64, allowed: u64) -> Result<Vec<u8>, CommandError> {
    let failed = |error| CommandError::Input(path.into(), error);
    io::copy(&mut input.by_ref().take(offset), &mut io::sink()).map_err(failed)?;
    let mut bytes = Vec::new();
    let wanted = input.take(allowed.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)? as u64;
    if wanted > allowed {
        let error = LimitError { limit: Limit::Memory, wanted, allowed };
        return Err(CommandError::Blosc(path.into(), error.into()));
    }
    Ok(bytes)
}

impl ReadAt for Source {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        match self {
            Self::Origin(origin) => origin.read_at(request, buffer),
            Self::Memory(bytes) => bytes.read_at(request, buffer).map_err(|never| match never {}),
            Self::Member(member) => member.read_at(request, buffer),
        }
    }
    fn current<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<Option<&'b [u8]>> {
        match self {
            Self::Origin(origin) => origin.current(request, buffer),
            Self::Memory(_) => Ok(None),
            Self::Member(member) => member.current(request, buffer),
        }
    }

    fn prefetch(&self, requests: &[Request]) -> io::Result<()> {
        match self {
            Self::Origin(origin) => origin.prefetch(requests),
            Self::Memory(_) => Ok(()),
            Self::Member(member) => member.prefetch(requests),
        }
    }

    fn merge(&self) -> b2nd::reading::Merge {
        match self {
            Self::Origin(origin) => origin.merge(),
            Self::Memory(bytes) => bytes.merge(),
            Self::Member(member) => member.merge(),
        }
    }

    fn error(&self) -> Option<b2nd::Error> {
        match self {
            Self::Origin(_) | Self::Memory(_) => None,
            Self::Member(member) => member.error(),
        }
    }
}
