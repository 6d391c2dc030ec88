//! A progress bar for long commands.

use core::time::Duration;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{self, IsTerminal},
    time::Instant,
};

/// Delay before the progress bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress, shown on standard error after a second if that is a terminal. Disappears when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    total: u64,
    done: u64,
    started: Instant,
    is_watched: bool,
    bar: Option<ProgressBar>,
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
            self.bar = Some(self.begin());
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    fn begin(&self) -> ProgressBar {
        let template = "{msg} {wide_bar} {bytes}/{total_bytes}, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(self.total)
            .with_style(style)
            .with_message(self.what)
            .with_elapsed(self.started.elapsed())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
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
