//! Headers, indexes, metalayers and trailers of the golden files, parsed and emitted again: the same bytes.

use crate::common::{Case, golden};
use b2nd::chunk::Chunk;
use b2nd::frame::{ChunkIndex, Location, Trailer, is_frame};
use b2nd::source::drive;
use b2nd::wire::WireArray;
use b2nd::wire::WireChunk as ChunkHeader;
use b2nd::wire::{Exchange, IndexReading, Part, WireEntry, WireFrame, WireTrailer};
use b2nd::{DParams, Limits, Scratch, frame::Header};
use std::fs;

/// How much was compared, to see that it was something.
#[derive(Debug, Default)]
struct Seen {
    headers: usize,
    trailers: usize,
    arrays: usize,
    entries: usize,
    chunks: usize,
}

#[test]
fn what_is_parsed_is_emitted() {
    let mut seen = Seen::default();
    for case in golden().iter().filter(|case| case.facts["error"].is_null()) {
        check(case, &mut seen).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    }
    assert!(seen.headers > 600 && seen.trailers == seen.headers && seen.chunks > 2000, "{seen:?}");
    assert!(seen.arrays > 250 && seen.entries > 3000, "{seen:?}");
}

fn check(case: &Case, seen: &mut Seen) -> b2nd::Result<()> {
    let path = if case.path.is_dir() { case.path.join("chunks.b2frame") } else { case.path.clone() };
    let file = fs::read(path).unwrap();
    let bytes = &file[case.offset() as usize..];
    if !is_frame(bytes) {
        return chunk(bytes, seen);
    }
    let header = Header::parse(bytes, &Limits::default())?;
    let emitted = WireFrame::parse(bytes)?.emit(&header.metalayers);
    assert_eq!(emitted, bytes[..header.header_len as usize], "header of {}", case.name);
    seen.headers += 1;

    let end = header.frame_len as usize;
    let len = u32::from_be_bytes(bytes[end - 22..][..4].try_into().unwrap()) as usize;
    let trailer = &bytes[end - len..end];
    assert_eq!(WireTrailer::parse(trailer, &Limits::default())?.emit(), trailer, "trailer of {}", case.name);
    Trailer::parse(trailer, &DParams::default())?;
    seen.trailers += 1;
    array(&header, seen)?;
    chunks(case, bytes, &header, seen)
}

/// The metalayers that describe an array, of which the reference leaves nothing after the dtype.
fn array(header: &Header, seen: &mut Seen) -> b2nd::Result<()> {
    let b2nd =
        header.metalayer("b2nd").map(|content| (content, WireArray::parse_b2nd(content, &Limits::default())));
    let caterva = header.metalayer("caterva").map(|content| (content, WireArray::parse_caterva(content)));
    for (content, array) in b2nd.into_iter().chain(caterva) {
        assert_eq!(array?.emit(), content);
        seen.arrays += 1;
    }
    Ok(())
}

fn chunks(case: &Case, bytes: &[u8], header: &Header, seen: &mut Seen) -> b2nd::Result<()> {
    let dparams = DParams::default();
    let mut reading = IndexReading::new(header, &dparams);
    let start = reading.ask()?.first().map(|request| request.range.start as usize);
    let index = drive(bytes, reading)?;
    check_parts(bytes, header, &index)?;
    if let Some(start) = start {
        chunk(&bytes[start..], seen)?;
        let entries = Chunk::new(&bytes[start..])?.decode(&mut Scratch::new(&DParams::default()))?;
        check_entries(&entries, &index, header, seen)?;
    }
    for nchunk in 0..index.nchunks() {
        match index.locate(nchunk)? {
            Location::Special(_) => {}
            Location::Stored { part: Part::Frame, offset } => chunk(&bytes[offset as usize..], seen)?,
            Location::Stored { part: Part::Chunk(file), .. } => {
                chunk(&fs::read(case.path.join(format!("{file:08X}.chunk"))).unwrap(), seen)?;
            }
        }
    }
    Ok(())
}

/// The index in parts of three chunks has the locations of the whole one, and no others.
fn check_parts(bytes: &[u8], header: &Header, index: &ChunkIndex) -> b2nd::Result<()> {
    let mut from = 0;
    while from < index.nchunks() {
        let part = drive(bytes, IndexReading::part(header, from..from + 3, &DParams::default()))?;
        let chunks = part.chunks();
        assert!(chunks.contains(&from) && part.nchunks() == index.nchunks());
        for run in part.runs() {
            assert_eq!(run.chunks.start, from);
            for nchunk in run.chunks.clone() {
                assert_eq!(
                    (&part.locate(nchunk), &run.location),
                    (&index.locate(nchunk), &index.locate(nchunk))
                );
            }
            from = run.chunks.end;
        }
        assert_eq!(from, chunks.end);
        assert!(part.locate(from).is_err());
    }
    Ok(())
}

/// Each entry, as it is and by what it means.
fn check_entries(entries: &[u8], index: &ChunkIndex, header: &Header, seen: &mut Seen) -> b2nd::Result<()> {
    let (entries, rest) = entries.as_chunks();
    assert_eq!((entries.len() as u64, rest.len()), (index.nchunks(), 0));
    for (nchunk, &entry) in entries.iter().enumerate() {
        assert_eq!(WireEntry::parse(entry).emit(), entry);
        let location = index.locate(nchunk as u64)?;
        assert_eq!(WireEntry::of_location(location, header.header_len).map(WireEntry::emit), Some(entry));
        seen.entries += 1;
    }
    Ok(())
}

fn chunk(bytes: &[u8], seen: &mut Seen) -> b2nd::Result<()> {
    let header = ChunkHeader::parse(bytes)?;
    assert_eq!(header.emit()[..header.len()], bytes[..header.len()]);
    seen.chunks += 1;
    Ok(())
}
