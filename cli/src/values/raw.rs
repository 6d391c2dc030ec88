//! Raw bytes.

use super::ValueWriter;
use std::io::{self, Write};

#[derive(Debug)]
pub(crate) struct Raw<W> {
    out: W,
}

impl<W: Write> Raw<W> {
    pub(crate) const fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> ValueWriter for Raw<W> {
    fn write(&mut self, items: &[u8]) -> io::Result<()> {
        self.out.write_all(items)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
