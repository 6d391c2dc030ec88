//! A bar with the time left.

use core::time::Duration;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar, which disappears when dropped.
#[derive(Debug)]
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new(what: &'static str, total: u64, elapsed: Duration) -> Self {
        let template = "{msg} {wide_bar} {bytes}/{total_bytes}, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(ProgressBar::new(total).with_style(style).with_message(what).with_elapsed(elapsed))
    }

    pub(super) fn set(&mut self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
