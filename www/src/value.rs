//! Values for JavaScript, each a tag and what follows it. ABI.md lists them.

#[cfg(any(feature = "archive", feature = "export", feature = "writer"))]
mod read;

use crate::output::Output;
#[cfg(any(feature = "archive", feature = "export", feature = "writer"))]
pub(crate) use read::packed;

const END: u8 = 0;
const LIST: u8 = 1;
const MAP: u8 = 2;
const RECORD: u8 = 3;
const SET: u8 = 4;
const PART: u8 = 5;
/// To JavaScript only: a value whose stored form it keeps.
const KEEP: u8 = 6;
/// A part of the stored form of a value, or to Rust all of it.
const STORED: u8 = 7;
const NIL: u8 = 8;
const FALSE: u8 = 9;
const TRUE: u8 = 10;
const NUMBER: u8 = 11;
const INT: u8 = 12;
const UINT: u8 = 13;
const TEXT: u8 = 14;
const BYTES: u8 = 15;
/// From JavaScript only: the type and the data of an extension of MessagePack.
const EXTENSION: u8 = 16;
/// From JavaScript only, among objects: an array of NumPy, as the value after it describes it.
#[cfg(feature = "archive")]
const TENSOR: u8 = 17;
/// To JavaScript only: zero; the numbers after it have the tags after it.
const SMALL: u8 = 16;

/// The number of values in the next list.
const ROOM: u8 = 255;

/// Integers up to here are numbers in JavaScript, others bigints.
const SAFE: i128 = 1 << 53;

/// The bytes of a text that are decoded at once.
const STEP: usize = 1 << 20;

/// Appends values to the output.
pub(crate) struct Writer<'o>(pub(crate) &'o mut Output);

impl Writer<'_> {
    /// The tag of a value, or of the end of the innermost list, set, map or record.
    #[inline(never)]
    fn tag(&mut self, tag: u8) {
        self.0.push(&[tag]);
    }

    pub(crate) fn nil(&mut self) {
        self.tag(NIL);
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.tag(if value { TRUE } else { FALSE });
    }

    #[inline(never)]
    pub(crate) fn number(&mut self, number: f64) {
        self.tag(NUMBER);
        self.0.numbers(&[number]);
    }

    /// A number that counts something.
    #[inline(never)]
    pub(crate) fn count(&mut self, count: u64) {
        self.number(count as f64);
    }

    pub(crate) fn int(&mut self, int: i128) {
        match int {
            0..=238 => self.tag(SMALL + int as u8),
            _ if (-SAFE..SAFE).contains(&int) => self.number(int as f64),
            _ => self.big(int),
        }
    }

    /// An integer that is a bigint, however small.
    pub(crate) fn big(&mut self, int: i128) {
        self.tag(if int < 0 { INT } else { UINT });
        self.0.push(&(int as u64).to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.utf8(text.as_bytes());
    }

    /// A text, in parts if it is long. What is not UTF-8 becomes U+FFFD.
    #[inline(never)]
    pub(crate) fn utf8(&mut self, mut text: &[u8]) {
        while let Some((part, rest)) = text.split_at_checked(STEP) {
            self.part(PART, part);
            text = rest;
        }
        self.part(TEXT, text);
    }

    /// A text or null.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.nil(),
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.part(BYTES, bytes);
    }

    /// An extension of MessagePack.
    pub(crate) fn extension(&mut self, code: i8, bytes: &[u8]) {
        self.record();
        self.name("type").int(code.into());
        self.name("data").bytes(bytes);
        self.end();
    }

    /// Begins a list, whose values follow up to its end.
    pub(crate) fn list(&mut self) {
        self.tag(LIST);
    }

    /// Begins a list of `len` values, for which JavaScript makes room at once.
    #[inline(never)]
    pub(crate) fn list_of(&mut self, len: usize) {
        if len > 64 {
            self.tag(ROOM);
            self.0.push(&(len as u32).to_le_bytes());
        }
        self.list();
    }

    /// Begins a set.
    pub(crate) fn set(&mut self) {
        self.tag(SET);
    }

    /// Begins a value that keeps how MessagePack stores it: up to the end come the value and the parts of its stored form. Bytes within
    /// it are such parts, too.
    pub(crate) fn keep(&mut self) {
        self.tag(KEEP);
    }

    pub(crate) fn stored(&mut self, bytes: &[u8]) {
        self.part(STORED, bytes);
    }

    /// Begins a map, whose keys and values follow in turns.
    pub(crate) fn map(&mut self) {
        self.tag(MAP);
    }

    /// Begins a map with a prototype, whose keys are names.
    pub(crate) fn record(&mut self) {
        self.tag(RECORD);
    }

    /// Ends the innermost list, set, map or record.
    pub(crate) fn end(&mut self) {
        self.tag(END);
    }

    /// A list of a value for each item.
    pub(crate) fn each<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        let items = items.into_iter();
        self.list_of(items.size_hint().0);
        items.for_each(|item| write(self, item));
        self.end();
    }

    /// A list of numbers that count something.
    pub(crate) fn counts(&mut self, counts: impl IntoIterator<Item = u64>) {
        self.each(counts, Self::count);
    }

    /// The name of a member of a record, whose value follows.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.text(name);
        self
    }

    #[inline(never)]
    fn part(&mut self, tag: u8, bytes: &[u8]) {
        self.tag(tag);
        self.0.push(&(bytes.len() as u32).to_le_bytes());
        self.0.push(bytes);
    }
}
