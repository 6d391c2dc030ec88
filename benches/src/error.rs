//! Fatal errors.

#[derive(Debug)]
pub struct Error(pub String);

pub type Result<T = (), E = Error> = core::result::Result<T, E>;

impl Error {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl<E: core::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
