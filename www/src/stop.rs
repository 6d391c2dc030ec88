//! Why a call ends without a result, and how the caller learns of it.

use crate::failure;
use crate::output::Output;
use alloc::boxed::Box;
use b2nd::Error;
use core::ops::Range;

/// Why a call ends without a result.
pub(crate) enum Stop {
    /// The call needs these bytes of the frame, or of its chunk.
    #[cfg_attr(
        not(any(feature = "frames", feature = "store")),
        expect(dead_code, reason = "chunks are given whole")
    )]
    Need(Box<Range<u64>>),
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(any(feature = "frames", feature = "store"))]
pub(crate) fn need(range: Range<u64>) -> Stop {
    Stop::Need(Box::new(range))
}

/// Returns the status of a call. The output of one that fails is the error, or the range that it needs.
pub(crate) fn conclude(result: Result<(), Stop>, output: &mut Output) -> u32 {
    let Err(stop) = result else { return 0 };
    output.clear();
    match stop {
        Stop::Need(range) => {
            // −1 is the frame. Other files contain only chunks, whose calls ignore the part.
            output.numbers(&[-1.0, range.start as f64, range.end as f64]);
            1
        }
        Stop::Failed(error) => {
            failure::write(&error, output);
            2
        }
    }
}
