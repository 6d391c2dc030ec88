//! Command-line arguments, as `cargo xtask bench` passes them on.

use std::path::PathBuf;

use lexopt::Arg::{Long, Value};
use lexopt::{Parser, ValueExt};

use crate::error::Result;

#[derive(Default)]
pub struct Arguments {
    pub library: PathBuf,
    pub files: PathBuf,
    pub groups: Vec<String>,
    pub only: Vec<String>,
    pub json: bool,
    /// Results of other builds, as JSON, to include in the report.
    pub with: Vec<PathBuf>,
    /// Programs whose size to report.
    pub programs: Vec<PathBuf>,
}

impl Arguments {
    pub fn parse(mut parser: Parser) -> Result<Self> {
        let mut arguments = Self::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("library") => arguments.library = parser.value()?.into(),
                Long("files") => arguments.files = parser.value()?.into(),
                Long("only") => arguments.only.push(parser.value()?.string()?),
                Long("with") => arguments.with.push(parser.value()?.into()),
                Long("program") => arguments.programs.push(parser.value()?.into()),
                Long("json") => arguments.json = true,
                Value(group) => arguments.groups.push(group.string()?),
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(arguments)
    }
}
