//! One array for many threads, each of which reads chunks of its own: `cargo run --example threads [FILE]`
//!
//! To read one large selection by many threads, see `Array::read_parallel` of the feature `rayon`.

use b2nd::Array;
use core::error::Error;
use std::env;
use std::thread;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

fn main() -> Result<(), Box<dyn Error>> {
    let array = &Array::open(env::args().nth(1).unwrap_or_else(|| SAMPLE.into()))?;
    // No chunk is decoded by more than one thread.
    let sums: Result<Vec<u64>, _> = thread::scope(|scope| {
        let read = |chunk| scope.spawn(move || array.get(&chunk));
        let threads: Vec<_> = array.chunks().map(read).collect();
        let sum = |bytes: Vec<u8>| bytes.iter().map(|&byte| u64::from(byte)).sum();
        threads.into_iter().map(|thread| thread.join().expect("no panic").map(sum)).collect()
    });
    println!("sums of the bytes that each thread read: {:?}", sums?);
    Ok(())
}
