//! Where frames and stores are: files, or URLs.

use crate::remote::{Remote, is_url};
use b2nd::ReadAt;
use b2nd::reading::Merge;
use b2nd::source::File;
use b2nd::wire::Request;
use std::io;
use std::path::{Path, PathBuf};

/// A file, the directory of a sparse frame, or what is behind a URL.
pub(crate) enum Origin {
    File(File),
    Url(Box<Remote>),
}

impl Origin {
    /// Opens a path or a URL, at byte `offset`.
    pub(crate) fn open(path: &Path, offset: u64) -> io::Result<Self> {
        match (is_url(path), offset) {
            (true, _) => Remote::open(path, offset).map(|remote| Self::Url(Box::new(remote))),
            (false, 0) => File::open(path).map(Self::File),
            (false, _) => File::open_at(path, offset).map(Self::File),
        }
    }

    /// The number of bytes after the offset, if the frame is in one file.
    pub(crate) fn len(&self, path: &Path, offset: u64) -> Option<u64> {
        match self {
            Self::File(_) => {
                let metadata = path.metadata().ok().filter(|metadata| metadata.is_file())?;
                Some(metadata.len().saturating_sub(offset))
            }
            Self::Url(remote) => Some(remote.len()),
        }
    }
}

/// The path of a store and the key of a member, if a URL consists of them: the store has the name of one.
pub(crate) fn split(url: &Path) -> Option<(&Path, String)> {
    let text = url.to_str()?;
    let ends = [".b2z/", ".b2d/", ".b2e/"].into_iter().filter_map(|name| text.find(name)).min()? + 4;
    let key = &text[ends..];
    (key.len() > 1).then(|| (Path::new(&text[..ends]), key.to_owned()))
}

/// The path, or the URL without a query, whose end is not that of a name.
pub(crate) fn named(path: &Path) -> PathBuf {
    match path.to_str().filter(|_| is_url(path)) {
        Some(url) => url.split(['?', '#']).next().unwrap_or_default().into(),
        None => path.into(),
    }
}

impl ReadAt for Origin {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        match self {
            Self::File(file) => file.read_at(request, buffer),
            Self::Url(remote) => remote.read_at(request, buffer),
        }
    }

    fn current<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<Option<&'b [u8]>> {
        match self {
            Self::File(file) => file.current(request, buffer),
            // Each request is for the object that was opened.
            Self::Url(_) => Ok(None),
        }
    }

    fn reopen(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.reopen(),
            Self::Url(_) => Ok(()),
        }
    }

    fn prefetch(&self, requests: &[Request]) -> io::Result<()> {
        match self {
            Self::File(file) => file.prefetch(requests),
            Self::Url(remote) => remote.prefetch(requests),
        }
    }

    fn merge(&self) -> Merge {
        match self {
            Self::File(file) => file.merge(),
            Self::Url(remote) => remote.merge(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split;
    use std::path::Path;

    #[test]
    fn members_of_stores_behind_urls() {
        let split =
            |url: &'static str| split(Path::new(url)).map(|(path, key)| (path.to_str().unwrap(), key));
        assert_eq!(split("https://a/b.b2z/g/c"), Some(("https://a/b.b2z", "/g/c".into())));
        assert_eq!(split("s3://a/b.b2d/g.b2e/c"), Some(("s3://a/b.b2d", "/g.b2e/c".into())));
        for url in ["https://a/b.b2z", "https://a/b.b2z/", "https://a/b2z/c.b2nd", "https://a/b.b2nd?c=.b2z"]
        {
            assert_eq!(split(url), None, "{url}");
        }
    }
}
