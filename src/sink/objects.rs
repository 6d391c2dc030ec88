//! Sequences of objects, written.

use super::{Editor, WriteAt};
use crate::base::{ArgumentError, Error, Limits, Unsupported};
use crate::chunk::{CParams, ChunkEncoder, DParams};
use crate::codec::Codec;
use crate::frame::{FrameParams, Metalayer};
use crate::msgpack::{Token, Tokens, Value, inside};
use crate::objects::{Extension, Kind, Objects, Serializer};
use crate::source::{ReadAt, ReadError, Reader};
use alloc::vec::Vec;

type Written<T, S> = Result<T, ReadError<<S as ReadAt>::Error>>;

/// A batch ends before it has more bytes than these: readers refuse larger ones that compress well, unless their limits are raised.
const MAX_BATCH_BYTES: usize = 8 << 20;

/// How a new sequence of objects is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectParams {
    /// [`Objects`](Kind::Objects), each in a chunk of its own, or [`Batches`](Kind::Batches).
    pub kind: Kind,
    /// How chunks are compressed. Items have one byte.
    pub cparams: CParams,
    /// Objects in a batch, which is a chunk. Batches of large objects have fewer: 8 MiB.
    pub batch_len: usize,
    /// Objects in a block of a batch. To read one object, a block is decoded.
    pub block_len: usize,
}

/// Batches of 4096 objects in blocks of 256, with zstd at level 5.
impl Default for ObjectParams {
    fn default() -> Self {
        let cparams = CParams { codec: Codec::ZSTD, clevel: 5, typesize: 1, ..CParams::default() };
        Self { kind: Kind::Batches, cparams, batch_len: 4096, block_len: 256 }
    }
}

/// Creates an ObjectArray or a BatchArray of python-blosc2 (FORMAT §10.1), or appends to one.
///
/// ```
/// use b2nd::{DParams, Reader, msgpack::Value, objects::Objects};
/// use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
/// let mut editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
/// editor.push(&Value::Str("text of any length".into()))?;
/// editor.push(&Value::Array(vec![Value::Int(1), Value::Nil]))?;
/// editor.commit()?;
/// let frame = editor.into_sink().into_bytes();
/// let objects = Objects::open(Reader::open(&frame[..], DParams::default())?)?;
/// assert_eq!(objects.get(0)?, Value::Str("text of any length".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ObjectEditor<S> {
    editor: Editor<S>,
    encoder: ChunkEncoder,
    kind: Kind,
    /// Whether only lists and nil can be in the sequence.
    has_lists: bool,
    batch_len: usize,
    block_len: usize,
    /// The number of objects in each batch.
    lens: Vec<u64>,
    /// The objects of the next batch, as MessagePack, and their bytes.
    pending: Vec<Vec<u8>>,
    pending_bytes: usize,
}

impl<S: WriteAt> ObjectEditor<S> {
    /// Creates an empty sequence.
    ///
    /// ```
    /// # use b2nd::{objects::Kind, sink::{Memory, ObjectEditor, ObjectParams}};
    /// let params = ObjectParams { kind: Kind::Objects, ..ObjectParams::default() };
    /// ObjectEditor::create(Memory::default(), &params)?.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` for lengths of zero, and for kinds that have a schema: columns of tables, and lists, which
    /// [`create_lists`](Self::create_lists) creates.
    pub fn create(sink: S, params: &ObjectParams) -> Written<Self, S> {
        Self::create_as(sink, params, None)
    }

    /// Creates an empty sequence with a metalayer that tells what it is part of.
    pub(super) fn create_as(sink: S, params: &ObjectParams, role: Option<Metalayer>) -> Written<Self, S> {
        let name = match params.kind {
            Kind::Objects => "vlarray",
            Kind::Batches => "batcharray",
            _ => return Err(ArgumentError::Parameter { name: "kind", value: params.kind as i64 }.into()),
        };
        for (name, len) in [("batch length", params.batch_len), ("block length", params.block_len)] {
            if len == 0 {
                return Err(ArgumentError::Parameter { name, value: 0 }.into());
            }
        }
        let text = |text: &str| Value::Str(text.into());
        let mut fields = Vec::from([(text("version"), Value::Int(1)), (text("serializer"), text("msgpack"))]);
        if params.kind == Kind::Batches {
            fields.push((text("items_per_block"), Value::Int(params.block_len as i128)));
            fields.push((text("arrow_schema"), Value::Nil));
        }
        let metalayer = Metalayer { name: name.into(), content: Value::Map(fields).emit() };
        let cparams = CParams { typesize: 1, ..params.cparams.clone() };
        let frame = FrameParams {
            cparams,
            metalayers: role.into_iter().chain([metalayer]).collect(),
            ..FrameParams::default()
        };
        let has_lists = frame.metalayers.iter().any(|layer| layer.name == b"listarray");
        let editor = Editor::create(sink, &frame)?;
        Ok(Self::of(editor, (params.kind, has_lists), (params.batch_len, params.block_len), Vec::new()))
    }

    /// Opens a sequence to append to it. New batches have `batch_len` objects.
    ///
    /// ```
    /// # use b2nd::{DParams, msgpack::Value, sink::{Memory, ObjectEditor, ObjectParams}};
    /// let batches = Memory::from(std::fs::read("tests/golden/objects/001.b2b")?);
    /// let mut editor = ObjectEditor::open(batches, DParams::default(), 100)?;
    /// editor.push(&Value::Nil)?;
    /// editor.commit()?;
    /// assert_eq!(editor.len(), 72);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Unsupported` if the frame holds no objects, or objects that are stored as Arrow; errors of opening.
    pub fn open(sink: S, dparams: DParams, batch_len: usize) -> Written<Self, S> {
        let objects = Objects::open(Reader::open(&sink, dparams.clone())?)?;
        if objects.serializer() != Serializer::MessagePack {
            return Err(Unsupported::ArrowObjects.into());
        }
        let batch_len = batch_len.max(1);
        let block_len = objects.block_len().unwrap_or(batch_len as u64) as usize;
        let (kind, lens) = match objects.batch_lens() {
            Some(lens) => (Kind::Batches, lens),
            None => (Kind::Objects, Vec::new()),
        };
        let has_lists = objects.kind() == Kind::Lists;
        drop(objects);
        Ok(Self::of(Editor::open(sink, dparams)?, (kind, has_lists), (batch_len, block_len), lens))
    }

    fn of(
        editor: Editor<S>,
        (kind, has_lists): (Kind, bool),
        (batch_len, block_len): (usize, usize),
        lens: Vec<u64>,
    ) -> Self {
        let encoder = ChunkEncoder::new(CParams { blocksize: 0, ..editor.cparams().clone() });
        Self {
            editor,
            encoder,
            kind,
            has_lists,
            batch_len,
            block_len,
            lens,
            pending: Vec::new(),
            pending_bytes: 0,
        }
    }

    /// The number of objects, with those that are not committed.
    ///
    /// ```
    /// # use b2nd::{msgpack::Value, sink::{Memory, ObjectEditor, ObjectParams}};
    /// let mut editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// editor.push(&Value::Nil)?;
    /// assert_eq!(editor.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn len(&self) -> u64 {
        let stored = match self.kind {
            Kind::Objects => self.editor.frame().nchunks(),
            _ => self.lens.iter().sum(),
        };
        stored + self.pending.len() as u64
    }

    /// Whether there are none.
    ///
    /// ```
    /// # use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
    /// assert!(ObjectEditor::create(Memory::default(), &ObjectParams::default())?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends an object. A batch is written once it is full, or has 8 MiB.
    ///
    /// ```
    /// # use b2nd::{msgpack::Value, sink::{Memory, ObjectEditor, ObjectParams}};
    /// let mut editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// editor.push(&Value::Float(0.5))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the sink fails; `Blosc` of `Argument` for an object or a batch of 2 GiB, and for what is neither a list nor nil in a
    /// sequence of lists.
    pub fn push(&mut self, object: &Value) -> Written<(), S> {
        self.must_take(matches!(object, Value::Array(_) | Value::Nil))?;
        self.put(object.emit())
    }

    /// Appends an object that is in MessagePack already.
    ///
    /// ```
    /// # use b2nd::{Limits, msgpack::Value, sink::{Memory, ObjectEditor, ObjectParams}};
    /// let mut editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// editor.push_bytes(b"\xa1x", &Limits::default())?;
    /// assert!(editor.push_bytes(b"\xa2x", &Limits::default()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Format` if the bytes are not one value, or an extension in it is not what its code says; of `Limit` if it is nested so
    /// deeply that readers with these limits refuse it; errors of [`push`](Self::push).
    pub fn push_bytes(&mut self, object: &[u8], limits: &Limits) -> Written<(), S> {
        // Readers count the list around the objects of a block.
        let limits = if self.kind == Kind::Objects { *limits } else { inside(limits)? };
        let token = Tokens::new(object, &limits).next().transpose()?;
        check(object, &limits)?;
        self.must_take(matches!(token, Some(Token::Array(_) | Token::Nil)))?;
        self.put(object.to_vec())
    }

    /// Fails for an object that the sequence does not take.
    fn must_take(&self, is_list: bool) -> Result<(), Error> {
        if self.has_lists && !is_list { Err(ArgumentError::CellType.into()) } else { Ok(()) }
    }

    fn put(&mut self, object: Vec<u8>) -> Written<(), S> {
        if self.kind == Kind::Objects {
            return self.editor.append_encoded(&self.encoder.encode(&object)?);
        }
        if self.pending_bytes + object.len() > MAX_BATCH_BYTES {
            self.end_batch()?;
        }
        self.pending_bytes += object.len();
        self.pending.push(object);
        if self.pending.len() < self.batch_len { Ok(()) } else { self.end_batch() }
    }

    /// Ends the batch, which may have fewer objects than others.
    ///
    /// ```
    /// # use b2nd::{msgpack::Value, sink::{Memory, ObjectEditor, ObjectParams}};
    /// let mut editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// editor.push(&Value::Nil)?;
    /// editor.end_batch()?;
    /// assert_eq!(editor.frame().nchunks(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`push`](Self::push).
    pub fn end_batch(&mut self) -> Written<(), S> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let objects = core::mem::take(&mut self.pending);
        self.pending_bytes = 0;
        let block = |objects: &[Vec<u8>]| {
            let mut block = Vec::new();
            Token::Array(objects.len()).emit(&mut block);
            objects.iter().for_each(|object| block.extend_from_slice(object));
            block
        };
        let blocks: Vec<_> = objects.chunks(self.block_len).map(block).collect();
        let blocks: Vec<&[u8]> = blocks.iter().map(|block| &block[..]).collect();
        self.editor.append_encoded(&self.encoder.encode_blocks(&blocks)?)?;
        self.lens.push(objects.len() as u64);
        Ok(())
    }

    /// Makes all objects visible, and durable. A batch that is not full ends.
    ///
    /// ```
    /// # use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
    /// ObjectEditor::create(Memory::default(), &ObjectParams::default())?.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`push`](Self::push) and [`Editor::commit`].
    pub fn commit(&mut self) -> Written<(), S> {
        self.settle()?;
        self.editor.commit()
    }

    /// The editor of the frame, which the caller commits. A batch that is not full ends.
    ///
    /// ```
    /// # use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
    /// let editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// editor.into_editor()?.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`push`](Self::push).
    pub fn into_editor(mut self) -> Written<Editor<S>, S> {
        self.settle()?;
        Ok(self.editor)
    }

    /// Writes the last batch, and how many objects each has.
    fn settle(&mut self) -> Written<(), S> {
        self.end_batch()?;
        if self.kind == Kind::Batches && !self.lens.is_empty() {
            let lens = self.lens.iter().map(|len| Value::Int((*len).into())).collect();
            let lens = Value::Map(Vec::from([(Value::Str("batch_lengths".into()), Value::Array(lens))]));
            self.editor.set_attr_bytes("_batch_array_metadata", &lens.emit())?;
        }
        Ok(())
    }

    /// The frame with its chunks and metalayers.
    ///
    /// ```
    /// # use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
    /// let editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// assert_eq!(editor.frame().metalayers()[0].name(), "batcharray");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn frame(&self) -> &crate::frame::FrameEditor {
        self.editor.frame()
    }

    /// Sets an attribute to MessagePack.
    ///
    /// ```
    /// # use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
    /// let mut editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// editor.set_attr_bytes("author", b"\xa3Ada")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Editor::set_attr_bytes`].
    pub fn set_attr_bytes(&mut self, name: &str, content: &[u8]) -> Written<(), S> {
        self.editor.set_attr_bytes(name, content)
    }

    /// Returns the sink. Objects that were not committed are lost.
    ///
    /// ```
    /// # use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
    /// let mut editor = ObjectEditor::create(Memory::default(), &ObjectParams::default())?;
    /// editor.commit()?;
    /// assert!(!editor.into_sink().into_bytes().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_sink(self) -> S {
        self.editor.into_sink()
    }
}

/// Fails unless bytes are one value, and its extensions what their codes say.
fn check(object: &[u8], limits: &Limits) -> Result<(), Error> {
    let limits = Limits { metadata: limits.memory, ..*limits };
    let mut tokens = Tokens::new(object, &limits);
    for token in tokens.by_ref() {
        if let Token::Ext(code, bytes) = token? {
            Extension::parse(code, bytes, &limits)?;
        }
    }
    tokens.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use crate::sink::Memory;
    use alloc::vec;

    fn editor(kind: Kind) -> ObjectEditor<Memory> {
        ObjectEditor::create(Memory::default(), &ObjectParams { kind, ..ObjectParams::default() }).unwrap()
    }

    #[test]
    fn bytes_are_one_value_with_valid_extensions() {
        let mut editor = editor(Kind::Batches);
        let complex = Value::Ext(44, vec![0; 16]);
        let set = Value::Ext(45, Value::Array(vec![Value::Int(1)]).emit());
        for value in [Value::Nil, Value::Array(vec![complex.clone(), set]), complex] {
            editor.push_bytes(&value.emit(), &Limits::default()).unwrap();
        }
        let wrong = [vec![], vec![1, 2], vec![0xc1], vec![0x92, 1], Value::Ext(44, vec![0; 15]).emit()];
        for bytes in wrong {
            let refused = editor.push_bytes(&bytes, &Limits::default());
            let Err(ReadError::Blosc(error)) = refused else { panic!("{bytes:?}") };
            assert!(matches!(error.kind(), ErrorKind::Format(_)), "{error}");
        }
        assert_eq!(editor.len(), 3);
    }

    #[test]
    fn what_is_too_deep_for_readers_is_refused() {
        for (kind, deepest) in [(Kind::Objects, 32), (Kind::Batches, 31)] {
            let mut editor = editor(kind);
            let nested = |depth| [vec![0x91; depth], vec![1]].concat();
            editor.push_bytes(&nested(deepest), &Limits::default()).unwrap();
            assert!(editor.push_bytes(&nested(deepest + 1), &Limits::default()).is_err());
            editor.commit().unwrap();
            let frame = editor.into_sink().into_bytes();
            let objects = Objects::open(Reader::open(&frame[..], DParams::default()).unwrap()).unwrap();
            assert_eq!(objects.get(0).unwrap().emit(), nested(deepest));
        }
    }

    /// Objects that compress well are read with the limits that readers have.
    #[test]
    fn large_objects_make_short_batches() {
        let mut editor = editor(Kind::Batches);
        let object = Value::Str("a".repeat(10_000));
        (0..2000).for_each(|_| editor.push(&object).expect("an object"));
        editor.commit().expect("a frame");
        assert_eq!(editor.frame().nchunks(), 3);
        let frame = editor.into_sink().into_bytes();
        let reader = Reader::open(&frame[..], DParams::default()).expect("a frame");
        assert_eq!(Objects::open(reader).expect("objects").get(1999), Ok(object));
    }
}
