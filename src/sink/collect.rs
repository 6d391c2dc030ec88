//! Rows of an array that arrive in packets.

use super::{Editor, WriteAt};
use crate::base::{ArgumentError, Error, Limits, Result as Checked};
use crate::chunk::stream::{ReceiveParams, Received, Receiver, Report};
use crate::msgpack::Value;
use crate::source::{ReadAt, ReadError};
use alloc::vec::Vec;
use core::ops::Range;

/// The attribute that says what was collected.
const ATTRIBUTE: &str = "collected";
/// The most bytes of lost rows that are appended at once.
const MAX_PIECE_BYTES: usize = 1 << 20;

/// The result of collecting.
type Written<T, S> = Result<T, ReadError<<S as ReadAt>::Error>>;

/// Appends to an array what a [`Sender`](crate::chunk::stream::Sender) sends: rows along the first axis.
///
/// Lost rows are there, too, filled with a value, so that the others stay in their places. The attribute `collected` lists them:
/// `{"stream": 7, "next": 4000, "lost": [[120, 128]]}` says that rows 120 to 127 were lost, and that item 4000 of stream 7 comes
/// next. A collector that opens the array again goes on there.
///
/// ```
/// use b2nd::chunk::stream::{ReceiveParams, Sender, send_area_len};
/// use b2nd::{array::ArrayParams, chunk::{Area, CParams}, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
/// use b2nd::sink::{Collector, Editor, Memory};
/// // A device sends rows of three items.
/// let mut area: Area<{ send_area_len(48, &[SHUFFLE]) }, BloscLzTable<512>> = Area::new(BloscLzTable::new());
/// let cparams = CParams { codec: Codec::BLOSCLZ, typesize: 2, blocksize: 48, ..CParams::default() };
/// let mut sender = Sender::new(7, 128, cparams, area.encode_work())?;
/// let mut packets: Vec<Vec<u8>> = Vec::new();
/// for n in 0..4000_u16 {
///     [n, n / 2, 7].iter().try_for_each(|item| sender.push(&item.to_le_bytes()).map(drop))?;
///     while let Some(packet) = sender.packet()? {
///         packets.push(packet.to_vec());
///     }
/// }
/// // One packet is lost.
/// packets.remove(11);
///
/// let params = ArrayParams::of_type::<u16>(&[0, 3]).with_chunks(&[1000, 3]);
/// let editor = Editor::create_array(Memory::default(), &params)?;
/// let mut collector = Collector::new(editor, ReceiveParams::default(), &0xFFFF_u16.to_le_bytes())?;
/// collector.push(&packets.concat())?;
/// let collected = collector.finish()?;
/// assert_eq!((collected.report.lost, collected.lost), (8 * 3, vec![80..88]));
/// assert_eq!(collected.editor.read::<u16>("3999")?.as_slice(), [3999, 1999, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Collector<S: WriteAt> {
    editor: Editor<S>,
    receiver: Receiver,
    /// An item that stands for lost ones.
    fill: Vec<u8>,
    /// Bytes of a row, and of the last one as far as it is there.
    row_len: usize,
    row: Vec<u8>,
    /// Rows of the array, and those of them that were lost.
    rows: u64,
    lost: Vec<Range<u64>>,
    /// Bytes of lost rows beyond those that arrived.
    ahead: u64,
    /// Number of the item that comes after those of the rows, once it is known.
    next: Option<u64>,
    /// Whether something that arrived could not be appended: nothing may follow it.
    failed: bool,
    limits: Limits,
}

/// An array with the rows of a stream, which are committed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Collected<S> {
    /// The array.
    pub editor: Editor<S>,
    /// The stream, if a packet has arrived.
    pub stream: Option<u16>,
    /// The counts of packets and items.
    pub report: Report,
    /// Rows that were lost since the array was created, in ascending order.
    pub lost: Vec<Range<u64>>,
}

impl<S: WriteAt> Collector<S> {
    /// A collector of rows for the array of an editor. `fill` is an item that stands for lost ones. What `params` leave open, the
    /// attribute determines, if there is one for their stream.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// assert_eq!(collector.rows(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for super-chunks, arrays of no dimension or whose rows have no items, and a `fill` that is no item; `Format` for an
    /// attribute of another form; errors of reading.
    pub fn new(editor: Editor<S>, params: ReceiveParams, fill: &[u8]) -> Written<Self, S> {
        let array = editor.layout().ok_or(ArgumentError::NotAnArray)?;
        let shape = array.shape();
        let [rows, across @ ..] = &shape[..] else {
            return Err(ArgumentError::Axis { axis: 0, ndim: 0 }.into());
        };
        let rows = *rows;
        let itemsize = array.itemsize() as usize;
        crate::base::buffer_len(itemsize, fill)?;
        let limits = Limits::default();
        let row_len = across.iter().fold(itemsize as u64, |len, &axis| len.saturating_mul(axis));
        let row_len = limits.allow_memory(row_len)?;
        if row_len == 0 {
            return Err(ArgumentError::NoItems.into());
        }
        let value = editor.attr(ATTRIBUTE)?;
        let before = value.as_ref().map(|value| said(value).ok_or_else(malformed)).transpose()?;
        let params = before.as_ref().map_or(params, |before| before.go_on(params));
        let lost = before.map_or_else(Vec::new, |before| before.lost);
        Ok(Self {
            editor,
            receiver: Receiver::new(params),
            fill: fill.to_vec(),
            row_len,
            row: Vec::new(),
            rows,
            lost,
            ahead: 0,
            next: params.from,
            failed: false,
            limits,
        })
    }

    /// With other limits. Lost rows are refused when they have more than [`Limits::memory`] bytes beyond those that arrived: a packet only
    /// claims how many were lost before it.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// let careful = collector.with_limits(b2nd::Limits { memory: 1 << 20, ..Default::default() });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The counts of packets and items so far.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// assert_eq!(collector.report().packets, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn report(&self) -> &Report {
        self.receiver.report()
    }

    /// The stream, once it is known.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// assert_eq!(collector.stream(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn stream(&self) -> Option<u16> {
        self.receiver.stream()
    }

    /// Rows that were lost since the array was created, in ascending order.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// assert!(collector.lost().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lost(&self) -> &[Range<u64>] {
        &self.lost
    }

    /// Rows of the array, with lost ones.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// assert_eq!(collector.rows(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes bytes as they arrive, in pieces of any length, and appends the rows that are complete. They are in the file after the
    /// next [`commit`](Self::commit).
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let mut collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// collector.push(b"noise")?;
    /// assert_eq!(collector.report().garbage, 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if rows have no whole number of the stream's items; `Limit` if too many items were lost; errors of
    /// writing.
    pub fn push(&mut self, bytes: &[u8]) -> Written<(), S> {
        if self.failed {
            return Err(ArgumentError::Unfinished.into());
        }
        self.receiver.push(bytes);
        self.take()
    }

    /// Makes the rows that were taken durable and visible, with the attribute.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let mut collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// collector.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of writing.
    pub fn commit(&mut self) -> Written<(), S> {
        self.commit_from(self.row.len(), 0)
    }

    /// Commits. The next item is that `before` bytes before those that were taken, or `after` bytes behind.
    fn commit_from(&mut self, before: usize, after: usize) -> Written<(), S> {
        let stream = (self.receiver.stream(), self.receiver.typesize());
        if let ((Some(stream), Some(typesize)), Some(next)) = (stream, self.next) {
            let items = |bytes: usize| (bytes / typesize) as u64;
            let next = next.saturating_sub(items(before)).saturating_add(items(after));
            self.editor.set_attr(ATTRIBUTE, attribute(stream, next, &self.lost))?;
        }
        self.editor.commit()
    }

    /// Says that no more bytes arrive: items that are missing are lost, and a row of which some are missing counts as lost. Commits,
    /// and returns what was collected.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::stream::ReceiveParams, sink::{Collector, Editor, Memory}};
    /// # let editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[0, 3]))?;
    /// let collector = Collector::new(editor, ReceiveParams::default(), &[0, 0])?;
    /// assert_eq!(collector.finish()?.report.lost, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`push`](Self::push) and [`commit`](Self::commit). After an error of `push`, it commits what was appended before.
    pub fn finish(mut self) -> Written<Collected<S>, S> {
        if !self.failed {
            self.receiver.finish();
            self.take()?;
        }
        let missing = (self.row_len - self.row.len()) % self.row_len;
        self.fill_up(missing as u64)?;
        self.commit_from(0, missing)?;
        let Self { editor, receiver, lost, .. } = self;
        Ok(Collected { editor, stream: receiver.stream(), report: *receiver.report(), lost })
    }

    /// Appends what has arrived.
    fn take(&mut self) -> Written<(), S> {
        while let Some(received) = self.receiver.next() {
            let Some(typesize) = self.receiver.typesize() else { continue };
            self.failed = true;
            self.check_items(typesize)?;
            let typesize = typesize as u64;
            let next = match received {
                Received::Items { first, plain } => {
                    self.append(&plain)?;
                    self.ahead = self.ahead.saturating_sub(plain.len() as u64);
                    first + plain.len() as u64 / typesize
                }
                Received::Lost { items } => {
                    self.fill_up((items.end - items.start).saturating_mul(typesize))?;
                    items.end
                }
            };
            (self.next, self.failed) = (Some(next), false);
        }
        Ok(())
    }

    /// Checks that rows have a whole number of the stream's items.
    fn check_items(&self, typesize: usize) -> Checked<()> {
        if self.row_len.is_multiple_of(typesize) {
            return Ok(());
        }
        Err(ArgumentError::Parameter { name: "typesize", value: typesize as i64 }.into())
    }

    /// Appends bytes, which begin where the last row ends so far.
    fn append(&mut self, bytes: &[u8]) -> Written<(), S> {
        self.row.extend_from_slice(bytes);
        let whole = self.row.len() - self.row.len() % self.row_len;
        if whole > 0 {
            self.editor.append(0, &self.row[..whole])?;
            self.row.drain(..whole);
            self.rows += (whole / self.row_len) as u64;
        }
        Ok(())
    }

    /// Appends so many lost bytes.
    fn fill_up(&mut self, len: u64) -> Written<(), S> {
        if len == 0 {
            return Ok(());
        }
        let ahead = self.ahead.saturating_add(len);
        self.limits.allow_memory(ahead)?;
        self.ahead = ahead;
        let (start, at) = (self.rows, self.row.len() as u64);
        let end = start + (at + len).div_ceil(self.row_len as u64);
        let mut left = len;
        while left > 0 {
            let now = left.min(MAX_PIECE_BYTES as u64) as usize;
            let phase = self.row.len() % self.fill.len();
            let bytes: Vec<u8> = self.fill.iter().copied().cycle().skip(phase).take(now).collect();
            self.append(&bytes)?;
            left -= now as u64;
        }
        match self.lost.last_mut() {
            Some(last) if last.end >= start => last.end = last.end.max(end),
            _ => self.lost.push(start..end),
        }
        Ok(())
    }
}

/// The attribute.
fn attribute(stream: u16, next: u64, lost: &[Range<u64>]) -> Value {
    let lost: Vec<Value> =
        lost.iter().map(|rows| Value::Array([rows.start, rows.end].map(Value::from).into())).collect();
    let pairs = [("stream", u32::from(stream).into()), ("next", next.into()), ("lost", lost.into())];
    Value::Map(pairs.map(|(name, value)| (name.into(), value)).into())
}

/// The content of the attribute.
struct Before {
    stream: u16,
    next: u64,
    lost: Vec<Range<u64>>,
}

impl Before {
    /// The parameters for the rest of the stream, unless they are for another one.
    fn go_on(&self, params: ReceiveParams) -> ReceiveParams {
        match params.stream {
            Some(stream) if stream != self.stream => params,
            _ => ReceiveParams { stream: Some(self.stream), from: Some(self.next), ..params },
        }
    }
}

fn said(value: &Value) -> Option<Before> {
    let rows = |pair: &Value| match pair.as_array()? {
        [start, end] => Some(start.as_u64()?..end.as_u64()?).filter(|rows| rows.start <= rows.end),
        _ => None,
    };
    let lost: Vec<_> = value.get("lost")?.as_array()?.iter().map(rows).collect::<Option<_>>()?;
    if !lost.is_sorted_by(|before, after| before.end <= after.start) {
        return None;
    }
    Some(Before {
        stream: value.get("stream")?.as_u64()?.try_into().ok()?,
        next: value.get("next")?.as_u64()?,
        lost,
    })
}

/// An attribute of another form.
#[cold]
fn malformed() -> Error {
    Error::format(crate::Malformed::Field { name: ATTRIBUTE, value: 0 })
}
