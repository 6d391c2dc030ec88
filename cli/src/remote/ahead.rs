//! Reading ahead, for commands that read all of a file in small steps.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

/// Bytes that are read at once.
const AHEAD: u64 = 4 << 20;
/// Pieces that are kept: several threads read, each at another place.
const KEPT: usize = 8;

static ENABLED: AtomicBool = AtomicBool::new(false);

/// Reads ahead from now on: the command reads everything.
pub(crate) fn read_ahead() {
    ENABLED.store(true, Ordering::Relaxed);
}

/// What was read last, by the byte that it begins with.
#[derive(Default)]
pub(super) struct Ahead(Mutex<VecDeque<(u64, Vec<u8>)>>);

impl Ahead {
    /// The bytes of a range, and those that follow for later; `None` for a range that is read alone.
    pub(super) fn get(
        &self,
        range: &Range<u64>,
        fetch: impl FnOnce(Range<u64>) -> io::Result<Vec<u8>>,
    ) -> Option<io::Result<Vec<u8>>> {
        let is_short = range.end - range.start <= AHEAD;
        (is_short && ENABLED.load(Ordering::Relaxed)).then(|| self.ahead(range, fetch))
    }

    fn ahead(
        &self,
        range: &Range<u64>,
        fetch: impl FnOnce(Range<u64>) -> io::Result<Vec<u8>>,
    ) -> io::Result<Vec<u8>> {
        let taken = |start: u64, bytes: &[u8]| {
            // No farther than `AHEAD`.
            let within = |at: u64| bytes.len().min((at - start) as usize);
            bytes[within(range.start)..within(range.end)].to_vec()
        };
        let covers = |start: u64| start <= range.start && range.end <= start.saturating_add(AHEAD);
        // Whoever else reads waits: it mostly wants what comes.
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((start, bytes)) = pieces.iter().find(|(start, _)| covers(*start)) {
            return Ok(taken(*start, bytes));
        }
        let bytes = fetch(range.start..range.start.saturating_add(AHEAD))?;
        let found = taken(range.start, &bytes);
        pieces.truncate(KEPT - 1);
        pieces.push_front((range.start, bytes));
        Ok(found)
    }
}
