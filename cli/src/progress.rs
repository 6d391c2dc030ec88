//! Progress of long commands.

use core::time::Duration;
use std::io::{self, IsTerminal};
use std::time::Instant;

#[cfg(not(target_family = "wasm"))]
mod bar;
#[cfg(target_family = "wasm")]
#[path = "progress/line.rs"]
mod bar;

use bar::Bar;

/// Delay before the progress appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress, shown on standard error after a second if that is a terminal. Disappears when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    total: u64,
    done: u64,
    started: Instant,
    is_watched: bool,
    bar: Option<Bar>,
}

impl Progress {
    /// Progress of `total` bytes; `what` labels it, such as "reading".
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        let is_watched = io::stderr().is_terminal();
        Self { what, total, done: 0, started: Instant::now(), is_watched, bar: None }
    }

    /// Advances the progress by `bytes`.
    pub(crate) fn advance(&mut self, bytes: u64) {
        self.done = self.done.saturating_add(bytes);
        if self.bar.is_none() && self.is_watched && self.started.elapsed() >= PATIENCE {
            self.bar = Some(Bar::new(self.what, self.total, self.started.elapsed()));
        }
        if let Some(bar) = &mut self.bar {
            bar.set(self.done);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_silent_at_first() {
        let mut progress = Progress::new("reading", 10);
        progress.is_watched = true;
        progress.advance(4);
        assert!(progress.bar.is_none());
        progress.started -= PATIENCE;
        progress.advance(u64::MAX);
        assert!(progress.bar.is_some());
        assert_eq!(progress.done, u64::MAX);
    }
}
