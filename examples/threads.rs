//! One reader for many threads, each of which reads chunks of its own: `cargo run --example threads [FILE]`
//!
//! To read one large selection by many threads, see `Reader::get_parallel` of the feature `rayon`.

use b2nd::{Index, Selection};
use core::error::Error;
use std::env;
use std::thread;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

fn main() -> Result<(), Box<dyn Error>> {
    let reader = b2nd::open(env::args().nth(1).unwrap_or_else(|| SAMPLE.into()))?;
    let array = reader.layout()?.ok_or("no array")?;
    let (&len, &chunk) = array.shape().first().zip(array.chunkshape().first()).ok_or("no axis")?;
    // No chunk is decoded by more than one thread.
    let starts = (0..len as i64).step_by(chunk as usize);
    let part = |start| Index::Range { start: Some(start), stop: Some(start + i64::from(chunk)), step: 1 };
    let sums: Result<Vec<u64>, _> = thread::scope(|scope| {
        let read = |start| reader.get(&Selection(vec![part(start)]));
        let threads: Vec<_> = starts.map(|start| scope.spawn(move || read(start))).collect();
        let sum = |bytes: Vec<u8>| bytes.iter().map(|&byte| u64::from(byte)).sum();
        threads.into_iter().map(|thread| thread.join().expect("no panic").map(sum)).collect()
    });
    println!("sums of the bytes that each thread read: {:?}", sums?);
    Ok(())
}
