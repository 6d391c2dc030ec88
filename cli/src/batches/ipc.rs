//! The messages of an Arrow stream, or of a file, which has one between its first bytes and its footer.

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{Message, RecordBatch as Layout, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use core::mem;
use std::io::{self, Read};

/// The first bytes of a file, and zeros up to a multiple of eight.
const MAGIC: [u8; 8] = *b"ARROW1\0\0";
/// Some writers pad them to 64 bytes.
const PADDING: usize = 7;
/// The first bytes of each message.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Decodes record batches, one at a time.
pub(super) struct Stream<R> {
    input: R,
    decoder: StreamDecoder,
    /// The bytes that a record batch may take.
    memory: u64,
    /// Messages without a body, which the decoder takes only when more follows.
    pending: Vec<u8>,
    /// Bytes that the decoder has not taken.
    rest: Buffer,
}

impl<R: Read> Stream<R> {
    /// Reads the schema.
    pub(super) fn open(mut input: R, memory: u64) -> Result<(SchemaRef, Self), ArrowError> {
        let mut first = head(&mut input)?;
        for begin in [MAGIC].into_iter().chain([[0; 8]; PADDING]) {
            if first == Some(begin) {
                first = head(&mut input)?;
            }
        }
        let (pending, rest) = (Vec::new(), Buffer::default());
        let mut stream = Self { input, decoder: StreamDecoder::new(), memory, pending, rest };
        let wrong = || ArrowError::IpcError("it does not begin with a schema".into());
        let (message, _) = stream.message(first)?.ok_or_else(wrong)?;
        let parsed = root_as_message(&message[8..]).map_err(|_| wrong())?;
        let schema = try_fb_to_schema(parsed.header_as_schema().ok_or_else(wrong)?)?;
        stream.pending = message;
        Ok((schema.into(), stream))
    }

    /// Decodes the next message; `None` at the end.
    fn pass_message(&mut self) -> Result<Option<Option<RecordBatch>>, ArrowError> {
        if self.rest.is_empty() {
            let head = head(&mut self.input)?;
            let Some((message, has_body)) = self.message(head)? else { return Ok(None) };
            self.pending.extend(message);
            if !has_body {
                return Ok(Some(None));
            }
            self.rest = mem::take(&mut self.pending).into();
        }
        self.decoder.decode(&mut self.rest).map(Some)
    }

    /// Reads the message that begins with a head, and tells whether it has a body; `None` if there is none.
    fn message(&mut self, head: Option<[u8; 8]>) -> Result<Option<(Vec<u8>, bool)>, ArrowError> {
        let Some(head @ [a, b, c, d, len @ ..]) = head else { return Ok(None) };
        let (continuation, len) = ([a, b, c, d], u32::from_le_bytes(len));
        // A file may have its footer here.
        if continuation != CONTINUATION || len == 0 {
            return Ok(None);
        }
        let mut bytes = head.to_vec();
        self.read(len.into(), &mut bytes)?;
        let message =
            root_as_message(&bytes[8..]).map_err(|error| ArrowError::IpcError(error.to_string()))?;
        let body = u64::try_from(message.bodyLength()).unwrap_or(u64::MAX);
        let starts = compressed(&message).unwrap_or_default();
        self.read(body, &mut bytes)?;
        self.allow(claimed(&starts, &bytes[8 + len as usize..]))?;
        Ok(Some((bytes, body > 0)))
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
fn compressed(message: &Message<'_>) -> Option<Vec<usize>> {
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
