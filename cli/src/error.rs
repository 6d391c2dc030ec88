//! Errors of commands, and exit statuses.

use crate::input::InvalidInput;
use crate::values::ValueError;
use crate::words::count;
use b2nd::frame::Reference;
use b2nd::{ArgumentError, Error, ErrorKind, Limit, LimitError, ReadError, Unsupported};
use core::fmt;
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// An error of the library, about the file at the path.
    Blosc(PathBuf, Error),
    /// The file at the path cannot be read.
    Input(PathBuf, io::Error),
    /// The values at the path cannot be used.
    InvalidInput(PathBuf, InvalidInput),
    /// The options contradict each other or the limits of the format.
    Parameters(Error),
    /// The result cannot be written.
    Output(io::Error),
    /// The array at the path has no counterpart in Zarr, or in a frame.
    Zarr(PathBuf, String),
    /// The path is that of a store, where one of its members is needed.
    Store(PathBuf),
    /// The path is that of a member that is stored elsewhere, at the URL.
    Remote(PathBuf, String),
    /// A generated column of the table at the path, whose values are old.
    Stale(PathBuf, String),
    /// A column of the file at the path, of a type that tables do not have.
    #[cfg(feature = "arrow")]
    Unmatched(PathBuf, String),
    /// Columns of the table at the path that this build cannot read. The others were written.
    LeftOut(PathBuf, Vec<String>),
    /// The format cannot hold the values.
    ValueError(ValueError),
    /// Files are wrong or could not be checked; this was already reported.
    Verify {
        /// How many files are wrong.
        wrong: usize,
        /// How many may be valid but are not supported.
        unsupported: usize,
        /// How many were checked.
        of: usize,
    },
}

impl CommandError {
    /// Prints the error and returns the exit status: 1 if the file is at fault, 2 if the call is, 3 if the file may be
    /// valid but is not supported.
    ///
    /// A closed pipe is not an error: its reader needs no more.
    pub(crate) fn report(&self) -> ExitCode {
        if matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        eprintln!("b2nd: {self}");
        ExitCode::from(self.status())
    }

    /// Whether the file may be valid, but is not supported.
    pub(crate) fn is_unsupported(&self) -> bool {
        self.status() == 3
    }

    fn status(&self) -> u8 {
        match self {
            Self::Blosc(_, error) => match error.kind() {
                ErrorKind::Argument(_) => 2,
                ErrorKind::Unsupported(_) => 3,
                _ => 1,
            },
            Self::InvalidInput(_, what) if what.is_argument() => 2,
            Self::Parameters(_) | Self::Output(_) | Self::ValueError(_) | Self::Store(_) => 2,
            // The file is in order.
            Self::Input(_, error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                2
            }
            #[cfg(feature = "arrow")]
            Self::Unmatched(..) => 3,
            Self::Verify { wrong: 0, .. }
            | Self::Remote(..)
            | Self::Stale(..)
            | Self::LeftOut(..)
            | Self::Zarr(..) => 3,
            Self::Input(..) | Self::InvalidInput(..) | Self::Verify { .. } => 1,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blosc(path, error) => {
                write!(f, "{}: ", path.display())?;
                match error.kind() {
                    ErrorKind::Limit(_) => f.write_str(&limit(error)),
                    ErrorKind::Unsupported(Unsupported::Reference(Reference::LazyExpr)) => {
                        write!(f, "{error}; b2nd eval computes them, --as-stored reads what it holds")
                    }
                    ErrorKind::Unsupported(Unsupported::Reference(_)) => {
                        write!(f, "{error}; --as-stored reads what it holds")
                    }
                    ErrorKind::Unsupported(Unsupported::NoStore) => {
                        write!(f, "{error}: b2nd info tells what it is")
                    }
                    ErrorKind::Argument(ArgumentError::Selection { .. }) => write!(
                        f,
                        "{error}: an axis takes -1, 2:10:2, [1,5,9] or ..., --mask a mask, and there are no new axes"
                    ),
                    _ => error.fmt(f),
                }
            }
            Self::Remote(path, url) => {
                let path = path.display();
                write!(f, "{path}: stored elsewhere, at {url}: the store holds only a reference to it")
            }
            Self::Stale(path, column) => write!(
                f,
                "{}: column {column:?} is stale: those that it is computed from have changed since then; --columns names others, \
                 --as-stored reads the old values, and b2nd refresh-columns computes the column again",
                path.display()
            ),
            Self::LeftOut(path, columns) => write!(
                f,
                "{}: left out {columns:?}: stored as Arrow, which b2nd reads if built with the feature arrow, or computed by kernels",
                path.display()
            ),
            #[cfg(feature = "arrow")]
            Self::Unmatched(path, what) => {
                write!(f, "{}: {what}: --schema names the columns to take, and their kinds", path.display())
            }
            Self::Input(path, error) => write!(f, "{}: {error}", path.display()),
            Self::InvalidInput(path, what) => write!(f, "{}: {what}", path.display()),
            Self::Zarr(path, what) => write!(f, "{}: {what}", path.display()),
            Self::Parameters(error) => error.fmt(f),
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::ValueError(refused) => refused.fmt(f),
            Self::Store(path) => {
                let path = path.display();
                write!(f, "{path}: a store: name a member, as in {path}/KEY; b2nd ls {path} lists them")
            }
            Self::Verify { wrong, unsupported, of } => {
                let is = |number| if number == 1 { "is" } else { "are" };
                let of = count(*of as u64, "file");
                match (*wrong, *unsupported) {
                    (wrong, 0) => write!(f, "{wrong} of {of} {} wrong", is(wrong)),
                    (0, other) => write!(f, "{other} of {of} {} not supported", is(other)),
                    (wrong, other) => write!(f, "{wrong} of {of} {} wrong, {other} not supported", is(wrong)),
                }
            }
        }
    }
}

/// The limit that is exceeded, and how to raise it.
pub(crate) fn limit(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Limit(LimitError { limit: Limit::Memory, wanted, allowed }) => {
            format!("{wanted} bytes of memory needed, {allowed} allowed: raise --max-memory")
        }
        ErrorKind::Limit(LimitError { limit: Limit::Metadata, wanted, allowed }) => {
            let raise = "raise --max-memory, a sixteenth of which metadata may take";
            format!("{wanted} bytes of metadata, {allowed} allowed: {raise}")
        }
        ErrorKind::Limit(LimitError { limit: Limit::Expansion, wanted, allowed }) => {
            let raise = "raise --max-memory, to which this limit is set as well";
            format!("{wanted} bytes of which the file has less than a 1024th, {allowed} allowed: {raise}")
        }
        _ => error.to_string(),
    }
}

/// Adds the path to an error of reading.
pub(crate) fn read_error(path: &Path, error: ReadError<io::Error>) -> CommandError {
    match error {
        ReadError::Source(error) => CommandError::Input(path.into(), error),
        ReadError::Blosc(error) => CommandError::Blosc(path.into(), error),
    }
}

impl From<ValueError> for CommandError {
    fn from(refused: ValueError) -> Self {
        Self::ValueError(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_permission_is_not_at_fault() {
        let status = |kind: io::ErrorKind| CommandError::Input(PathBuf::new(), kind.into()).status();
        assert_eq!([io::ErrorKind::PermissionDenied, io::ErrorKind::InvalidData].map(status), [2, 1]);
    }
}
