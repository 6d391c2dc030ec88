//! Decodes whole files with other crates: `conformance-crates blusc|blosc2-pure-rs chunk|frame|array FILE OFFSET`.
//!
//! Prints the bytes of an item and the shape, as a line of JSON, and then the items. Exit status 1 is a refusal.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::exit;

use blosc2_pure_rs::b2nd::B2ndArray;
use blosc2_pure_rs::schunk::Schunk;

/// Items with their size and shape.
struct Decoded {
    typesize: usize,
    shape: Vec<usize>,
    items: Vec<u8>,
}

impl Decoded {
    fn line(items: Vec<u8>, typesize: usize) -> Result<Self, String> {
        let count = items.len().checked_div(typesize).ok_or("items of no bytes")?;
        Ok(Self { typesize, shape: vec![count], items })
    }
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let [library, kind, file, offset] = words.as_slice() else { exit(2) };
    let offset = offset.parse().unwrap_or_else(|_| exit(2));
    let decoded = match (library.as_str(), kind.as_str()) {
        ("blusc", "chunk") => blusc_chunk(file),
        ("blosc2-pure-rs", "chunk") => pure_chunk(file),
        ("blosc2-pure-rs", "frame") => pure_frame(file, offset),
        ("blosc2-pure-rs", "array") => pure_array(file, offset),
        _ => exit(3),
    };
    match decoded {
        Ok(Decoded { typesize, shape, items }) => {
            let mut out = io::stdout().lock();
            let written =
                writeln!(out, "[{typesize}, {shape:?}]").and_then(|()| out.write_all(&items));
            written.unwrap_or_else(|_| exit(2));
        }
        Err(reason) => {
            eprintln!("{reason}");
            exit(1);
        }
    }
}

/// A chunk with the bytes of its items, which byte 3 of its header has.
fn chunk(file: &str) -> Result<(Vec<u8>, usize), String> {
    let chunk = fs::read(file).map_err(|error| error.to_string())?;
    let typesize = *chunk.get(3).ok_or("no header")?;
    Ok((chunk, typesize.into()))
}

fn blusc_chunk(file: &str) -> Result<Decoded, String> {
    let (chunk, typesize) = chunk(file)?;
    let mut items = vec![0; blusc::blosc2_cbuffer_sizes(&chunk).0];
    let length = blusc::blosc2_decompress(&chunk, &mut items);
    match usize::try_from(length) {
        Ok(length) if length == items.len() => Decoded::line(items, typesize),
        _ => Err(format!("blosc2_decompress returns {length}")),
    }
}

fn pure_chunk(file: &str) -> Result<Decoded, String> {
    let (chunk, typesize) = chunk(file)?;
    Decoded::line(blosc2_pure_rs::compress::decompress(&chunk)?, typesize)
}

fn pure_frame(file: &str, offset: u64) -> Result<Decoded, String> {
    let schunk = Schunk::open_frame_at(file, offset)?;
    let typesize = usize::try_from(schunk.cparams.typesize).map_err(|error| error.to_string())?;
    Decoded::line(schunk.decompress_all()?, typesize)
}

fn pure_array(file: &str, offset: u64) -> Result<Decoded, String> {
    let array = B2ndArray::open_frame_at(file, offset)?;
    let typesize = usize::try_from(array.schunk.cparams.typesize).map_err(|error| error.to_string())?;
    let stop = array.meta.shape.clone();
    let items = array.get_slice(&vec![0; stop.len()], &stop)?;
    let shape = stop.iter().map(|&length| length.try_into()).collect::<Result<_, _>>();
    Ok(Decoded { typesize, shape: shape.map_err(|_| "a negative length")?, items })
}
