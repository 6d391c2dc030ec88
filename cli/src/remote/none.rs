//! Builds that open no URLs. In Node.js the host opens them as files.

use b2nd::ReadAt;
use b2nd::wire::Request;
use std::fs::File;
use std::io;
use std::path::Path;

/// Nothing: there are no options for URLs.
#[derive(Debug, clap::Args)]
pub(crate) struct RequestArgs {}

impl RequestArgs {
    pub(crate) const fn begin(&self) {}
    pub(crate) const fn end(&self) {}
}

/// Nothing is behind a URL.
pub(crate) enum Remote {}

impl Remote {
    pub(crate) fn open(_: &Path, _: u64) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) const fn len(&self) -> u64 {
        match *self {}
    }

    pub(crate) const fn is_archive(&self) -> bool {
        match *self {}
    }
}

impl ReadAt for Remote {
    type Error = io::Error;

    fn read_at<'b>(&'b self, _: &Request, _: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        match *self {}
    }
}

pub(crate) const fn read_ahead() {}

pub(crate) const fn is_url(_: &Path) -> bool {
    false
}

pub(crate) fn check_upload(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn upload(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn upload_file(_: File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn names(_: &Path) -> io::Result<Vec<String>> {
    Err(io::ErrorKind::Unsupported.into())
}
