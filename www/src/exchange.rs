//! Exchanges: calls that are repeated with the bytes that they need.

use crate::sections::Sections;
use crate::stop::{Stop, need};
use b2nd::wire::Exchange;

/// Repeats an exchange, whose requests come one by one, with the answers so far.
pub(crate) fn repeat<E: Exchange>(mut reading: E, mut answers: Sections<'_>) -> Result<E::Outcome, Stop> {
    while let [request, ..] = reading.ask()? {
        match answers.next() {
            Some(bytes) => reading.give(&[bytes])?,
            None => return Err(need(request.range.clone())),
        }
    }
    Ok(reading.finish()?)
}
