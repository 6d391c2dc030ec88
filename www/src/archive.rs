//! An archive with a store that is created or changed. JavaScript keeps the frames of new members, and writes the archive.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::{FRAME, repeat};
use crate::sections::Sections;
use crate::status;
use crate::value::{self, Writer};
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::sink::{ArchiveChange, ArchiveEditor, ArchiveOpening, ArchivePiece, MemberPlace, crc32};
use b2nd::store::StoreKind;
use b2nd::wire::Opening;
use b2nd::{ArgumentError, Result};
use wasm_bindgen::prelude::wasm_bindgen;

/// Exports functions of numbers that return a status.
macro_rules! exports {
    ($($(#[$text:meta])* $name:ident($($number:ident),*) = $work:expr;)*) => {$(
        $(#[$text])*
        #[wasm_bindgen]
        pub fn $name($($number: f64),*) -> u32 {
            status($work)
        }
    )*};
}

exports! {
    /// Creates an archive with a store: a tree, or a flat one.
    archive_create(dict) = |engine| create(engine, dict != 0.0);
    /// Opens an archive of `len` bytes, to change it.
    archive_open(len) = |engine| open(engine, len as u64);
    /// The kind of the store, its keys, and whether there is something to commit.
    archive_facts() = facts;
    /// Where the member with the key of the input is.
    archive_place() = place;
    /// Makes a change: a key is staged (0) or removed (1), is renamed (2), or the attribute of a group is set (3) or removed (4).
    archive_change(kind) = |engine| change(engine, kind as u32);
    /// The length of the frame at the start of what is staged. With a number, the frame is complete, and has this checksum.
    archive_staged(number, crc32) = |engine| staged(engine, number as u32, crc32 as u32);
    /// The checksum of bytes, the input, that follow others, whose checksum is `before`.
    checksum(before) = |engine| checksum_of(engine, before as u32);
    /// The parts of the new archive. It is to be opened again.
    archive_pieces() = pieces;
}

/// Creates an archive.
fn create(engine: &mut Engine, dict: bool) -> Result<(), CallError> {
    let kind = if dict { StoreKind::Dict } else { StoreKind::Tree };
    engine.archive = Some(ArchiveEditor::create(kind, engine.dparams.clone()));
    engine.output.clear();
    Ok(())
}

/// Opens an archive of `len` bytes.
fn open(engine: &mut Engine, len: u64) -> Result<(), CallError> {
    let Engine { input, output, dparams, archive, .. } = engine;
    *archive = Some(repeat(ArchiveOpening::new(len, dparams), &mut input.sections(), output)?);
    output.clear();
    Ok(())
}

fn opened(archive: &mut Option<ArchiveEditor>) -> Result<&mut ArchiveEditor> {
    archive.as_mut().ok_or(ArgumentError::NotOpened.into())
}

fn text(sections: &mut Sections<'_>) -> String {
    String::from_utf8_lossy(sections.section()).into_owned()
}

/// The kind of the store, its keys, and whether there is something to commit.
fn facts(engine: &mut Engine) -> Result<(), CallError> {
    let archive = opened(&mut engine.archive)?;
    engine.output.clear();
    let mut out = Writer(&mut engine.output);
    out.record();
    out.name("kind").text(archive.kind().name());
    out.name("keys").each(&archive.keys(), |out, key| out.text(key));
    out.name("isChanged").bool(archive.is_changed());
    out.end();
    Ok(())
}

/// Where the member with the key of the input is.
fn place(engine: &mut Engine) -> Result<(), CallError> {
    let key = text(&mut engine.input.sections());
    let place = opened(&mut engine.archive)?.place(&key)?;
    engine.output.clear();
    put(
        &mut Writer(&mut engine.output),
        match place {
            MemberPlace::Old(range) => ArchivePiece::Old(range),
            MemberPlace::Staged(number) => ArchivePiece::Staged(number),
            MemberPlace::Bytes(bytes) => ArchivePiece::Bytes(bytes),
            _ => return Err(CallError::Failed(ArgumentError::NoMember.into())),
        },
    );
    Ok(())
}

/// Writes where bytes are: in a staged frame, in a range of the old archive, or here.
fn put(out: &mut Writer<'_>, piece: ArchivePiece) {
    let (part, range, bytes) = match piece {
        ArchivePiece::Staged(number) => (number.into(), 0..0, Vec::new()),
        ArchivePiece::Old(range) => (FRAME, range, Vec::new()),
        ArchivePiece::Bytes(bytes) => (HERE, 0..0, bytes),
        _ => return,
    };
    out.record();
    out.name("part").number(part);
    out.name("start").count(range.start);
    out.name("end").count(range.end);
    out.name("bytes").bytes(&bytes);
    out.end();
}

/// The part of bytes that are in the output. Staged frames have numbers from 1 on.
const HERE: f64 = 0.0;

/// Makes a change: a key is staged (0) or removed (1), is renamed (2), or the attribute of a group is set (3) or removed (4).
/// Writes the number of the frame to be staged.
fn change(engine: &mut Engine, kind: u32) -> Result<(), CallError> {
    let Engine { input, output, archive, .. } = engine;
    let archive = opened(archive)?;
    let mut sections = input.sections();
    let (key, name) = (text(&mut sections), text(&mut sections));
    let content = value::packed(sections.section());
    let change = match kind {
        0 => ArchiveChange::Stage(&key),
        1 => ArchiveChange::Remove(&key),
        2 => ArchiveChange::Rename(&key, &name),
        3 => ArchiveChange::Attr(&key, &name, Some(&content)),
        _ => ArchiveChange::Attr(&key, &name, None),
    };
    let frame = repeat(archive.preparing(&change)?, &mut sections, output)?;
    let number = archive.make(&change, frame)?;
    output.clear();
    output.numbers(&[number.into()]);
    Ok(())
}

/// The length of the frame at the start of what is staged. With a number, the frame is complete, and has this checksum.
fn staged(engine: &mut Engine, number: u32, crc32: u32) -> Result<(), CallError> {
    let Engine { input, output, dparams, archive, .. } = engine;
    let frame = repeat(Opening::new(dparams), &mut input.sections(), output)?;
    if number > 0 {
        opened(archive)?.complete(number, &frame, crc32)?;
    }
    output.clear();
    output.numbers(&[frame.header.frame_len as f64]);
    Ok(())
}

fn checksum_of(engine: &mut Engine, before: u32) -> Result<(), CallError> {
    engine.output.clear();
    engine.output.numbers(&[crc32(before, engine.input.bytes()).into()]);
    Ok(())
}

/// The parts of the new archive. It is to be opened again.
fn pieces(engine: &mut Engine) -> Result<(), CallError> {
    let archive = engine.archive.take().ok_or(ArgumentError::NotOpened);
    let pieces = archive.map_err(|error| CallError::Failed(error.into()))?.into_pieces()?;
    engine.output.clear();
    let mut out = Writer(&mut engine.output);
    out.list();
    pieces.into_iter().for_each(|piece| put(&mut out, piece));
    out.end();
    Ok(())
}
