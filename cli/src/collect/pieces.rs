//! Bytes as they arrive, read by a thread, so that the wait for more has an end.

use crate::input::stream;
use crate::signals::on_signals;
use b2nd::sink;
use core::time::Duration;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Bytes that are read at once.
const LEN: usize = 64 << 10;
/// Pieces that wait to be taken.
const MAX_WAITING: usize = 16;

/// The next bytes, or why there are none.
pub(super) enum Piece {
    Bytes(Vec<u8>),
    /// No more, so far.
    Nothing,
    End,
    Failed(io::Error),
}

/// The pieces of an input, until it ends or a signal comes. The signal takes effect when this is dropped.
pub(super) struct Pieces {
    pieces: Receiver<Piece>,
    _done: Sender<()>,
}

impl Pieces {
    /// Begins to read.
    pub(super) fn open(input: &Path) -> Self {
        let (sender, pieces) = sync_channel(MAX_WAITING);
        let (done, is_done) = channel();
        let last = sender.clone();
        // Without a handler, what was committed is there.
        let _ = on_signals(move || {
            let _ = last.send(Piece::End);
            // Nothing is sent: it fails when the other end is gone.
            let _ = is_done.recv();
            sink::remove_temporaries();
        });
        let path = input.to_owned();
        thread::spawn(move || read(&path, &sender));
        Self { pieces, _done: done }
    }

    /// The next piece, if it comes in time.
    pub(super) fn next(&self, wait: Duration) -> Piece {
        match self.pieces.recv_timeout(wait) {
            Ok(piece) => piece,
            Err(RecvTimeoutError::Timeout) => Piece::Nothing,
            Err(RecvTimeoutError::Disconnected) => Piece::End,
        }
    }
}

/// Reads to the end, or until nobody takes the pieces.
fn read(path: &Path, pieces: &SyncSender<Piece>) {
    let mut reader = match stream(path) {
        Ok(reader) => reader,
        Err(error) => return drop(pieces.send(Piece::Failed(error))),
    };
    let mut bytes = vec![0; LEN];
    loop {
        let piece = match reader.read(&mut bytes) {
            Ok(0) => Piece::End,
            Ok(len) => Piece::Bytes(bytes[..len].to_vec()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Piece::Failed(error),
        };
        let goes_on = matches!(piece, Piece::Bytes(_));
        if pieces.send(piece).is_err() || !goes_on {
            return;
        }
    }
}
