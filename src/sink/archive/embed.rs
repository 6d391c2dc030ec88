//! The frame of small members, and its catalogue (FORMAT §10.2).

use crate::array::ArrayParams;
use crate::base::Result as Checked;
use crate::chunk::CParams;
use crate::codec::Codec;
use crate::frame::{FrameParams, Metalayer};
use crate::msgpack::Value;
use crate::plan::Selection;
use crate::sink::{Editor, WriteAt};
use crate::source::{ReadAt, ReadError, Reader};
use crate::store::StoreKind;
use crate::store::embed::{CATALOGUE, Catalogue, Entry};
use crate::store::key::is_below;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::{ops::Range, slice};

type Written<T, S> = Result<T, ReadError<<S as ReadAt>::Error>>;

/// The attribute that lists the tables of a tree.
const REGISTRY: &str = "_object_registry";
/// As the reference has it.
const CHUNKSIZE: u32 = 1 << 13;
/// Bytes that are in memory at a time.
const PIECE: u64 = 1 << 20;

/// Where a member is.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::sink) enum Place {
    /// In these items of the frame.
    Items(Range<u64>),
    /// Elsewhere: what the catalogue says stays as it is.
    Remote(Value),
}

/// The frame's record of members: which are in it, and which groups are tables.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::sink) struct Embed {
    pub(in crate::sink) members: BTreeMap<String, Place>,
    registry: Vec<(Value, Value)>,
}

impl Embed {
    pub(in crate::sink) const fn new() -> Self {
        Self { members: BTreeMap::new(), registry: Vec::new() }
    }

    pub(in crate::sink) fn read<S: ReadAt>(kind: StoreKind, embed: &Reader<S>) -> Written<Self, S> {
        let (attributes, nbytes) = (&embed.trailer()?.attributes, embed.frame().header.nbytes);
        let map_at = |name: &str| {
            let layer = attributes.iter().find(|layer| layer.name == name.as_bytes());
            layer.map(|layer| layer.value(embed.limits())).transpose()
        };
        let stored = map_at(CATALOGUE)?;
        let place = |(key, entry): (String, Entry)| {
            let place = match entry {
                Entry::Items(items) => Place::Items(items),
                Entry::Remote(_) => {
                    let entries = stored.as_ref().and_then(|value| value.get("embed_map"));
                    Place::Remote(
                        entries.and_then(|entries| entries.get(&key)).cloned().unwrap_or(Value::Nil),
                    )
                }
            };
            (key, place)
        };
        let members = Catalogue::new(kind, attributes, nbytes, embed.limits())?.members;
        let registry = match map_at(REGISTRY)? {
            Some(Value::Map(tables)) => tables,
            _ => Vec::new(),
        };
        Ok(Self { members: members.into_iter().map(place).collect(), registry })
    }

    /// Removes what is at a key or below it.
    pub(in crate::sink) fn remove(&mut self, key: &str) {
        self.members.retain(|member, _| member != key && !is_below(member, key));
        self.registry
            .retain(|(table, _)| !table.as_str().is_some_and(|table| table == key || is_below(table, key)));
    }

    /// Gives what is at a key or below it another key.
    pub(in crate::sink) fn rename(&mut self, from: &str, to: &str) {
        let members = core::mem::take(&mut self.members);
        self.members =
            members.into_iter().map(|(key, entry)| (renamed(&key, from, to).unwrap_or(key), entry)).collect();
        for (table, _) in &mut self.registry {
            if let Some(new) = table.as_str().and_then(|table| renamed(table, from, to)) {
                *table = Value::Str(new);
            }
        }
    }

    /// Notes that a group is a table.
    pub(in crate::sink) fn register(&mut self, key: &str) {
        let text = |text: &str| Value::Str(text.into());
        self.registry.retain(|(table, _)| table.as_str() != Some(key));
        let entry = [
            (text("kind"), text("ctable")),
            (text("version"), int(1)),
            (text("layout"), text("inline-tree-subtree")),
        ];
        self.registry.push((text(key), Value::Map(entry.into())));
    }

    /// Takes the tables of another store.
    pub(in crate::sink) fn copy_registry(&mut self, other: &Self) {
        self.registry.extend_from_slice(&other.registry);
    }

    /// The values of the attributes.
    fn attributes(&self, nbytes: u64) -> [(&'static str, Option<Value>); 2] {
        let text = |text: &str| Value::Str(text.into());
        let entry = |place: &Place| match place {
            Place::Items(items) => Value::Map(Vec::from([
                (text("offset"), int(items.start)),
                (text("length"), int(items.end - items.start)),
            ])),
            Place::Remote(value) => value.clone(),
        };
        let map = self.members.iter().map(|(key, place)| (text(key), entry(place))).collect();
        let catalogue = [(text("embed_map"), Value::Map(map)), (text("current_offset"), int(nbytes))];
        let registry = (!self.registry.is_empty()).then(|| Value::Map(self.registry.clone()));
        [(CATALOGUE, Some(Value::Map(catalogue.into()))), (REGISTRY, registry)]
    }

    /// Writes the catalogue to the frame.
    pub(in crate::sink) fn write<W: WriteAt>(&self, editor: &mut Editor<W>) -> Written<(), W> {
        let nbytes = editor.frame().nbytes();
        for (name, value) in self.attributes(nbytes) {
            match value {
                Some(value) => editor.set_attr_bytes(name, &value.emit())?,
                None => drop(editor.remove_attr(name)),
            }
        }
        Ok(())
    }
}

/// The key that something at `from` or below it gets if that becomes `to`.
pub(in crate::sink) fn renamed(key: &str, from: &str, to: &str) -> Option<String> {
    let rest = key.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some([to, rest].concat())
}

fn int(value: u64) -> Value {
    Value::Int(value.into())
}

/// The parameters of a new frame of small members.
pub(in crate::sink) fn params(kind: StoreKind) -> FrameParams {
    let version = Value::Map(Vec::from([(Value::Str("version".into()), Value::Int(1))]));
    let metalayer = Metalayer { name: kind.metalayer().into(), content: version.emit() };
    // The items are bytes of frames, which have few codes left to save.
    let cparams = CParams { codec: Codec::ZSTD, typesize: 1, ..ArrayParams::of_type::<u8>(&[]).cparams };
    FrameParams { cparams, chunksize: CHUNKSIZE, sparse: false, metalayers: Vec::from([metalayer]) }
}

/// The parameters of a copy of a frame of small members.
pub(in crate::sink) fn params_of<S: ReadAt>(embed: &Reader<S>) -> Checked<FrameParams> {
    let header = &embed.frame().header;
    Ok(FrameParams {
        cparams: CParams { blocksize: 0, ..CParams::of_frame(header)? },
        chunksize: if header.chunksize == 0 { CHUNKSIZE } else { header.chunksize },
        sparse: false,
        metalayers: header.metalayers.clone(),
    })
}

/// Creates a frame of small members: with those that are still there of an old one, and without the holes of others.
pub(in crate::sink) fn embed_frame<W: WriteAt, S: ReadAt<Error = W::Error>>(
    sink: W,
    kind: StoreKind,
    members: &mut Embed,
    old: Option<&Reader<S>>,
) -> Written<Editor<W>, W> {
    let params = match old {
        Some(embed) => params_of(embed)?,
        None => params(kind),
    };
    let mut editor = Editor::create(sink, &params)?;
    if let Some(embed) = old {
        editor.copy_attrs(embed)?;
        *members = copy_members(members, &mut editor, embed)?;
    }
    members.write(&mut editor)?;
    editor.commit()?;
    Ok(editor)
}

/// Copies the members that a frame still has to another one.
pub(in crate::sink) fn copy_members<W: WriteAt, S: ReadAt<Error = W::Error>>(
    members: &Embed,
    editor: &mut Editor<W>,
    old: &Reader<S>,
) -> Written<Embed, W> {
    let mut moved = members.clone();
    let mut appending = Appending::new(editor)?;
    for place in moved.members.values_mut() {
        if let Place::Items(items) = place {
            let start = appending.end();
            appending.copy(old, items.clone())?;
            *items = start..appending.end();
        }
    }
    appending.finish()?;
    Ok(moved)
}

/// The parameters of a frame with the attributes of a group.
pub(in crate::sink) fn attributes_params() -> FrameParams {
    FrameParams { cparams: CParams { typesize: 1, ..CParams::default() }, ..FrameParams::default() }
}

/// Appends items to a frame. Only the last chunk may be short, unless chunks differ in size.
pub(in crate::sink) struct Appending<'e, W> {
    editor: &'e mut Editor<W>,
    chunksize: usize,
    /// The items of a chunk that is not full.
    last: Vec<u8>,
    /// Whether the frame has these in a chunk that they replace.
    replaces: bool,
    end: u64,
}

impl<'e, W: WriteAt> Appending<'e, W> {
    /// Behind the last item of the frame.
    pub(in crate::sink) fn new(editor: &'e mut Editor<W>) -> Written<Self, W> {
        let (chunksize, end) = (editor.frame().chunksize(), editor.frame().nbytes());
        let last = match editor.frame().nchunks().checked_sub(1) {
            Some(nchunk) if !editor.frame().is_variable() && !end.is_multiple_of(chunksize.into()) => {
                editor.chunk(nchunk)?
            }
            _ => Vec::new(),
        };
        let chunksize = if chunksize == 0 { CHUNKSIZE } else { chunksize } as usize;
        Ok(Self { editor, chunksize, replaces: !last.is_empty(), last, end })
    }

    /// Appends these items.
    pub(in crate::sink) fn write(&mut self, mut bytes: &[u8]) -> Written<(), W> {
        self.end += bytes.len() as u64;
        while self.last.len() + bytes.len() >= self.chunksize {
            let (now, later) = bytes.split_at(self.chunksize - self.last.len());
            self.last.extend(now);
            bytes = later;
            self.put()?;
            self.last.clear();
            self.replaces = false;
        }
        self.last.extend(bytes);
        Ok(())
    }

    /// Appends a member that another frame has in these items.
    pub(in crate::sink) fn copy<S: ReadAt<Error = W::Error>>(
        &mut self,
        embed: &Reader<S>,
        mut items: Range<u64>,
    ) -> Written<(), W> {
        while items.start < items.end {
            let end = items.end.min(items.start + PIECE);
            self.write(&embed.get(Selection::of_ranges(slice::from_ref(&(items.start..end))))?)?;
            items.start = end;
        }
        Ok(())
    }

    /// The number of items so far.
    pub(in crate::sink) const fn end(&self) -> u64 {
        self.end
    }

    /// Writes the items of the last chunk.
    pub(in crate::sink) fn finish(mut self) -> Written<(), W> {
        if self.last.is_empty() { Ok(()) } else { self.put() }
    }

    fn put(&mut self) -> Written<(), W> {
        match self.replaces {
            true => self.editor.replace_chunk(self.editor.frame().nchunks() - 1, &self.last),
            false => self.editor.append_chunk(&self.last),
        }
    }
}

/// The extension of the file of a member, by its metalayers.
pub(in crate::sink) fn extension(metalayers: &[Metalayer]) -> &'static str {
    let has = |name: &str| metalayers.iter().any(|layer| layer.name == name.as_bytes());
    match () {
        () if has("batcharray") || has("listarray") => ".b2b",
        () if has("b2nd") || has("caterva") => ".b2nd",
        () => ".b2f",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_groups_change_as_well() {
        assert_eq!(renamed("/a/b", "/a", "/c/d").as_deref(), Some("/c/d/b"));
        assert_eq!(renamed("/ab", "/a", "/c"), None);
        assert_eq!(renamed("/a", "/a", "/c").as_deref(), Some("/c"));
    }
}
