//! Checks of an Arrow IPC stream before arrow-ipc decodes it, which panics or allocates where lengths are not what they should be.

use crate::base::slice_at;
use alloc::vec;
use alloc::vec::Vec;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::{Message, MessageHeader, RecordBatch as Layout, root_as_message};
use arrow_schema::{DataType, Schema};

/// Each message begins with it.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Checks all arrays of a stream. Returns the length of its messages, since behind them the decoder would allocate what bytes claim,
/// and the most rows of an array, since the decoder makes bitmaps of them.
pub(super) fn check(stream: &[u8]) -> Option<(usize, u64)> {
    let (mut at, mut rows) = (0, 0);
    let mut schema = Schema::empty();
    while at < stream.len() {
        let [continuation, len] = *slice_at(stream, at, 8).ok()?.as_chunks::<4>().0 else { return None };
        let len = u32::from_le_bytes(len) as usize;
        if continuation != CONTINUATION || len == 0 {
            break;
        }
        let message = root_as_message(slice_at(stream, at + 8, len).ok()?).ok()?;
        let body = usize::try_from(message.bodyLength()).ok()?;
        at = at.checked_add(8 + len)?;
        slice_at(stream, at, body).ok()?;
        at += body;
        if message.header_type() == MessageHeader::Schema {
            schema = try_fb_to_schema(message.header_as_schema()?).ok()?;
        } else if let Some(layout) = layout(&message) {
            check_places(layout, body as i64)?;
            let mut buffers = Buffers::of(layout)?;
            arrays(&message, &schema)?.into_iter().try_for_each(|array| buffers.pass(array))?;
            rows = rows.max(most_rows(layout)?);
        }
    }
    Some((at, rows))
}

/// The layout of the record batch in a message. That of a dictionary has one column.
fn layout<'m>(message: &Message<'m>) -> Option<Layout<'m>> {
    let dictionary = || message.header_as_dictionary_batch()?.data();
    message.header_as_record_batch().or_else(dictionary)
}

/// The types of the arrays in a message.
fn arrays<'s>(message: &Message<'_>, schema: &'s Schema) -> Option<Vec<&'s DataType>> {
    let Some(dictionary) = message.header_as_dictionary_batch() else {
        return Some(schema.fields().iter().map(|field| field.data_type()).collect());
    };
    #[expect(deprecated, reason = "arrow-ipc itself looks dictionaries up in this way")]
    let fields = schema.fields_with_dict_id(dictionary.id());
    match fields.first()?.data_type() {
        DataType::Dictionary(_, values) => Some(vec![values]),
        _ => None,
    }
}

/// Checks that all buffers lie in the body, and that lengths are possible.
fn check_places(layout: Layout<'_>, body: i64) -> Option<()> {
    // More rows than any payload has bits.
    let possible = 0..=i64::from(u32::MAX);
    let is_node = |len: i64, nulls: i64| possible.contains(&len) && (0..=len).contains(&nulls);
    let nodes = layout.nodes()?.iter().all(|node| is_node(node.length(), node.null_count()));
    let mut buffers = layout.buffers()?.iter().map(|buffer| (buffer.offset(), buffer.length()));
    let is_there = |(offset, len): (i64, i64)| {
        offset >= 0 && len >= 0 && offset.checked_add(len).is_some_and(|end| end <= body)
    };
    (nodes && layout.length() >= 0 && buffers.all(is_there)).then_some(())
}

fn most_rows(layout: Layout<'_>) -> Option<u64> {
    layout.nodes()?.iter().map(|node| node.length().unsigned_abs()).max().or(Some(0))
}

/// The buffers of a record batch that were not passed yet.
struct Buffers<Lens, Counts> {
    /// The lengths of the buffers.
    lens: Lens,
    /// For each array of views, how many buffers have its bytes.
    counts: Counts,
}

impl Buffers<(), ()> {
    /// `None` if they are compressed: python-blosc2 writes none, and lengths after compression are claims.
    fn of(layout: Layout<'_>) -> Option<Buffers<impl Iterator<Item = i64>, impl Iterator<Item = i64>>> {
        layout.compression().is_none().then_some(())?;
        let lens = layout.buffers()?.iter().map(|buffer| buffer.length());
        Some(Buffers { lens, counts: layout.variadicBufferCounts().into_iter().flatten() })
    }
}

impl<Lens: Iterator<Item = i64>, Counts: Iterator<Item = i64>> Buffers<Lens, Counts> {
    /// Passes the buffers of an array, and of those in it. `None` if one has a part of an item. Unions are refused: python-blosc2 writes none,
    /// and arrow-ipc does not check their lengths.
    fn pass(&mut self, array: &DataType) -> Option<()> {
        use DataType::{
            Binary, BinaryView, Dictionary, FixedSizeList, LargeBinary, LargeList, LargeListView, LargeUtf8,
            List, ListView, Map, Null, RunEndEncoded, Struct, Union, Utf8, Utf8View,
        };
        match array {
            Null => Some(()),
            Union(..) => None,
            Binary | Utf8 => self.items([1, 4, 1]),
            LargeBinary | LargeUtf8 => self.items([1, 8, 1]),
            BinaryView | Utf8View => {
                self.items([1, 16])?;
                (0..self.counts.next()?).try_for_each(|_| self.items([1]))
            }
            List(items) | Map(items, _) => self.items([1, 4]).and_then(|()| self.pass(items.data_type())),
            LargeList(items) => self.items([1, 8]).and_then(|()| self.pass(items.data_type())),
            ListView(items) => self.items([1, 4, 4]).and_then(|()| self.pass(items.data_type())),
            LargeListView(items) => self.items([1, 8, 8]).and_then(|()| self.pass(items.data_type())),
            FixedSizeList(items, _) => self.items([1]).and_then(|()| self.pass(items.data_type())),
            Struct(fields) => {
                self.items([1])?;
                fields.iter().try_for_each(|field| self.pass(field.data_type()))
            }
            RunEndEncoded(ends, values) => {
                self.pass(ends.data_type())?;
                self.pass(values.data_type())
            }
            Dictionary(keys, _) => self.items([1, keys.primitive_width()?]),
            flat => self.items([1, flat.primitive_width().unwrap_or(1)]),
        }
    }

    /// Passes buffers of items of these sizes in bytes.
    fn items<const N: usize>(&mut self, sizes: [usize; N]) -> Option<()> {
        sizes.into_iter().try_for_each(|size| (self.lens.next()? % size as i64 == 0).then_some(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Objects;

    fn payload(path: &str) -> Vec<u8> {
        let objects = Objects::open(crate::open(path).expect("there")).expect("objects");
        objects.payload(0, 0).expect("a block")
    }

    #[test]
    fn what_lies_behind_the_messages_is_left_out() {
        let mut stream = payload("tests/golden/objects/arrow.b2b");
        let (len, rows) = check(&stream).expect("a stream");
        assert!(len <= stream.len() && rows > 0);
        // A message of an old form, without a continuation, which claims 2 GiB.
        stream.truncate(len);
        stream.extend([0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0]);
        assert_eq!(check(&stream), Some((len, rows)));
    }

    #[test]
    fn a_part_of_an_offset_is_refused() {
        let mut stream = payload("tests/golden/objects/arrow-lists.b2b");
        assert!(check(&stream).is_some());
        // Four offsets of three lists.
        let len = 16_i64.to_le_bytes();
        let places = stream.windows(8).enumerate().filter(|(_, bytes)| *bytes == len);
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        assert!(!places.is_empty());
        places.iter().for_each(|&at| stream[at] = 15);
        assert!(check(&stream).is_none());
    }
}
