//! One reader for many threads, each of which reads a plane of its own: `cargo run --example threads [FILE]`
//!
//! To read one large selection by many threads, see `Reader::get_parallel` of the feature `rayon`.

use b2nd::{Index, Selection};
use core::error::Error;
use std::env;
use std::thread;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

fn main() -> Result<(), Box<dyn Error>> {
    let reader = b2nd::open(env::args().nth(1).unwrap_or_else(|| SAMPLE.into()))?;
    let planes = reader.array()?.and_then(|array| array.shape().first().copied()).ok_or("no axis")?;
    let sums: Result<Vec<u64>, _> = thread::scope(|scope| {
        let read = |plane| reader.get(&Selection(vec![Index::At(plane)]));
        let threads: Vec<_> = (0..planes as i64).map(|plane| scope.spawn(move || read(plane))).collect();
        let sum = |bytes: Vec<u8>| bytes.iter().map(|&byte| u64::from(byte)).sum();
        threads.into_iter().map(|thread| thread.join().expect("no panic").map(sum)).collect()
    });
    println!("sums of the bytes of each plane: {:?}", sums?);
    Ok(())
}
