//! Why a call ends without a result, and how the caller learns of it.

use crate::failure;
use crate::output::Output;
#[cfg(feature = "expression")]
use alloc::string::{String, ToString};
use b2nd::Error;

/// Why a call ends without a result.
pub(crate) enum CallError {
    /// The call needs the bytes that the output names.
    #[cfg(any(feature = "archive", feature = "frames", feature = "store", feature = "zarr"))]
    Need,
    Failed(Error),
    /// A text is wrong, as this one says.
    #[cfg(feature = "expression")]
    Text(String),
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(feature = "expression")]
impl From<b2nd::expression::ExpressionError> for CallError {
    fn from(error: b2nd::expression::ExpressionError) -> Self {
        Self::Text(error.to_string())
    }
}

#[cfg(feature = "expression")]
impl From<b2nd::table::FilterError> for CallError {
    fn from(error: b2nd::table::FilterError) -> Self {
        Self::Text(error.to_string())
    }
}

/// Returns the status of a call. The output of one that fails is the error, or the ranges that it needs.
pub(crate) fn conclude(result: Result<(), CallError>, output: &mut Output) -> u32 {
    match result {
        Ok(()) => 0,
        #[cfg(any(feature = "archive", feature = "frames", feature = "store", feature = "zarr"))]
        Err(CallError::Need) => 1,
        Err(CallError::Failed(error)) => {
            output.clear();
            failure::write(&error, output);
            2
        }
        #[cfg(feature = "expression")]
        Err(CallError::Text(text)) => {
            output.clear();
            failure::write_text(&text, output);
            2
        }
    }
}
