//! The program's arguments. A person types those of `cargo xtask bench`.

use std::path::PathBuf;

use crate::failure::{Failure, Result};

#[derive(Default)]
pub struct Arguments {
    pub library: PathBuf,
    pub files: PathBuf,
    pub groups: Vec<String>,
    pub only: Vec<String>,
    pub json: bool,
    /// Results of other builds, as JSON, to report with this one's.
    pub with: Vec<PathBuf>,
    /// Programs whose size is asked for.
    pub programs: Vec<PathBuf>,
}

impl Arguments {
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let mut arguments = Self::default();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| Failure::new(format!("{word} wants a value")));
            match word.as_str() {
                "--library" => arguments.library = value()?.into(),
                "--files" => arguments.files = value()?.into(),
                "--only" => arguments.only.push(value()?),
                "--with" => arguments.with.push(value()?.into()),
                "--program" => arguments.programs.push(value()?.into()),
                "--json" => arguments.json = true,
                flag if flag.starts_with('-') => return Err(Failure::new(format!("{flag} is no option"))),
                _ => arguments.groups.push(word),
            }
        }
        Ok(arguments)
    }
}
