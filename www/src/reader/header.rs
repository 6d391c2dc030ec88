//! The header of a chunk outside of a frame, as a value.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::value::Writer;
use b2nd::chunk::{Body, Header, SpecialValue};

pub(crate) fn header(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, .. } = engine;
    output.clear();
    let header = Header::parse(input.bytes())?;
    let mut out = Writer(output);
    out.record();
    for (name, number) in [
        ("version", header.version.into()),
        ("headerLength", header.header_len),
        ("typesize", header.typesize.into()),
        ("nbytes", header.nbytes),
        ("blocksize", header.blocksize),
        ("cbytes", header.cbytes),
        ("nblocks", header.nblocks),
        ("codec", header.codec.0.into()),
        ("codecMeta", header.codec_meta.into()),
    ] {
        out.name(name).count(number.into());
    }
    out.name("body").text(match header.body {
        Body::Memcpyed => "copied",
        Body::Special(SpecialValue::Zeros) => "zeros",
        Body::Special(SpecialValue::Nan) => "nan",
        Body::Special(SpecialValue::Repeat { .. }) => "repeated",
        Body::Special(SpecialValue::Uninit) => "uninit",
        Body::Blocks => "blocks",
        Body::VlBlocks => "vlblocks",
    });
    out.name("split").bool(header.split);
    out.name("dictionary").bool(header.uses_dict);
    out.name("filters").each(header.filters.iter(), |out, filter| {
        out.record();
        out.name("id").count(filter.id.into());
        out.name("meta").count(filter.meta.into());
        out.end();
    });
    out.end();
    Ok(())
}
