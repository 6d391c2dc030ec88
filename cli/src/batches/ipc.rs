//! The messages of an Arrow stream, or of a file, which has one between its first bytes and its footer.

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{Message, RecordBatch as Layout, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use std::io::{self, Read};

/// The first bytes of a file, and zeros up to a multiple of eight.
const MAGIC: [u8; 8] = *b"ARROW1\0\0";
/// What each message begins with.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Decodes record batches, one at a time.
pub(super) struct Stream<R> {
    input: R,
    decoder: StreamDecoder,
    /// The bytes that a record batch may take.
    memory: u64,
    /// The head of the next message, if it was read.
    head: Option<[u8; 8]>,
}

impl<R: Read> Stream<R> {
    /// Reads the schema.
    pub(super) fn open(mut input: R, memory: u64) -> Result<(SchemaRef, Self), ArrowError> {
        let first = head(&mut input)?.filter(|first| *first != MAGIC);
        let mut stream = Self { input, decoder: StreamDecoder::new(), memory, head: first };
        let wrong = || ArrowError::IpcError("it does not begin with a schema".into());
        stream.pass_message()?;
        let schema = stream.decoder.schema().ok_or_else(wrong)?;
        Ok((schema, stream))
    }

    /// Decodes the next message; `None` at the end.
    fn pass_message(&mut self) -> Result<Option<Option<RecordBatch>>, ArrowError> {
        let head = match self.head.take() {
            Some(head) => Some(head),
            None => head(&mut self.input)?,
        };
        let Some([continuation @ .., a, b, c, d]) = head else { return Ok(None) };
        let len = u32::from_le_bytes([a, b, c, d]).into();
        // A file may have its footer here.
        if continuation != CONTINUATION || len == 0 {
            return Ok(None);
        }
        let mut bytes = [continuation, [a, b, c, d]].concat();
        self.read(len, &mut bytes)?;
        let message =
            root_as_message(&bytes[8..]).map_err(|error| ArrowError::IpcError(error.to_string()))?;
        let body = u64::try_from(message.bodyLength()).unwrap_or(u64::MAX);
        let layout = layout(&message);
        self.read(body, &mut bytes)?;
        let claimed = layout.map_or(0, |places| claimed(&places, &bytes[8 + len as usize..]));
        self.allow(claimed)?;
        let mut buffer = Buffer::from(bytes);
        self.decoder.decode(&mut buffer).map(Some)
    }

    /// Reads bytes, no more than are there.
    fn read(&mut self, len: u64, bytes: &mut Vec<u8>) -> Result<(), ArrowError> {
        self.allow(len)?;
        match self.input.by_ref().take(len).read_to_end(bytes)? as u64 == len {
            true => Ok(()),
            false => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        }
    }

    fn allow(&self, len: u64) -> Result<(), ArrowError> {
        if len <= self.memory {
            return Ok(());
        }
        let allowed = self.memory;
        Err(ArrowError::MemoryError(format!(
            "a record batch of {len} bytes, {allowed} allowed: raise --max-memory"
        )))
    }
}

impl<R: Read> Iterator for Stream<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.pass_message().transpose()? {
                Ok(None) => {}
                Ok(Some(batch)) => return Some(Ok(batch)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The next eight bytes; `None` at the end of the input.
fn head(input: &mut impl Read) -> io::Result<Option<[u8; 8]>> {
    let mut head = Vec::new();
    input.take(8).read_to_end(&mut head)?;
    Ok(head.try_into().ok())
}

/// Where the buffers of a compressed record batch begin in its body.
fn layout(message: &Message<'_>) -> Option<Vec<usize>> {
    let layout: Layout<'_> = match message.header_as_record_batch() {
        Some(layout) => layout,
        None => message.header_as_dictionary_batch()?.data()?,
    };
    layout.compression()?;
    let starts = layout.buffers()?.iter().filter(|buffer| buffer.length() > 0).map(|buffer| buffer.offset());
    Some(starts.filter_map(|start| usize::try_from(start).ok()).collect())
}

/// The bytes that compressed buffers say they have: each begins with their number, −1 for what is not compressed.
fn claimed(starts: &[usize], body: &[u8]) -> u64 {
    let number = |start: &usize| {
        let bytes: [u8; 8] = body.get(*start..)?.get(..8)?.try_into().ok()?;
        u64::try_from(i64::from_le_bytes(bytes)).ok()
    };
    starts.iter().filter_map(number).fold(0, u64::saturating_add)
}
