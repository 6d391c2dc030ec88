//! The arguments of `cargo xtask`.

use std::ffi::{OsStr, OsString};

use lexopt::Arg::{Long, Short, Value};
use lexopt::{Parser, ValueExt};

use crate::error::{Error, Result};

/// Options without a value. Each command accepts some of them; all accept the last two.
const FLAGS: [&str; 7] = ["json", "list", "once", "set", "twice", "help", "verbose"];
const ALWAYS: [&str; 2] = ["help", "verbose"];

/// The arguments of a command, not yet validated.
#[derive(Debug, Default, PartialEq)]
pub struct Arguments {
    /// Positional arguments: first the command.
    words: Vec<OsString>,
    flags: Vec<&'static str>,
    /// The values of `--only`.
    pub only: Vec<String>,
    /// The value of `--kernels`.
    pub kernels: Option<String>,
    /// The value of `--target`.
    pub target: Option<String>,
}

impl Arguments {
    pub fn parse(mut parser: Parser) -> Result<Self> {
        let mut arguments = Self::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') => arguments.flags.push("help"),
                Long("only") => arguments.only.push(parser.value()?.string()?),
                Long("target") => arguments.target = Some(parser.value()?.string()?),
                Long("kernels") => arguments.kernels = Some(parser.value()?.string()?),
                Long(name) => match FLAGS.iter().find(|flag| **flag == name) {
                    Some(flag) => arguments.flags.push(flag),
                    None => return Err(argument.unexpected().into()),
                },
                Value(word) => arguments.words.push(word),
                Short(_) => return Err(argument.unexpected().into()),
            }
        }
        Ok(arguments)
    }

    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    pub fn command(&self) -> Option<&OsStr> {
        self.words.first().map(OsString::as_os_str)
    }

    /// The positional arguments after the command.
    pub fn words(&self) -> &[OsString] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The positional arguments after the command as text, such as names of groups.
    pub fn names(&self) -> Vec<&str> {
        self.words().iter().map(|word| word.to_str().unwrap_or("?")).collect()
    }

    /// Refuses options other than these.
    pub fn allow(&self, options: &[&str], usage: &str) -> Result {
        let only = self.only.iter().map(|_| "only");
        let kernels = self.kernels.iter().map(|_| "kernels");
        let given =
            self.flags.iter().copied().chain(only).chain(kernels).chain(self.target.iter().map(|_| "target"));
        match given.filter(|flag| !ALWAYS.contains(flag)).find(|flag| !options.contains(flag)) {
            Some(flag) => Err(Error::new(format!(
                "--{flag} does not apply to this command; usage: cargo xtask {usage}"
            ))),
            None => Ok(()),
        }
    }

    /// The options, to be passed on to another program.
    pub fn options(&self) -> Vec<&str> {
        let json = self.has("json").then_some("--json");
        json.into_iter().chain(self.only.iter().flat_map(|only| ["--only", only])).collect()
    }
}

impl From<lexopt::Error> for Error {
    fn from(error: lexopt::Error) -> Self {
        Self::new(format!("{error}; `cargo xtask help` lists the options"))
    }
}

#[cfg(test)]
impl Arguments {
    /// Parses a line.
    pub fn of(line: &str) -> Result<Self> {
        Self::parse(Parser::from_args(line.split_whitespace()))
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;

    #[test]
    fn options_may_stand_anywhere() {
        let typed = Arguments::of("bench --verbose decode --only=zstd slice --json").unwrap();
        assert_eq!(typed.command().unwrap(), "bench");
        assert_eq!(typed.names(), ["decode", "slice"]);
        assert_eq!(typed.options(), ["--json", "--only", "zstd"]);
        assert!(typed.has("verbose") && !typed.has("help"));
        assert!(Arguments::of("-h").unwrap().has("help"));
    }

    #[test]
    fn what_a_command_does_not_know_is_refused() {
        let refused = |line| Arguments::of(line).unwrap_err().sentence;
        assert!(refused("test --ony unit").contains("--ony"));
        assert!(refused("test --only").contains("--only"));
        assert!(refused("test -x").contains("-x"));
        let typed = Arguments::of("build --json --verbose").unwrap();
        let sentence = typed.allow(&[], "build").unwrap_err().sentence;
        assert!(sentence.contains("--json") && sentence.contains("cargo xtask build"), "{sentence}");
        assert!(typed.allow(&["json"], "build").is_ok());
    }
}
