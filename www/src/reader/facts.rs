//! The facts of a frame, as a value.

use super::opened::Opened;
use crate::array;
use crate::output::Output;
use crate::value::Writer;
use b2nd::Limits;
use b2nd::filter;
use b2nd::frame::Header;
use b2nd::wire::Revision;

/// Writes the facts of a frame. Its first `recipe` bytes suffice to open it again.
pub(crate) fn write(opened: &Opened, recipe: u64, limits: &Limits, output: &mut Output) {
    let mut out = Writer(output);
    let array = opened.array.as_ref().ok().and_then(Option::as_ref);
    out.record();
    out.name("kind").text(match array {
        _ if opened.frame.is_chunk() => "chunk",
        Some(_) => "array",
        None => "schunk",
    });
    out.name("recipe").count(recipe);
    header(&mut out, &opened.frame.header);
    out.name("damaged").bool(opened.array.is_err());
    out.name("reference").optional(opened.frame.header.reference().map(|reference| reference.name()));
    out.name("array");
    match array {
        Some(array) => array::write(&mut out, array, array.dtype(), limits),
        None => out.nil(),
    }
    out.end();
}

fn header(out: &mut Writer<'_>, header: &Header) {
    out.name("version").count(header.version.into());
    out.name("headerLength").count(header.header_len.into());
    out.name("frameLength").count(header.frame_len);
    let state = Revision::places(header).into_iter().flatten();
    out.name("state").counts(state.flat_map(|place| [place.range.start, place.range.end]));
    out.name("nbytes").count(header.nbytes);
    out.name("cbytes").count(header.cbytes);
    out.name("typesize").count(header.typesize.into());
    out.name("blocksize").count(header.blocksize.into());
    out.name("chunksize").count(header.chunksize.into());
    out.name("clevel").count(header.clevel.into());
    out.name("sparse").bool(header.sparse);
    out.name("hasAttrs").bool(header.has_attributes);
    out.name("codec");
    named(out, header.codec.0, header.codec.name(), header.codec_meta);
    out.name("filters")
        .each(header.filters.iter(), |out, one| named(out, one.id, filter::name(one.id), one.meta));
    out.name("splitMode").optional(header.splitmode.map(|mode| mode.name()));
}

fn named(out: &mut Writer<'_>, id: u8, name: Option<&str>, meta: u8) {
    out.record();
    out.name("id").count(id.into());
    out.name("name").optional(name);
    out.name("meta").count(meta.into());
    out.end();
}
