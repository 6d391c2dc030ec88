//! Errors.

/// A failed step: a sentence, and the output of the failed program.
#[derive(Debug)]
pub struct Error {
    pub sentence: String,
    pub output: String,
}

pub type Result<T = ()> = core::result::Result<T, Error>;

impl Error {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), output: String::new() }
    }

    pub fn report(&self) {
        let output = self.output.trim_end();
        // In one piece, also if other steps print something.
        eprintln!("{output}{}error: {}", if output.is_empty() { "" } else { "\n" }, self.sentence);
    }
}

/// Adds the file or program to an operating system's error.
pub trait About<T> {
    fn about(self, what: impl core::fmt::Display) -> Result<T>;
}

impl<T> About<T> for std::io::Result<T> {
    fn about(self, what: impl core::fmt::Display) -> Result<T> {
        self.map_err(|error| Error::new(format!("{what}: {error}")))
    }
}
