//! The members of stores.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::repeat;
use crate::layers;
use crate::value::Writer;
use alloc::string::String;
use b2nd::store::{ArchiveMember, ArchiveReading, Catalogue, Entry, StoreKind, key_of};

/// The members of an archive of `len` bytes: name, key, offset of the header, start and end, whether they are stored as they are.
pub(crate) fn archive(engine: &mut Engine, len: u64) -> Result<(), CallError> {
    engine.output.clear();
    let members =
        repeat(ArchiveReading::new(len, &engine.dparams), &mut engine.input.sections(), &mut engine.output)?;
    let mut out = Writer(&mut engine.output);
    let Some(members) = members else {
        out.nil();
        return Ok(());
    };
    out.each(&members, |out, member| {
        out.record();
        out.name("name").text(&member.name);
        out.name("key").optional(member.key().as_deref());
        out.name("header").count(member.header);
        out.name("start").count(member.range.start);
        out.name("end").count(member.range.end);
        out.name("isStored").bool(member.is_stored);
        out.end();
    });
    Ok(())
}

/// Where a member begins, by its own header. The input has its name and the header.
pub(crate) fn member(engine: &mut Engine, header: u64, start: u64, end: u64) -> Result<(), CallError> {
    let mut sections = engine.input.sections();
    let name = String::from_utf8_lossy(sections.section()).into_owned();
    // Nothing here asks for the checksum.
    let member = ArchiveMember { name, header, range: start..end, is_stored: true, crc32: 0 };
    let range = member.located(sections.section())?;
    engine.output.clear();
    engine.output.numbers(&[range.start as f64]);
    Ok(())
}

/// The kind of a store and the members in its frame of small members, which has `nbytes` items: key, start and
/// end, or the URL of one elsewhere.
pub(crate) fn catalogue(engine: &mut Engine, nbytes: u64) -> Result<(), CallError> {
    engine.output.clear();
    let mut sections = engine.input.sections();
    let (metalayers, variable) = (layers::read(sections.section()), layers::read(sections.section()));
    let mut out = Writer(&mut engine.output);
    let Some(kind) = StoreKind::of(&metalayers) else {
        out.nil();
        return Ok(());
    };
    let catalogue = Catalogue::new(kind, &variable, nbytes, &engine.dparams.limits)?;
    out.list();
    out.text(catalogue.kind.name());
    out.each(&catalogue.members, |out, (key, entry)| {
        out.list();
        out.text(key);
        match entry {
            Entry::Items(items) => [items.start, items.end].into_iter().for_each(|place| out.count(place)),
            Entry::Remote(url) => out.text(url),
            _ => {}
        }
        out.end();
    });
    out.end();
    Ok(())
}

/// The keys of files, each a section with its name.
pub(crate) fn keys(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let names = engine.input.sections();
    Writer(&mut engine.output).each(names, |out, name| {
        out.optional(core::str::from_utf8(name).ok().and_then(key_of).as_deref());
    });
    Ok(())
}
