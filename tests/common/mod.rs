//! Shared by the tests of the library, in all its builds.

#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

pub(crate) mod forgery;
#[cfg(feature = "std")]
pub(crate) mod goldens;
pub(crate) mod manifest;
pub(crate) mod numpy;
pub(crate) mod parts;

#[cfg(feature = "alloc")]
use b2nd::ReadAt;
#[cfg(feature = "std")]
use b2nd::source::{File, ReadError, Reader};
#[cfg(feature = "alloc")]
use b2nd::wire::{Part, Request};
pub(crate) use manifest::{Case, cases, sha256};
use parts::Parts;

/// The golden files. A build without ZFP supports none of its files.
pub(crate) fn golden() -> Vec<Case> {
    let mut cases = manifest::golden();
    let of_zfp =
        |case: &&mut Case| case.facts["codec"].as_str().is_some_and(|codec| codec.starts_with("zfp-"));
    if !cfg!(feature = "zfp") {
        cases.iter_mut().filter(of_zfp).for_each(|case| case.facts["error"] = "unsupported".into());
    }
    cases
}

#[cfg(feature = "std")]
impl Case {
    pub(crate) fn open(&self) -> Result<Reader<File>, ReadError<std::io::Error>> {
        let file = match self.offset() {
            0 => File::open(&self.path),
            offset => File::open_at(&self.path, offset),
        };
        Reader::open(file.map_err(ReadError::Source)?, self.dparams())
    }
}

#[cfg(feature = "alloc")]
impl ReadAt for Parts {
    type Error = core::convert::Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Self::Error> {
        match self.0.iter().find(|(part, _)| *part == request.part) {
            Some((_, bytes)) => bytes[..].read_at(&Request { part: Part::Frame, ..request.clone() }, buffer),
            None => Ok(&[]),
        }
    }
}
