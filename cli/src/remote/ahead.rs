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

/// Pieces that were read last, by their numbers.
#[derive(Default)]
pub(super) struct Ahead(Mutex<VecDeque<(u64, Vec<u8>)>>);

impl Ahead {
    /// The bytes of a range, of pieces that are kept for what comes; `None` for a long range, which is read alone.
    pub(super) fn get(
        &self,
        range: &Range<u64>,
        fetch: impl Fn(Range<u64>) -> io::Result<Vec<u8>>,
    ) -> Option<io::Result<Vec<u8>>> {
        let is_short = range.end - range.start <= AHEAD;
        (is_short && ENABLED.load(Ordering::Relaxed)).then(|| self.read(range, fetch))
    }

    /// Whoever else reads waits: it mostly wants the same.
    fn read(
        &self,
        range: &Range<u64>,
        fetch: impl Fn(Range<u64>) -> io::Result<Vec<u8>>,
    ) -> io::Result<Vec<u8>> {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        for number in range.start / AHEAD..range.end.div_ceil(AHEAD) {
            let start = number * AHEAD;
            let place = match pieces.iter().position(|(known, _)| *known == number) {
                Some(place) => place,
                None => {
                    let bytes = fetch(start..start.saturating_add(AHEAD))?;
                    pieces.truncate(KEPT - 1);
                    pieces.push_front((number, bytes));
                    0
                }
            };
            let bytes = &pieces[place].1;
            let within = |at: u64| bytes.len().min(at.saturating_sub(start) as usize);
            found.extend_from_slice(&bytes[within(range.start)..within(range.end)]);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{AHEAD, Ahead};
    use core::cell::Cell;

    #[test]
    fn ranges_are_parts_of_pieces() {
        let file: Vec<u8> = (0..2 * AHEAD + 100).map(|at| (at / 3) as u8).collect();
        let (ahead, fetched) = (Ahead::default(), Cell::new(0));
        for (range, pieces) in [
            (5..9, 1),
            (0..100, 1),
            (AHEAD - 2..AHEAD + 2, 2),
            (7..7, 2),
            (2 * AHEAD + 90..2 * AHEAD + 200, 3),
        ] {
            let bytes = ahead.read(&range, |piece| {
                fetched.set(fetched.get() + 1);
                Ok(file[piece.start as usize..file.len().min(piece.end as usize)].to_vec())
            });
            let end = file.len().min(range.end as usize);
            assert_eq!(bytes.expect("bytes"), file[range.start as usize..end]);
            assert_eq!(fetched.get(), pieces);
        }
    }
}
