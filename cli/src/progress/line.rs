//! A line with the share that is done, where nothing tells the width of the terminal.

use core::time::Duration;

/// A line, which disappears when dropped.
#[derive(Debug)]
pub(super) struct Bar {
    what: &'static str,
    total: u64,
    /// Per cent.
    shown: Option<u64>,
}

impl Bar {
    pub(super) const fn new(what: &'static str, total: u64, _elapsed: Duration) -> Self {
        Self { what, total, shown: None }
    }

    pub(super) fn set(&mut self, done: u64) {
        let share = u128::from(done) * 100 / u128::from(self.total.max(1));
        let share = Some(share.min(100) as u64);
        if self.shown != share {
            self.shown = share;
            eprint!("\r{}: {} %", self.what, share.unwrap_or_default());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        // Returns to the start of the line, and clears it.
        eprint!("\r\x1b[K");
    }
}
