//! Objects that are stored as record batches of Apache Arrow.

use super::{Objects, Read, Serializer, wrong};
use crate::base::Unsupported;
use crate::base::slice_at;
use crate::source::ReadAt;
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{Field as FieldType, MessageHeader, RecordBatch as Layout, Type, root_as_message};

impl<S: ReadAt> Objects<S> {
    /// Block `nblock` of a batch as a record batch of one column.
    ///
    /// # Errors
    /// `Unsupported` if the objects are not stored as Arrow; `Format` if the block is no Arrow IPC stream with a record batch; errors
    /// of [`payload`](Self::payload).
    pub fn record_batch(&self, nbatch: u64, nblock: u32) -> Read<RecordBatch, S> {
        if self.serializer() != Serializer::Arrow {
            return Err(Unsupported::NoObjects.into());
        }
        // The decoder takes what is there, where arrow-ipc's reader allocates what a length claims.
        let mut payload = Buffer::from(self.payload(nbatch, nblock)?);
        check(&payload).ok_or_else(|| wrong("Arrow record batch", 0, nbatch))?;
        let mut decoder = StreamDecoder::new();
        while !payload.is_empty() {
            match decoder.decode(&mut payload) {
                Ok(Some(batch)) => return Ok(batch),
                Ok(None) => {}
                Err(_) => break,
            }
        }
        Err(wrong("Arrow record batch", 0, nbatch).into())
    }
}

/// Checks the places of all buffers in a stream, for which arrow-ipc panics if they are not there.
fn check(stream: &[u8]) -> Option<()> {
    let mut at = 0;
    while at < stream.len() {
        let [continuation, len] = *slice_at(stream, at, 8).ok()?.as_chunks::<4>().0 else { return None };
        let len = u32::from_le_bytes(len) as usize;
        if continuation != [0xff; 4] || len == 0 {
            break;
        }
        let message = root_as_message(slice_at(stream, at + 8, len).ok()?).ok()?;
        let body = usize::try_from(message.bodyLength()).ok()?;
        at = at.checked_add(8 + len)?;
        slice_at(stream, at, body).ok()?;
        at += body;
        let layout = match message.header_type() {
            MessageHeader::Schema => {
                let fields = message.header_as_schema()?.fields()?;
                fields.iter().all(is_known).then_some(())?;
                None
            }
            MessageHeader::RecordBatch => message.header_as_record_batch(),
            MessageHeader::DictionaryBatch => message.header_as_dictionary_batch()?.data(),
            _ => None,
        };
        layout.map_or(Some(()), |layout| check_layout(layout, body as i64))?;
    }
    Some(())
}

/// Whether neither a field nor those in it are unions: python-blosc2 writes none, and arrow-ipc does not check their lengths.
fn is_known(field: FieldType<'_>) -> bool {
    let children = field.children();
    field.type_type() != Type::Union && children.is_none_or(|children| children.iter().all(is_known))
}

fn check_layout(layout: Layout<'_>, body: i64) -> Option<()> {
    // More rows than any payload has bits.
    let rows = 0..=i64::from(u32::MAX);
    let is_node = |len: i64, nulls: i64| rows.contains(&len) && (0..=len).contains(&nulls);
    let nodes = layout.nodes()?.iter().all(|node| is_node(node.length(), node.null_count()));
    let mut buffers = layout.buffers()?.iter().map(|buffer| (buffer.offset(), buffer.length()));
    let is_there = |(offset, len): (i64, i64)| {
        offset >= 0 && len >= 0 && offset.checked_add(len).is_some_and(|end| end <= body)
    };
    (nodes && layout.length() >= 0 && buffers.all(is_there)).then_some(())
}
