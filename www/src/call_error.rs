//! Why a call ends without a result, and how the caller learns of it.

use crate::failure;
use crate::output::Output;
use b2nd::Error;

/// Why a call ends without a result.
pub(crate) enum CallError {
    /// The call needs the bytes that the output names.
    #[cfg(any(feature = "archive", feature = "frames", feature = "store", feature = "zarr"))]
    Need,
    Failed(Error),
    #[cfg(feature = "expression")]
    Expression(b2nd::expression::ExpressionError),
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(feature = "expression")]
impl From<b2nd::expression::ExpressionError> for CallError {
    fn from(error: b2nd::expression::ExpressionError) -> Self {
        Self::Expression(error)
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
        Err(CallError::Expression(error)) => {
            output.clear();
            failure::write_text(&alloc::format!("{error}"), output);
            2
        }
    }
}
