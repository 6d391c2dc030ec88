//! Small files that ask for much: stores, tables, objects, attributes and blocks. None has more than 10 kB.
//!
//! Frames are put together from their parts, so that each says what it likes.

#![allow(dead_code, reason = "each test uses a part of it")]

use b2nd::frame::Metalayer;
use b2nd::wire::WireChunk;
use b2nd::wire::{WireFrame, WireTrailer};

/// How long a file is at most.
pub(crate) const MOST: usize = 10_000;

/// A file that costs much if its reader believes it.
pub(crate) struct Bomb {
    /// The file's name; the extension says what it is.
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Members of a store that are worth reading.
    pub(crate) members: &'static [&'static str],
}

/// All of them.
pub(crate) fn all() -> Vec<Bomb> {
    let bomb = |name, bytes| Bomb { name, bytes, members: &[] };
    let store = |name, bytes, members| Bomb { name, bytes, members };
    vec![
        bomb("batches.b2b", batches(1 << 24)),
        bomb("most-batches.b2b", batches((1 << 28) - 1)),
        bomb("batches-of-many-places.b2b", batches_of_many_places()),
        store("rows-deleted.b2z", table(zeros(1 << 38, 1 << 12), zeros(1 << 38, 1 << 12)), &[""]),
        store("rows.b2z", table(ones(1 << 38, 1 << 12), zeros(1 << 38, 1 << 12)), &[""]),
        store("rows-of-a-block.b2z", table(block_of(1, 28), zeros(1 << 28, 1 << 10)), &[""]),
        store("rows-deleted-of-a-block.b2z", table(block_of(0, 28), zeros(1 << 28, 1 << 10)), &[""]),
        store("rows-of-text.b2z", texts(), &[""]),
        store("rows-of-codes.b2z", codes(), &[""]),
        store("long-numbers.b2z", long_numbers(), &[""]),
        store("members-of-zeros.b2e", members_of_zeros(), &["key000", "key199"]),
        store("members-of-a-block.b2e", members_of_a_block(), &["key000", "key199"]),
        store("members-in-one-place.b2e", members_in_one_place(), &["key000"]),
        bomb("deep.b2f", attribute(&nested(&[0x91]))),
        bomb("deep-maps.b2f", attribute(&nested(&[0x81, 0xc0]))),
        bomb("deep-keys.b2f", attribute(&nested(&[0x81]))),
        bomb("deep-fixed.b2f", fixed_attribute(&[0x91; 9000])),
        bomb("deep-object.b2b", one_object(&nested(&[0x91]))),
        bomb("deep-extension.b2b", one_object(&nested(&[0xc9, 0, 0xff, 0xff, 0xff, 45]))),
        bomb("deep-lists.b2b", one_object(&nested(&[0xdd, 0, 0, 0, 1]))),
        bomb("deep.msgpack", vec![0x91; MOST]),
        store("deep-catalogue.b2e", deep_catalogue(), &["key000"]),
        bomb("nils.b2f", attribute(&list(60 << 20, &[0xc0]))),
        bomb("empty-maps.b2f", attribute(&list(2 << 20, &[0x80]))),
        bomb("maps.b2f", attribute(&list(1 << 20, &[0x81, 0xc0, 0xc0]))),
        bomb("empty-texts.b2f", attribute(&list(2 << 20, &[0xa0]))),
        bomb("text.b2f", attribute(&text(60 << 20, b'x'))),
        bomb("no-text.b2f", attribute(&text(60 << 20, 0xff))),
        bomb("bytes.b2f", attribute(&bin(60 << 20, 0))),
        bomb("block.b2nd", block_of(7, 28)),
        bomb("shuffled-block.b2nd", filtered_block_of(7, 28, &[1])),
        bomb("much-filtered-block.b2nd", filtered_block_of(7, 28, &[1, 2, 1, 2, 1, 2])),
        bomb("zeros.b2nd", zeros(1 << 40, 1 << 30)),
        bomb("objects-of-nils.b2b", one_object(&list(60 << 20, &[0xc0]))),
        bomb("objects-of-maps.b2b", one_object(&list(1 << 20, &[0x81, 0xc0, 0xc0]))),
    ]
}

/// A metalayer.
fn layer(name: &str, content: &[u8]) -> Metalayer {
    Metalayer { name: name.into(), content: content.into() }
}

/// The claims of a frame.
#[derive(Default)]
struct Frame {
    nbytes: u64,
    chunksize: u32,
    blocksize: u32,
    typesize: u8,
    metalayers: Vec<Metalayer>,
    attributes: Vec<Metalayer>,
    chunks: Vec<u8>,
    index: Vec<u8>,
}

impl Frame {
    fn emit(self) -> Vec<u8> {
        let (chunks, index) = (self.chunks.len() as u64, self.index.len() as u64);
        let has_attributes = !self.attributes.is_empty();
        let content = b2nd::wire::WireContent::Metalayers(self.attributes);
        let trailer = WireTrailer { content, ..WireTrailer::default() }.emit();
        let variable = if self.chunksize == 0 { 0x40 } else { 0 };
        let mut wire = WireFrame {
            flags: 0x12 | variable,
            codec: 0x14,
            numbers: [
                self.nbytes as i64,
                chunks as i64,
                self.typesize.max(1).into(),
                self.blocksize.into(),
                self.chunksize.into(),
                1,
                1,
            ],
            has_attributes,
            ..WireFrame::default()
        };
        wire.header_len = wire.emit(&self.metalayers).len() as u32;
        wire.frame_len = u64::from(wire.header_len) + chunks + index + trailer.len() as u64;
        [wire.emit(&self.metalayers), self.chunks, self.index, trailer].concat()
    }
}

/// The header of a chunk with a body of `len` bytes.
fn chunk_header(nbytes: u32, blocksize: u32, typesize: u8, len: usize) -> WireChunk {
    WireChunk {
        version: 5,
        versionlz: 1,
        // An extended header, zstd, blocks that are not split.
        flags: 0x05 | 0x10 | 4 << 5,
        typesize,
        nbytes: nbytes as i32,
        blocksize: blocksize as i32,
        cbytes: (32 + len) as i32,
        filters: [0; 6],
        codec: 4,
        codec_meta: 0,
        filter_metas: [0; 6],
        flags2: 0,
        blosc2_flags: 0,
    }
}

/// A chunk of one block, which has this stream.
fn chunk_of_block(nbytes: u32, filters: &[u8], stream: &[u8]) -> Vec<u8> {
    let body = [&36u32.to_le_bytes(), &(stream.len() as u32).to_le_bytes(), stream].concat();
    let mut header = chunk_header(nbytes, nbytes, if filters.is_empty() { 1 } else { 8 }, body.len());
    header.filters[..filters.len()].copy_from_slice(filters);
    [&header.emit(), &body[..]].concat()
}

/// A chunk of variable-length blocks with these plain bytes and streams.
fn chunk_of_blocks(blocks: &[(u32, &[u8])]) -> Vec<u8> {
    let (mut table, mut body) = (Vec::new(), Vec::new());
    let start = 32 + 4 * blocks.len();
    for (len, stream) in blocks {
        table.extend(((start + body.len()) as u32).to_le_bytes());
        body.extend(len.to_le_bytes());
        body.extend(*stream);
    }
    let nbytes = blocks.iter().map(|(len, _)| len).sum();
    let mut header = chunk_header(nbytes, blocks.len() as u32, 1, table.len() + body.len());
    (header.version, header.flags2) = (6, 1);
    [&header.emit(), &table[..], &body].concat()
}

/// A chunk that repeats one value.
fn chunk_of_value(nbytes: u32, value: &[u8]) -> Vec<u8> {
    let mut header = chunk_header(nbytes, nbytes.min(1 << 20), value.len() as u8, value.len());
    header.blosc2_flags = 3 << 4;
    [&header.emit(), value].concat()
}

/// Zeros that are not stored.
const ZEROS: i64 = i64::MIN | 1 << 56;

/// An index of so many equal entries.
fn index_of(nchunks: u32, entry: i64) -> Vec<u8> {
    chunk_of_value(nchunks * 8, &entry.to_le_bytes())
}

/// A zstd frame of `before`, then `len` times a byte, in blocks that each take four bytes for 128 KiB.
fn zstd(before: &[u8], byte: u8, len: u32) -> Vec<u8> {
    const MOST: u32 = 128 << 10;
    let block = |last: bool, kind: u32, len: u32| {
        let [a, b, c, _] = (u32::from(last) | kind << 1 | len << 3).to_le_bytes();
        [a, b, c]
    };
    let mut stream = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    stream.extend((before.len() as u32 + len).to_le_bytes());
    for part in before.chunks(MOST as usize) {
        stream.extend(block(false, 0, part.len() as u32));
        stream.extend(part);
    }
    for start in (0..len).step_by(MOST as usize) {
        let part = MOST.min(len - start);
        stream.extend(block(start + part == len, 1, part));
        stream.push(byte);
    }
    stream
}

/// A chunk of these bytes, compressed by this crate.
fn packed(plain: &[u8]) -> Vec<u8> {
    use b2nd::chunk::{CParams, ChunkEncoder};
    let cparams = CParams {
        codec: b2nd::codec::Codec::ZSTD,
        clevel: 9,
        typesize: 1,
        filters: b2nd::filter::Pipeline::default(),
        blocksize: plain.len() as u32,
        ..CParams::default()
    };
    ChunkEncoder::new(cparams).encode(plain).expect("a chunk")
}

/// The metalayer of an array of one dimension.
fn b2nd(len: u64, chunk: u32, block: u32, dtype: &str) -> Metalayer {
    let mut content = vec![0x97, 0, 1, 0x91, 0xd3];
    content.extend(len.to_be_bytes());
    for len in [chunk, block] {
        content.extend([0x91, 0xd2]);
        content.extend(len.to_be_bytes());
    }
    content.extend([0, 0xdb]);
    content.extend((dtype.len() as u32).to_be_bytes());
    content.extend(dtype.as_bytes());
    layer("b2nd", &content)
}

/// Booleans in chunks that are entries of the index.
fn zeros(len: u64, chunk: u32) -> Vec<u8> {
    zeros_of("|b1", 1, len, chunk)
}

/// Zeros of a dtype.
fn zeros_of(dtype: &str, typesize: u8, len: u64, chunk: u32) -> Vec<u8> {
    let nchunks = (len / u64::from(chunk)) as u32;
    let metalayers = vec![b2nd(len, chunk, chunk, dtype)];
    let index = index_of(nchunks, ZEROS);
    let chunksize = chunk * u32::from(typesize);
    let (nbytes, blocksize) = (len * u64::from(typesize), chunksize);
    Frame { nbytes, chunksize, blocksize, typesize, metalayers, index, ..Frame::default() }.emit()
}

/// Booleans in chunks that are all the same.
fn ones(len: u64, chunk: u32) -> Vec<u8> {
    let nchunks = (len / u64::from(chunk)) as u32;
    let metalayers = vec![b2nd(len, chunk, chunk, "|b1")];
    let (chunks, index) = (chunk_of_value(chunk, &[1]), index_of(nchunks, 0));
    let (chunksize, blocksize) = (chunk, chunk);
    Frame { nbytes: len, chunksize, blocksize, typesize: 1, metalayers, chunks, index, ..Frame::default() }
        .emit()
}

/// `1 << log2` times a byte in one block.
fn block_of(byte: u8, log2: u32) -> Vec<u8> {
    filtered_block_of(byte, log2, &[])
}

fn filtered_block_of(byte: u8, log2: u32, filters: &[u8]) -> Vec<u8> {
    let len = 1 << log2;
    let typesize = if filters.is_empty() { 1 } else { 8 };
    let items = len / u32::from(typesize);
    let dtype = if filters.is_empty() { "|b1" } else { "<i8" };
    Frame {
        nbytes: len.into(),
        chunksize: len,
        blocksize: len,
        typesize,
        metalayers: vec![b2nd(items.into(), items, items, dtype)],
        chunks: chunk_of_block(len, filters, &zstd(&[], byte, len)),
        index: index_of(1, 0),
        ..Frame::default()
    }
    .emit()
}

const BATCHES: &[u8] = b"\x82\xa7version\x01\xaaserializer\xa7msgpack";

/// Batches of which nothing tells the lengths, all in one place.
fn batches(nchunks: u32) -> Vec<u8> {
    let chunks = chunk_of_blocks(&[(2, &[0x91, 7])]);
    let metalayers = vec![layer("batcharray", BATCHES)];
    let (nbytes, index) = (u64::from(nchunks) * 2, index_of(nchunks, 0));
    Frame { nbytes, typesize: 1, metalayers, chunks, index, ..Frame::default() }.emit()
}

/// Batches that lie in a few places, in turn.
fn batches_of_many_places() -> Vec<u8> {
    const PLACES: usize = 32;
    const NCHUNKS: usize = 1 << 20;
    let chunk = chunk_of_blocks(&[(2, &[0x91, 7])]);
    let entries = (0..NCHUNKS).flat_map(|nchunk| (nchunk % PLACES * chunk.len()).to_le_bytes());
    let metalayers = vec![layer("batcharray", BATCHES)];
    let (nbytes, index) = (NCHUNKS as u64 * 2, packed(&entries.collect::<Vec<u8>>()));
    Frame { nbytes, typesize: 1, metalayers, chunks: chunk.repeat(PLACES), index, ..Frame::default() }.emit()
}

/// A sequence of one object.
fn one_object(content: &Plain) -> Vec<u8> {
    let chunks = content.chunk();
    let metalayers = vec![layer("vlarray", BATCHES)];
    let (nbytes, index) = (content.len.into(), index_of(1, 0));
    Frame { nbytes, typesize: 1, metalayers, chunks, index, ..Frame::default() }.emit()
}

/// Plain bytes that compress well: some, then many that repeat.
struct Plain {
    before: Vec<u8>,
    repeated: Vec<u8>,
    len: u32,
}

impl Plain {
    /// As a chunk.
    fn chunk(&self) -> Vec<u8> {
        let rest = self.len - self.before.len() as u32;
        match self.repeated[..] {
            [byte] => chunk_of_block(self.len, &[], &zstd(&self.before, byte, rest)),
            _ => {
                let times = rest as usize / self.repeated.len();
                packed(&[&self.before[..], &self.repeated.repeat(times)].concat())
            }
        }
    }
}

/// A head of MessagePack with a length, and as many times some bytes.
fn headed(marker: u8, len: u32, repeated: &[u8]) -> Plain {
    let before = [&[marker], &len.to_be_bytes()[..]].concat();
    Plain { len: 5 + len * repeated.len() as u32, before, repeated: repeated.into() }
}

fn list(len: u32, item: &[u8]) -> Plain {
    headed(0xdd, len, item)
}

fn text(len: u32, byte: u8) -> Plain {
    headed(0xdb, len, &[byte])
}

fn bin(len: u32, byte: u8) -> Plain {
    headed(0xc6, len, &[byte])
}

/// A frame with nothing but an attribute.
fn attribute(content: &Plain) -> Vec<u8> {
    let attributes = vec![layer("notes", &content.chunk())];
    Frame { typesize: 1, attributes, index: chunk_of_value(0, &[0; 8]), ..Frame::default() }.emit()
}

/// A frame with attributes.
fn attributes(metalayers: &[(&str, &[u8])]) -> Vec<u8> {
    let attributes = metalayers.iter().map(|(name, content)| layer(name, &packed(content))).collect();
    Frame { typesize: 1, attributes, index: chunk_of_value(0, &[0; 8]), ..Frame::default() }.emit()
}

/// Text as MessagePack.
fn str32(text: &str) -> Vec<u8> {
    [&[0xdb], &(text.len() as u32).to_be_bytes()[..], text.as_bytes()].concat()
}

/// A table of one column of bytes.
fn table(mask: Vec<u8>, column: Vec<u8>) -> Vec<u8> {
    table_of("bool", vec![("_valid_rows.b2nd", mask), ("_cols/x.b2nd", column)])
}

/// A table of many rows of text.
fn texts() -> Vec<u8> {
    let chunk = 1 << 12;
    let offsets = zeros_of("<i8", 8, (1 << 38) + u64::from(chunk), chunk);
    let members = [("_valid_rows.b2nd", ones(1 << 38, chunk)), ("_cols/x.b2nd", offsets)];
    table_of("utf8", [&members[..], &[("_cols/x.utf8.b2nd", zeros(1 << 30, 1 << 30))]].concat())
}

/// A column with a code for each row.
fn codes() -> Vec<u8> {
    let codes = zeros_of("<i4", 4, 1 << 38, 1 << 12);
    let texts = one_object(&text(1, b'x'));
    let members = [("_valid_rows.b2nd", ones(1 << 38, 1 << 12)), ("_cols/x.b2nd", codes)];
    table_of("dictionary", [&members[..], &[("_cols/x_dict.b2b", texts)]].concat())
}

/// A table whose schema has numbers of many digits, none of which is exact.
fn long_numbers() -> Vec<u8> {
    let number = format!("1{}e-1100", "2345678".repeat(114));
    let numbers = vec![number; 4 << 10].join(",");
    table_with(&format!(r#"{{"version": 1, "columns": [], "numbers": [{numbers}]}}"#), Vec::new())
}

fn table_of(kind: &str, members: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
    table_with(&format!(r#"{{"version": 1, "columns": [{{"name": "x", "kind": "{kind}"}}]}}"#), members)
}

fn table_with(schema: &str, members: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
    let embed = Frame {
        typesize: 1,
        chunksize: 8192,
        metalayers: vec![layer("b2tree", b"\x81\xa7version\x01")],
        index: chunk_of_value(0, &[0; 8]),
        ..Frame::default()
    };
    let meta = attributes(&[("kind", &str32("ctable")), ("schema", &str32(schema))]);
    let before = vec![("_meta.b2f", meta)];
    zip(&[before, members, vec![("embed.b2e", embed.emit())]].concat())
}

/// An archive with these members.
fn zip(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in members {
        let mut fields = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        fields.extend((bytes.len() as u32).to_le_bytes());
        fields.extend((bytes.len() as u32).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend((archive.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        archive.extend(b"PK\x03\x04");
        archive.extend(&fields);
        archive.extend(name.as_bytes());
        archive.extend(bytes);
    }
    let (start, count) = (archive.len() as u32, (members.len() as u16).to_le_bytes());
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count);
    archive.extend(count);
    archive.extend((directory.len() as u32).to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0, 0]);
    archive
}

/// An archive of so many members that opening it for each of them takes long.
pub(crate) fn many_members() -> Vec<u8> {
    let names: Vec<String> = (0..6000).map(|n| format!("m{n}.b2nd")).collect();
    let member = zeros(1 << 10, 1 << 10);
    let members = names.iter().map(|name| (name.as_str(), member.clone()));
    let embed = embed(0, 8192, b"\x81\xa9embed_map\x80", Vec::new(), chunk_of_value(0, &[0; 8]));
    zip(&members.chain([("embed.b2e", embed)]).collect::<Vec<_>>())
}

/// The catalogue of a store with 200 members of a length, each so far behind the one before.
fn catalogue(step: u64, len: u64) -> Vec<u8> {
    let mut map = b"\x81\xa9embed_map\xdc\0\xc8".to_vec();
    map[11] = 0xde;
    for key in 0..200 {
        map.extend(format!("\u{a7}/key{key:03}").chars().map(|char| char as u8));
        map.extend(b"\x82\xa6offset\xcf");
        map.extend((key * step).to_be_bytes());
        map.extend(b"\xa6length\xcf");
        map.extend(len.to_be_bytes());
    }
    map
}

/// A frame of frames with this catalogue.
fn embed(nbytes: u64, chunksize: u32, catalogue: &[u8], chunks: Vec<u8>, index: Vec<u8>) -> Vec<u8> {
    Frame {
        nbytes,
        chunksize,
        blocksize: chunksize,
        typesize: 1,
        metalayers: vec![layer("b2embed", b"\x81\xa7version\x01")],
        attributes: vec![layer("estore_metadata", &packed(catalogue))],
        chunks,
        index,
    }
    .emit()
}

/// A store of members that are a gigabyte of zeros each.
fn members_of_zeros() -> Vec<u8> {
    const LEN: u32 = 1 << 30;
    let catalogue = catalogue(LEN.into(), LEN.into());
    embed(200 * u64::from(LEN), LEN, &catalogue, Vec::new(), index_of(200, ZEROS))
}

/// A store of members that are all in one block, of which the first begins with a frame.
fn members_of_a_block() -> Vec<u8> {
    let member = block_of(1, 20);
    // The frame comes before the zeros; its end is far away.
    let len = 200 << 20;
    let chunk = chunk_of_block(len, &[], &zstd(&member, 0, len - member.len() as u32));
    embed(len.into(), len, &catalogue(1 << 20, 1 << 20), chunk, index_of(1, 0))
}

/// A store of many members that are one frame of a large block.
fn members_in_one_place() -> Vec<u8> {
    let member = block_of(1, 24);
    let len = member.len() as u32;
    let chunk = chunk_of_block(len, &[], &packed_stream(&member));
    embed(len.into(), len, &catalogue(0, len.into()), chunk, index_of(1, 0))
}

/// A catalogue whose entries are nested.
fn deep_catalogue() -> Vec<u8> {
    let map = [&b"\x81\xa9embed_map\x81\xa7/key000"[..], &[0x91; 1 << 20]].concat();
    embed(0, 8192, &map, Vec::new(), chunk_of_value(0, &[0; 8]))
}

/// Bytes as a zstd frame that stores them.
fn packed_stream(plain: &[u8]) -> Vec<u8> {
    zstd(&plain[..plain.len() - 1], plain[plain.len() - 1], 1)
}

/// Heads of MessagePack within each other, a megabyte of them.
fn nested(head: &[u8]) -> Plain {
    let len = (1 << 20) / head.len() * head.len();
    Plain { before: Vec::new(), repeated: head.into(), len: len as u32 }
}

/// A frame with a metalayer of its header.
fn fixed_attribute(content: &[u8]) -> Vec<u8> {
    let metalayers = vec![layer("notes", content)];
    Frame { typesize: 1, metalayers, index: chunk_of_value(0, &[0; 8]), ..Frame::default() }.emit()
}
