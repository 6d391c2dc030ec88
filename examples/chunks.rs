//! The mean of each chunk of an array, in the memory of one: `cargo run --example chunks [FILE]`

use b2nd::Array;
use b2nd::array::Kind;
use core::error::Error;
use std::env;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

fn main() -> Result<(), Box<dyn Error>> {
    let array = Array::open(env::args().nth(1).unwrap_or_else(|| SAMPLE.into()))?;
    let dtype = array.dtype();
    for chunk in array.chunks() {
        let mean = match (dtype.kind(), dtype.itemsize()) {
            (Kind::Float, 4) => mean(array.read::<f32>(&chunk)?.into_vec()),
            (Kind::Float, 8) => mean(array.read::<f64>(&chunk)?.into_vec()),
            (Kind::Int, 4) => mean(array.read::<i32>(&chunk)?.into_vec()),
            _ => return Err(format!("this example has no mean of {dtype}").into()),
        };
        println!("chunk {} at {:?}, items {:?}: {mean}", chunk.number, chunk.position, chunk.items);
    }
    Ok(())
}

/// The mean of what is a number.
fn mean<T: Into<f64>>(values: Vec<T>) -> f64 {
    let numbers: Vec<f64> = values.into_iter().map(T::into).filter(|value| !value.is_nan()).collect();
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
