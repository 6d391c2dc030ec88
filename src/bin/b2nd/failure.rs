//! What ends a command early, and with which status.

use crate::values::Refused;
use b2nd::{Blame, Error, Limit, LimitError, Unsupported};
use core::fmt;
use std::{
    io::{self, ErrorKind},
    path::PathBuf,
    process::ExitCode,
};

/// Why a command could not be carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The library's say, about the file at the path.
    Blosc(PathBuf, Error),
    /// The file at the path cannot be read.
    Input(PathBuf, io::Error),
    /// The result cannot be written.
    Output(io::Error),
    /// The values do not fit the format asked for.
    Refused(Refused),
    /// Files were found to be wrong, and that has been said.
    Verify {
        /// How many.
        wrong: usize,
        /// Of how many.
        of: usize,
    },
}

impl Failure {
    /// Tells the person, and gives the status to exit with: 1 where the file is at fault, 2 where the call is.
    ///
    /// Who closes the pipe that we write to has seen enough: that is said to no one, and no fault.
    pub(crate) fn report(&self) -> ExitCode {
        if matches!(self, Self::Output(error) if error.kind() == ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        eprintln!("b2nd: {self}");
        ExitCode::from(self.status())
    }

    fn status(&self) -> u8 {
        match self {
            Self::Blosc(_, error) if matches!(error.blame(), Blame::Argument(_)) => 2,
            Self::Output(_) | Self::Refused(_) => 2,
            Self::Blosc(..) | Self::Input(..) | Self::Verify { .. } => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blosc(path, error) => {
                write!(f, "{}: ", path.display())?;
                match error.blame() {
                    Blame::Limit(LimitError { limit: Limit::Memory, wanted, allowed }) => {
                        write!(f, "{wanted} bytes of memory needed, {allowed} allowed: raise --max-memory")
                    }
                    Blame::Unsupported(Unsupported::Reference(_)) => {
                        write!(f, "{error}; --as-stored reads what it holds")
                    }
                    _ => error.fmt(f),
                }
            }
            Self::Input(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::Refused(refused) => refused.fmt(f),
            Self::Verify { wrong, of } => write!(f, "{wrong} of {of} files are wrong"),
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}
