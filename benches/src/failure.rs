//! Fatal errors.

#[derive(Debug)]
pub struct Failure(pub String);

pub type Result<T = (), E = Failure> = core::result::Result<T, E>;

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl<E: core::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
