//! Errors in logs of defmt: as `Debug` has them, without text on the device.

use super::Error;
use defmt::{Format, Formatter, write};

impl Format for Error {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{}", self.kind());
    }
}
