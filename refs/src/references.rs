//! References to the chunks of frames, as kerchunk writes them.

use crate::attributes::attributes;
use crate::chunk::{chunk, chunks};
use crate::error::Error;
use crate::join::{Join, Joined};
use crate::metadata::{Metadata, no_array};
use b2nd::array::Layout;
use b2nd::export::BytesAs;
use b2nd::frame::Location;
use b2nd::plan::Region;
use b2nd::source::{ChunkInfo, Reader};
use b2nd::wire::Part;
use b2nd::{ReadAt, ReadError};
use serde_json::{Map, Value as Json, json};

/// Bytes of memory that an entry takes beside its content, at least.
const ENTRY: u64 = 256;

/// Where readers of references find a frame.
#[derive(Debug, Clone)]
pub struct Place {
    url: String,
    start: Option<u64>,
}

impl Place {
    /// A file with this path or URL, or the directory of a sparse frame.
    ///
    /// ```
    /// let place = b2nd_refs::Place::at("https://example.org/a.b2nd");
    /// ```
    #[must_use]
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), start: Some(0) }
    }

    /// The frame begins at this byte of the file; `None` if no file has its chunks as they are: then they become part of the references.
    ///
    /// ```
    /// // A member of a store.
    /// let place = b2nd_refs::Place::at("s3://bucket/run.b2z").with_start(Some(8192));
    /// ```
    #[must_use]
    pub fn with_start(self, start: Option<u64>) -> Self {
        Self { start, ..self }
    }
}

/// References by which engines for Zarr read arrays: a group's, or those of one array, which other arrays may be joined to.
#[derive(Debug)]
pub struct References {
    /// The name of the array and a slash, or nothing.
    prefix: String,
    refs: Map<String, Json>,
    joined: Joined,
}

impl References {
    /// Starts the references of an array with this name in a group, or of one without a group.
    ///
    /// ```
    /// use b2nd_refs::{Join, References};
    /// let mut references = References::new(Join::Stack("time".into()), Some("wind"));
    /// # for _ in 0..2 {
    /// # let array = b2nd::Array::open("../tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # references.add(array.reader(), &b2nd_refs::Place::at("a.b2nd"))?;
    /// # }
    /// # assert!(references.finish()["refs"]["wind/c/1/0/0/0"].is_array());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(join: Join, name: Option<&str>) -> Self {
        let prefix = name.map_or_else(String::new, |name| format!("{name}/"));
        let mut refs = Map::new();
        if name.is_some() {
            let group = json!({ "zarr_format": 3, "node_type": "group", "attributes": {} });
            refs.insert("zarr.json".into(), group.to_string().into());
        }
        // The metadata come before the chunks, and are complete after the last array.
        refs.insert(format!("{prefix}zarr.json"), Json::Null);
        Self { prefix, refs, joined: Joined::new(join) }
    }

    /// Adds the array of a frame. It stays as it was if this fails.
    ///
    /// # Errors
    /// `Read` for what is read of the frame, `Unsupported` if Zarr has no such array, `Join` if it does not fit those before.
    pub fn add<S: ReadAt>(&mut self, reader: &Reader<S>, place: &Place) -> Result<(), Error<S::Error>> {
        let array = reader.layout()?.ok_or_else(no_array)?;
        let metadata = Metadata::of_frame(reader, array, attributes(reader)?)?;
        let (mut entries, mut memory) = (Vec::new(), 0_u64);
        for chunk in chunks(reader, array, &metadata)? {
            let (region, info) = chunk?;
            let entry = entry(reader, array, &region, &info, place)?;
            // A few bytes of an index may stand for millions of chunks, at one place of the file or without any.
            memory += entry.as_str().map_or(0, str::len) as u64 + ENTRY;
            reader.limits().allow_memory(memory)?;
            entries.push((region.position, entry));
        }
        let before = self.joined.add(metadata).map_err(Error::Join)?;
        for (position, entry) in entries {
            let key = self.joined.key(before, &position);
            self.refs.insert(format!("{}{key}", self.prefix), entry);
        }
        Ok(())
    }

    /// The references, in the JSON of kerchunk's version 1.
    #[must_use]
    pub fn finish(mut self) -> Json {
        let text = self.joined.whole().map(|whole| whole.json().to_string());
        self.refs[&format!("{}zarr.json", self.prefix)] = text.into();
        json!({ "version": 1, "refs": self.refs })
    }
}

/// The reference to a chunk: the chunk itself if it is not in a file as it is.
fn entry<S: ReadAt>(
    reader: &Reader<S>,
    array: &Layout,
    region: &Region,
    info: &ChunkInfo,
    Place { url, start }: &Place,
) -> Result<Json, ReadError<S::Error>> {
    Ok(match (info.location, start) {
        (Location::Stored { part: Part::Frame, offset }, Some(start)) => {
            json!([url, start + offset, info.header.cbytes])
        }
        (Location::Stored { part: Part::Chunk(number), offset }, Some(_)) => {
            json!([format!("{url}/{number:08X}.chunk"), offset, info.header.cbytes])
        }
        _ => format!("base64:{}", BytesAs::Base64.text(&chunk(reader, array, region)?)).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use b2nd::array::ArrayParams;
    use b2nd::sink::{Editor, Memory};
    use b2nd::{DParams, ErrorKind, Limits};

    /// An index may name one stored chunk for any number of them.
    #[test]
    fn entries_take_memory() {
        let params = ArrayParams::new(&[100], "|u1").with_chunks(&[1]).with_blocks(&[1]);
        let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
        editor.set(.., &(1..=100).collect::<Vec<u8>>()).unwrap();
        editor.commit().unwrap();
        let frame = editor.into_sink().into_bytes();
        let add = |memory| {
            let limits = Limits { memory, ..Limits::default() };
            let reader = Reader::open(&frame[..], DParams { limits, ..DParams::default() }).unwrap();
            References::new(Join::Stack("t".into()), None).add(&reader, &Place::at("a.b2nd"))
        };
        let Err(Error::Read(ReadError::Blosc(error))) = add(100 * ENTRY - 1) else { panic!("references") };
        assert!(matches!(error.kind(), ErrorKind::Limit(_)), "{error}");
        add(100 * ENTRY).unwrap();
    }
}
