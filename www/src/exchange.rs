//! Exchanges: calls that are repeated with the bytes that they need.

use crate::call_error::CallError;
use crate::output::Output;
use crate::sections::Sections;
#[cfg(any(feature = "archive", feature = "writer"))]
use alloc::vec::Vec;
use b2nd::wire::{Exchange, Part, Request};

/// Repeats an exchange with the answers so far. Without the next ones, the call needs them.
pub(crate) fn repeat<E: Exchange>(
    mut reading: E,
    answers: &mut Sections<'_>,
    output: &mut Output,
) -> Result<E::Outcome, CallError> {
    loop {
        match (reading.ask()?, { *answers }.next()) {
            ([], _) => return Ok(reading.finish()?),
            #[cfg(any(feature = "archive", feature = "writer"))]
            (requests @ [_, _, ..], Some(_)) => {
                let given: Vec<_> = answers.by_ref().take(requests.len()).collect();
                reading.give(&given)?;
            }
            // Readers ask for one range at a time, which takes less code.
            ([_], Some(bytes)) => {
                reading.give(&[bytes])?;
                answers.next();
            }
            (requests, _) => {
                output.clear();
                requests.iter().for_each(|request| put(output, request));
                return Err(CallError::Need);
            }
        }
    }
}

/// The number of the frame itself among the parts.
pub(crate) const FRAME: f64 = -1.0;

/// Writes a request: its part, start and end.
pub(crate) fn put(output: &mut Output, Request { part, range }: &Request) {
    let part = match part {
        Part::Frame => FRAME,
        Part::Chunk(file) => (*file).into(),
    };
    output.numbers(&[part, range.start as f64, range.end as f64]);
}
