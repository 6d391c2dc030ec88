//! A slice of an array as `Vec<f32>`: `cargo run --example slice [FILE [SELECTION]]`

use b2nd::Selection;
use core::error::Error;
use std::env;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| SAMPLE.into());
    let selection: Selection = arguments.next().as_deref().unwrap_or("-1, ::10, 5").parse()?;

    let reader = b2nd::open(path)?;
    let array = reader.array()?.ok_or("a super-chunk and no array")?;
    if array.dtype() != Some("<f4") {
        return Err("this example reads little-endian floats of 32 bits".into());
    }
    let shape = selection.shape(&array.shape())?;
    let bytes = reader.get(&selection)?;
    let values: Vec<f32> = bytes.as_chunks().0.iter().map(|item| f32::from_le_bytes(*item)).collect();
    println!("{:?} of {:?}: {values:?}", shape, array.shape());
    Ok(())
}
