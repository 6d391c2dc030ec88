//! Bytes as they arrive, where there are no threads: each wait lasts until there are more.

use crate::input::stream;
use core::cell::RefCell;
use core::time::Duration;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Bytes that are read at once.
const LEN: usize = 64 << 10;

/// The next bytes, or why there are none.
pub(super) enum Piece {
    Bytes(Vec<u8>),
    /// No more, so far.
    Nothing,
    End,
    Failed(io::Error),
}

/// The pieces of an input, until it ends.
pub(super) struct Pieces(RefCell<io::Result<Box<dyn Read>>>);

impl Pieces {
    pub(super) fn open(input: &Path) -> Self {
        Self(RefCell::new(stream(input)))
    }

    /// The next piece.
    pub(super) fn next(&self, _: Duration) -> Piece {
        let mut bytes = vec![0; LEN];
        let read = match &mut *self.0.borrow_mut() {
            Ok(reader) => reader.read(&mut bytes),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        match read {
            Ok(0) => Piece::End,
            Ok(len) => {
                bytes.truncate(len);
                Piece::Bytes(bytes)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Piece::Nothing,
            Err(error) => Piece::Failed(error),
        }
    }
}
