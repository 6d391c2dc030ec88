//! A slice of an array as values: `cargo run --example slice [FILE [SELECTION]]`

use b2nd::Selection;
use core::error::Error;
use std::env;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| SAMPLE.into());
    let selection: Selection = arguments.next().as_deref().unwrap_or("-1, ::10, 5").parse()?;

    let reader = b2nd::open(path)?;
    let array = reader.layout()?.ok_or("a super-chunk and no array")?;
    let values = reader.read::<f32>(&selection)?;
    println!("{:?} of {:?}: {:?}", values.shape(), array.shape(), values.as_slice());
    Ok(())
}
