//! An input of which is noted what its reader does not tell: how long a line becomes, and which cells of CSV are empty texts in quotes.

use core::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

/// The bytes of a line at most.
const MAX_LINE: u64 = 16 << 20;
/// The message about longer ones.
pub(super) const TOO_LONG: &str = "more than 16 MiB, or a quote that is not closed";

/// Notes of the bytes that passed.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Bytes since the last line ended.
    line: u64,
    /// Whether a line became too long.
    pub(super) is_too_long: bool,
    bytes: u64,
    state: State,
    /// Cells before this one, and those that are two quotes and nothing else.
    cells: u64,
    quotes: VecDeque<u64>,
}

/// The state of the parser, by the rules of the crate `csv`.
#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Line,
    Cell,
    Plain,
    Quoted {
        is_empty: bool,
    },
    /// Behind a quote that ends the cell, or is the first of two.
    Quote {
        is_empty: bool,
    },
}

/// The input.
pub(super) struct Watched<R> {
    input: R,
    is_csv: bool,
    notes: Rc<RefCell<Notes>>,
}

impl<R: Read> Watched<R> {
    pub(super) fn new(input: R, is_csv: bool) -> (Self, Rc<RefCell<Notes>>) {
        let notes = Rc::default();
        (Self { input, is_csv, notes: Rc::clone(&notes) }, notes)
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read(buffer)?;
        let mut notes = self.notes.borrow_mut();
        notes.line += len as u64;
        if notes.line > MAX_LINE {
            notes.is_too_long = true;
            return Err(io::Error::new(io::ErrorKind::InvalidData, TOO_LONG));
        }
        if self.is_csv && len == 0 && !buffer.is_empty() {
            notes.end();
        } else if self.is_csv {
            buffer[..len].iter().for_each(|byte| notes.take(*byte));
        }
        Ok(len)
    }
}

impl Notes {
    /// Begins another line.
    pub(super) const fn end_line(&mut self) {
        self.line = 0;
    }

    /// Which of the next cells are empty texts in quotes.
    pub(super) fn quotes(&mut self, cells: core::ops::Range<u64>) -> Vec<usize> {
        let mut places = Vec::new();
        while let Some(cell) = self.quotes.front().filter(|cell| **cell < cells.end) {
            places.push((cell - cells.start) as usize);
            self.quotes.pop_front();
        }
        places
    }

    fn take(&mut self, byte: u8) {
        self.bytes += 1;
        if self.bytes <= 3 && b"\xef\xbb\xbf"[self.bytes as usize - 1] == byte {
            return;
        }
        self.state = match (self.state, byte) {
            (State::Line, b'\r' | b'\n') => State::Line,
            (State::Line | State::Cell, b'"') => State::Quoted { is_empty: true },
            (State::Quoted { is_empty }, b'"') => State::Quote { is_empty },
            (State::Quoted { .. }, _) | (State::Quote { .. }, b'"') => State::Quoted { is_empty: false },
            (state, b',' | b'\r' | b'\n') => {
                if matches!(state, State::Quote { is_empty: true }) {
                    self.quotes.push_back(self.cells);
                }
                self.cells += 1;
                if byte == b',' { State::Cell } else { State::Line }
            }
            _ => State::Plain,
        };
    }

    /// Notes that the input has ended.
    fn end(&mut self) {
        if !matches!(self.state, State::Line) {
            self.take(b'\n');
        }
    }
}
