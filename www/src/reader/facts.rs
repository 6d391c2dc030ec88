//! The facts of a frame, as JSON.

use super::opened::Opened;
use crate::array;
use crate::json::Json;
use crate::output::Output;
use b2nd::Limits;
use b2nd::filter;
use b2nd::frame::Header;
use b2nd::wire::Revision;

impl Json<'_> {
    /// `true` or `false`.
    fn bool(&mut self, value: bool) {
        self.0.push(if value { b"true," } else { b"false," });
    }
}

/// Writes the facts of a frame. Its first `recipe` bytes suffice to open it again.
pub(crate) fn write(opened: &Opened, recipe: u64, limits: &Limits, output: &mut Output) {
    let mut json = Json(output);
    let array = opened.array.as_ref().ok().and_then(Option::as_ref);
    json.begin();
    json.name("kind").string(match array {
        _ if opened.frame.is_chunk() => "chunk",
        Some(_) => "array",
        None => "schunk",
    });
    json.name("recipe").number(recipe);
    header(&mut json, &opened.frame.header);
    json.name("damaged").bool(opened.array.is_err());
    json.name("reference").optional(opened.frame.header.reference().map(|reference| reference.name()));
    json.name("array");
    match array {
        Some(array) => array::write(&mut json, array, array.dtype(), limits),
        None => json.null(),
    }
    json.end();
    output.cut(1);
}

fn header(json: &mut Json, header: &Header) {
    json.name("version").number(header.version.into());
    json.name("headerLength").number(header.header_len.into());
    json.name("frameLength").number(header.frame_len);
    let state = Revision::places(header).into_iter().flatten();
    json.name("state").numbers(state.flat_map(|place| [place.range.start, place.range.end]));
    json.name("nbytes").number(header.nbytes);
    json.name("cbytes").number(header.cbytes);
    json.name("typesize").number(header.typesize.into());
    json.name("blocksize").number(header.blocksize.into());
    json.name("chunksize").number(header.chunksize.into());
    json.name("clevel").number(header.clevel.into());
    json.name("sparse").bool(header.sparse);
    json.name("hasVlmeta").bool(header.has_vlmetalayers);
    json.name("codec");
    named(json, header.codec.0, header.codec.name(), header.codec_meta);
    json.name("filters")
        .array(header.filters.iter(), |json, one| named(json, one.id, filter::name(one.id), one.meta));
    json.name("splitMode").optional(header.splitmode.map(|mode| mode.name()));
}

fn named(json: &mut Json, id: u8, name: Option<&str>, meta: u8) {
    json.begin();
    json.name("id").number(id.into());
    json.name("name").optional(name);
    json.name("meta").number(meta.into());
    json.end();
}
