//! A slice of an array as values: `cargo run --example slice [FILE [SELECTION]]`

use b2nd::Array;
use core::error::Error;
use std::env;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| SAMPLE.into());
    let selection = arguments.next().unwrap_or_else(|| "-1, ::10, 5".into());

    let array = Array::open(path)?;
    let values = array.read::<f32>(selection)?;
    println!("{:?} of {:?}: {:?}", values.shape(), array.shape(), values.as_slice());
    for (name, value) in array.attrs()? {
        println!("{name}: {value:?}");
    }
    Ok(())
}
