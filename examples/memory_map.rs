//! A file that the system maps to memory, of which only what is touched is loaded:
//! `cargo run --features memmap2 --example memory_map [FILE]`

use b2nd::Array;
use core::error::Error;
use memmap2::Mmap;
use std::env;
use std::fs::File;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

#[allow(unsafe_code, reason = "the system lets others change the file under the map")]
fn main() -> Result<(), Box<dyn Error>> {
    let file = File::open(env::args().nth(1).unwrap_or_else(|| SAMPLE.into()))?;
    // SAFETY: nobody changes or shortens the file while this program runs.
    let map = unsafe { Mmap::map(&file)? };
    let array = Array::from_source(map)?;
    let plane = array.get(0)?;
    println!("{} bytes at index 0 of the first axis", plane.len());
    Ok(())
}
